//! Every fault with every product over real sockets: the program, a relay that makes the faults,
//! and the sandbox in a process of its own, which seals. What an order came to must be what the
//! journal of that process says.

use crate::faulty_way::{FaultyWay, RelayClock};
use domain::account::AccountId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::AttemptNumber;
use provider_check::{RelaySigner, SignedRelay};
use provider_protocol::{AbsenceProof, ReferenceForm};
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testkit::matrix::WireFault;
use tests::account::{Figures, TestAccount};
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::patience::eventually;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal::{self, ProviderAction, ProviderJournal};
use tests::purchases::{LastAnswer, PurchaseEnd, TestPurchase};
use tests::sandbox_process::{self, KEYS, SandboxProcess};
use tests::size;
use tokio::task::JoinSet;

/// How often every fault meets every product unless `MANILLA_FAULTS` says otherwise.
const ROUNDS: u32 = 1;

/// Numbers that end so are delivered at once, or acknowledged and delivered soon.
const ENDINGS: [&str; 2] = ["0000", "0002"];

/// Everything is settled this long after the last answer.
const SETTLED_WITHIN: Duration = Duration::from_mins(1);

/// Capabilities are read within this after a start.
const READY_WITHIN: Duration = Duration::from_secs(20);

/// Every window a second or a few. A busy machine must not keep an order from being sent.
const SETTINGS: &str = "\
[payment]
answer_window_ms = 2000
call_deadline_ms = 3000
lease_ms = 10000

[recovery]
interval_ms = 200
recheck_max_ms = 1000
";

/// The sandbox delivers soon what it has acknowledged.
const SANDBOX: &str = "\
[sandbox]
pending_delay_ms = 1500
";

/// A provider that does not seal proves absence after this, and after what the adapter adds for
/// limits in time and for clocks: seventeen minutes more.
const AFTER: AbsenceProof = AbsenceProof::After {
    seconds: 60,
    count: 2,
    spacing: 60,
};

/// How far the clock is set at a time, in seconds: less than two minutes count whole. The steps are
/// as many as absence takes.
const STEP_S: i64 = 110;
const STEPS: i64 = 13;

/// So many purchases are made at once: enough that they meet, few enough for a busy machine.
const AT_ONCE: usize = 70;

/// What is asked about in a step: each order once at least, with time to spare.
const STEP_LASTS: Duration = Duration::from_millis(2_500);

/// The products that are bought.
const PRODUCTS: [&str; 8] = [
    "airtime",
    "cabletv",
    "electricity",
    "internet",
    "sms",
    "bank",
    "hlr",
    "gas",
];

/// The faults that the relay makes: without a connection there is no relay.
const RELAYED: [WireFault; 13] = {
    let [_, relayed @ ..] = WireFault::ALL;
    relayed
};

/// A purchase, and the fault that it meets.
#[derive(Debug, Clone)]
struct FaultyPurchase {
    fault: WireFault,
    family: OrderFamily,
    ending: &'static str,
    reference: String,
}

impl FaultyPurchase {
    /// One of every product behind each of some faults.
    fn all(faults: &[WireFault], (seed, rounds): (u32, u32)) -> Vec<Self> {
        let mut all = Vec::new();
        for round in seed..seed + rounds {
            for fault in faults {
                for family in OrderFamily::ALL {
                    for ending in ENDINGS {
                        let named = (fault.code(), family.word());
                        all.push(Self {
                            fault: *fault,
                            family,
                            ending,
                            reference: format!("{}-{}-{ending}-{round}", named.0, named.1),
                        });
                    }
                }
            }
        }
        all
    }

    /// What the provider process knows its first attempt by.
    fn wire_reference(&self, identity: &str) -> String {
        let account = AccountId::parse(identity).unwrap();
        let merchant = MerchantReference::parse(&self.reference).unwrap();
        let derived = ProviderReference::derive(&account, &merchant, AttemptNumber::FIRST);
        let form = ReferenceForm::default();
        let at = Timestamp::from_millis(0);
        form.reference(&derived, at).to_string()
    }

    async fn buy(self, merchant: TestMerchant) -> TestPurchase {
        let order = self.family.order(&self.reference, self.ending);
        let answer = merchant.buy(self.family, &order).await;
        TestPurchase {
            family: self.family,
            reference: self.reference,
            ending: self.ending,
            received: LastAnswer::from(&answer),
        }
    }
}

/// The program, a relay, and the provider process.
struct SocketMatrix {
    provider_folder: TempDir,
    _provider: SandboxProcess,
    way: FaultyWay,
    relay: Option<SignedRelay>,
    /// The clock that the relay shows the gateway.
    clock: Arc<RelayClock>,
    account: TestAccount,
}

impl SocketMatrix {
    async fn new(absence: AbsenceProof, folder: impl FnOnce(&str) -> GatewayFolder) -> Self {
        let at = TempDir::new().unwrap();
        let keys = sandbox_process::keys(at.path());
        fs::write(&keys, KEYS).unwrap();
        fs::write(at.path().join("sandbox.toml"), SANDBOX).unwrap();
        let provider = SandboxProcess::start(at.path());
        let way = FaultyWay::new(&provider.url, absence);
        let clock = RelayClock::right();
        let signer = RelaySigner::to_loopback(&provider.url, KEYS, clock.clone());
        let relay = SignedRelay::start(signer.unwrap(), way.clone()).await;
        let relay = relay.unwrap();
        let reached = sandbox_process::account(relay.url(), &keys, &PRODUCTS);
        let folder = folder(&format!("{SETTINGS}\n{reached}"));
        let folder = folder.with_provider(sandbox_process::data(at.path()));
        Self {
            provider_folder: at,
            _provider: provider,
            way,
            relay: Some(relay),
            clock,
            account: TestAccount::within(folder),
        }
    }

    /// Buys one that meets no fault once the gateway knows what the provider process serves: until
    /// then it refuses with 503, which opens nothing.
    async fn is_ready(&self, server: &GatewayProcess) -> TestPurchase {
        let merchant = self.account.merchant(server);
        let family = OrderFamily::Airtime;
        let order = family.order("ready", "0000");
        let bought = async || {
            let answer = merchant.buy(family, &order).await;
            (answer.status != 503).then(|| LastAnswer::from(&answer))
        };
        TestPurchase {
            family,
            reference: "ready".to_owned(),
            ending: "0000",
            received: eventually("the provider is served", READY_WITHIN, bought).await,
        }
    }

    /// Buys all, each behind its fault, some dozens at once.
    async fn buy(
        &self,
        server: &GatewayProcess,
        purchases: Vec<FaultyPurchase>,
    ) -> Vec<TestPurchase> {
        let identity = &self.account.credentials.identity;
        let faults = purchases
            .iter()
            .map(|it| (it.wire_reference(identity), it.fault));
        self.way.strike(faults.collect());
        let merchant = self.account.merchant(server);
        let mut bought = Vec::new();
        for together in purchases.chunks(AT_ONCE) {
            let mut buying = JoinSet::new();
            for purchase in together {
                buying.spawn(purchase.clone().buy(merchant.clone()));
            }
            bought.extend(buying.join_all().await);
        }
        bought
    }

    /// Follows everything to its end, and checks it.
    async fn settle(&self, server: &GatewayProcess, purchases: &[TestPurchase]) {
        let within = (purchases, SETTLED_WITHIN);
        let endings = self.account.settle(server, within).await;
        check_ends(&endings);
        let references: Vec<_> = purchases.iter().map(|it| it.reference.as_str()).collect();
        let journal = ProviderJournal::read(&self.account.folder);
        let journal = journal.of_purchases(&self.account.credentials.identity, &references);
        let cells = endings.len();
        println!("cells: {cells}, {}", Figures::of(&endings, &journal));
        assert!(self.provider_folder.path().exists());
    }
}

/// Every order was opened and met its fault.
fn check_met(way: &FaultyWay, purchases: &[TestPurchase]) {
    let is_refused = |it: &&TestPurchase| matches!(it.received, LastAnswer::Refused(_));
    let refused: Vec<_> = purchases.iter().filter(is_refused).collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(way.met(), purchases.len(), "an order passed its fault by");
}

/// What became of an order at the provider where its fault leaves no choice.
fn only_end(fault: WireFault) -> Option<ProviderAction> {
    match fault {
        WireFault::Unreachable
        | WireFault::CutBefore
        | WireFault::Redirect
        | WireFault::StaleClock => Some(ProviderAction::Nothing),
        WireFault::CutAfter
        | WireFault::CutBody
        | WireFault::Silent
        | WireFault::SlowAnswer
        | WireFault::EmptyBody
        | WireFault::Duplicated
        | WireFault::Crossed => Some(ProviderAction::Delivered),
        // Whether it was passed on, or came before it was sealed.
        WireFault::LateRequest | WireFault::Html | WireFault::ServerError => None,
    }
}

fn check_ends(endings: &[PurchaseEnd]) {
    for fault in WireFault::ALL {
        let of_fault = |it: &&PurchaseEnd| it.purchase.reference.starts_with(fault.code());
        for ending in endings.iter().filter(of_fault) {
            let was_opened = !matches!(ending.purchase.received, LastAnswer::Refused(_));
            let only = only_end(fault).filter(|_| was_opened);
            assert!(only.is_none_or(|only| only == ending.action), "{ending:?}");
            // A person decides about a payout that is absent without being sealed.
            let is_open = ending.status.as_deref() == Some("Pending") && !ending.asks_a_person;
            assert!(!is_open, "{ending:?}");
        }
    }
}

/// The size of a run and its seed.
fn size() -> (u32, u32) {
    let seed = size::of_run("MANILLA_FAULTS_SEED", 1);
    (seed, size::of_run("MANILLA_FAULTS", ROUNDS))
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_at_a_provider_that_seals_lose_nothing_double_nothing_and_leave_nothing_open() {
    let mut matrix = SocketMatrix::new(AbsenceProof::Sealed, GatewayFolder::with).await;
    let server = GatewayProcess::start(&matrix.account.folder);
    let first = matrix.is_ready(&server).await;
    let orders = FaultyPurchase::all(&RELAYED, size());
    let mut purchases = matrix.buy(&server, orders).await;
    check_met(&matrix.way, &purchases);
    purchases.push(first);
    matrix.settle(&server, &purchases).await;

    // Nothing listens any more. What has to be looked up first is refused.
    drop(matrix.relay.take());
    let orders = FaultyPurchase::all(&[WireFault::Unreachable], size());
    purchases.extend(matrix.buy(&server, orders).await);
    matrix.settle(&server, &purchases).await;
    assert!(server.interrupt().await.success());
    provider_journal::audit_is_clean(&matrix.account.folder);
}

/// An instance whose clock is not that of its database claims nothing, so the clock can be set
/// where the store is a file.
mod embedded {
    use super::*;
    use crate::faketime::FakeClock;

    #[tokio::test(flavor = "multi_thread")]
    async fn faults_at_a_provider_whose_absence_takes_time_leave_nothing_open_either() {
        let matrix = SocketMatrix::new(AFTER, GatewayFolder::embedded).await;
        let clock = FakeClock::new(matrix.account.folder.beside("clock"));
        let launch = Launch {
            environment: clock.environment().to_vec(),
            ..Launch::default()
        };
        let server = GatewayProcess::launch(&matrix.account.folder, &launch);
        let first = matrix.is_ready(&server).await;
        let orders = FaultyPurchase::all(&RELAYED, size());
        let mut purchases = matrix.buy(&server, orders).await;
        check_met(&matrix.way, &purchases);
        purchases.push(first);
        for step in 1..=STEPS {
            tokio::time::sleep(STEP_LASTS).await;
            matrix.clock.set(step * STEP_S);
            clock.set(step * STEP_S);
        }
        matrix.settle(&server, &purchases).await;
        assert!(server.interrupt().await.success());
    }
}
