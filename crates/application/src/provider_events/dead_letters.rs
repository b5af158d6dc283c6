//! The dead-letter list: what could not be applied waits there and is tried again. A letter must
//! leave it only after its change was applied.

use super::{NotApplied, explained, storable};
use crate::gateway::Gateway;
use domain::provider::QueryOutcome;
use ports::changes::{ChangeId, ChangeStatus, DeadLetter, Retried, SetAside};
use ports::{PortError, PortErrorKind};

/// How many dead letters are tried in one round; the rest comes in the next.
const RETRIES_MAX: u32 = 100;

/// The longest reason that is kept, in characters.
const REASON_MAX: usize = 500;

impl Gateway {
    /// Puts a change that could not be applied into the list, and raises the alarm where it was not
    /// there before.
    ///
    /// # Errors
    /// When the store failed, or as many changes wait as may.
    pub(super) async fn set_aside(
        &self,
        id: ChangeId,
        finding: QueryOutcome,
        reason: String,
    ) -> Result<(), PortError> {
        let now = self.now();
        let settings = &self.parts().settings;
        let letter = DeadLetter {
            id: ChangeId {
                reference: storable(id.reference),
                ..id
            },
            finding,
            reason: shortened(&reason),
            first_seen_at: now,
            tried_at: now,
            tries: 1,
            status: ChangeStatus::Open {
                due_at: now.plus(settings.dead_letter_retry_after(1)),
            },
        };
        let open_max = settings.dead_letters_max;
        match self.parts().changes.set_aside(&letter, open_max).await? {
            SetAside::Done => {
                let (id, reason) = (&letter.id, &letter.reason);
                tracing::error!(
                    provider = %id.provider, position = id.position, reference = %id.reference,
                    reason, "a provider's change could not be applied and is a dead letter now"
                );
                Ok(())
            }
            SetAside::Known => Ok(()),
            SetAside::Full => {
                let what = format!(
                    "{open_max} dead letters wait already, so no more changes are read until some \
                     are applied; see `manilla dead-letter list`"
                );
                tracing::error!(
                    open_max,
                    "the dead-letter list is full and the feed stopped"
                );
                Err(PortError::new("changes", what))
            }
        }
    }

    /// Tries the dead letters that are due.
    ///
    /// # Errors
    /// When the store failed.
    pub(super) async fn retry_dead_letters(&self) -> Result<(), PortError> {
        let due = self.parts().changes.due(self.now(), RETRIES_MAX).await?;
        for letter in due {
            self.retry(letter).await?;
        }
        Ok(())
    }

    async fn retry(&self, letter: DeadLetter) -> Result<(), PortError> {
        let changes = &self.parts().changes;
        let id = &letter.id;
        let reason = match self.apply(id, letter.finding).await {
            Ok(()) => {
                if changes.resolve(id, self.now()).await? {
                    tracing::info!(
                        provider = %id.provider, position = id.position, reference = %id.reference,
                        "a dead letter was applied"
                    );
                }
                return Ok(());
            }
            Err(NotApplied::Item(reason)) => reason,
            Err(NotApplied::Store(error)) => match error.trouble {
                PortErrorKind::Busy | PortErrorKind::Unreachable => return Err(error),
                PortErrorKind::Failed | PortErrorKind::Record => explained(&error),
            },
        };
        let now = self.now();
        let pause = self.parts().settings;
        let pause = pause.dead_letter_retry_after(letter.tries.saturating_add(1));
        let retried = Retried {
            at: now,
            due_at: now.plus(pause),
            reason: shortened(&reason),
        };
        changes.retried(id, &retried).await.map(drop)
    }
}

/// A reason in one line that can be stored and shown everywhere.
fn shortened(reason: &str) -> String {
    let plain = |character: char| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    };
    reason.chars().map(plain).take(REASON_MAX).collect()
}
