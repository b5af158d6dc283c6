//! The adapter on the test bench, and orders that make the server behave as a test wants.

use crate::fake::{API_KEY, API_SECRET, FIXED, FakeDtone, RANGED, TransactionFate};
use async_trait::async_trait;
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::provider::{Provider, ProviderAnswer};
use provider_dtone::{DtoneKeys, DtoneProducts, DtoneProvider, DtoneSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::attempt;
use testkit::builders::{airtime, internet, plan_code, provider_id, purchase_of};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire::{WireEcho, WireProviderUnderTest};
use testkit::wire_proxy::ProxiedServer;

pub(crate) struct DtoneBench {
    pub(crate) fake: FakeDtone,
    pub(crate) provider: Arc<DtoneProvider>,
    orders: AtomicUsize,
}

pub(crate) async fn bench() -> DtoneBench {
    let fake = FakeDtone::start(0).await;
    let provider = Arc::new(open(fake.port, API_SECRET));
    DtoneBench {
        fake,
        provider,
        orders: AtomicUsize::new(0),
    }
}

/// The adapter of a server on this machine.
pub(crate) fn open(port: u16, secret: &str) -> DtoneProvider {
    let base = format!("http://127.0.0.1:{port}/v1");
    let target = OutboundTarget::parse(&base, PlainHttp::ToLoopback).unwrap();
    let networks = format!("NG:mtn={RANGED},GH:mtn={RANGED},NG:glo=9999");
    let products = DtoneProducts::parse(&networks, &format!("30109={FIXED}")).unwrap();
    let settings = DtoneSettings {
        products,
        callback_url: Some("https://gateway.example/provider/dtone/callback".into()),
        question: Duration::from_secs(5),
        ..DtoneSettings::new(target, DtoneKeys::parse(API_KEY, secret).unwrap())
    };
    DtoneProvider::open(provider_id("dtone"), settings, ManualClock::start()).unwrap()
}

/// A plan that is mapped.
pub(crate) fn plan_for(number: &str) -> Order {
    let mut order = internet().to(number).order();
    if let Order::Internet(order) = &mut order {
        order.plan = plan_code("30109");
    }
    order
}

/// 1,000.00 for a number in Ghana.
pub(crate) fn abroad() -> Order {
    let mut order = airtime().to("233241234567").order();
    if let Order::Airtime(order) = &mut order {
        order.country = CountryCode::parse("288").unwrap();
    }
    order
}

impl DtoneBench {
    /// An order whose number meets a fate.
    pub(crate) fn order_with(&self, service: Service, fate: TransactionFate) -> Order {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let number = format!("234803{number:07}");
        let fates = &mut self.fake.book().fates;
        fates.insert(format!("+{number}"), fate);
        match service {
            Service::Airtime => airtime().to(&number).order(),
            Service::Internet => plan_for(&number),
            Service::CableTv
            | Service::Electricity
            | Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Bank
            | Service::MobileMoney
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User
            | Service::Hlr
            | Service::Lookup(_)
            | Service::Bill(_) => panic!("{service:?} is not served"),
        }
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
impl ProviderUnderTest for DtoneBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    fn services(&self) -> Vec<Service> {
        vec![Service::Airtime, Service::Internet]
    }

    /// Reversals are found by queries; its callbacks are hints.
    fn reports_changes(&self) -> bool {
        false
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        let fate = match behaviour {
            ProviderBehaviour::Delivers => TransactionFate::Completed,
            ProviderBehaviour::Declines => TransactionFate::Declined,
            ProviderBehaviour::LosesTheAnswer => TransactionFate::AnswerLost,
            ProviderBehaviour::LosesTheRequest => TransactionFate::RequestLost,
            ProviderBehaviour::DeliversLater => TransactionFate::Later,
            ProviderBehaviour::TakesBack => TransactionFate::TakenBack,
        };
        if self.services().contains(&service) {
            self.order_with(service, fate)
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
impl WireProviderUnderTest for DtoneBench {
    fn server(&self) -> ProxiedServer {
        ProxiedServer {
            port: self.fake.port,
            writes: |method, target| (method, target) == ("POST", "/v1/async/transactions"),
        }
    }

    async fn at_port(&self, port: u16) -> Arc<dyn Provider> {
        Arc::new(open(port, API_SECRET))
    }

    fn echoes(&self, sent: &Submission) -> Vec<WireEcho> {
        let (reference, number) = (sent.reference.as_str(), sent.order.digits());
        let mut echoes = vec![
            WireEcho::new("reference", (reference, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")),
            WireEcho::new("number", (number, "2348039999999")),
        ];
        // A product of one value is known by its number.
        if sent.order.service() == Service::Airtime {
            let amount = ("\"amount\":1000", "\"amount\":2000");
            echoes.push(WireEcho::new("amount", amount));
        }
        echoes
    }
}
