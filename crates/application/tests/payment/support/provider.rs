//! The scripted provider, under fault injection and checked: whatever reaches it must have been
//! committed before, and reach it once.

use super::Halt;
use super::fault_injector::{FaultInjector, InjectedFault};
use async_trait::async_trait;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome, UnknownCause,
};
use domain::time::Timestamp;
use domain::transaction::State;
use ports::PortError;
use ports::callbacks::Callbacks;
use ports::clock::Clock;
use ports::fault_point::{FaultPoint, FaultStep};
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Changes, LookupFailure, Meters, Provider, ProviderAnswer};
use ports::transactions::Transactions;
use std::collections::BTreeSet;
use std::future::{pending, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use testkit::clock::ManualClock;
use testkit::memory::MemoryStore;
use testkit::permit::FixedPermit;
use testkit::provider::ScriptedProvider;

/// A provider under fault injection.
#[derive(Debug)]
pub(crate) struct ExposedProvider {
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) faults: Arc<FaultInjector>,
    /// The store itself, to see what was committed when something arrives.
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) changes_hang: AtomicBool,
    pub(crate) meters_hang: AtomicBool,
    /// Where the process may stop between its permit and its first byte.
    pub(crate) granted: Halt,
    seen: Mutex<BTreeSet<String>>,
    offences: Mutex<Vec<String>>,
    /// Requests still on their way whose answers are no longer awaited.
    under_way: Mutex<Vec<(Timestamp, Submission)>>,
}

impl ExposedProvider {
    pub(crate) fn new(
        provider: Arc<ScriptedProvider>,
        faults: Arc<FaultInjector>,
        (store, clock): (Arc<MemoryStore>, Arc<ManualClock>),
    ) -> Arc<Self> {
        Arc::new(Self {
            provider,
            faults,
            store,
            clock,
            changes_hang: AtomicBool::new(false),
            meters_hang: AtomicBool::new(false),
            granted: Halt::default(),
            seen: Mutex::default(),
            offences: Mutex::default(),
            under_way: Mutex::default(),
        })
    }

    /// What was sent without being committed, or sent again.
    pub(crate) fn offences(&self) -> Vec<String> {
        self.offences.lock().unwrap().clone()
    }

    /// Lets arrive what has been on its way for long enough by now.
    pub(crate) async fn arrive(&self, now: Timestamp) {
        let arrived = {
            let mut under_way = self.under_way.lock().unwrap();
            let (arrived, later) = under_way.drain(..).partition(|(at, _)| *at <= now);
            *under_way = later;
            let arrived: Vec<(Timestamp, Submission)> = arrived;
            arrived
        };
        for (_, submission) in arrived {
            let permit = FixedPermit::granted();
            // It happens at the first poll; the answer is not awaited.
            tokio::select! {
                biased;
                _ = self.provider.submit(&submission, &permit) => {}
                () = ready(()) => {}
            }
        }
    }

    fn lose(&self, submission: &Submission) {
        if let Some(late_by) = self.faults.lateness() {
            let at = self.clock.now().plus(late_by);
            self.under_way
                .lock()
                .unwrap()
                .push((at, submission.clone()));
        }
    }

    async fn watch(&self, submission: &Submission) {
        let reported = &submission.reference;
        let offend = |what: &str| {
            self.offences
                .lock()
                .unwrap()
                .push(format!("{reported} {what}"));
        };
        if !self.seen.lock().unwrap().insert(reported.to_string()) {
            offend("was sent again");
        }
        let (account, reference, attempt) = reported.parts().expect("a reference of ours");
        let stored = self.store.by_reference(&account, &reference).await.unwrap();
        match stored.map(|tx| (tx.state, tx.order)) {
            Some((State::Sending(sending), order)) if sending.attempt == attempt => {
                if order != submission.order {
                    offend("was sent as another order than was stored");
                }
            }
            other => offend(&format!("was sent while stored as {other:?}")),
        }
    }
}

#[async_trait]
impl Provider for ExposedProvider {
    fn id(&self) -> &ProviderId {
        self.provider.id()
    }

    fn absence_policy(&self, service: Service) -> AbsencePolicy {
        self.provider.absence_policy(service)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let granted = permit.ask().await;
        if granted.and_then(Granted::begin_writing).is_err() {
            return SubmitOutcome::NotSent.into();
        }
        FaultPoint::reached(&self.granted, FaultStep::AfterOpen).await;
        let permit = &FixedPermit::granted();
        self.watch(submission).await;
        match self.faults.next_fault() {
            None => self.provider.submit(submission, permit).await,
            Some(InjectedFault::RequestLost) => {
                self.lose(submission);
                SubmitOutcome::Unknown(UnknownCause::ConnectionLost).into()
            }
            Some(InjectedFault::ResponseLost) => {
                self.provider.submit(submission, permit).await;
                SubmitOutcome::Unknown(UnknownCause::ConnectionLost).into()
            }
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        self.arrive(self.clock.now()).await;
        match self.faults.next_fault() {
            None => self.provider.query(attempt).await,
            Some(InjectedFault::RequestLost | InjectedFault::ResponseLost) => {
                QueryOutcome::Unknown.into()
            }
        }
    }

    fn callbacks(&self) -> Option<&dyn Callbacks> {
        self.provider.callbacks()
    }

    fn reports_messages_of(&self, service: Service, number: &PhoneNumber) -> bool {
        self.provider.reports_messages_of(service, number)
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        if self.changes_hang.load(Ordering::SeqCst) {
            pending::<()>().await;
        }
        match self.faults.next_fault() {
            None => self.provider.changes_since(cursor).await,
            Some(InjectedFault::RequestLost | InjectedFault::ResponseLost) => {
                Err(PortError::new("faults", "the changes were lost"))
            }
        }
    }
}

#[async_trait]
impl Meters for ExposedProvider {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        if self.meters_hang.load(Ordering::SeqCst) {
            pending::<()>().await;
        }
        match self.faults.next_fault() {
            None => self.provider.meter(disco, number, billing).await,
            Some(InjectedFault::RequestLost | InjectedFault::ResponseLost) => {
                Err(LookupFailure::Unreachable)
            }
        }
    }
}
