//! One webhook event. Its identifier must be the same at every attempt and every endpoint, so that
//! a receiver recognises a duplicate.

use super::{EndpointId, Topic};
use crate::event::Event;
use crate::messaging::IncomingMessage;
use crate::money::{Currency, Money};
use crate::reference::TransactionNumber;
use crate::reporting::ReportRunId;
use crate::statement::StatementEntry;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use std::fmt;

/// Names an event within its account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WebhookEventId(String);

impl WebhookEventId {
    /// Longest identifier: `evt_`, two numbers and what stands between them.
    pub const LENGTH_MAX: usize = 48;

    /// Of an event of a transaction: nothing else has its number and sequence.
    pub fn of_event(event: &Event) -> Self {
        Self(format!("evt_{}_{}", event.transaction, event.sequence))
    }

    /// Of a line of a statement: no other line of the account has its currency and place. Books
    /// that were restored give a place out again, but not at the same moment.
    pub fn of_line(line: &StatementEntry) -> Self {
        Self::of_place((line.amount.currency(), line.position), line.at)
    }

    /// Of the line that was booked at a place of a statement at a moment.
    pub fn of_place((currency, position): (Currency, u64), at: Timestamp) -> Self {
        let (code, millis) = (currency.code(), at.as_millis());
        Self(format!("evt_{code}_{position}_{millis}"))
    }

    /// Of what no transaction caused, under a fresh number.
    pub fn fresh(number: TransactionNumber) -> Self {
        Self(format!("evt_{number}"))
    }

    /// Reads an identifier; `None` where it can be none of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.strip_prefix("evt_")?;
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let parts: Vec<_> = name.split('_').collect();
        let fits = match parts.as_slice() {
            [number] => is_number(number),
            [number, sequence] => is_number(number) && is_number(sequence),
            [currency, position, at] => {
                Currency::from_code(currency).is_some() && is_number(position) && is_number(at)
            }
            _ => false,
        };
        (fits && text.len() <= Self::LENGTH_MAX).then(|| Self(text.to_owned()))
    }

    /// The text of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WebhookEventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventPayload {
    /// A transaction as the event left it.
    Transaction(Box<Transaction>),
    /// Money paid into the account: the line of its statement.
    Credit(Box<StatementEntry>),
    /// What can be spent has become less than the account wants to have.
    LowBalance {
        /// The line of the statement that did it.
        line: Box<StatementEntry>,
        /// What it fell below.
        below: Money,
    },
    /// An endpoint of the account.
    Endpoint(EndpointId),
    /// The file of a report: the event has its number.
    Report(ReportRunId),
    /// A message that a person sent: the event has its number.
    Incoming(Box<IncomingMessage>),
    /// Nothing: a trial.
    Ping,
}

/// One webhook event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvent {
    /// Its name within the account.
    pub id: WebhookEventId,
    /// What kind of event it was.
    pub topic: Topic,
    /// Its place among the events of its transaction, later ones higher; 1 where it has none.
    pub sequence: u32,
    /// When it was decided.
    pub at: Timestamp,
    /// What it is about.
    pub subject: EventPayload,
}

impl WebhookEvent {
    /// Of a message that a person sent.
    pub fn of_incoming(message: &IncomingMessage) -> Self {
        Self {
            id: WebhookEventId::fresh(message.id.number()),
            topic: Topic::MessageReceived,
            sequence: 1,
            at: message.recorded_at,
            subject: EventPayload::Incoming(Box::new(message.clone())),
        }
    }

    /// Whether it is delivered before everything that waits: the merchant of a test event waits to
    /// see it arrive.
    pub fn is_requested(&self) -> bool {
        self.topic == Topic::Ping
    }
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
        let at = Timestamp::from_millis(1_795_296_019_893);
        let lines =
            Currency::ALL.map(|currency| WebhookEventId::of_place((currency, u64::MAX), at));
        let others = [
            WebhookEventId::of_event(&event),
            WebhookEventId::fresh(number(17)),
        ];
        for id in others.into_iter().chain(lines) {
            assert_eq!(WebhookEventId::parse(id.as_str()), Some(id));
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
            "evt_NGN",
            "evt_NGN_",
            "evt_NGN_1",
            "evt_NGN_1_",
            "evt_NGN_1_1_1",
            "evt_NGN_NGN_1",
            "evt_ngn_1_1",
            "evt_XXX_1_1",
            "evt_1_NGN",
            "EVT_1",
            "evt_1 ",
            "1",
            &long,
        ] {
            assert_eq!(WebhookEventId::parse(text), None, "{text:?}");
        }
    }
}
