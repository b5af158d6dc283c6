//! Sealing references: one that was never seen is refused for ever. A seal must never change what
//! became of a request that had arrived.

use crate::answer;
use crate::journal::JournalLine;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use ports::provider::Seals;

#[async_trait]
impl Seals for Simulator {
    async fn seal(&self, reference: &ProviderReference) -> QueryOutcome {
        let sealed = self.look(|| self.journal.seal(reference)).await;
        let sealed = sealed.and_then(|line| self.sync().map(|()| line));
        match sealed {
            Ok(JournalLine::Seal(sealed)) if sealed == *reference => {
                QueryOutcome::Declined(answer::refusal_of_seal())
            }
            Ok(JournalLine::Entry(entry)) if entry.reference == *reference => {
                let now = self.clock.now();
                match answer::finding(&entry, now, &self.catalogue) {
                    // The request is on its way and will arrive: no seal can stop it any more.
                    QueryOutcome::NotFound => QueryOutcome::Pending,
                    finding @ (QueryOutcome::Delivered(_)
                    | QueryOutcome::Declined(_)
                    | QueryOutcome::Pending
                    | QueryOutcome::Reversed
                    | QueryOutcome::Unknown) => finding,
                }
            }
            Ok(_) => QueryOutcome::Unknown,
            Err(error) => {
                tracing::error!(%error, %reference, "the sandbox could not seal a reference");
                QueryOutcome::Unknown
            }
        }
    }
}

impl Simulator {
    /// What a request is answered whose reference is in the journal already.
    pub(crate) async fn already_taken(&self, reference: &ProviderReference) -> SubmitOutcome {
        match self.look(|| self.journal.find(reference)).await {
            Ok(Some(JournalLine::Seal(sealed))) if sealed == *reference => {
                SubmitOutcome::Declined(answer::refusal_of_seal())
            }
            Ok(_) => SubmitOutcome::Unknown(UnknownCause::DuplicateReference),
            Err(error) => {
                tracing::error!(%error, %reference, "the sandbox could not read its journal");
                SubmitOutcome::Unknown(UnknownCause::ServerError)
            }
        }
    }
}
