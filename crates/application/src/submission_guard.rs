//! What stands between the payment flow and one account at a provider: the limits of the account,
//! the spacing of equal orders, a circuit breaker for each biller, and the tranche of our money
//! there. It belongs to this process alone; instances share nothing of it, and the store leases
//! each tranche to one of them. It must not hold an order back for later: what finds no
//! place is not sent, and may go to another route.

mod breaker;
mod float;
mod lookalikes;
mod lookup_place;
mod places;

pub use breaker::BreakerLimits;
pub(crate) use lookup_place::LookupPlace;

use async_trait::async_trait;
use breaker::{Breaker, BreakerCall, BreakerChange, CallResult};
use domain::float_reserve::TrancheGrant;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::provider::{RefusalKind, Submission, SubmitOutcome};
use domain::transaction::PassedOverReason;
use float::{HeldTranche, TakenFloat};
use lookalikes::{LikenessVerdict, Lookalikes, OrderLikeness};
use places::Places;
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit, Withheld};
use ports::provider::{Provider, ProviderAnswer};
use ports::provider_limits::ProviderLimits;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What an operator set for an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GuardSettings {
    /// The limits of the account, over all products. Those that its provider promises hold besides.
    pub limits: ProviderLimits,
    /// When its breakers open; without it they never do.
    pub breaker: Option<BreakerLimits>,
    /// How much of our money there an instance has at once, to sell no more than was paid in;
    /// without it nothing is reserved.
    pub tranche: Option<Money>,
}

/// The guard of one account.
#[derive(Debug)]
pub struct SubmissionGuard {
    settings: GuardSettings,
    /// Shared with the guards that this one replaces.
    state: Arc<Mutex<GuardState>>,
}

#[derive(Debug, Default)]
struct GuardState {
    places: Places,
    lookalikes: Lookalikes,
    float: HeldTranche,
    /// By product and biller.
    breakers: BTreeMap<BreakerKey, Breaker>,
}

/// The product and its biller, where it has one.
type BreakerKey = (&'static str, Option<String>);

fn key_of(order: &Order) -> BreakerKey {
    (order.service().code(), order.biller().map(str::to_owned))
}

impl SubmissionGuard {
    /// A guard that has seen nothing yet.
    pub fn new(settings: GuardSettings) -> Self {
        Self {
            settings,
            state: Arc::default(),
        }
    }

    /// A guard by other settings that goes on with what this one has seen. Breakers that are open
    /// stay so until their time is over.
    pub(crate) fn with_settings(&self, settings: GuardSettings) -> Self {
        let mut state = self.state();
        if settings.tranche != self.settings.tranche {
            // What is sold meanwhile would not be taken from it.
            state.float.forget();
        }
        match settings.breaker {
            None => state.breakers.clear(),
            Some(limits) => {
                for breaker in state.breakers.values_mut() {
                    breaker.set_limits(limits);
                }
            }
        }
        drop(state);
        Self {
            settings,
            state: Arc::clone(&self.state),
        }
    }

    /// Why the account is not given an order now; `None` where it may be. Until it is sent another
    /// order may take its place: then it is not sent.
    pub(crate) fn obstacle(
        &self,
        provider: &Arc<dyn Provider>,
        order: &Order,
        uptime: Duration,
    ) -> Option<PassedOverReason> {
        let limits = provider.limits(order.service());
        self.judge(&self.state(), (order, &limits), uptime)
    }

    /// Whether the breaker of a product and its biller, where it has one, is open.
    pub(crate) fn is_open(
        &self,
        (service, biller): (Service, Option<&str>),
        uptime: Duration,
    ) -> bool {
        let key = (service.code(), biller.map(str::to_owned));
        let state = self.state();
        let breaker = state.breakers.get(&key);
        breaker.is_some_and(|breaker| !breaker.admits(uptime))
    }

    /// Whether the breaker of any biller of a product is open.
    pub(crate) fn has_open(&self, service: Service, uptime: Duration) -> bool {
        let state = self.state();
        let mut breakers = state.breakers.iter();
        breakers.any(|((product, _), it)| *product == service.code() && !it.admits(uptime))
    }

    /// Within what time the account answers, if it or its operator says so.
    pub(crate) fn deadline(
        &self,
        provider: &Arc<dyn Provider>,
        service: Service,
    ) -> Option<Duration> {
        let promised = provider.limits(service).deadline;
        let deadlines = [self.settings.limits.deadline, promised];
        deadlines.into_iter().flatten().min()
    }

    /// Takes the place of an order that is submitted later; else why there is none. A place that is
    /// dropped unused is free again.
    pub(crate) fn reserve(
        self: &Arc<Self>,
        provider: &Arc<dyn Provider>,
        order: &Order,
        clock: &Arc<dyn Clock>,
    ) -> Result<SubmissionPlace, PassedOverReason> {
        self.begin((provider, order), clock).map(SubmissionPlace)
    }

    /// Submits an attempt in the place that was reserved for it or is free now; where there is an
    /// obstacle it is not sent.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        (provider, submission): (&Arc<dyn Provider>, &Submission),
        permit: &dyn SendPermit,
        (reserved, clock): (Option<SubmissionPlace>, &Arc<dyn Clock>),
    ) -> ProviderAnswer<SubmitOutcome> {
        let place = match reserved {
            Some(SubmissionPlace(place)) => Ok(place),
            None => self.begin((provider, &submission.order), clock),
        };
        let mut guarded = match place {
            Ok(guarded) => guarded,
            Err(reason) => {
                let (provider, reason) = (provider.id(), reason.code());
                let reference = &submission.reference;
                tracing::warn!(%provider, %reference, reason, "an attempt was not sent");
                return SubmitOutcome::NotSent.into();
            }
        };
        guarded.ended = SubmissionEnd::UNANSWERED;
        let permit = WatchedPermit {
            permit,
            was_asked: AtomicBool::new(false),
        };
        let answer = provider.submit(submission, &permit).await;
        let was_asked = permit.was_asked.load(Ordering::Relaxed);
        guarded.ended = SubmissionEnd::of(&answer.outcome, was_asked);
        answer
    }

    /// With which unspent the store should be asked for a tranche now, and how much is wanted;
    /// `None` where nothing is due, or nothing is reserved.
    pub(crate) fn ask_for_tranche(&self, uptime: Duration) -> Option<(Money, Money)> {
        let wanted = self.settings.tranche?;
        let unspent = self.state().float.ask(wanted, uptime)?;
        Some((unspent, wanted))
    }

    /// Takes in what the store answered to a question of an uptime; `None` where it failed.
    pub(crate) fn take_tranche(&self, grant: Option<TrancheGrant>, asked_at: Duration) {
        self.state().float.answered(grant, asked_at);
    }

    fn judge(
        &self,
        state: &GuardState,
        (order, promised): (&Order, &ProviderLimits),
        uptime: Duration,
    ) -> Option<PassedOverReason> {
        let breaker = state.breakers.get(&key_of(order));
        if breaker.is_some_and(|breaker| !breaker.admits(uptime)) {
            return Some(PassedOverReason::BreakerOpen);
        }
        if self.spacing(promised).is_some() {
            match state.lookalikes.judge(OrderLikeness::of(order), uptime) {
                LikenessVerdict::Unlike => {}
                LikenessVerdict::Lookalike => return Some(PassedOverReason::Lookalike),
                LikenessVerdict::Full => return Some(PassedOverReason::Busy),
            }
        }
        let limits = (&self.settings.limits, promised);
        if !state.places.has_room(order.service(), limits, uptime) {
            return Some(PassedOverReason::Busy);
        }
        let is_covered = self.settings.tranche.is_none() || state.float.covers(order, uptime);
        (!is_covered).then_some(PassedOverReason::FloatSpent)
    }

    /// For how long equal orders are kept apart: the longer of what operator and provider say.
    fn spacing(&self, promised: &ProviderLimits) -> Option<Duration> {
        let times = [self.settings.limits.lookalike, promised.lookalike];
        let longest = times.into_iter().flatten().max();
        longest.filter(|time| !time.is_zero())
    }

    /// Takes the place of a submission; else why there is none.
    fn begin(
        self: &Arc<Self>,
        (provider, order): (&Arc<dyn Provider>, &Order),
        clock: &Arc<dyn Clock>,
    ) -> Result<GuardedSubmission, PassedOverReason> {
        let (service, uptime) = (order.service(), clock.uptime());
        let promised = provider.limits(service);
        let mut state = self.state();
        if let Some(reason) = self.judge(&state, (order, &promised), uptime) {
            return Err(reason);
        }
        let call = match self.settings.breaker {
            None => None,
            Some(limits) => {
                let breaker = state.breakers.entry(key_of(order));
                let breaker = breaker.or_insert_with(|| Breaker::new(limits));
                Some(breaker.begin(uptime).ok_or(PassedOverReason::BreakerOpen)?)
            }
        };
        state.places.begin(service, uptime);
        let reserves = self.settings.tranche.is_some();
        let taken = reserves.then(|| state.float.take(order));
        let spaced = self.spacing(&promised);
        let spaced = spaced.map(|time| (OrderLikeness::of(order), time));
        if let Some((likeness, _)) = spaced {
            state.lookalikes.begin(likeness, uptime);
        }
        Ok(GuardedSubmission {
            guard: Arc::clone(self),
            provider: Arc::clone(provider),
            clock: Arc::clone(clock),
            service,
            breaker: call.map(|call| (key_of(order), call)),
            spaced,
            taken,
            ended: SubmissionEnd::NOT_BEGUN,
        })
    }

    fn state(&self) -> MutexGuard<'_, GuardState> {
        // Counts may be off by one after a panic elsewhere, which holds back too much or too little
        // by one submission, and no money.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a submission ended, as far as the guard goes by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SubmissionEnd {
    result: CallResult,
    /// Whether the provider certainly did not and will not deliver the order.
    is_certainly_not_delivered: bool,
}

impl SubmissionEnd {
    /// Nothing was asked of the provider.
    const NOT_BEGUN: Self = Self {
        result: CallResult::Neutral,
        is_certainly_not_delivered: true,
    };

    /// The deadline came before an answer, or the process gave up.
    const UNANSWERED: Self = Self {
        result: CallResult::Failure,
        is_certainly_not_delivered: false,
    };

    fn of(outcome: &SubmitOutcome, was_permit_asked: bool) -> Self {
        let (result, is_certainly_not_delivered) = match outcome {
            SubmitOutcome::Delivered(_) | SubmitOutcome::Pending | SubmitOutcome::Reversed => {
                (CallResult::Success, false)
            }
            SubmitOutcome::Declined(refusal) => match refusal.kind {
                RefusalKind::Order => (CallResult::Success, true),
                RefusalKind::Lookalike => (CallResult::Success, false),
                RefusalKind::Account | RefusalKind::Moment { .. } => (CallResult::Failure, true),
            },
            // An adapter asks for its permit once it is connected. What was not sent after that was
            // held back here.
            SubmitOutcome::NotSent if was_permit_asked => (CallResult::Neutral, true),
            SubmitOutcome::NotSent => (CallResult::Failure, true),
            SubmitOutcome::Unknown(_) => (CallResult::Failure, false),
        };
        Self {
            result,
            is_certainly_not_delivered,
        }
    }
}

/// A place that is kept for a submission.
#[derive(Debug)]
pub(crate) struct SubmissionPlace(GuardedSubmission);

/// A submission under way. Its place is given back when it is dropped, whatever ended it.
#[derive(Debug)]
struct GuardedSubmission {
    guard: Arc<SubmissionGuard>,
    provider: Arc<dyn Provider>,
    clock: Arc<dyn Clock>,
    service: Service,
    breaker: Option<(BreakerKey, BreakerCall)>,
    /// For how long equal orders are kept apart from it.
    spaced: Option<(OrderLikeness, Duration)>,
    /// What it took of our money there.
    taken: Option<TakenFloat>,
    ended: SubmissionEnd,
}

impl Drop for GuardedSubmission {
    fn drop(&mut self) {
        let uptime = self.clock.uptime();
        let mut state = self.guard.state();
        state.places.end(self.service);
        if let Some(taken) = self.taken.filter(|_| self.ended.is_certainly_not_delivered) {
            state.float.give_back(taken);
        }
        if let Some((likeness, time)) = self.spaced {
            if self.ended.is_certainly_not_delivered {
                state.lookalikes.forget(likeness);
            } else {
                let until = uptime.saturating_add(time);
                state.lookalikes.keep_until(likeness, until);
            }
        }
        let Some((key, call)) = &self.breaker else {
            return;
        };
        let breaker = state.breakers.get_mut(key);
        let change = breaker.and_then(|it| it.end(*call, self.ended.result, uptime));
        drop(state);
        let ((product, biller), provider) = (key, self.provider.id());
        let biller = biller.as_deref().unwrap_or_default();
        match change {
            Some(BreakerChange::Opened(failures)) => tracing::warn!(%provider, product, biller,
                failures, "a circuit breaker opened: the provider is given nothing of this biller"),
            Some(BreakerChange::Closed) => {
                tracing::info!(%provider, product, biller, "a circuit breaker closed");
            }
            None => {}
        }
    }
}

/// A permit of which it is known whether it was asked for.
#[derive(Debug)]
struct WatchedPermit<'a> {
    permit: &'a dyn SendPermit,
    was_asked: AtomicBool,
}

#[async_trait]
impl SendPermit for WatchedPermit<'_> {
    async fn ask(&self) -> Result<Granted, Withheld> {
        self.was_asked.store(true, Ordering::Relaxed);
        self.permit.ask().await
    }
}
