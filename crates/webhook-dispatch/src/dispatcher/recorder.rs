//! Records results, many at a time. It must not drop a result without having tried again; the store
//! notifies the other endpoints when one is disabled.

use super::DispatcherParts;
use super::limits::{RECORD_AGAIN, RECORD_MAX, RECORD_WINDOW};
use ports::PortError;
use ports::webhooks::{AttemptResult, EndpointDisabled};
use std::future::Future;
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;

pub(super) struct Recorder {
    parts: DispatcherParts,
    /// Notified when there may be more to claim.
    wake: Arc<Notify>,
}

impl Recorder {
    pub(super) const fn new(parts: DispatcherParts, wake: Arc<Notify>) -> Self {
        Self { parts, wake }
    }

    /// Records until no attempt can bring another result.
    pub(super) async fn run(self, mut results: Receiver<AttemptResult>) {
        while let Some(first) = results.recv().await {
            let batch = self.gather(first, &mut results).await;
            let recorded = self.persistently(|| self.parts.outbox.record_attempts(&batch));
            match recorded.await {
                Ok(given_up) => {
                    // Later events of the same transactions may be delivered now, and events of
                    // disabled endpoints.
                    self.wake.notify_one();
                    for EndpointDisabled {
                        account,
                        endpoint,
                        because,
                    } in given_up
                    {
                        let because = because.code();
                        let what = "endpoint disabled";
                        tracing::warn!(%account, %endpoint, because, "{what}");
                    }
                }
                Err(error) => tracing::error!(%error, attempts = batch.len(),
                    "results could not be recorded; the attempts are made again"),
            }
        }
    }

    /// A result with those that come soon after it: one commit for all of them.
    async fn gather(
        &self,
        first: AttemptResult,
        results: &mut Receiver<AttemptResult>,
    ) -> Vec<AttemptResult> {
        let mut batch = vec![first];
        let mut window = self.parts.clock.sleep(RECORD_WINDOW);
        while batch.len() < RECORD_MAX {
            tokio::select! {
                biased;
                result = results.recv() => match result {
                    Some(result) => batch.push(result),
                    None => break,
                },
                () = &mut window => break,
            }
        }
        batch
    }

    /// Tries again for a while. What was done though it seemed to fail is done only once: the store
    /// knows which attempt is the next.
    async fn persistently<T, F>(&self, work: impl Fn() -> F) -> Result<T, PortError>
    where
        F: Future<Output = Result<T, PortError>>,
    {
        for pause in RECORD_AGAIN {
            match work().await {
                Ok(done) => return Ok(done),
                Err(error) => tracing::warn!(%error, "the webhook store failed; trying again"),
            }
            self.parts.clock.sleep(pause).await;
        }
        work().await
    }
}
