//! One world of the matrix: a fault, a kind of provider, a seed, and one of every product, bought,
//! interrupted, healed and decided about. It must not judge what came of them.

use super::faulty_provider::FaultyProvider;
use super::model_book::ModelTruth;
use super::products::{self, MatrixProduct};
use crate::support::process::{Process, outside};
use crate::support::request::Worker;
use crate::support::seeded_rng::FlowRng;
use crate::support::{World, minutes, seconds};
use application::providers::Providers;
use application::{PaymentResult, RequestError};
use domain::international::ProviderQuote;
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::transaction::{AttemptNumber, State, Transaction, Verdict};
use ports::fault_point::FaultStep;
use ports::provider::Provider as _;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account_id, current_attempt, fulfilment, ruling};
use testkit::builders::{cedis, naira, provider_quote};
use testkit::matrix::{ProviderKind, WireFault};
use tokio::task::JoinSet;

/// Who buys, with what, in minor units.
pub(super) const ACCOUNT: &str = "matrix";
pub(super) const BALANCE: i64 = 10_000_000_000;

/// For how long the fault lasts, and for how long everything may take once it is over: the
/// quarantine, four spaced answers, and what was late.
const FAULT_LASTS: Duration = Duration::from_mins(12);
const HEALED_FOR: Duration = Duration::from_mins(35);

/// In steps of this the providers' own time goes on.
const STEP: Duration = Duration::from_secs(30);

/// When the process that took the orders dies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Death {
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
    pub(super) const fn is_after_sending(self) -> bool {
        match self {
            Self::Never | Self::At(FaultStep::AfterSubmit) => true,
            Self::At(_) | Self::After(_) => false,
        }
    }
}

/// One fault, one kind, one seed; every product.
pub(super) struct MatrixWorld {
    pub(super) name: String,
    pub(super) kind: ProviderKind,
    pub(super) death: Death,
    pub(super) world: World,
    pub(super) first: Arc<FaultyProvider>,
    pub(super) second: Arc<FaultyProvider>,
    /// The last thing that was answered 2xx.
    pub(super) answered: BTreeMap<&'static str, Transaction>,
    pub(super) ruled: BTreeMap<&'static str, State>,
}

type Waiting = JoinSet<(MatrixProduct, Result<PaymentResult, RequestError>)>;

impl MatrixWorld {
    pub(super) fn new((fault, kind): (WireFault, ProviderKind), seed: u64) -> Self {
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
        world.provider.on_quote(Ok(ProviderQuote {
            provider: first.id().clone(),
            source: naira("5,000.00"),
            destination: cedis("42.50"),
            ..provider_quote()
        }));
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
            let routes = Service::delivered().flat_map(|service| {
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

    pub(super) fn live(&mut self) {
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

    pub(super) async fn stored(&self, product: MatrixProduct) -> Option<Transaction> {
        let under = product.reference();
        self.world.stores.read(ACCOUNT, under.as_str()).await
    }

    /// The record of a provider about an attempt.
    pub(super) fn truth(
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
            let attempt = current_attempt(&tx).get();
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
}
