//! Where a transaction stands. Each state must hold exactly what is legal in it, so that what must
//! not be cannot be written down.

use super::absence::Absence;
use super::age::Age;
use super::attempt::{AttemptNumber, Disproven};
use super::ruling::Ruling;
use crate::provider::{Fulfilment, UnknownCause};
use crate::time::Timestamp;

/// Where a transaction stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
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
}

impl State {
    /// The attempt that is under way, in doubt or delivered; of a failed transaction the last.
    pub const fn attempt(&self) -> AttemptNumber {
        match self {
            Self::Sending(sending) => sending.attempt,
            Self::InDoubt(in_doubt) => in_doubt.attempt,
            Self::Review(review) => review.attempt,
            Self::Successful(delivered) => delivered.attempt,
            Self::Reversed(reversed) => reversed.delivered.attempt,
            Self::Failed(disproven) => disproven.attempt,
        }
    }
}

impl State {
    /// When the attempt was recorded; `None` once its end is known.
    pub const fn started_at(&self) -> Option<Timestamp> {
        match self {
            Self::Sending(sending) => Some(sending.started_at),
            Self::InDoubt(in_doubt) => Some(in_doubt.started_at),
            Self::Review(review) => Some(review.started_at),
            Self::Successful(_) | Self::Failed(_) | Self::Reversed(_) => None,
        }
    }
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
