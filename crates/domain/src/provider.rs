//! What a provider can report about an attempt, and how long silence lasts before it proves
//! absence. It must not offer a value for "probably": an answer is definite or it is unknown.

use crate::family::AbsenceEnds;
use crate::money::Money;
use crate::order::Order;
use crate::reference::ProviderReference;
use crate::time::Timestamp;
use std::fmt;
use std::time::Duration;

/// The identity of a provider, 1–32 of `[a-z0-9-]`, such as `sandbox`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderId(String);

/// The text is not a provider identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 32 characters out of a-z 0-9 -")]
pub struct InvalidProvider;

impl ProviderId {
    /// Longest identity in characters.
    pub const LENGTH_MAX: usize = 32;

    /// Reads a provider identity.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and foreign characters.
    pub fn parse(text: &str) -> Result<Self, InvalidProvider> {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned())).ok_or(InvalidProvider)
    }

    /// What stands in the place of a provider on transactions that the gateway books alone. No
    /// provider may be configured under it.
    pub const GATEWAY: &'static str = "gateway";

    /// The identity of the gateway itself.
    pub fn gateway() -> Self {
        Self(Self::GATEWAY.to_owned())
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One attempt as it goes to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The reference of the attempt.
    pub reference: ProviderReference,
    /// What the adapter has to remember of it, as it was prepared.
    pub adapter_state: Option<String>,
    /// What to deliver.
    pub order: Order,
    /// When the attempt was recorded.
    pub started_at: Timestamp,
    /// How long the provider may take; later answers count as unknown.
    pub deadline: Duration,
    /// The moment after which the provider must not deliver. An adapter passes it on where the
    /// provider's interface has such a limit. A process that stops between its permit and its first
    /// byte for longer than the quarantine is closed off by nothing but this limit.
    pub not_after: Timestamp,
}

pub use crate::family::Fulfilment;

/// A provider's yes, with what it echoed so that it can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The reference the provider says it delivered under.
    pub reference: ProviderReference,
    /// The amount and currency the provider says it delivered.
    pub amount: Money,
    /// What it handed over.
    pub fulfilment: Fulfilment,
}

impl Receipt {
    /// Whether the echo is exactly what was sent.
    pub fn matches(&self, reference: &ProviderReference, order: &Order) -> bool {
        self.reference == *reference
            && self.amount == order.amount()
            && order.agrees_with(&self.fulfilment)
    }
}

/// Whose fault a refusal is. That decides whether another route may deliver, and what the merchant
/// is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The order's: the same order would be refused again.
    Order,
    /// Our account's at the provider: no float, a wrong key, an address that is not allowed.
    Account,
    /// The moment's: too many requests, a full queue, a biller that is down.
    Moment {
        /// After what time the provider advises to try again, where it says so.
        retry_after: Option<Duration>,
    },
    /// The provider takes it for a copy of an earlier order. The customer may have that one, so
    /// nothing else may deliver it again.
    Lookalike,
}

impl RefusalKind {
    /// Whether the order may go to another route: this one certainly did not deliver it, and the
    /// order is not at fault.
    pub const fn allows_another_route(self) -> bool {
        match self {
            Self::Account | Self::Moment { .. } => true,
            Self::Order | Self::Lookalike => false,
        }
    }
}

/// A provider's own, listed, definite no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Whose fault it is.
    pub kind: RefusalKind,
    /// The provider's code.
    pub code: String,
    /// The provider's words.
    pub reason: String,
}

/// Why an answer is not definite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnknownCause {
    /// No answer before the deadline.
    Timeout,
    /// The connection broke after the first byte.
    ConnectionLost,
    /// A 5xx or the like.
    ServerError,
    /// A body that cannot be read.
    Unreadable,
    /// A code the provider's contract does not list.
    Unlisted,
    /// "Duplicate reference" for a reference sent once: an earlier delivery may exist.
    DuplicateReference,
    /// The process that sent it is gone.
    Abandoned,
}

impl UnknownCause {
    /// Every cause.
    pub const ALL: [Self; 7] = [
        Self::Timeout,
        Self::ConnectionLost,
        Self::ServerError,
        Self::Unreadable,
        Self::Unlisted,
        Self::DuplicateReference,
        Self::Abandoned,
    ];
}

/// What came of submitting an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmitOutcome {
    /// Delivered, with proof.
    Delivered(Receipt),
    /// Refused by a listed code: certainly not delivered, now or later.
    Declined(Refusal),
    /// Failed before the first byte left: certainly not delivered.
    NotSent,
    /// Accepted for processing; nothing is delivered yet.
    Pending,
    /// Delivered and taken back since, in full.
    Reversed,
    /// Anything else after the first byte.
    Unknown(UnknownCause),
}

/// What a provider says when asked about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryOutcome {
    /// Delivered, with proof.
    Delivered(Receipt),
    /// Refused: certainly not delivered, now or later.
    Declined(Refusal),
    /// Still being processed.
    Pending,
    /// No trace of the reference. One such answer proves nothing.
    NotFound,
    /// Delivered once and taken back since, in full.
    Reversed,
    /// The question was not answered, or not in a readable way.
    Unknown,
}

/// What a provider calls an attempt: its own number or code of the transaction, 1 to
/// [`Self::LENGTH_MAX`] characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProviderTransactionId(String);

impl ProviderTransactionId {
    /// Longest identity in characters: longer than any that is published.
    pub const LENGTH_MAX: usize = 128;

    /// Reads an identity; `None` where the text cannot be one. A provider that sends such a text
    /// is treated as if it had sent none.
    pub fn parse(text: &str) -> Option<Self> {
        let length = text.chars().count();
        let fits = (1..=Self::LENGTH_MAX).contains(&length);
        (fits && !text.chars().any(char::is_control)).then(|| Self(text.to_owned()))
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a provider reports of an attempt beside its outcome. Each may come with any answer, also
/// with one that is not definite, and none of them decides anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptDetails {
    /// What the provider calls it. Some are asked by this alone.
    pub id: Option<ProviderTransactionId>,
    /// What it took from our float.
    pub cost: Option<Money>,
    /// The commission it paid us, where that is not part of the cost.
    pub commission: Option<Money>,
}

impl AttemptDetails {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.id.is_none() && self.cost.is_none() && self.commission.is_none()
    }

    /// The same after a later answer. The identity that came first stays: an answer with another
    /// one may be about another attempt. Amounts are those of the latest answer.
    #[must_use]
    pub fn after(self, later: &Self) -> Self {
        Self {
            id: self.id.or_else(|| later.id.clone()),
            cost: later.cost.or(self.cost),
            commission: later.commission.or(self.commission),
        }
    }
}

/// How a provider's silence is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsencePolicy {
    /// Up to which age of the attempt "not found" means nothing: longer than its request can be on
    /// the way and its index can lag, by at least [`Age::STEP_MAX`](crate::transaction::Age), which
    /// a clock that is set forwards may add.
    pub quarantine: Duration,
    /// How many "not found" in a row prove absence.
    pub not_found_min: u32,
    /// How far apart those must be, by the age of the attempt.
    pub not_found_spacing: Duration,
    /// From which age on without evidence a person must decide.
    pub review_after: Duration,
    /// What a proven absence ends. A provider that may find again what it did not find, or that
    /// cannot be asked by our reference, ends the search and never the payment.
    pub ends: AbsenceEnds,
}

impl AbsencePolicy {
    /// The cautious defaults for real providers: 10 minutes, 4 not-founds a minute apart, 24 hours.
    pub const CAUTIOUS: Self = Self {
        quarantine: Duration::from_mins(10),
        not_found_min: 4,
        not_found_spacing: Duration::from_mins(1),
        review_after: Duration::from_hours(24),
        ends: AbsenceEnds::Payment,
    };
}
