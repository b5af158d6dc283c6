//! Buys what is due. A run must be recorded as begun before it is paid for, and nothing may be
//! bought again of which it is not certain that it failed.

use super::calendar::ZonedCalendar;
use super::refusals::refusal_of;
use super::runs::AnotherPayment;
use super::{key_of, sealing};
use crate::access::KeyGrant;
use crate::freezes::active_freezes;
use crate::gateway::{Gateway, Merchant};
use crate::spending;
use crate::tasks::WorkPlaces;
use domain::access::{AccessTerms, AllowedNetworks};
use domain::account::AccountStatus;
use domain::recurring::{
    RECURRING_LEASE, RECURRING_RETRY_PAUSE, RecurringOrder, RecurringPayment, RecurringRun,
    RecurringRunState, RecurringTerms, RunFailure, RunRefusal,
};
use domain::transaction::{State, Transaction};
use ports::PortError;
use ports::recurring::{RecurringChange, SealedRecurring};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How often is looked for what is due: no one waits for an order of a schedule to the second.
const PAUSE: Duration = Duration::from_secs(5);

/// Most runs that an instance buys at a time: few enough that the payments of merchants who wait
/// are not delayed.
const UNDER_WAY_MAX: usize = 32;

/// How long before a run is looked at again that could not be bought for a reason that passes by
/// itself: while payments are suspended or a provider is away.
const PASSING_PAUSE: Duration = Duration::from_mins(5);

/// After how many rounds pauses are looked at that a clock which was ahead may have put far away.
const ROUNDS_BETWEEN_BOUNDS: u32 = 10;

/// How often a payment is recorded in vain with its run, each time because the subscription was
/// changed.
const RACES_MAX: usize = 4;

/// Buys what is due of subscriptions.
#[derive(Debug)]
pub struct RecurringWorker {
    gateway: Gateway,
    places: WorkPlaces,
    rounds: u32,
}

impl RecurringWorker {
    /// The worker of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        Self {
            gateway: gateway.clone(),
            places: WorkPlaces::new(UNDER_WAY_MAX),
            rounds: 0,
        }
    }

    /// Works until it is stopped.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.start_due().await {
                tracing::error!(%error, "subscriptions that are due could not be looked for");
            }
            self.gateway.pause(PAUSE, &stop).await;
        }
    }

    /// One round, waited for to its end; returns how many subscriptions were looked at.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn sweep(&mut self) -> Result<usize, PortError> {
        let started = self.start_due().await?;
        let count = started.len();
        for looking in started {
            if looking.await.is_err() {
                tracing::error!("a subscription ended unexpectedly; it is looked at again");
            }
        }
        Ok(count)
    }

    /// Starts what is due and has a place.
    async fn start_due(&mut self) -> Result<Vec<JoinHandle<()>>, PortError> {
        let parts = self.gateway.parts();
        // Nothing is opened then, and what was bought after a backup is not known yet.
        if parts.reconciliation.suspension().await?.is_some()
            || self.gateway.payment_freeze().is_some()
        {
            return Ok(Vec::new());
        }
        if self.rounds.is_multiple_of(ROUNDS_BETWEEN_BOUNDS) {
            let latest = self.gateway.now().plus(RECURRING_RETRY_PAUSE);
            parts.recurring.bound_recurring_pauses(latest).await?;
        }
        self.rounds = self.rounds.wrapping_add(1);
        let free = self.places.free();
        if free == 0 {
            return Ok(Vec::new());
        }
        let due = parts.recurring.due_recurring(self.gateway.now(), free);
        let start = |sealed: SealedRecurring| {
            let gateway = self.gateway.for_request();
            let work = async move { gateway.look_at(sealed).await };
            self.places.start(self.gateway.tasks(), work)
        };
        Ok(due.await?.into_iter().filter_map(start).collect())
    }
}

impl Gateway {
    /// Does what is to be done of a subscription now. Where the store fails nothing is lost: what
    /// is stored says what is to be done.
    async fn look_at(&self, sealed: SealedRecurring) {
        let (account, number) = {
            let terms = &sealed.payment.terms;
            (terms.account.clone(), terms.number)
        };
        let payment = sealed.payment.clone();
        if let Err(error) = Box::pin(self.look_at_sealed(sealed)).await {
            tracing::error!(%error, %account, %number, "a subscription could not be followed up");
            // One that fails each time must not stand before the others.
            if let Err(error) = self.put_off(&payment, PASSING_PAUSE).await {
                tracing::debug!(%error, %account, %number, "a subscription is due still");
            }
        }
    }

    async fn look_at_sealed(&self, sealed: SealedRecurring) -> Result<(), PortError> {
        let now = self.now();
        let terms = &sealed.payment.terms;
        if !sealing::is_sealed(&self.parts().pepper, &sealed) {
            let (account, number) = (&terms.account, terms.number);
            tracing::error!(%account, %number,
                "a subscription is not as the gateway made it; nothing is bought for it");
            return self.put_off(&sealed.payment, RECURRING_RETRY_PAUSE).await;
        }
        let calendar = ZonedCalendar::of(terms);
        let payment = sealed.payment;
        let Some(run) = payment.progress.open else {
            let step = payment.next(&calendar, now);
            let begun = step.run;
            return match (self.write_step(&payment, step).await?, begun) {
                (Some(payment), Some(run)) => self.buy(payment, run).await,
                // Another instance was faster, or no run was in its time.
                (_, _) => Ok(()),
            };
        };
        match run.state {
            RecurringRunState::Begun => {
                let until = self.now().plus(RECURRING_LEASE);
                let leased = self
                    .parts()
                    .recurring
                    .put_off_recurring(key_of(&payment), until);
                match leased.await? {
                    RecurringChange::Done => self.buy(payment, run).await,
                    // Its merchant has paused or cancelled it.
                    RecurringChange::VersionConflict => Ok(()),
                }
            }
            RecurringRunState::Bought => self.follow(payment, run).await,
            RecurringRunState::Failed | RecurringRunState::Refused(_) => {
                Box::pin(self.buy_again(payment, run)).await
            }
            RecurringRunState::Missed => {
                let step = payment.missed(run, &calendar, now);
                self.write_step(&payment, step).await.map(drop)
            }
        }
    }

    /// Begins a run once more that has failed, where it is still in its time.
    async fn buy_again(
        &self,
        payment: RecurringPayment,
        run: RecurringRun,
    ) -> Result<(), PortError> {
        let now = self.now();
        if !payment.may_buy(&run, now) {
            let failure = match run.state.refusal() {
                Some(why) => RunFailure::Refused(why),
                None => RunFailure::Payment,
            };
            let step = payment.failed((run, failure), &ZonedCalendar::of(&payment.terms), now);
            return self.write_step(&payment, step).await.map(drop);
        }
        let step = payment.again(run, now);
        let begun = step.run;
        match (self.write_step(&payment, step).await?, begun) {
            (Some(payment), Some(run)) => self.buy(payment, run).await,
            (_, _) => Ok(()),
        }
    }

    /// Buys a run that was begun, unless it was bought already.
    async fn buy(&self, payment: RecurringPayment, run: RecurringRun) -> Result<(), PortError> {
        let terms = &payment.terms;
        let calendar = ZonedCalendar::of(terms);
        let reference = terms.run_reference(&run);
        match self.payment_of_run(terms, &reference).await? {
            Some(Ok(stored)) => return self.bought(payment, run, &stored).await,
            Some(Err(AnotherPayment)) => {
                let failure = RunFailure::Refused(RunRefusal::Reference);
                let step = payment.failed((run, failure), &calendar, self.now());
                return self.write_step(&payment, step).await.map(drop);
            }
            None => {}
        }
        if let Some((run, stored)) = Box::pin(self.other_try(terms, &run)).await? {
            return self.bought(payment, run, &stored).await;
        }
        if !payment.may_buy(&run, self.now()) {
            let step = payment.missed(run, &calendar, self.now());
            return self.write_step(&payment, step).await.map(drop);
        }
        let Some(merchant) = self.owner(terms).await? else {
            return self.put_off(&payment, PASSING_PAUSE).await;
        };
        let key = sealing::run_key(&self.parts().pepper, terms, &reference)?;
        let Some(order) = RecurringOrder::again(&terms.order, reference) else {
            let failure = RunFailure::Refused(RunRefusal::Product);
            let step = payment.failed((run, failure), &calendar, self.now());
            return self.write_step(&payment, step).await.map(drop);
        };
        // Large beside the rest.
        let paid = Box::pin(self.pay_recurring(&merchant, order, key)).await;
        let error = match paid {
            Ok(paid) => return self.bought(payment, run, &paid.transaction).await,
            Err(error) => error,
        };
        if let Some(why) = refusal_of(&error) {
            let failure = (run, RunFailure::Refused(why));
            let step = payment.failed(failure, &calendar, self.now());
            return self.write_step(&payment, step).await.map(drop);
        }
        let (account, number) = (&terms.account, terms.number);
        tracing::warn!(%error, %account, %number, run = run.number,
            "a run is not bought now; it is looked at again");
        self.put_off(&payment, PASSING_PAUSE).await
    }

    /// Records that a run was bought, and what became of its payment.
    async fn bought(
        &self,
        payment: RecurringPayment,
        run: RecurringRun,
        stored: &Transaction,
    ) -> Result<(), PortError> {
        let mut payment = payment;
        for _ in 0..RACES_MAX {
            let step = payment.bought(run, self.now());
            let recorded = step.run;
            if let Some(after) = self.write_step(&payment, step).await? {
                let in_hand = after
                    .progress
                    .open
                    .filter(|_| after.progress.open == recorded);
                return match in_hand {
                    Some(run) => self.settled(after, run, stored).await,
                    None => Ok(()),
                };
            }
            let Some(changed) = self.changed_since(&payment, &run).await? else {
                return Ok(());
            };
            payment = changed;
        }
        Ok(())
    }

    /// A subscription that was changed meanwhile; `None` where the run was recorded by what
    /// changed it, or was begun again.
    async fn changed_since(
        &self,
        payment: &RecurringPayment,
        run: &RecurringRun,
    ) -> Result<Option<RecurringPayment>, PortError> {
        let (account, number) = (&payment.terms.account, payment.terms.number);
        let store = &self.parts().recurring;
        let changed = store.numbered_recurring(account, number).await?;
        let runs = store.recurring_runs(account, number, run.number..=run.number);
        let stored = runs.await?.into_iter().next();
        let is_as_begun =
            stored.is_some_and(|stored| stored.tries == run.tries && !stored.state.has_payment());
        Ok(changed.map(|it| it.payment).filter(|_| is_as_begun))
    }

    /// Looks at the payment of the run in hand.
    async fn follow(&self, payment: RecurringPayment, run: RecurringRun) -> Result<(), PortError> {
        let reference = payment.terms.run_reference(&run);
        match self.payment_of_run(&payment.terms, &reference).await? {
            Some(Ok(stored)) => self.settled(payment, run, &stored).await,
            // The audit names it. It is not bought again: nothing says that it failed.
            Some(Err(AnotherPayment)) | None => self.wait_on(payment).await,
        }
    }

    /// The step that the state of the payment of the run in hand leads to.
    async fn settled(
        &self,
        payment: RecurringPayment,
        run: RecurringRun,
        stored: &Transaction,
    ) -> Result<(), PortError> {
        let calendar = ZonedCalendar::of(&payment.terms);
        let step = match &stored.state {
            State::Successful(_) | State::Reversed(_) | State::Booked(_) => {
                payment.delivered(&calendar)
            }
            State::Failed(_) => payment.failed((run, RunFailure::Payment), &calendar, self.now()),
            State::Cancelled(_) => {
                payment.failed((run, RunFailure::Cancelled), &calendar, self.now())
            }
            State::Queued(_) | State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
                return self.wait_on(payment).await;
            }
        };
        self.write_step(&payment, step).await.map(drop)
    }

    /// The payment of the run in hand has no outcome so far.
    async fn wait_on(&self, payment: RecurringPayment) -> Result<(), PortError> {
        let step = payment.pending(&ZonedCalendar::of(&payment.terms), self.now());
        if step.progress.open.is_some() {
            return self.put_off(&payment, PASSING_PAUSE).await;
        }
        self.write_step(&payment, step).await.map(drop)
    }

    async fn put_off(&self, payment: &RecurringPayment, time: Duration) -> Result<(), PortError> {
        let until = self.now().plus(time);
        let store = &self.parts().recurring;
        let put_off = store.put_off_recurring(key_of(payment), until).await;
        put_off.map(drop)
    }

    /// Whose subscription it is, with the limits that are in force now; `None` while the account is
    /// suspended, or the key frozen that made it. A run is paid for by its account and asked for by
    /// who made the subscription.
    async fn owner(&self, terms: &RecurringTerms) -> Result<Option<Merchant>, PortError> {
        let Some(known) = self.credentials(&terms.account).await? else {
            return Ok(None);
        };
        let merchant = Merchant {
            account: known.account.clone(),
            grant: KeyGrant {
                key: terms.made_by.key,
                terms: AccessTerms::UNLIMITED,
                user: terms.made_by.user,
                made_under: None,
                allowlist: AllowedNetworks::Everywhere,
            },
            limits: spending::active(&known.limits),
            freezes: active_freezes(&known.freezes),
            request: None,
        };
        if merchant.freezes.has_key(terms.made_by.key) {
            return Ok(None);
        }
        Ok(match known.account.status {
            AccountStatus::Active => Some(merchant),
            AccountStatus::Suspended => None,
        })
    }
}
