//! Attempts at a provider. A second attempt must not exist before the first is proven not to have
//! happened.

use super::review::Ruling;
use super::state::Absence;
use crate::provider::Refusal;
use crate::time::Timestamp;
use std::fmt;

/// The number of an attempt within its transaction: 1 or 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttemptNumber(u8);

/// The number is not 1 or 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be from 1 to 2")]
pub struct InvalidAttempt;

impl AttemptNumber {
    /// Most attempts per transaction: one retry clears a passing fault; more only delay the answer.
    pub const MAX: u8 = 2;

    /// The first attempt.
    pub const FIRST: Self = Self(1);

    /// An attempt number.
    ///
    /// # Errors
    /// Refuses anything but 1 and 2.
    pub fn try_new(number: u8) -> Result<Self, InvalidAttempt> {
        (1..=Self::MAX)
            .contains(&number)
            .then_some(Self(number))
            .ok_or(InvalidAttempt)
    }

    /// The number itself.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The attempt after this; `None` after the last.
    pub fn next(self) -> Option<Self> {
        Self::try_new(self.0.saturating_add(1)).ok()
    }
}

impl fmt::Display for AttemptNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Why we are certain that an attempt did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// No byte of it left.
    NotSent,
    /// The provider refused it by a listed code.
    Refused(Refusal),
    /// The provider has no trace of it, long enough and often enough.
    Absent(Absence),
    /// The provider delivered it and took it back before we knew.
    TakenBack,
    /// Persons decided, with evidence.
    Ruled(Ruling),
}

/// An attempt that certainly did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disproven {
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// Why we are certain.
    pub proof: Proof,
    /// Since when.
    pub at: Timestamp,
    /// When the provider contradicted itself and said it was delivered after all; the loss is
    /// booked once, then.
    pub contradicted_at: Option<Timestamp>,
    /// When the provider said that it took back what it had delivered after all; a loss that was
    /// booked is undone once, then.
    pub taken_back_at: Option<Timestamp>,
}

impl Disproven {
    /// An attempt that is proven now not to have happened.
    pub const fn new(attempt: AttemptNumber, proof: Proof, at: Timestamp) -> Self {
        Self {
            attempt,
            proof,
            at,
            contradicted_at: None,
            taken_back_at: None,
        }
    }

    /// Whether a loss is booked for it: it was delivered after all, and not taken back.
    pub const fn is_loss(&self) -> bool {
        self.contradicted_at.is_some() && self.taken_back_at.is_none()
    }

    /// Whether it is known that nothing of it is delivered any more.
    fn is_taken_back(&self) -> bool {
        self.proof == Proof::TakenBack || self.taken_back_at.is_some()
    }

    /// The provider says that it was delivered after all; `false` where that is known, or old.
    pub(super) fn contradict(&mut self, at: Timestamp) -> bool {
        if self.contradicted_at.is_some() || self.is_taken_back() {
            return false;
        }
        self.contradicted_at = Some(at);
        true
    }

    /// The provider says that it took the delivery back; `false` where that is known.
    pub(super) fn take_back(&mut self, at: Timestamp) -> bool {
        if self.is_taken_back() {
            return false;
        }
        self.taken_back_at = Some(at);
        true
    }
}
