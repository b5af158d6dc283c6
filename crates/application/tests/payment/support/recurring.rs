//! Subscriptions of `shop`, and a store of them that fails on command.

use super::request::top_up;
use super::{World, merchant, minutes};
use application::recurring::{RecurringName, RecurringWorker, ZonedCalendar};
use application::{Gateway, Parts};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::recurring::{
    NewRecurring, OnRunFailure, RecurringInterval, RecurringOrder, RecurringPayment, RecurringRun,
    RecurringSchedule, RecurringStep, RunCalendar,
};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
use ports::recurring::{
    RecurringChange, RecurringCreation, RecurringKey, RecurringPage, RecurringPayments,
    SealedRecurring,
};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::reference;
use testkit::memory::MemoryStore;
use tokio::task::JoinSet;

pub(crate) const DAY: Duration = Duration::from_hours(24);

/// Airtime worth 1,000.00 every day, the first in an hour.
pub(crate) fn daily(world: &World, on_failure: OnRunFailure, count: Option<u32>) -> NewRecurring {
    NewRecurring {
        order: RecurringOrder::Airtime(top_up("daily")),
        schedule: RecurringSchedule {
            interval: RecurringInterval::Day,
            start: world.now().plus(minutes(60)),
            count,
        },
        on_failure,
    }
}

/// `shop` makes a subscription.
pub(crate) async fn subscribe(gateway: &Gateway, wanted: &NewRecurring) -> RecurringPayment {
    let shop = merchant("shop");
    let made = gateway.create_recurring(&shop, wanted, None);
    made.await.unwrap().payment
}

/// The subscription of `shop` as it is now.
pub(crate) async fn now(gateway: &Gateway) -> RecurringPayment {
    let name = RecurringName::Reference(reference("daily"));
    gateway.recurring(&merchant("shop"), &name).await.unwrap()
}

/// The reference of a run, and of a payment of it after others have failed.
pub(crate) fn of_run(of: &RecurringPayment, run: u32, tries: u8) -> String {
    let due_at = ZonedCalendar::of(&of.terms).due_at(run);
    let run = RecurringRun {
        tries,
        ..RecurringRun::begin((run, due_at), due_at)
    };
    of.terms.run_reference(&run).to_string()
}

/// Lets rounds of a worker run while so much time passes, one each minute.
pub(crate) async fn work_for(world: &World, worker: &mut RecurringWorker, time: Duration) {
    let rounds = time.as_secs() / 60;
    for _ in 0..rounds {
        world.pass(minutes(1)).await;
        sweep(world, worker).await;
    }
}

/// A round of a worker; a payment that is waited for is waited for.
pub(crate) async fn sweep(world: &World, worker: &mut RecurringWorker) {
    let round = worker.sweep();
    tokio::pin!(round);
    let mut passed = 0;
    loop {
        tokio::select! {
            biased;
            done = &mut round => {
                // A store that fails is asked again in the next round.
                let _ = done;
                return;
            }
            () = testkit::clock::settle() => {
                assert!(passed < 60, "a round does not end");
                passed += 1;
                world.pass(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Two workers in one round each.
pub(crate) async fn sweep_both(world: &World, workers: [RecurringWorker; 2]) {
    let mut rounds = JoinSet::new();
    for mut worker in workers {
        rounds.spawn(async move { worker.sweep().await.unwrap() });
    }
    while !rounds.is_empty() {
        testkit::clock::settle().await;
        while rounds.try_join_next().is_some() {}
        if !rounds.is_empty() {
            world.pass(Duration::from_secs(1)).await;
        }
    }
}

/// What is lost of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It is not made.
    Request,
    /// It is made, and its answer is lost.
    Answer,
}

/// A store of subscriptions one of whose writes is lost.
#[derive(Debug)]
pub(crate) struct FaultyRecurring {
    store: Arc<MemoryStore>,
    writes: AtomicUsize,
    lost: Mutex<Option<(usize, Lost)>>,
}

impl FaultyRecurring {
    /// The `nth` write is lost, the first being 1.
    pub(crate) fn over(world: &World, lost: Option<(usize, Lost)>) -> Arc<Self> {
        Arc::new(Self {
            store: world.exposed.store.clone(),
            writes: AtomicUsize::new(0),
            lost: Mutex::new(lost),
        })
    }

    /// How many writes were asked for.
    pub(crate) fn writes(&self) -> usize {
        self.writes.load(Ordering::SeqCst)
    }

    /// The gateway over it.
    pub(crate) fn gateway(self: &Arc<Self>, world: &World) -> Gateway {
        let recurring = self.clone();
        world.gateway_with(|parts: &mut Parts| parts.recurring = recurring)
    }

    async fn write<T>(
        &self,
        write: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        let nth = self.writes.fetch_add(1, Ordering::SeqCst) + 1;
        let lost = self.lost.lock().unwrap().filter(|(lost, _)| *lost == nth);
        match lost {
            None => write.await,
            Some((_, lost)) => {
                if lost == Lost::Answer {
                    write.await?;
                }
                Err(PortError::new("subscriptions", "the answer was lost"))
            }
        }
    }
}

#[async_trait]
impl RecurringPayments for FaultyRecurring {
    async fn create_recurring(
        &self,
        recurring: &SealedRecurring,
    ) -> Result<RecurringCreation, PortError> {
        self.write(self.store.create_recurring(recurring)).await
    }

    async fn recurring(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<SealedRecurring>, PortError> {
        self.store.recurring(account, reference).await
    }

    async fn numbered_recurring(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<SealedRecurring>, PortError> {
        self.store.numbered_recurring(account, number).await
    }

    async fn recurring_page(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<RecurringPage, PortError> {
        self.store.recurring_page(account, page).await
    }

    async fn due_recurring(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SealedRecurring>, PortError> {
        self.store.due_recurring(now, limit).await
    }

    async fn step_recurring(
        &self,
        key: RecurringKey<'_>,
        step: &RecurringStep,
    ) -> Result<RecurringChange, PortError> {
        self.write(self.store.step_recurring(key, step)).await
    }

    async fn put_off_recurring(
        &self,
        key: RecurringKey<'_>,
        until: Timestamp,
    ) -> Result<RecurringChange, PortError> {
        self.write(self.store.put_off_recurring(key, until)).await
    }

    async fn bound_recurring_pauses(&self, latest: Timestamp) -> Result<u64, PortError> {
        self.store.bound_recurring_pauses(latest).await
    }

    async fn recurring_runs(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        runs: RangeInclusive<u32>,
    ) -> Result<Vec<RecurringRun>, PortError> {
        self.store.recurring_runs(account, number, runs).await
    }
}
