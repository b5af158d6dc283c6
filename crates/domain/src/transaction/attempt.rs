//! Attempts at a provider. A second attempt must not exist before the first is proven not to have
//! happened.

use super::absence::Absence;
use super::ruling::Ruling;
use crate::provider::Refusal;
pub use crate::reference::{AttemptNumber, InvalidAttempt};
use crate::time::Timestamp;

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
