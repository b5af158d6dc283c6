//! What messages to a person's app share, whichever platform carries them: who sends to whom, texts
//! and addresses, and how far one came. It must not know what a platform's messages hold.

mod delivery;
mod incoming;
mod parties;
mod text;
mod url;

pub use delivery::{MessageDelivery, MessageStatus};
pub use incoming::{
    CONVERSATION_WINDOW, Conversation, IncomingContent, IncomingMessage, IncomingMessageId,
    IncomingMessagesQuery, InvalidIncomingContent, InvalidMessageId, MessageChannel,
    ProviderMessageId, ReceivedMessage,
};
pub use parties::{AskedParties, MessageParties};
pub use text::{MessageLine, MessageText};
pub use url::{InvalidMessageUrl, MessageUrl};
