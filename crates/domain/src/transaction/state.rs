//! Where a transaction stands. Each state must hold exactly what is legal in it, so that what must
//! not be cannot be written down.

use super::absence::Absence;
use super::age::Age;
use super::attempt::{AttemptNumber, Disproven};
use super::ruling::Ruling;
use crate::provider::{Fulfilment, UnknownCause};
use crate::refund::GrantedRefund;
use crate::time::Timestamp;
use crate::user::Payee;

/// Where a transaction stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The price is set aside and no attempt was made yet.
    Queued(Queued),
    /// An attempt is recorded and may be on its way.
    Sending(Sending),
    /// An attempt was sent and has no definite answer yet; it is queried, never repeated.
    InDoubt(InDoubt),
    /// A person must decide.
    Review(Review),
    /// Delivered; the price is captured.
    Successful(Delivered),
    /// Certainly not delivered; the price was released.
    Failed(Disproven),
    /// Delivered and taken back; the price was returned.
    Reversed(Reversed),
    /// It left the queue without an attempt, and none will be made; the price was released.
    Cancelled(Cancelled),
    /// Done by the gateway's own books, without an attempt, as it was opened or as it left the
    /// queue; no provider takes part, and nothing takes it back.
    Booked(BookedAt),
}

impl State {
    /// The attempt that is under way, in doubt or delivered; of a failed transaction the last.
    /// `None` where none was made.
    pub const fn attempt(&self) -> Option<AttemptNumber> {
        Some(match self {
            Self::Sending(sending) => sending.attempt,
            Self::InDoubt(in_doubt) => in_doubt.attempt,
            Self::Review(review) => review.attempt,
            Self::Successful(delivered) => delivered.attempt,
            Self::Reversed(reversed) => reversed.delivered.attempt,
            Self::Failed(disproven) => disproven.attempt,
            Self::Queued(_) | Self::Cancelled(_) | Self::Booked(_) => return None,
        })
    }

    /// What was delivered, also where it was taken back since.
    pub const fn delivered(&self) -> Option<&Delivered> {
        match self {
            Self::Successful(delivered) => Some(delivered),
            Self::Reversed(reversed) => Some(&reversed.delivered),
            Self::Queued(_)
            | Self::Sending(_)
            | Self::InDoubt(_)
            | Self::Review(_)
            | Self::Failed(_)
            | Self::Cancelled(_)
            | Self::Booked(_) => None,
        }
    }

    /// When the attempt was recorded; `None` before that, and once its end is known.
    pub const fn started_at(&self) -> Option<Timestamp> {
        match self {
            Self::Sending(sending) => Some(sending.started_at),
            Self::InDoubt(in_doubt) => Some(in_doubt.started_at),
            Self::Review(review) => Some(review.started_at),
            Self::Queued(_)
            | Self::Successful(_)
            | Self::Failed(_)
            | Self::Reversed(_)
            | Self::Cancelled(_)
            | Self::Booked(_) => None,
        }
    }
}

/// Done by the gateway's own books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookedAt {
    /// Since when.
    pub at: Timestamp,
    /// The other account that was paid, where one was.
    pub payee: Option<Payee>,
}

/// Paid for and waiting for its first attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// From when on it may be sent.
    pub send_from: Timestamp,
    /// From when on it is not sent any more, but cancelled.
    pub expires_at: Timestamp,
}

/// It left the queue without an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled {
    /// Why.
    pub cause: CancelCause,
    /// Since when.
    pub at: Timestamp,
}

/// Why a queued transaction was never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CancelCause {
    /// Its merchant cancelled it.
    Requested,
    /// Its merchant had to approve it and refused.
    NotApproved,
    /// It was not sent in its time.
    Expired,
    /// Another payment of its batch failed, and the batch was to stop then.
    BatchStopped,
    /// It was queued before payments were suspended and a person resumed them: the store was set
    /// back, so that its merchant may have cancelled it since.
    Unconfirmed,
}

/// An attempt is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sending {
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// When it was recorded, before its first byte.
    pub started_at: Timestamp,
}

/// An attempt without a definite answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InDoubt {
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// When it was recorded, before its first byte.
    pub started_at: Timestamp,
    /// How long it has been without an answer: quarantine, spacing and review are judged by this.
    pub age: Age,
    /// What kind of doubt.
    pub doubt: Doubt,
    /// How many queries did not settle it.
    pub checks: u32,
}

/// What kind of doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Whether it arrived is unknown; "not found" is being counted.
    Unanswered {
        /// Why there is no answer.
        cause: UnknownCause,
        /// The "not found" answers that count so far.
        absence: Option<Absence>,
    },
    /// The provider said it has it. From then on "not found" proves nothing.
    Acknowledged,
}

/// A person must decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// When it was recorded.
    pub started_at: Timestamp,
    /// Why a person is needed.
    pub cause: ReviewCause,
    /// Since when.
    pub since: Timestamp,
}

/// Why a person is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewCause {
    /// The provider says it delivered something else than was ordered.
    Mismatch {
        /// What it says it delivered under.
        reference: String,
        /// The amount it says it delivered, as text with its currency.
        amount: String,
        /// What it says it handed over.
        fulfilment: Fulfilment,
    },
    /// No evidence either way for too long.
    Unresolved,
}

/// Delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// What was handed over.
    pub fulfilment: Fulfilment,
    /// How we know.
    pub evidence: Evidence,
    /// Since when we know.
    pub at: Timestamp,
    /// What the gateway gave back for it.
    pub refund: Option<GrantedRefund>,
}

/// How we know that something was delivered.
#[expect(
    clippy::large_enum_variant,
    reason = "it lies inside the larger record of the delivery, and rulings are too rare for a box"
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The provider answered so.
    Answered,
    /// The provider said so when asked.
    Found,
    /// Persons decided, with evidence.
    Ruled(Ruling),
}

/// Delivered and taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reversed {
    /// What had been delivered.
    pub delivered: Delivered,
    /// Since when we know it was taken back.
    pub at: Timestamp,
}
