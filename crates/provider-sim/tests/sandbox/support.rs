//! What the tests of the sandbox share: a bench with its own journal and a manual clock. It must
//! not decide what a number forces; each test says that itself.

use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Receipt, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::clock::Clock;
use ports::provider::{AttemptQuery, Provider};
use provider_sim::journal::{self, EntryEffect, SandboxEntry};
use provider_sim::{SimSettings, Simulator};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testkit::builders::{
    airtime, electricity, plan_code, provider_code, purchase_of, sms, submission,
};
use testkit::clock::{ManualClock, START};
use testkit::permit::FixedPermit;
use tokio::runtime::{Builder, Runtime};

pub(crate) const LATER: Duration = Duration::from_secs(5);
pub(crate) const JUST_BEFORE_LATER: Duration = Duration::from_millis(4_999);
pub(crate) const JUST_BEFORE_SLOW: Duration = Duration::from_millis(24_999);
pub(crate) const A_MILLISECOND: Duration = Duration::from_millis(1);

/// A sandbox over a journal of its own.
pub(crate) struct SandboxWorld {
    folder: TempDir,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) settings: SimSettings,
    simulator: Option<Arc<Simulator>>,
}

impl SandboxWorld {
    pub(crate) fn new() -> Self {
        Self::with(SimSettings::default())
    }

    pub(crate) fn with(settings: SimSettings) -> Self {
        let mut bench = Self {
            folder: TempDir::new().unwrap(),
            clock: ManualClock::start(),
            settings,
            simulator: None,
        };
        bench.restart();
        bench
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("sandbox.journal")
    }

    /// Closes the sandbox and opens another one over the same journal.
    pub(crate) fn restart(&mut self) {
        self.simulator = None;
        let opened = Simulator::open(&self.path(), self.settings.clone(), self.clock.clone());
        self.simulator = Some(Arc::new(opened.unwrap()));
    }

    /// Opens another sandbox over the same journal, beside the one there is.
    pub(crate) fn another(&self) -> Arc<Simulator> {
        let opened = Simulator::open(&self.path(), self.settings.clone(), self.clock.clone());
        Arc::new(opened.unwrap())
    }

    pub(crate) fn close(&mut self) {
        self.simulator = None;
    }

    pub(crate) fn simulator(&self) -> Arc<Simulator> {
        self.simulator.clone().unwrap()
    }

    pub(crate) async fn submit(&self, under: &str, order: Order) -> SubmitOutcome {
        self.simulator()
            .submit(&submission(under, order), &FixedPermit::granted())
            .await
            .outcome
    }

    pub(crate) async fn query(&self, under: &str) -> QueryOutcome {
        let reference = ProviderReference::from_echo(under);
        self.simulator()
            .query(&AttemptQuery::by(&reference))
            .await
            .outcome
    }

    pub(crate) fn entries(&self) -> Vec<SandboxEntry> {
        journal::read(&self.path()).unwrap()
    }

    /// What the journal says now of everything in it.
    pub(crate) fn effects(&self) -> Vec<EntryEffect> {
        let now = self.clock.now();
        let entries = self.entries();
        entries.iter().map(|entry| entry.effects(now)).collect()
    }
}

/// An airtime order for a number with these last four digits.
pub(crate) fn airtime_to(ending: &str) -> Order {
    airtime().to(&format!("234803555{ending}")).order()
}

/// An order for a prepaid meter with these last four digits.
pub(crate) fn vend_for(ending: &str) -> Order {
    electricity().to(&format!("0451112{ending}")).order()
}

/// The same for a meter that is billed afterwards.
pub(crate) fn bill_of(ending: &str) -> Order {
    let purchase = electricity().to(&format!("0451112{ending}"));
    purchase.postpaid().order()
}

/// An order of any family for a number, meter, card or account with these last four digits.
pub(crate) fn order_of(service: Service, ending: &str) -> Order {
    let beginning = match service {
        Service::Airtime
        | Service::Internet
        | Service::Sms
        | Service::Whatsapp
        | Service::Rcs
        | Service::Voice
        | Service::Ivr
        | Service::Hlr
        | Service::Lookup(_)
        | Service::MobileMoney => "234803555",
        Service::CableTv => "7012345",
        Service::Electricity => "0451112",
        Service::Bank => "012345",
        Service::Card => "tok_visa_",
        Service::International => "144100012",
        Service::Wallet | Service::User => panic!("no provider delivers it"),
        Service::Bill(_) => "3100",
    };
    let mut order = purchase_of(service)
        .to(&format!("{beginning}{ending}"))
        .order();
    match &mut order {
        Order::CableTv(order) => {
            order.provider = provider_code("202");
            if let Some(wanted) = &mut order.subscription {
                wanted.plan = plan_code("20205");
            }
        }
        Order::Internet(order) => {
            order.provider = provider_code("301");
            order.plan = plan_code("30109");
        }
        Order::Airtime(_)
        | Order::Electricity(_)
        | Order::Sms(_)
        | Order::Whatsapp(_)
        | Order::Rcs(_)
        | Order::Voice(_)
        | Order::Ivr(_)
        | Order::Bank(_)
        | Order::MobileMoney(_)
        | Order::Card(_)
        | Order::International(_)
        | Order::Wallet(_)
        | Order::User(_)
        | Order::Bill(_)
        | Order::Hlr(_)
        | Order::Lookup(_) => {}
    }
    order
}

/// A message of so many parts to a number with these last four digits.
pub(crate) fn message_to(ending: &str, parts: u8) -> Order {
    let mut order = sms().to(&format!("234803555{ending}")).order();
    if let Order::Sms(order) = &mut order {
        order.segments.parts = parts;
    }
    order
}

/// Submits an order to one of several sandboxes.
pub(crate) async fn submit(to: &Simulator, under: &str, order: Order) -> SubmitOutcome {
    to.submit(&submission(under, order), &FixedPermit::granted())
        .await
        .outcome
}

/// Asks one of several sandboxes.
pub(crate) async fn query(of: &Simulator, under: &str) -> QueryOutcome {
    let reference = ProviderReference::from_echo(under);
    of.query(&AttemptQuery::by(&reference)).await.outcome
}

/// A runtime for code outside of a task.
pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

/// A clock that stands still: a sleeping task is woken after the other tasks had a turn. For waits
/// on the machine, which no test can advance.
#[derive(Debug)]
pub(crate) struct Restless;

#[async_trait]
impl Clock for Restless {
    fn now(&self) -> Timestamp {
        START
    }

    fn uptime(&self) -> Duration {
        Duration::ZERO
    }

    fn suspended(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _duration: Duration) {
        std::thread::yield_now();
        tokio::task::yield_now().await;
    }
}

/// The end of a writer that was killed: the first bytes of a line, without its end.
pub(crate) fn leave_torn(journal: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(journal).unwrap();
    // The killed writer held the lock, and the kernel released it.
    file.lock().unwrap();
    file.write_all(bytes).unwrap();
}

/// The receipt of a delivery.
pub(crate) fn delivered(outcome: SubmitOutcome) -> Receipt {
    let SubmitOutcome::Delivered(receipt) = outcome else {
        panic!("not delivered: {outcome:?}");
    };
    receipt
}
