//! What proves, in number, that a provider has no trace of an attempt. It must count only answers
//! that prove something.

use crate::time::Timestamp;
use std::time::Duration;

/// A run of "not found" answers that count: all after the quarantine, spaced far enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// How many.
    pub sightings: u32,
    /// The first.
    pub first: Timestamp,
    /// The last.
    pub last: Timestamp,
    /// How old the attempt was at the last: the next must find it older by the spacing.
    pub last_age: Duration,
}
