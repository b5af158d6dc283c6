//! Changes that could not be applied.

use super::{at, provider_id};
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use ports::changes::{ChangeId, ChangeStatus, DeadLetter};

/// A letter of the sandbox, seen and due at a second.
pub fn dead_letter(position: u64, reference: &str, second: u64) -> DeadLetter {
    DeadLetter {
        id: ChangeId {
            provider: provider_id("sandbox"),
            position,
            reference: ProviderReference::from_echo(reference),
        },
        finding: QueryOutcome::Reversed,
        reason: "the wallet cannot hold more".to_owned(),
        first_seen_at: at(second),
        tried_at: at(second),
        tries: 1,
        status: ChangeStatus::Open { due_at: at(second) },
    }
}
