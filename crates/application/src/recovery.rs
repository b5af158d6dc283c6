//! Recovery: takes over transactions that no flow is working on any more, queries their providers,
//! and settles them through the same code as the live flow. It must never send an order.

use crate::gateway::Gateway;
use crate::provider_events::ChangesFeed;
use crate::record::Driver;
use crate::tasks::WorkPlaces;
use domain::provider::QueryOutcome;
use domain::transaction::{Observation, State, Transaction};
use ports::PortError;
use ports::fault_point::FaultStep;
use ports::transactions::Claim;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// After so many rounds it is made sure once more that nothing is due too far away: seldom enough
/// to cost nothing, often enough that a clock that is set back delays nothing by more than seconds.
const ROUNDS_PER_BOUND: u32 = 10;

/// The shortest suspension that is logged: the two clocks it is found by differ by less.
const SUSPENSION_MIN: Duration = Duration::from_millis(100);

/// The recovery worker of a gateway.
#[derive(Debug)]
pub struct Recovery {
    work: FollowUps,
    changes: ChangesFeed,
    orphans: Orphans,
}

/// Whether what dead processes left was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Orphans {
    Left,
    TakenOver,
}

/// What is followed up, and how much of it at a time.
#[derive(Debug)]
struct FollowUps {
    gateway: Gateway,
    places: WorkPlaces,
}

impl Recovery {
    /// The worker of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        let places = gateway.parts().settings.recovery_batch as usize;
        Self {
            work: FollowUps {
                gateway: gateway.clone(),
                places: WorkPlaces::new(places),
            },
            changes: ChangesFeed::new(gateway),
            orphans: Orphans::Left,
        }
    }

    /// Takes over what dead processes left. Wait for it before the first payment is let in: what is
    /// under way by then is taken for left behind, and asked about while it is being sent.
    pub async fn reclaim(&mut self) {
        self.work.reclaim().await;
        self.orphans = Orphans::TakenOver;
    }

    /// Works until it is stopped; takes over transactions of dead processes first, unless that was
    /// done.
    pub async fn run(mut self, stop: CancellationToken) {
        if self.orphans == Orphans::Left {
            self.reclaim().await;
        }
        let Self { work, changes, .. } = self;
        // Concurrently: a provider that is slow to report changes must not delay recovery.
        let receipts = work.gateway.clone().receive_receipts(stop.clone());
        let (payments, changes) = (work.run(&stop), changes.run(&work.gateway, &stop));
        tokio::join!(payments, changes, receipts);
    }

    /// One round: claims what is due, follows each up and applies what providers report. Returns
    /// how many transactions were followed up.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn sweep(&mut self) -> Result<usize, PortError> {
        let started = self.work.start_due().await?;
        let count = started.len();
        for follow_up in started {
            if follow_up.await.is_err() {
                tracing::error!("a follow-up ended unexpectedly; its lease will end");
            }
        }
        self.changes.ingest(&self.work.gateway).await;
        Ok(count)
    }
}

impl FollowUps {
    async fn reclaim(&self) {
        let (now, leases) = (self.gateway.now(), &self.gateway.parts().leases);
        match leases.reclaim_orphans(now).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "taking over what an earlier process left"),
            Err(error) => tracing::error!(%error, "orphans could not be reclaimed"),
        }
    }

    /// Makes sure that nothing undecided waits longer than the longest pause: a clock that was
    /// ahead when a step was stored may have made it due days away.
    async fn bound_due(&self) {
        let parts = self.gateway.parts();
        let longest = parts.settings.longest_pause();
        match parts.leases.bound_due(self.gateway.now(), longest).await {
            Ok(0) => {}
            Ok(count) => tracing::warn!(count, "due times too far away were brought forward"),
            Err(error) => tracing::error!(%error, "due times could not be bounded"),
        }
    }

    async fn run(&self, stop: &CancellationToken) {
        let pause = self.gateway.parts().settings.recovery_interval;
        let mut rounds: u32 = 0;
        let clock = &self.gateway.parts().clock;
        let mut suspended = clock.suspended();
        while !stop.is_cancelled() {
            if rounds.is_multiple_of(ROUNDS_PER_BOUND) {
                self.bound_due().await;
            }
            rounds = rounds.wrapping_add(1);
            let before = std::mem::replace(&mut suspended, clock.suspended());
            let slept = suspended.saturating_sub(before);
            if slept > SUSPENSION_MIN {
                let suspended_ms = slept.as_millis();
                tracing::warn!(suspended_ms, "the machine was suspended");
            }
            if let Err(error) = self.start_due().await {
                tracing::error!(%error, "due transactions could not be claimed");
            }
            self.gateway.pause(pause, stop).await;
        }
    }

    /// Claims as much as there are places for and starts following it up.
    async fn start_due(&self) -> Result<Vec<JoinHandle<()>>, PortError> {
        let limit = self.places.free();
        if limit == 0 {
            return Ok(Vec::new());
        }
        let claim = Claim {
            now: self.gateway.now(),
            lease: self.gateway.parts().settings.lease,
            limit,
        };
        let claimed = self.gateway.parts().leases.claim_due(claim).await?;
        let start = |transaction| {
            let gateway = self.gateway.clone();
            let work = async move { gateway.follow_up(transaction).await };
            self.places.start(self.gateway.tasks(), work)
        };
        // A clock set forward makes due what this process is still sending. Nothing else is left
        // out: what is claimed and not followed up waits for the end of its lease.
        let is_left = |transaction: &Transaction| {
            let may_be_sent = matches!(transaction.state, State::Sending(_));
            !may_be_sent || !self.gateway.under_way().has(transaction)
        };
        let claimed = claimed.into_iter().filter(is_left);
        Ok(claimed.filter_map(start).collect())
    }
}

impl Gateway {
    /// Asks about one unresolved transaction and records what is learned.
    async fn follow_up(&self, transaction: Transaction) {
        self.parts().probe.reached(FaultStep::AfterClaim).await;
        let mut current = transaction;
        if let State::Sending(sending) = current.state {
            let takeover = Observation::Takeover {
                attempt: sending.attempt,
            };
            match self
                .settle_attempt(current, &takeover.into(), Driver::Recovery)
                .await
            {
                Ok(taken_over) => current = taken_over,
                // Logged where it happened; the lease brings the transaction back.
                Err(_) => return,
            }
        }
        let State::InDoubt(in_doubt) = current.state else {
            return;
        };
        let attempt = in_doubt.attempt;
        let observation = if let Some(provider) = self.provider(current.provider()) {
            self.ask(&provider, &current, attempt).await
        } else {
            // There is no provider to query; it still comes to review once it has waited too long.
            tracing::error!(provider = %current.provider(), txnReference = %current.number,
                "unresolved, and its provider is not configured");
            let finding = QueryOutcome::Unknown;
            Observation::Finding { attempt, finding }.into()
        };
        // Logged where it happened; the lease brings the transaction back.
        let _ = self
            .settle_attempt(current, &observation, Driver::Recovery)
            .await;
    }
}
