//! What providers call messages, as rows. A row that breaks the rules of its table must be an
//! error, never a guess.

use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use ports::PortError;
use ports::receipts::{Acceptance, AcceptedMessage, KnownPart, MessageExtent};

/// One identity of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageIdRow {
    /// Whose identity it is.
    pub provider: String,
    /// The identity.
    pub id: String,
    /// The attempt.
    pub reference: String,
    /// The index of the part; `None` where it stands for the whole message.
    pub part: Option<u8>,
    /// How many parts the message has.
    pub parts: u8,
    /// Whether every part was accepted.
    pub whole: bool,
}

/// The rows of a message. Of an identity that comes twice, the later one counts: one statement
/// cannot write a row twice.
pub fn message_ids(provider: &ProviderId, message: &AcceptedMessage) -> Vec<MessageIdRow> {
    let mut rows: Vec<MessageIdRow> = Vec::with_capacity(message.accepted.len());
    for accepted in &message.accepted {
        let row = MessageIdRow {
            provider: provider.as_str().to_owned(),
            id: accepted.id.as_str().to_owned(),
            reference: message.reference.as_str().to_owned(),
            part: match accepted.extent {
                MessageExtent::Part(part) => Some(part),
                MessageExtent::All => None,
            },
            parts: message.parts,
            whole: message.acceptance == Acceptance::Whole,
        };
        rows.retain(|known| known.id != row.id);
        rows.push(row);
    }
    rows
}

/// A number of parts as it is stored.
pub fn parts_of(stored: i64) -> Result<u8, PortError> {
    u8::try_from(stored).map_err(|_| unreadable())
}

impl MessageIdRow {
    /// Reads reference, part, parts and acceptance back.
    pub fn restore(
        (reference, part, parts, whole): (String, Option<i64>, i64, bool),
    ) -> Result<KnownPart, PortError> {
        let part = part.map(u8::try_from).transpose();
        Ok(KnownPart {
            reference: ProviderReference::from_echo(reference),
            extent: part
                .map_err(|_| unreadable())?
                .map_or(MessageExtent::All, MessageExtent::Part),
            parts: parts_of(parts)?,
            acceptance: if whole {
                Acceptance::Whole
            } else {
                Acceptance::Partial
            },
        })
    }
}

fn unreadable() -> PortError {
    PortError::new(
        "store",
        "a part of a message is numbered as none can be; see the table message_ids",
    )
}
