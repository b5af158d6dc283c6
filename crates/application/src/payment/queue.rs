//! The queue: what is paid for leaves it with its first attempt once its moment has come, in the
//! same steps as a payment that is sent at once. Nothing may be sent that is not stored as sending.

use super::Flow;
use super::claimed_places::{ClaimTerms, ClaimedPlaces};
use super::entry::{Confirmed, Entry};
use super::lately::Lately;
use super::next_attempt;
use crate::gateway::Gateway;
use crate::record::Driver;
use crate::submission_guard::SubmissionPlace;
use crate::tasks::WorkPlaces;
use domain::account::AccountId;
use domain::change_set::{ChangeSet, StateChange};
use domain::family::Service;
use domain::provider::ProviderId;
use domain::transaction::{
    ApplyContext, CancelCause, Observation, PassedOverReason, State, Transaction, Transition,
};
use ports::ledger_store::CommitOutcome;
use ports::transactions::{Claim, ClaimedPlace};
use ports::{CommitState, PortError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Most queued payments that an instance sends at a time: few enough that those of merchants who
/// wait are not delayed.
const UNDER_WAY_MAX: usize = 32;

/// Most queued payments that are claimed at a time: a claim is a commit of its own, and claiming a
/// few at a time would cost more than the two commits of sending each.
///
/// What becomes due after a claim does not wait until all of it is started, which would take eight
/// rounds of those under way: once a second, as often as an idle instance looks, as many as were
/// started are claimed of accounts of which none waits, and accounts take their turns in all that
/// waits. So a payment of such an account waits for a second at most, then for one payment of each
/// other account; a second costs one more commit. What an account has besides waits until what was
/// claimed of it is started, which is no more than this.
const CLAIMED_MAX: u32 = 256;

/// How long a payment that left its place in the line waits for a place at its provider: many times
/// what a submission takes, and well within its lease.
const PLACE_WAIT_MAX: Duration = Duration::from_secs(10);

/// How long it waits before it looks for a place again.
const PLACE_PAUSE: Duration = Duration::from_millis(50);

/// How many places must be free before the next payments are started: they are looked at together.
const STARTED_TOGETHER: usize = 8;

/// What is logged where the store failed.
const NOT_CLAIMED: &str = "queued transactions could not be claimed";

/// Sends what is queued.
#[derive(Debug)]
pub struct QueueWorker {
    gateway: Gateway,
    places: WorkPlaces,
    obstacles: Arc<Obstacles>,
}

/// What keeps payments in the queue: each is tried, or said, once in the time of a lease and not
/// for every payment that waits.
#[derive(Debug, Default)]
struct Obstacles {
    suspended: Lately<AccountId>,
    frozen: Lately<(AccountId, Service)>,
    given_nothing: Lately<ProviderId>,
}

impl Obstacles {
    /// Whether a payment was kept in the queue lately, and would be again.
    fn keep(&self, transaction: &Transaction, now: Duration) -> bool {
        let account = &transaction.account;
        let frozen = (account.clone(), transaction.order.service());
        self.suspended.has(account, now) || self.frozen.has(&frozen, now)
    }
}

impl QueueWorker {
    /// The worker of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        Self {
            gateway: gateway.clone(),
            places: WorkPlaces::new(UNDER_WAY_MAX),
            obstacles: Arc::default(),
        }
    }

    /// Works until it is stopped: once a second, as soon as something is queued here, and where
    /// more is due without a pause.
    pub async fn run(self, stop: CancellationToken) {
        let pause = self.gateway.parts().settings.recovery_interval;
        let mut claimed = ClaimedPlaces::default();
        while !stop.is_cancelled() {
            if let Err(error) = self.go_on(&mut claimed).await {
                tracing::error!(%error, "{NOT_CLAIMED}");
                claimed = ClaimedPlaces::default();
            }
            let more = async {
                if claimed.has_more() {
                    self.places.are_free(STARTED_TOGETHER).await;
                } else {
                    self.gateway.queue_changed().notified().await;
                }
            };
            tokio::select! {
                biased;
                () = self.gateway.pause(pause, &stop) => {}
                () = more => {}
            }
        }
    }

    /// One round: claims what is due and sends it. Returns how many were claimed.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn sweep(&self) -> Result<usize, PortError> {
        let claimed = self.claim(self.places.free(), &[]).await?;
        let started = self.start(claimed).await?;
        let count = started.len();
        for sending in started {
            if sending.await.is_err() {
                tracing::error!("a queued payment ended unexpectedly; its lease will end");
            }
        }
        Ok(count)
    }

    /// Claims what is due where it is time to, and starts as many as have a place.
    async fn go_on(&self, claimed: &mut ClaimedPlaces) -> Result<(), PortError> {
        let settings = &self.gateway.parts().settings;
        let now = self.gateway.uptime();
        // Another instance may have them soon.
        claimed.drop_late(now);
        if !claimed.is_empty() && self.is_suspended().await? {
            claimed.clear();
        }
        if claimed.is_claim_due(now, settings.recovery_interval) {
            let waiting = u32::try_from(claimed.len()).unwrap_or(u32::MAX);
            let limit = CLAIMED_MAX.saturating_sub(waiting);
            let terms = ClaimTerms {
                now,
                lease: settings.lease,
                limit: usize::try_from(limit).unwrap_or(usize::MAX),
            };
            let found = self.claim(limit, &claimed.accounts()).await;
            if claimed.is_empty() {
                claimed.add(found?, &terms);
            } else {
                // What waits is sent all the same: it is of this instance until its lease ends.
                let found = found.inspect_err(|error| tracing::error!(%error, "{NOT_CLAIMED}"));
                claimed.add(found.unwrap_or_default(), &terms);
            }
        }
        let free = usize::try_from(self.places.free()).unwrap_or(usize::MAX);
        self.start(claimed.take(free)).await.map(drop)
    }

    /// Whether payments are suspended, or frozen: nothing leaves the queue then, and an entry that
    /// is voided again says nothing.
    async fn is_suspended(&self) -> Result<bool, PortError> {
        if self.gateway.payment_freeze().is_some() {
            return Ok(true);
        }
        let suspension = self.gateway.parts().reconciliation.suspension().await?;
        Ok(suspension.is_some())
    }

    /// Claims what is due, of other accounts than these.
    async fn claim(
        &self,
        limit: u32,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError> {
        let parts = self.gateway.parts();
        if limit == 0 || self.is_suspended().await? {
            return Ok(Vec::new());
        }
        let claim = Claim {
            now: self.gateway.now(),
            lease: parts.settings.lease,
            limit,
        };
        parts.leases.claim_queued(claim, except).await
    }

    /// Starts what has a place.
    async fn start(&self, claimed: Vec<ClaimedPlace>) -> Result<Vec<JoinHandle<()>>, PortError> {
        let observed = self.observed(claimed).await?;
        let start = |(transaction, observation)| {
            let (gateway, obstacles) = (self.gateway.clone(), Arc::clone(&self.obstacles));
            let work = async move {
                Box::pin(gateway.send_queued(transaction, &observation, &obstacles)).await;
            };
            self.places.start(self.gateway.tasks(), work)
        };
        Ok(observed.into_iter().filter_map(start).collect())
    }

    /// What is to become of each that was claimed: it is due, unless it may not be sent any more.
    async fn observed(
        &self,
        claimed: Vec<ClaimedPlace>,
    ) -> Result<Vec<(Transaction, Observation)>, PortError> {
        let now = self.gateway.uptime();
        let mut claimed = claimed;
        claimed.retain(|place| !self.obstacles.keep(&place.transaction, now));
        if claimed.is_empty() {
            return Ok(Vec::new());
        }
        let keys = claimed.iter().map(|place| &place.transaction);
        let keys: Vec<_> = keys.map(|tx| (tx.account.clone(), tx.number)).collect();
        let stopped = self.gateway.parts().batches.stopped(&keys).await?;
        let observed = claimed.into_iter().enumerate().map(|(index, place)| {
            let observation = if !place.is_confirmed {
                Observation::Cancellation(CancelCause::Unconfirmed)
            } else if stopped.contains(&index) {
                Observation::Cancellation(CancelCause::BatchStopped)
            } else {
                Observation::Due
            };
            (place.transaction, observation)
        });
        Ok(observed.collect())
    }
}

impl Gateway {
    /// Takes a transaction out of the queue, with its first attempt or, where it is cancelled,
    /// without; where neither can be stored it stays there.
    async fn send_queued(
        &self,
        transaction: Transaction,
        observation: &Observation,
        obstacles: &Obstacles,
    ) {
        let listed = self
            .under_way()
            .list(&transaction.account, &transaction.reference);
        // Reserved first: what has left the queue and finds no place would fail for good.
        let place = self.place_for(&transaction, observation, obstacles).await;
        // Frozen while it waited for its place: its lease brings it back.
        if place.is_some() && self.payment_freeze().is_some() {
            return;
        }
        let begun = listed.begin();
        let Some(step) = self.leaving(transaction, observation, place.is_some()) else {
            return;
        };
        let Some((transaction, first)) = self.leave(step, obstacles).await else {
            return;
        };
        let Some(provider) = self.provider(transaction.provider()) else {
            return;
        };
        // No merchant waits: what comes of it is in the store.
        let (progress, _) = mpsc::channel(1);
        let flow = Flow {
            gateway: self.clone(),
            provider: Some(provider),
            progress,
        };
        flow.send(transaction, (first, place), (&listed, begun))
            .await;
    }

    /// A place at its provider for what is due, waited for where others are only before it; `None`
    /// where the provider is given nothing now.
    async fn place_for(
        &self,
        transaction: &Transaction,
        observation: &Observation,
        obstacles: &Obstacles,
    ) -> Option<SubmissionPlace> {
        if *observation != Observation::Due {
            return None;
        }
        let id = transaction.provider();
        let started = self.uptime();
        loop {
            let provider = self.provider(id)?;
            let reason = match self.reserve(&provider, &transaction.order) {
                Ok(place) => return Some(place),
                Err(reason) => reason,
            };
            let waited = self.uptime().saturating_sub(started);
            if reason != PassedOverReason::Busy || waited >= PLACE_WAIT_MAX {
                if obstacles.given_nothing.note(id.clone(), self.for_a_lease()) {
                    let reason = reason.code();
                    tracing::warn!(provider = %id, reason,
                        "given nothing now, and payments are queued for it");
                }
                return None;
            }
            self.wait(PLACE_PAUSE).await;
        }
    }

    /// The step that takes it out of the queue now, with an attempt where it has a place at its
    /// provider; `None` where it stays.
    fn leaving(
        &self,
        transaction: Transaction,
        observation: &Observation,
        has_place: bool,
    ) -> Option<Box<StateChange>> {
        let now = self.now();
        let next = has_place.then(|| next_attempt::queued(self, &transaction, now));
        let next = next.flatten();
        let profile = self.profile_of(&transaction);
        let context = ApplyContext {
            next: next.as_ref().map(|it| &it.prepared),
            ..ApplyContext::new(now, &profile)
        };
        let Transition::Changed(mut step) = transaction.apply(observation, context) else {
            return None;
        };
        let after = &step.transaction;
        let undated = self.undated_references(&after.account, &after.reference);
        step.due_at = Driver::Flow.due_at(after, now, &self.parts().settings);
        step.undated = undated;
        Some(step)
    }

    /// Stores the step, and the journal entry beside it where it records an attempt. The attempt
    /// may be sent where this answers it; where the answer of the store is lost it is not, and
    /// recovery asks the provider.
    async fn leave(
        &self,
        step: Box<StateChange>,
        obstacles: &Obstacles,
    ) -> Option<(Transaction, Confirmed)> {
        let after = step.transaction.clone();
        if !matches!(after.state, State::Sending(_)) {
            // Logged where it happened; the lease brings it back.
            let _ = self.commit(ChangeSet::Advance(step), &after).await;
            return None;
        }
        let (committed, entry) = tokio::join!(
            self.commit(ChangeSet::Advance(step), &after),
            Entry::append(self, &after),
        );
        match committed {
            Ok(CommitOutcome::Done) => Some((after, entry.confirm())),
            Ok(CommitOutcome::AccountSuspended) => {
                entry.void();
                let account = after.account;
                if obstacles
                    .suspended
                    .note(account.clone(), self.for_a_lease())
                {
                    tracing::info!(%account, "suspended, and its queued payments are not sent");
                }
                None
            }
            Ok(CommitOutcome::Frozen(breach)) => {
                entry.void();
                let (account, service) = (after.account, after.order.service());
                let frozen = (account.clone(), service);
                if obstacles.frozen.note(frozen, self.for_a_lease()) {
                    let service = service.code();
                    tracing::info!(%account, service, %breach, "queued payments are not sent");
                }
                None
            }
            Ok(refused) => {
                entry.void();
                tracing::info!(txnReference = %after.number, ?refused,
                    "a queued payment is not sent");
                None
            }
            Err(error) => {
                if error.effect == CommitState::Nothing {
                    entry.void();
                }
                None
            }
        }
    }

    /// Now, in uptime, and the time of a lease.
    fn for_a_lease(&self) -> (Duration, Duration) {
        (self.uptime(), self.parts().settings.lease)
    }
}
