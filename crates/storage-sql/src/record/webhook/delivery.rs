//! Deliveries as rows and back. An event must show the transaction as the row keeps it, whatever
//! the state of the transaction since.

use super::EventKey;
use super::endpoint::endpoint_id;
use super::line::LineRecord;
use crate::PART;
use crate::field_cipher::FieldCipher;
use crate::record::incoming::{opened_incoming, read_incoming};
use crate::record::{RecordError, TransactionRow, scalar::valid};
use crate::webhook::DeliveryProgress;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::reporting::ReportRunId;
use domain::time::Timestamp;
use domain::webhook::{Delivery, DeliveryState, EndpointId, EventPayload, Topic, WebhookEvent};
use ports::PortError;

/// The number of an endpoint as a database keeps it; it is below 2^53, so nothing is lost.
pub fn endpoint_key(id: EndpointId) -> i64 {
    i64::try_from(id.get()).unwrap_or(i64::MAX)
}

/// An event that no transaction caused, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announcement {
    /// The number in its name.
    pub number: i64,
    /// The endpoint it is about.
    pub about: Option<i64>,
}

impl Announcement {
    /// What is stored of an event. One of a transaction or of money is recorded by the commit that
    /// makes it so, never by itself.
    pub fn of(event: &WebhookEvent) -> Result<Self, PortError> {
        let about = match &event.subject {
            EventPayload::Transaction(_)
            | EventPayload::Credit(_)
            | EventPayload::LowBalance { .. }
            | EventPayload::Incoming(_) => {
                let what = format!("announce {}, which a commit records", event.id);
                return Err(PortError::new(PART, what));
            }
            EventPayload::Endpoint(id) => Some(endpoint_key(*id)),
            EventPayload::Report(_) | EventPayload::Ping => None,
        };
        let is_fresh = |key: &EventKey| key.sequence == 0 && key.currency.is_none();
        let fresh = EventKey::of(&event.id).filter(is_fresh);
        let Some(EventKey { number, .. }) = fresh else {
            let what = format!("announce {}, which names an event", event.id);
            return Err(PortError::new(PART, what));
        };
        Ok(Self { number, about })
    }
}

/// A delivery as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryRow {
    /// Whose it is.
    pub account: String,
    /// To which endpoint.
    pub endpoint: i64,
    /// The number in the name of the event.
    pub number: i64,
    /// The sequence in the name of the event, see [`EventKey`].
    pub sequence: i64,
    /// The currency in the name of the event.
    pub currency: String,
    /// The word of its topic.
    pub topic: String,
    /// When it was decided, in milliseconds.
    pub at: i64,
    /// The endpoint it is about, where it is about one.
    pub about: Option<i64>,
    /// The line of the statement it shows, where it shows one.
    pub shown: Option<String>,
    /// How many attempts ended since it was last asked for.
    pub attempts: i64,
    /// How often it was asked for again.
    pub round: i64,
    /// When it is tried, in milliseconds.
    pub due_at: Option<i64>,
    /// Whether it goes before whatever waits.
    pub requested: bool,
    /// When it was delivered, in milliseconds.
    pub delivered_at: Option<i64>,
    /// Since when it waits for the merchant, in milliseconds.
    pub parked_at: Option<i64>,
    /// The transaction of its event, with its mutable fields as the event left them.
    pub transaction: Option<TransactionRow>,
    /// The incoming message of its event, as it is stored.
    pub incoming: Option<String>,
}

impl DeliveryRow {
    /// The row with the sealed fields of its transaction opened.
    #[must_use]
    pub fn opened(mut self, cipher: &FieldCipher) -> Self {
        self.transaction = self.transaction.map(|it| it.opened(cipher));
        let of = (self.account.as_str(), self.number);
        self.incoming = self.incoming.map(|it| opened_incoming(cipher, of, it));
        self
    }

    /// The delivery the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the delivery.
    pub fn restore(&self) -> Result<Delivery, PortError> {
        let subject = self.subject().map_err(|error| self.unreadable(error))?;
        let subject = match (&self.transaction, subject) {
            (Some(transaction), _) => EventPayload::Transaction(Box::new(transaction.restore()?)),
            (None, subject) => subject,
        };
        self.read(subject).map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: RecordError) -> PortError {
        let (number, sequence) = (self.number, self.sequence);
        let (endpoint, account) = (self.endpoint, &self.account);
        let what = format!(
            "delivery {number}, {sequence} to endpoint {endpoint} of {account} cannot be read"
        );
        PortError::caused(PART, what, error)
    }

    /// What it is about, where that is no transaction.
    fn subject(&self) -> Result<EventPayload, RecordError> {
        match (&self.transaction, self.about, &self.shown) {
            (Some(_), Some(_), _) | (_, Some(_), Some(_)) => Err(RecordError::Value("about")),
            (Some(_), None, Some(_)) => Err(RecordError::Value("shown")),
            (Some(_), None, None) if self.sequence > 0 => Ok(EventPayload::Ping),
            (None, ..) if self.sequence != 0 => Err(RecordError::Value("transaction")),
            (Some(_), None, None) => Err(RecordError::Value("sequence")),
            (None, None, None) if self.topic == Topic::MessageReceived.code() => {
                let document = self.incoming.as_deref();
                let document = document.ok_or(RecordError::Value("message"))?;
                let message = read_incoming((&self.account, self.number), document)?;
                Ok(EventPayload::Incoming(Box::new(message)))
            }
            (None, None, None) if self.topic == Topic::ReportReady.code() => {
                let number = u64::try_from(self.number).unwrap_or_default();
                let number = valid(TransactionNumber::try_new(number), "number")?;
                Ok(EventPayload::Report(ReportRunId::new(number)))
            }
            (None, None, None) => Ok(EventPayload::Ping),
            (None, None, Some(line)) => LineRecord::subject(line),
            (None, Some(about), None) => Ok(EventPayload::Endpoint(endpoint_id(about)?)),
        }
    }

    fn read(&self, subject: EventPayload) -> Result<Delivery, RecordError> {
        let key = EventKey {
            number: self.number,
            sequence: valid(i32::try_from(self.sequence), "sequence")?,
            currency: EventKey::currency_of(&self.currency)?,
        };
        let sequence = valid(u32::try_from(self.sequence), "sequence")?;
        let at = Timestamp::from_millis(self.at);
        Ok(Delivery {
            account: valid(AccountId::parse(&self.account), "account")?,
            endpoint: endpoint_id(self.endpoint)?,
            event: WebhookEvent {
                id: key.id(at).ok_or(RecordError::Value("number"))?,
                topic: Topic::from_code(&self.topic).ok_or(RecordError::Value("topic"))?,
                sequence: sequence.max(1),
                at,
                subject,
            },
            attempts: valid(u16::try_from(self.attempts), "attempts")?,
            round: valid(u32::try_from(self.round), "replay_count")?,
            state: self.state()?,
        })
    }

    fn state(&self) -> Result<DeliveryState, RecordError> {
        let moments = [self.due_at, self.delivered_at, self.parked_at];
        Ok(match state(moments)? {
            DeliveryState::Due(at) => {
                let event_at = Timestamp::from_millis(self.at);
                // What goes before whatever waits is due since its event.
                let at = if self.requested { event_at } else { at };
                DeliveryState::Due(at.max(event_at))
            }
            state @ (DeliveryState::Delivered(_) | DeliveryState::Parked(_)) => state,
        })
    }
}

/// What moves on of a delivery, from its columns: attempts, replays, whether it is requested, and
/// [`moments`].
///
/// # Errors
/// When they break a rule.
pub fn progress(
    (attempts, round, requested): (i64, i64, bool),
    moments: [Option<i64>; 3],
) -> Result<DeliveryProgress, PortError> {
    let read = || {
        Ok(DeliveryProgress {
            attempts: valid(u16::try_from(attempts), "attempts")?,
            round: valid(u32::try_from(round), "replay_count")?,
            state: state(moments)?,
            requested,
        })
    };
    read().map_err(|error: RecordError| {
        PortError::caused(PART, "the state of a delivery cannot be read", error)
    })
}

fn state(moments: [Option<i64>; 3]) -> Result<DeliveryState, RecordError> {
    match moments.map(|moment| moment.map(Timestamp::from_millis)) {
        [Some(at), None, None] => Ok(DeliveryState::Due(at)),
        [None, Some(at), None] => Ok(DeliveryState::Delivered(at)),
        [None, None, Some(at)] => Ok(DeliveryState::Parked(at)),
        _ => Err(RecordError::Value("due_at")),
    }
}

/// When a delivery is due, was delivered or was parked, as the three columns of it.
pub const fn moments(state: DeliveryState) -> [Option<i64>; 3] {
    match state {
        DeliveryState::Due(at) => [Some(at.as_millis()), None, None],
        DeliveryState::Delivered(at) => [None, Some(at.as_millis()), None],
        DeliveryState::Parked(at) => [None, None, Some(at.as_millis())],
    }
}
