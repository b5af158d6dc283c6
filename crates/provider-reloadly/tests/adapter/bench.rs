//! The adapter on the test bench, and orders that make the server behave as a test wants.

use crate::fake::{CLIENT, FakeReloadly, MTN, TopupFate};
use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::provider::{Provider, ProviderAnswer};
use provider_reloadly::{
    ReloadlyCredentials, ReloadlyOperators, ReloadlyProvider, ReloadlySettings,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::attempt;
use testkit::builders::{airtime, provider_id, purchase_of};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire::{WireEcho, WireProviderUnderTest};
use testkit::wire_proxy::ProxiedServer;

pub(crate) struct ReloadlyBench {
    pub(crate) fake: FakeReloadly,
    pub(crate) provider: Arc<ReloadlyProvider>,
    pub(crate) clock: Arc<ManualClock>,
    orders: AtomicUsize,
}

/// What callbacks are signed with.
pub(crate) const HOOK: &str = "hook-of-a-test";

pub(crate) async fn bench() -> ReloadlyBench {
    let fake = FakeReloadly::start().await;
    let clock = ManualClock::start();
    let provider = Arc::new(open(fake.port, CLIENT.1, &clock));
    ReloadlyBench {
        fake,
        provider,
        clock,
        orders: AtomicUsize::new(0),
    }
}

/// The adapter of a server on this machine.
pub(crate) fn open(port: u16, secret: &str, clock: &Arc<ManualClock>) -> ReloadlyProvider {
    let target = |path: &str| {
        let base = format!("http://127.0.0.1:{port}{path}");
        OutboundTarget::parse(&base, PlainHttp::ToLoopback).unwrap()
    };
    let credentials = ReloadlyCredentials::parse((CLIENT.0, secret), Some(HOOK)).unwrap();
    let targets = (target("/"), target("/"));
    let settings = ReloadlySettings {
        operators: ReloadlyOperators::parse(&format!("mtn={MTN},glo=9")).unwrap(),
        question: Duration::from_secs(5),
        ..ReloadlySettings::new(targets, "https://topups.reloadly.com", credentials)
    };
    let clock = Arc::clone(clock);
    ReloadlyProvider::open(provider_id("reloadly"), settings, clock).unwrap()
}

impl ReloadlyBench {
    /// An order whose number meets a fate.
    pub(crate) fn order_with(&self, fate: TopupFate) -> Order {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let number = format!("234803{number:07}");
        let order = airtime().to(&number).order();
        self.fake.book().fates.insert(number, fate);
        order
    }

    /// An attempt as the flow prepares it.
    pub(crate) fn attempt(&self, under: &str, order: Order) -> Submission {
        attempt::prepared(&*self.provider, under, order)
    }

    pub(crate) async fn submit(&self, sent: &Submission) -> ProviderAnswer<SubmitOutcome> {
        attempt::submit(&*self.provider, sent).await
    }

    pub(crate) async fn query(&self, sent: &Submission) -> ProviderAnswer<QueryOutcome> {
        attempt::query(&*self.provider, sent).await
    }
}

#[async_trait]
impl ProviderUnderTest for ReloadlyBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    fn services(&self) -> Vec<Service> {
        vec![Service::Airtime]
    }

    /// Reversals are found by queries; its callbacks are hints.
    fn reports_changes(&self) -> bool {
        false
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        let fate = match behaviour {
            ProviderBehaviour::Delivers => TopupFate::Credited,
            ProviderBehaviour::Declines => TopupFate::Refused,
            ProviderBehaviour::LosesTheAnswer => TopupFate::AnswerLost,
            ProviderBehaviour::LosesTheRequest => TopupFate::RequestLost,
            ProviderBehaviour::DeliversLater => TopupFate::Later,
            ProviderBehaviour::TakesBack => TopupFate::TakenBack,
        };
        if service == Service::Airtime {
            self.order_with(fate)
        } else {
            purchase_of(service).order()
        }
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.fake.deliveries(reference.as_str())
    }

    async fn let_time_pass(&self) {
        self.fake.let_time_pass();
    }
}

#[async_trait]
impl WireProviderUnderTest for ReloadlyBench {
    fn server(&self) -> ProxiedServer {
        ProxiedServer {
            port: self.fake.port,
            writes: |method, target| (method, target) == ("POST", "/topups"),
        }
    }

    async fn at_port(&self, port: u16) -> Arc<dyn Provider> {
        Arc::new(open(port, CLIENT.1, &self.clock))
    }

    fn echoes(&self, sent: &Submission) -> Vec<WireEcho> {
        let (reference, number) = (sent.reference.as_str(), sent.order.digits());
        vec![
            WireEcho::new("reference", (reference, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
            WireEcho::new("number", (number, "2348039999999")),
            WireEcho::new(
                "amount",
                ("\"deliveredAmount\":1000", "\"deliveredAmount\":2000"),
            ),
        ]
    }
}
