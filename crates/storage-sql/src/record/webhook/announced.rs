//! What is to be delivered, as the row that a batch writes. Each field must be named as its column
//! is.

use super::EventKey;
use super::line::LineRecord;
use crate::field_cipher::FieldCipher;
use crate::planner::{NewDelivery, PlannedObservation};
use crate::record::{ConfidentialDocument, StoredProgress, state_code};
use ports::PortError;
use serde::Serialize;

/// A delivery to insert.
#[derive(Debug, Serialize)]
pub struct AnnouncedRow<'a> {
    /// Whose.
    pub account: &'a str,
    /// To which endpoint.
    pub endpoint: i64,
    /// The number in the name of the event, see [`EventKey`].
    pub number: i64,
    /// The sequence in the name of the event.
    pub sequence: i32,
    /// The word of its topic.
    pub topic: &'static str,
    /// The currency in the name of the event, see [`EventKey::currency_code`].
    pub currency: &'static str,
    /// When it was decided, in milliseconds; it is due then.
    pub at: i64,
    /// The word of the state the event left the transaction in.
    pub state: Option<&'static str>,
    /// The version of the transaction.
    pub version: Option<i32>,
    /// When the transaction was changed, in milliseconds.
    pub updated_at: Option<i64>,
    /// What moves on of the transaction.
    pub progress: Option<ConfidentialDocument<StoredProgress<'a>>>,
    /// The statement entry that the event shows.
    pub shown: Option<LineRecord<'a>>,
}

impl<'a> AnnouncedRow<'a> {
    /// The row of what is announced.
    ///
    /// # Errors
    /// When what moves on of the transaction cannot be sealed.
    pub fn of(announced: &'a NewDelivery<'_>, cipher: &FieldCipher) -> Result<Self, PortError> {
        let row = Self {
            account: announced.account.as_str(),
            endpoint: announced.endpoint,
            number: 0,
            sequence: 0,
            currency: "",
            topic: announced.topic.code(),
            at: 0,
            state: None,
            version: None,
            updated_at: None,
            progress: None,
            shown: None,
        };
        Ok(match &announced.observation {
            PlannedObservation::Event { event, transaction } => Self {
                number: EventKey::number_of(event.transaction),
                sequence: i32::try_from(event.sequence).unwrap_or(i32::MAX),
                at: event.at.as_millis(),
                state: Some(state_code(&transaction.state)),
                version: i32::try_from(transaction.version).ok(),
                updated_at: Some(transaction.updated_at.as_millis()),
                progress: Some(StoredProgress::stored(transaction, cipher)?),
                ..row
            },
            PlannedObservation::Line(observation) => {
                let key = EventKey::of_line(&observation.line);
                Self {
                    number: key.number,
                    currency: key.currency_code(),
                    at: observation.line.at.as_millis(),
                    shown: Some(LineRecord::of(observation)),
                    ..row
                }
            }
        })
    }
}
