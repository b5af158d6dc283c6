//! What changed at a provider without being asked: `GET /attempts?after=N`. The place of a change
//! must never move, or a reader that goes on from its cursor misses one.

use crate::attempt::AttemptAnswer;
use crate::document::{BODY_BYTES_MAX, DocumentError, write};
use serde::{Deserialize, Serialize};

/// Most changes in one answer, which also ends where its body would be too long for a reader.
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

/// Most bytes of the attempts of one answer: the rest of its body is the number of the next one.
const ATTEMPTS_BYTES_MAX: usize = BODY_BYTES_MAX - 1_024;

impl AttemptChanges {
    /// How many attempts from the first on fit into a body; one at least, so that a reader goes on.
    ///
    /// # Errors
    /// When one is longer than a reader accepts.
    pub fn fitting(attempts: &[AttemptAnswer]) -> Result<usize, DocumentError> {
        let mut bytes = 0_usize;
        for (index, attempt) in attempts.iter().enumerate() {
            // A comma stands between two.
            let own = write(attempt)?.len().saturating_add(1);
            bytes = bytes.saturating_add(own);
            if bytes > ATTEMPTS_BYTES_MAX {
                return Ok(index.max(1));
            }
        }
        Ok(attempts.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt::AttemptState;
    use domain::reference::ProviderReference;
    use domain::time::Timestamp;

    fn answers(count: usize, reference: &str) -> Vec<AttemptAnswer> {
        let reference = ProviderReference::from_echo(reference);
        let at = Timestamp::from_millis(1_768_467_660_000);
        vec![AttemptAnswer::new(&reference, AttemptState::Pending, at); count]
    }

    #[test]
    fn an_answer_is_cut_before_it_is_too_long_for_a_reader() {
        assert_eq!(AttemptChanges::fitting(&[]), Ok(0));
        let short = answers(CHANGES_MAX, "r");
        assert_eq!(AttemptChanges::fitting(&short), Ok(CHANGES_MAX));
        for length in [1_300, 2_000, 8 * 1_024, 31 * 1_024, 63 * 1_024] {
            let long = answers(CHANGES_MAX, &"r".repeat(length));
            let fit = AttemptChanges::fitting(&long).unwrap();
            assert!((1..CHANGES_MAX).contains(&fit), "{length}: {fit}");
            let body = AttemptChanges {
                attempts: long.into_iter().take(fit).collect(),
                next: u64::MAX,
            };
            assert!(write(&body).is_ok(), "{length}");
        }
    }
}
