//! Every fault with every product over real sockets: the program, a relay that makes the faults and
//! the kinds of provider, and the sandbox in a process of its own. What an order came to must be
//! what the journal of that process says.

use crate::faulty_purchase::{FaultyPurchase, only_end};
use crate::faulty_way::{FaultyWay, RelayClock};
use crate::kinds::ProviderKinds;
use provider_check::{RelaySigner, SignedRelay};
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testkit::matrix::{ProviderKind, WireFault};
use tests::account::{Figures, TestAccount};
use tests::folder::GatewayFolder;
use tests::orders::OrderFamily;
use tests::patience::{self, Deadline, eventually};
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal::{self, ProviderAction, ProviderJournal};
use tests::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use tests::sandbox_process::{self, KEYS, SandboxProcess};
use tests::size;
use tokio::task::JoinSet;

/// How often every fault meets every product unless `MANILLA_FAULTS` says otherwise.
const ROUNDS: u32 = 1;

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

/// The same where the provider never proves absence: a person is asked soon, but later than any
/// other absence would be concluded.
const ASKS_SOON: &str = "review_after_minutes = 20\n";

/// How far the clock is set at a time, in seconds: less than two minutes count whole. The steps are
/// as many as absence takes.
const STEP_S: i64 = 110;
const STEPS: i64 = 15;

/// So many purchases are made at once: enough that they meet, few enough for a busy machine.
const AT_ONCE: usize = 70;

/// What is asked about in a step: each order once at least, with time to spare.
const STEP_LASTS: Duration = Duration::from_millis(2_500);

/// The products that are bought.
const PRODUCTS: [&str; 17] = [
    "airtime",
    "cabletv",
    "electricity",
    "internet",
    "sms",
    "whatsapp",
    "rcs",
    "voice",
    "ivr",
    "bank",
    "hlr",
    "gas",
    "mobilemoney",
    "card",
    "international",
    "lookup",
    "device",
];

/// The faults that the relay makes: without a connection there is no relay.
const RELAYED: [WireFault; 13] = {
    let [_, relayed @ ..] = WireFault::ALL;
    relayed
};

/// The program, a relay, and the provider process.
struct SocketMatrix {
    provider_folder: TempDir,
    _provider: SandboxProcess,
    way: FaultyWay,
    kinds: Arc<ProviderKinds>,
    relay: Option<SignedRelay>,
    /// The clock that the relay shows the gateway.
    clock: Arc<RelayClock>,
    account: TestAccount,
}

impl SocketMatrix {
    async fn new(
        kinds: impl FnOnce(Arc<RelayClock>) -> ProviderKinds,
        folder: impl FnOnce(&str) -> GatewayFolder,
    ) -> Self {
        let at = TempDir::new().unwrap();
        let keys = sandbox_process::keys(at.path());
        tests::secret::write(&keys, KEYS);
        fs::write(at.path().join("sandbox.toml"), SANDBOX).unwrap();
        let provider = SandboxProcess::start(at.path());
        let clock = RelayClock::right();
        let kinds = Arc::new(kinds(clock.clone()));
        let way = FaultyWay::new(&provider.url, Arc::clone(&kinds));
        let signer = RelaySigner::to_loopback(&provider.url, KEYS, clock.clone());
        let relay = SignedRelay::start(signer.unwrap(), way.clone()).await;
        let relay = relay.unwrap();
        let reached = sandbox_process::account(relay.url(), &keys, &PRODUCTS);
        let (account, routes) = reached.split_once("\n\n").unwrap();
        let folder = folder(&format!("{SETTINGS}\n{account}\n{ASKS_SOON}\n{routes}"));
        let folder = folder.with_provider(sandbox_process::data(at.path()));
        Self {
            provider_folder: at,
            _provider: provider,
            way,
            kinds,
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
        let decided = self.decide(server, purchases).await;
        let within = (purchases, SETTLED_WITHIN);
        let endings = self.account.settle(server, within).await;
        check_ends(&endings);
        let references: Vec<_> = purchases.iter().map(|it| it.reference.as_str()).collect();
        let journal = ProviderJournal::read(&self.account.folder);
        let journal = journal.of_purchases(&self.account.credentials.identity, &references);
        let cells = endings.len();
        let figures = Figures::of(&endings, &journal);
        println!("cells: {cells}, decided by a person: {decided}, {figures}");
        assert!(self.provider_folder.path().exists());
    }

    /// Decides what waits for a person where silence never proves anything, as the records of the
    /// provider say; how much that was.
    async fn decide(&self, server: &GatewayProcess, purchases: &[TestPurchase]) -> usize {
        let is_forgotten =
            |it: &&TestPurchase| self.kinds.kind(it.family) == ProviderKind::Forgetting;
        let mut open: Vec<_> = purchases.iter().filter(is_forgotten).cloned().collect();
        let merchant = self.account.merchant(server);
        let follower = PurchaseFollower {
            folder: &self.account.folder,
            merchant: &merchant,
            identity: &self.account.credentials.identity,
        };
        let (deadline, mut decided) = (Deadline::after(SETTLED_WITHIN), 0);
        while !open.is_empty() {
            assert!(!deadline.is_over(), "no person is asked about {open:?}");
            let mut endings = follower.endings(open).await;
            endings.retain(|ending| !ending.is_final());
            for ending in endings.iter().filter(|ending| ending.asks_a_person) {
                self.resolve(ending);
                decided += 1;
            }
            endings.retain(|ending| !ending.asks_a_person);
            open = endings.into_iter().map(|ending| ending.purchase).collect();
            patience::pause().await;
        }
        decided
    }

    /// Decides about one as the provider's record says.
    fn resolve(&self, ending: &PurchaseEnd) {
        let verdict = match ending.action {
            ProviderAction::Delivered => "delivered",
            ProviderAction::Nothing => "not-delivered",
            ProviderAction::Undecided
            | ProviderAction::DeliveredOther
            | ProviderAction::TakenBack => panic!("{ending:?}"),
        };
        let evidence = ["--evidence", "the provider's records"];
        let identity = self.account.credentials.identity.as_str();
        let reference = ending.purchase.reference.as_str();
        let which = ["--identity", identity, "--reference", reference];
        let decision = ["review", "resolve", "--verdict", verdict];
        // Its length says what a call is charged.
        let took: &[&str] = match (ending.purchase.family, verdict) {
            (OrderFamily::Voice | OrderFamily::Ivr, "delivered") => &["--seconds", "74"],
            _ => &[],
        };
        let arguments = [&decision[..], &which, &evidence, took].concat();
        self.account.folder.run(&arguments).well();
    }
}

/// Every order was opened and met its fault.
fn check_met(way: &FaultyWay, purchases: &[TestPurchase]) {
    let is_refused = |it: &&TestPurchase| matches!(it.received, LastAnswer::Refused(_));
    let refused: Vec<_> = purchases.iter().filter(is_refused).collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(way.met(), purchases.len(), "an order passed its fault by");
}

fn check_ends(endings: &[PurchaseEnd]) {
    for fault in WireFault::ALL {
        let of_fault = |it: &&PurchaseEnd| it.purchase.reference.starts_with(fault.code());
        for ending in endings.iter().filter(of_fault) {
            let was_opened = !matches!(ending.purchase.received, LastAnswer::Refused(_));
            let only = only_end(fault).filter(|_| was_opened);
            // What was taken back was delivered first.
            let was_taken_back = ending.action == ProviderAction::TakenBack;
            let is_it = |only| {
                only == ending.action || (was_taken_back && only == ProviderAction::Delivered)
            };
            assert!(only.is_none_or(is_it), "{ending:?}");
            // A person decides about a payout that is absent without being sealed.
            let is_payout = ending.purchase.family.waits_for_a_person();
            let is_open = ending.status.as_deref() == Some("Pending");
            let asks = is_payout && ending.asks_a_person;
            assert!(!is_open || asks, "{ending:?}");
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
    let mut matrix = SocketMatrix::new(ProviderKinds::sealing, GatewayFolder::with).await;
    let server = GatewayProcess::start(&matrix.account.folder);
    let first = matrix.is_ready(&server).await;
    let orders = FaultyPurchase::all(&RELAYED, &matrix.kinds, size());
    let mut purchases = matrix.buy(&server, orders).await;
    check_met(&matrix.way, &purchases);
    purchases.push(first);
    matrix.settle(&server, &purchases).await;

    // Nothing listens any more. What has to be looked up first is refused.
    drop(matrix.relay.take());
    let orders = FaultyPurchase::all(&[WireFault::Unreachable], &matrix.kinds, size());
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
    async fn faults_at_providers_of_every_other_kind_leave_nothing_open_either() {
        let kinds = |clock| ProviderKinds::of_seed(clock, size().0);
        let matrix = SocketMatrix::new(kinds, GatewayFolder::embedded).await;
        let clock = FakeClock::new(matrix.account.folder.beside("clock"));
        let launch = Launch {
            environment: clock.environment().to_vec(),
            ..Launch::default()
        };
        let server = GatewayProcess::launch(&matrix.account.folder, &launch);
        let first = matrix.is_ready(&server).await;
        let orders = FaultyPurchase::all(&RELAYED, &matrix.kinds, size());
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
