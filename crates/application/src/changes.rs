//! What providers tell unasked: deliveries taken back, and what became of messages. Taking the same
//! change in twice must do nothing the second time.

use crate::gateway::Gateway;
use crate::record::Follower;
use domain::provider::Finding;
use domain::reference::ProviderReference;
use domain::transaction::News;
use ports::PortError;
use ports::provider::{Changes, Provider};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// How many pages of one provider's changes are read in a row: a long history is caught up with
/// soon after a start, and no provider holds up the others for ever.
const PAGES_MAX: usize = 64;

/// Where each provider's changes are read on from.
#[derive(Debug)]
pub(crate) struct ChangesFeed {
    cursors: Vec<(Arc<dyn Provider>, u64)>,
}

impl ChangesFeed {
    /// Begins at the beginning: what was taken in before changes nothing again.
    pub(crate) fn new(gateway: &Gateway) -> Self {
        let providers = gateway.parts().providers.distinct();
        Self {
            cursors: providers
                .into_iter()
                .map(|provider| (provider, 0))
                .collect(),
        }
    }

    /// Takes changes in, again and again, until told to stop.
    pub(crate) async fn run(mut self, gateway: &Gateway, stop: &CancellationToken) {
        let pause = gateway.parts().settings.changes_interval;
        while !stop.is_cancelled() {
            self.take_in(gateway).await;
            gateway.pause(pause, stop).await;
        }
    }

    /// Takes in every change since the last time. Where one cannot be stored, its provider's
    /// changes are read again from the same place.
    pub(crate) async fn take_in(&mut self, gateway: &Gateway) {
        for (provider, cursor) in &mut self.cursors {
            for _ in 0..PAGES_MAX {
                match take_in_from(gateway, provider, *cursor).await {
                    Ok(next) if next == *cursor => break,
                    Ok(next) => *cursor = next,
                    Err(error) => {
                        let provider = provider.id();
                        tracing::warn!(%provider, %error, "changes were not taken in");
                        break;
                    }
                }
            }
        }
    }
}

async fn take_in_from(
    gateway: &Gateway,
    provider: &Arc<dyn Provider>,
    cursor: u64,
) -> Result<u64, PortError> {
    let changes = gateway.ask_for_changes(provider, cursor).await?;
    for change in changes.findings {
        gateway.take_in(provider, change).await?;
    }
    Ok(changes.next)
}

impl Gateway {
    /// Asks for as long as a call may take: a provider that hangs must not hold up the others.
    async fn ask_for_changes(
        &self,
        provider: &Arc<dyn Provider>,
        cursor: u64,
    ) -> Result<Changes, PortError> {
        let answer = provider.changes_since(cursor);
        let answer = self.within(self.parts().settings.call_deadline, answer);
        let late = || PortError::new("provider", "no changes before the deadline");
        answer.await.unwrap_or_else(|| Err(late()))
    }

    /// Takes in one change. A provider is heard on what it was given to deliver, and on nothing
    /// else: no other provider's word moves money here.
    async fn take_in(
        &self,
        provider: &Arc<dyn Provider>,
        (told, finding): (ProviderReference, Finding),
    ) -> Result<(), PortError> {
        // Silence counts only as the answer to a question: what is told here is told again after
        // every start, and would count each time.
        if finding == Finding::NotFound {
            return Ok(());
        }
        let Some((account, reference, attempt)) = told.parts() else {
            tracing::warn!(reference = %told, "a provider told of a reference that is not ours");
            return Ok(());
        };
        let stored = self
            .parts()
            .transactions
            .by_reference(&account, &reference)
            .await?;
        let Some(transaction) = stored else {
            tracing::warn!(reference = %told, "a provider told of a transaction not stored here");
            return Ok(());
        };
        if transaction.provider != *provider.id() {
            let provider = provider.id();
            tracing::error!(%provider, reference = %told, "a provider told of another's delivery");
            return Ok(());
        }
        let news = News::Finding { attempt, finding };
        self.record(transaction, &news.into(), Follower::Recovery)
            .await
            .map(|_| ())
    }
}
