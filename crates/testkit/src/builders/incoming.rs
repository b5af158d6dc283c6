//! Messages that people send.

use super::{account_id, at, number, phone};
use domain::messaging::{
    IncomingContent, IncomingMessage, IncomingMessageId, MessageChannel, ProviderMessageId,
    ReceivedMessage,
};
use domain::provider::ProviderId;
use domain::sms::SenderName;

/// What a provider received as its message of a number: a text message to `Name0001`.
///
/// # Panics
/// Never: its values fit.
pub fn received_message(n: u64) -> ReceivedMessage {
    let channel = MessageChannel::Sms;
    ReceivedMessage {
        id: ProviderMessageId::parse(&format!("in-{n}")).expect("a name of a message"),
        channel,
        number: phone("2348031234567"),
        sender: SenderName::parse("Name0001").expect("a sender name"),
        content: IncomingContent::new(channel, Some("Yes, deliver on Friday."), None)
            .expect("a content"),
        received_at: at(n),
    }
}

/// The message of a number of an account, recorded a second after it was received.
///
/// # Panics
/// Where the number is none.
pub fn incoming_message(account: &str, n: u64) -> IncomingMessage {
    IncomingMessage {
        id: IncomingMessageId::new(number(n)),
        account: account_id(account),
        provider: ProviderId::parse("sandbox").expect("a provider"),
        received: received_message(n),
        recorded_at: at(n + 1),
        reply_to: None,
    }
}
