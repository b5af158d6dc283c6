//! One event as it is told. Its identifier must be the same at every attempt and every endpoint, so
//! that a receiver can know it again.

use super::{EndpointId, Topic};
use crate::event::Event;
use crate::reference::TransactionNumber;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use std::fmt;

/// Names a notice within its account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoticeId(String);

impl NoticeId {
    /// Longest identifier: `evt_`, two numbers and what stands between them.
    pub const LENGTH_MAX: usize = 48;

    /// Of an event of a transaction: nothing else has its number and sequence.
    pub fn of_event(event: &Event) -> Self {
        Self(format!("evt_{}_{}", event.transaction, event.sequence))
    }

    /// Of what no transaction caused, under a fresh number.
    pub fn fresh(number: TransactionNumber) -> Self {
        Self(format!("evt_{number}"))
    }

    /// Reads an identifier; `None` where it can be none of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers = text.strip_prefix("evt_")?;
        let fits = text.len() <= Self::LENGTH_MAX
            && numbers.split('_').count() <= 2
            && numbers
                .split('_')
                .all(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        fits.then(|| Self(text.to_owned()))
    }

    /// The text of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NoticeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a notice is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A transaction as the event left it.
    Transaction(Box<Transaction>),
    /// An endpoint of the account.
    Endpoint(EndpointId),
    /// Nothing: a trial.
    Trial,
}

/// An event as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its name within the account.
    pub id: NoticeId,
    /// What kind of event it was.
    pub topic: Topic,
    /// Its place among the events of its transaction, later ones higher; 1 where it has none.
    pub sequence: u32,
    /// When it was decided.
    pub at: Timestamp,
    /// What it is about.
    pub subject: Subject,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventKind;

    fn number(number: u64) -> TransactionNumber {
        TransactionNumber::try_new(number).unwrap()
    }

    #[test]
    fn an_identifier_is_read_back_from_its_text() {
        let event = Event {
            transaction: number(TransactionNumber::MAX),
            sequence: u32::MAX,
            kind: EventKind::Failed,
            at: Timestamp::from_millis(0),
        };
        for id in [NoticeId::of_event(&event), NoticeId::fresh(number(17))] {
            assert_eq!(NoticeId::parse(id.as_str()), Some(id));
        }
    }

    #[test]
    fn what_is_no_identifier_is_refused() {
        let long = format!("evt_{}", "1".repeat(45));
        for text in [
            "",
            "evt_",
            "evt__",
            "evt_1_",
            "evt_1_2_3",
            "evt_x",
            "EVT_1",
            "evt_1 ",
            "1",
            &long,
        ] {
            assert_eq!(NoticeId::parse(text), None, "{text:?}");
        }
    }
}
