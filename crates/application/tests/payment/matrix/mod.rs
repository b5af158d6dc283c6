//! Every fault with every kind of provider and every product, in virtual time. Each world buys one
//! of every product behind one fault, with a second provider that would deliver at once whatever is
//! wrongly taken for not delivered; then the fault ends, and everything must be settled as the
//! providers' own records say. `MANILLA_MATRIX_SEEDS=1..6` says which seeds are gone through.

mod faulty_provider;
mod products;

use super::support::process::{Process, outside};
use super::support::request::Worker;
use super::support::seeded_rng::FlowRng;
use super::support::{World, minutes, seconds};
use application::providers::Providers;
use application::{PaymentResult, RequestError};
use domain::ledger::TransferKind;
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::transaction::{AttemptNumber, Proof, State, Status, Transaction, Verdict};
use faulty_provider::{FaultyProvider, ModelTruth};
use ports::fault_point::FaultStep;
use products::MatrixProduct;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account_id, fulfilment, ruling};
use testkit::matrix::{ProviderKind, WireFault};
use tokio::task::JoinSet;

/// Who buys, with what, in minor units.
const ACCOUNT: &str = "matrix";
const BALANCE: i64 = 10_000_000_000;

/// Which seeds are gone through unless the environment says otherwise. A seed says among other
/// things when the process dies, in a cycle of five.
const SEEDS: Range<u64> = 1..6;

/// For how long the fault lasts, and for how long everything may take once it is over: the
/// quarantine, four spaced answers, and what was late.
const FAULT_LASTS: Duration = Duration::from_mins(12);
const HEALED_FOR: Duration = Duration::from_mins(35);

/// In steps of this the providers' own time goes on.
const STEP: Duration = Duration::from_secs(30);

/// When the process that took the orders dies.
#[derive(Debug, Clone, Copy)]
enum Death {
    Never,
    /// At a moment of its payments.
    At(FaultStep),
    /// So many milliseconds after it took the orders, and once more.
    After(u64),
}

impl Death {
    fn of_seed(seed: u64, chance: &mut FlowRng) -> Self {
        match seed % 5 {
            1 => Self::Never,
            2 => Self::At(FaultStep::AfterSubmit),
            3 => Self::At(FaultStep::AfterOpen),
            4 => Self::After(chance.below(1_000)),
            _ => Self::After(chance.below(60_000)),
        }
    }

    /// Whether every order has left by then.
    const fn is_after_sending(self) -> bool {
        match self {
            Self::Never | Self::At(FaultStep::AfterSubmit) => true,
            Self::At(_) | Self::After(_) => false,
        }
    }
}

/// What the cells of some worlds came to.
#[derive(Debug, Default)]
struct MatrixCount {
    cells: u32,
    successful: u32,
    failed: u32,
    reversed: u32,
    ruled: u32,
    /// How many orders met the fault, and how many must have.
    strikes: u32,
    to_strike: u32,
    elsewhere: u32,
    violations: Vec<String>,
}

/// One fault, one kind, one seed; every product.
struct MatrixWorld {
    name: String,
    kind: ProviderKind,
    death: Death,
    world: World,
    first: Arc<FaultyProvider>,
    second: Arc<FaultyProvider>,
    /// The last thing that was answered 2xx.
    answered: BTreeMap<&'static str, Transaction>,
    ruled: BTreeMap<&'static str, State>,
}

type Waiting = JoinSet<(MatrixProduct, Result<PaymentResult, RequestError>)>;

impl MatrixWorld {
    fn new((fault, kind): (WireFault, ProviderKind), seed: u64) -> Self {
        let world = outside(async {
            let world = World::new().await;
            world.stores.has_account(ACCOUNT, "100,000,000.00").await;
            products::prepare(&world).await;
            world
        });
        let name = format!("{} {} seed {seed}", fault.code(), kind.code());
        let place = fault as u64 * 5 + kind as u64;
        let mut chance = FlowRng::of_seed(seed * 1_000 + place);
        let death = Death::of_seed(seed, &mut chance);
        let parts = || (world.exposed.store.clone(), world.clock.clone());
        let first = FaultyProvider::new(("first", kind), (Some(fault), chance.clone()), parts());
        let second = ProviderKind::Replaying;
        let second = FaultyProvider::new(("second", second), (None, chance), parts());
        Self {
            name,
            kind,
            death,
            first,
            second,
            world,
            answered: BTreeMap::new(),
            ruled: BTreeMap::new(),
        }
    }

    fn process(&self) -> Process {
        Process::start_with(&self.world, |parts| {
            parts.settings.recovery_interval = seconds(20);
            parts.settings.changes_interval = seconds(60);
            let routes = Service::all().flat_map(|service| {
                [
                    (service, self.first.clone() as _),
                    (service, self.second.clone() as _),
                ]
            });
            parts.providers = Providers::new(routes.collect());
        })
    }

    /// A process with its recovery, which has taken over what an earlier one left.
    fn recovering(&self) -> (Process, Worker) {
        let process = self.process();
        let worker = process.run(Worker::ready(&process.gateway));
        (process, worker)
    }

    fn live(&mut self) {
        let (process, worker) = self.recovering();
        let mut waiting = process.run(async {
            let mut waiting = JoinSet::new();
            for product in MatrixProduct::all() {
                let gateway = process.gateway.clone();
                waiting.spawn(async move { (product, product.buy(&gateway).await) });
            }
            waiting
        });
        let (process, worker) = match self.death {
            Death::Never => (process, worker),
            Death::At(moment) => {
                self.world.halt.at(moment);
                // Those that get no answer reach the deadline of their call.
                process.run(self.world.pass(seconds(40)));
                self.dies((process, worker), &mut waiting)
            }
            Death::After(millis) => {
                process.run(self.world.pass(Duration::from_millis(millis)));
                let (process, worker) = self.dies((process, worker), &mut waiting);
                process.run(self.world.pass(Duration::from_millis(3 * millis)));
                self.dies((process, worker), &mut waiting)
            }
        };
        self.pass(&process, FAULT_LASTS, &mut waiting);
        self.first.heal();
        self.first.takes_back();
        self.pass(&process, HEALED_FOR, &mut waiting);
        process.run(self.rule(&process));
        self.pass(&process, minutes(2), &mut waiting);
        process.run(worker.stop());
        process.run(process.gateway.drain());
    }

    /// The process stops where it stands, with its clients; another one starts.
    fn dies(
        &mut self,
        (process, worker): (Process, Worker),
        waiting: &mut Waiting,
    ) -> (Process, Worker) {
        self.take_answers(waiting);
        *waiting = JoinSet::new();
        drop(worker);
        process.crash();
        self.world.halt.nowhere();
        self.recovering()
    }

    fn pass(&mut self, process: &Process, duration: Duration, waiting: &mut Waiting) {
        let end = self.world.now().plus(duration);
        while self.world.now() < end {
            process.run(self.world.pass(STEP));
            self.first.time_passed();
            self.second.time_passed();
            self.take_answers(waiting);
        }
    }

    fn take_answers(&mut self, waiting: &mut Waiting) {
        while let Some(answer) = waiting.try_join_next() {
            let (product, answer) = answer.unwrap();
            let paid = answer.unwrap_or_else(|e| panic!("{} {}: {e:?}", self.name, product.name()));
            self.answered.insert(product.name(), paid.transaction);
        }
    }

    async fn stored(&self, product: MatrixProduct) -> Option<Transaction> {
        let under = product.reference();
        self.world.stores.read(ACCOUNT, under.as_str()).await
    }

    /// The record of a provider about an attempt.
    fn truth(
        &self,
        product: MatrixProduct,
        attempt: u8,
    ) -> Vec<(&'static str, ModelTruth, u32, ProviderReference)> {
        let attempt = AttemptNumber::try_new(attempt).unwrap();
        let (account, under) = (account_id(ACCOUNT), product.reference());
        let reference = ProviderReference::derive(&account, &under, attempt);
        [("first", &self.first), ("second", &self.second)]
            .into_iter()
            .filter_map(|(name, provider)| {
                let (truth, handed_over) = provider.truth(&reference)?;
                Some((name, truth, handed_over, reference.clone()))
            })
            .collect()
    }

    /// Persons decide what waits for them, as the provider's record says.
    async fn rule(&mut self, process: &Process) {
        for product in MatrixProduct::all() {
            let Some(tx) = self.stored(product).await else {
                continue;
            };
            if !matches!(tx.state, State::Review(_)) {
                continue;
            }
            let attempt = tx.attempt().get();
            let has_it = self
                .truth(product, attempt)
                .iter()
                .any(|(_, truth, ..)| *truth == ModelTruth::Delivered);
            let verdict = if has_it {
                Verdict::Delivered(fulfilment(&tx.order))
            } else {
                Verdict::NotDelivered
            };
            let gateway = &process.gateway;
            let ruled = gateway.rule(&tx.account, &tx.reference, ruling(verdict));
            ruled.await.unwrap();
            self.ruled.insert(product.name(), tx.state);
        }
    }

    async fn count(&self, counted: &mut MatrixCount) {
        self.world.stores.must_be_clean(self.world.now()).await;
        let mut charged = 0;
        for product in MatrixProduct::all() {
            counted.cells += 1;
            counted.to_strike += u32::from(self.death.is_after_sending());
            let stored = self.stored(product).await;
            if let Some(tx) = &stored {
                let status = tx.status();
                counted.successful += u32::from(status == Status::Successful);
                counted.failed += u32::from(status == Status::Failed);
                counted.reversed += u32::from(status == Status::Reversed);
                counted.elsewhere += u32::from(tx.provider().as_str() == "second");
                if status == Status::Successful {
                    charged += tx.quote.price.minor();
                }
            }
            for violation in self.violations(product, stored.as_ref()).await {
                let cell = format!("{} {}: {violation}", self.name, product.name());
                counted.violations.push(cell);
            }
        }
        counted.ruled += u32::try_from(self.ruled.len()).unwrap();
        counted.strikes += self.first.strikes();
        for provider in [&self.first, &self.second] {
            counted.violations.extend(provider.offences());
        }
        let wallet = self.world.stores.balances(ACCOUNT).await;
        if wallet != (BALANCE - charged, 0) {
            let violation = format!("{}: {wallet:?}, {charged} charged", self.name);
            counted.violations.push(violation);
        }
    }

    /// What is wrong with a cell.
    async fn violations(&self, product: MatrixProduct, tx: Option<&Transaction>) -> Vec<String> {
        let mut found = Vec::new();
        let records = [self.truth(product, 1), self.truth(product, 2)].concat();
        let handed_over: u32 = records.iter().map(|(_, _, count, _)| count).sum();
        if handed_over > 1 {
            found.push(format!("handed over {handed_over} times: {records:?}"));
        }
        let Some(tx) = tx else {
            if !records.is_empty() || self.answered.contains_key(product.name()) {
                found.push(format!("nothing is stored: {records:?}"));
            }
            return found;
        };
        let is = |wanted: ModelTruth| {
            let (provider, attempt) = (tx.provider().as_str(), tx.provider_reference(tx.attempt()));
            records
                .iter()
                .any(|(name, truth, _, of)| (*name, *truth, of) == (provider, wanted, &attempt))
        };
        let has_it = records
            .iter()
            .any(|(_, truth, ..)| *truth == ModelTruth::Delivered);
        let agrees = match &tx.state {
            State::Successful(_) => is(ModelTruth::Delivered),
            State::Reversed(_) => is(ModelTruth::TakenBack) && !has_it,
            State::Failed(failed) => {
                let was_taken_back = handed_over == 1;
                let by_person = matches!(failed.proof, Proof::TakenBack | Proof::Ruled(_));
                !has_it && (!was_taken_back || by_person)
            }
            State::Sending(_) | State::InDoubt(_) | State::Review(_) => false,
        };
        if !agrees {
            found.push(format!("{:?}, the records say {records:?}", tx.state));
        }
        let transfers = self.world.transfers(tx).await;
        let count = |kind| transfers.iter().filter(|it| **it == kind).count();
        let ends = [TransferKind::Capture, TransferKind::Release].map(count);
        if count(TransferKind::Hold) != 1 || ends.iter().sum::<usize>() != 1 {
            found.push(format!("{transfers:?}"));
        }
        let stays = self.answered.get(product.name()).is_none_or(|answered| {
            answered.status() == tx.status()
                || answered.status() == Status::Pending
                || tx.status() == Status::Reversed
        });
        if !stays {
            found.push(format!("was answered otherwise, is {:?}", tx.state));
        }
        // A person is needed only where no answer will ever do, and for money that left for a bank.
        let may_be_ruled =
            self.kind == ProviderKind::Forgetting || tx.order.service() == Service::Bank;
        if self.ruled.contains_key(product.name()) && !may_be_ruled {
            found.push("a person was needed".to_owned());
        }
        found
    }
}

/// Goes through every kind and product behind one fault.
fn goes_through(fault: WireFault) {
    let mut counted = MatrixCount::default();
    let seeds = seeds();
    for kind in ProviderKind::ALL {
        for seed in seeds.clone() {
            let mut world = MatrixWorld::new((fault, kind), seed);
            world.live();
            outside(world.count(&mut counted));
        }
    }
    println!(
        "{}: {} cells, {} successful, {} failed, {} reversed, {} ruled, {} elsewhere, {} met the \
         fault",
        fault.code(),
        counted.cells,
        counted.successful,
        counted.failed,
        counted.reversed,
        counted.ruled,
        counted.elsewhere,
        counted.strikes,
    );
    let mut report = String::new();
    for violation in counted.violations.iter().take(20) {
        let _ = writeln!(report, "{violation}");
    }
    let count = counted.violations.len();
    assert_eq!(count, 0, "{count} violations, such as\n{report}");
    // A search in which an order passed its fault by, or all ended alike, would prove nothing.
    assert!(counted.strikes >= counted.to_strike, "{counted:?}");
    let arrives = !matches!(fault, WireFault::CutBefore | WireFault::Redirect);
    let delivered = counted.successful + counted.reversed;
    assert_eq!(arrives, delivered > 0, "{counted:?}");
    assert!(counted.failed > 0, "{counted:?}");
}

fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("MANILLA_MATRIX_SEEDS") else {
        return SEEDS;
    };
    let expected = "MANILLA_MATRIX_SEEDS=from..to";
    let (from, to) = asked.split_once("..").expect(expected);
    let seed = |text: &str| text.parse().expect(expected);
    seed(from)..seed(to)
}

/// One test for each fault, named after it.
macro_rules! every_fault {
    ($($test:ident $fault:ident)*) => {
        $(
            #[test]
            fn $test() {
                goes_through(WireFault::$fault);
            }
        )*

        #[test]
        fn every_fault_has_a_test() {
            let tested = [$(WireFault::$fault),*];
            assert_eq!(tested, WireFault::ALL);
        }
    };
}

every_fault! {
    no_connection_is_made Unreachable
    the_connection_breaks_before_the_request CutBefore
    the_connection_breaks_after_the_request CutAfter
    the_answer_breaks_off CutBody
    no_answer_ever_comes Silent
    the_request_arrives_late LateRequest
    the_answer_comes_after_the_deadline SlowAnswer
    a_page_comes_instead Html
    a_server_error_comes_instead ServerError
    the_answer_is_empty EmptyBody
    the_answer_is_a_redirect Redirect
    the_request_arrives_twice Duplicated
    the_answer_is_anothers Crossed
    the_clocks_differ StaleClock
}
