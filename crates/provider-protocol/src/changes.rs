//! What changed at a provider without being asked: `GET /attempts?after=N`. The place of a change
//! must never move, or a reader that goes on from its cursor misses one.

use crate::attempt::AttemptAnswer;
use serde::{Deserialize, Serialize};

/// Most changes in one answer: each takes less than 1 KiB, so they fit into a body.
pub const CHANGES_MAX: usize = 50;

/// Some changes, oldest first. All changes of a provider are numbered from 0 without a gap, and the
/// first of these has the number that was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AttemptChanges {
    /// The attempts as they were after each change.
    pub attempts: Vec<AttemptAnswer>,
    /// The number of the change after these.
    pub next: u64,
}
