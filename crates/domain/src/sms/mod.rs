//! Text messages: senders, encodings, parts and what becomes of each. It must never send or price.

mod alphabet;
mod bulk;
mod content;
mod delivery;
mod kind;
mod message;
mod segments;
mod sender;
mod template;

pub use bulk::{BulkMessages, FIELDS_MAX};
pub use content::{Content, InvalidContent};
pub use delivery::{DeliveryStatus, Dispatch, InvalidDispatch};
pub use kind::MessageKind;
pub use message::{FieldNaming, Message, MessageOrder};
pub use segments::{Encoding, PARTS_MAX, Segments, TooLong};
pub use sender::{InvalidSender, Sender, SenderName, SenderSerial, SenderStatus};
pub use template::{
    InvalidFieldName, InvalidFieldValue, InvalidTemplate, MessageTemplate, PersonalFieldName,
    PersonalFieldValue, PersonalFields, Unfilled,
};
