//! Recovery: whatever nobody is working on any more is taken over, asked about, and settled through
//! the same code as the live flow. It must never send anything.

use crate::changes::ChangesFeed;
use crate::gateway::Gateway;
use crate::record::due_in_recovery;
use domain::transaction::{News, State, Transaction};
use ports::PortError;
use ports::probe::Moment;
use ports::transactions::Claim;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The recovery worker of a gateway.
#[derive(Debug)]
pub struct Recovery {
    gateway: Gateway,
    places: Arc<Semaphore>,
    changes: ChangesFeed,
}

impl Recovery {
    /// The worker of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        let places = gateway.parts().settings.recovery_batch as usize;
        Self {
            gateway: gateway.clone(),
            places: Arc::new(Semaphore::new(places)),
            changes: ChangesFeed::new(gateway),
        }
    }

    /// Takes over what dead processes left, then works until told to stop.
    pub async fn run(mut self, stop: CancellationToken) {
        let now = self.gateway.now();
        match self.gateway.parts().leases.reclaim_orphans(now).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "taking over what an earlier process left"),
            Err(error) => tracing::error!(error = %error, "orphans could not be reclaimed"),
        }
        let mut changes_due = now;
        while !stop.is_cancelled() {
            if let Err(error) = self.start_due().await {
                tracing::error!(error = %error, "due transactions could not be claimed");
            }
            if self.gateway.now() >= changes_due {
                self.changes.take_in(&self.gateway).await;
                let interval = self.gateway.parts().settings.changes_interval;
                changes_due = self.gateway.now().plus(interval);
            }
            let pause = self.gateway.parts().settings.recovery_interval;
            tokio::select! {
                () = self.gateway.parts().clock.sleep(pause) => {}
                () = stop.cancelled() => {}
            }
        }
    }

    /// One round: claims what is due, follows each up and takes in what providers tell. Answers how
    /// many transactions were followed up.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn sweep(&mut self) -> Result<usize, PortError> {
        let started = self.start_due().await?;
        let count = started.len();
        for follow_up in started {
            if follow_up.await.is_err() {
                tracing::error!("a follow-up ended unexpectedly; its lease will end");
            }
        }
        self.changes.take_in(&self.gateway).await;
        Ok(count)
    }

    async fn start_due(&self) -> Result<Vec<tokio::task::JoinHandle<()>>, PortError> {
        let limit = u32::try_from(self.places.available_permits()).unwrap_or(u32::MAX);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let lease = self.gateway.parts().settings.lease;
        let claim = Claim {
            now: self.gateway.now(),
            lease,
            limit,
        };
        let claimed = self.gateway.parts().leases.claim_due(claim).await?;
        let start = |transaction| {
            let (gateway, places) = (self.gateway.clone(), Arc::clone(&self.places));
            self.gateway.tasks().spawn(async move {
                let _place = places.acquire_owned().await;
                gateway.follow_up(transaction).await;
            })
        };
        Ok(claimed.into_iter().map(start).collect())
    }
}

impl Gateway {
    /// Asks about one unresolved transaction and records what is learned.
    async fn follow_up(&self, transaction: Transaction) {
        self.parts().probe.reached(Moment::AfterClaim).await;
        let Some(provider) = self.parts().providers.named(&transaction.provider) else {
            tracing::error!(provider = %transaction.provider, number = %transaction.number,
                "unresolved, and its provider is not configured");
            return;
        };
        let attempt = transaction.attempt();
        let mut current = transaction;
        if matches!(current.state, State::Sending(_)) {
            let takeover = News::Takeover { attempt };
            match self.record(current, &takeover, due_in_recovery).await {
                Ok(taken_over) => current = taken_over,
                Err(_) => return,
            }
        }
        if !matches!(current.state, State::InDoubt(_)) {
            return;
        }
        let finding = self
            .ask(&provider, &current.provider_reference(attempt))
            .await;
        let news = News::Finding { attempt, finding };
        // A failure was told where it happened; the lease brings the transaction back.
        let _ = self.record(current, &news, due_in_recovery).await;
    }
}
