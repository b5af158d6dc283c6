//! The adapter on the test bench, and payouts that make the server behave as a test wants.

use crate::fake::{FakePaystack, SECRET_KEY, TransferFate};
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankIdentifier};
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::provider::{Provider, ProviderAnswer};
use provider_paystack::{PaystackKey, PaystackProvider, PaystackSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::attempt;
use testkit::builders::{payout, provider_id, purchase_of};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire::{WireEcho, WireProviderUnderTest};
use testkit::wire_proxy::ProxiedServer;

/// A bank whose code is the central bank's.
pub(crate) const GTBANK: &str = "NGNIP000013";

pub(crate) struct PaystackBench {
    pub(crate) fake: FakePaystack,
    pub(crate) provider: Arc<PaystackProvider>,
    orders: AtomicUsize,
}

pub(crate) async fn bench() -> PaystackBench {
    let fake = FakePaystack::start(0).await;
    let provider = Arc::new(open(fake.port, SECRET_KEY));
    PaystackBench {
        fake,
        provider,
        orders: AtomicUsize::new(0),
    }
}

/// The adapter of a server on this machine.
pub(crate) fn open(port: u16, key: &str) -> PaystackProvider {
    let base = format!("http://127.0.0.1:{port}/");
    let target = OutboundTarget::parse(&base, PlainHttp::ToLoopback).unwrap();
    let settings = PaystackSettings {
        question: Duration::from_secs(5),
        ..PaystackSettings::new(target, PaystackKey::parse(key).unwrap())
    };
    PaystackProvider::open(provider_id("paystack"), settings, ManualClock::start()).unwrap()
}

/// A payout of 20,000.00 to an account.
pub(crate) fn payout_to(bank: &str, number: &str) -> Order {
    let mut order = payout().order();
    if let Order::Bank(order) = &mut order {
        order.account.bank = BankIdentifier::parse(bank).unwrap();
        order.account.number = AccountNumber::parse(number).unwrap();
    }
    order
}

impl PaystackBench {
    /// A payout whose account meets a fate.
    pub(crate) fn order_with(&self, fate: TransferFate) -> Order {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let number = format!("01{number:08}");
        let order = payout_to(GTBANK, &number);
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
impl ProviderUnderTest for PaystackBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    fn services(&self) -> Vec<Service> {
        vec![Service::Bank]
    }

    /// Reversals are found by queries; its callbacks are hints.
    fn reports_changes(&self) -> bool {
        false
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        let fate = match behaviour {
            ProviderBehaviour::Delivers => TransferFate::Paid,
            ProviderBehaviour::Declines => TransferFate::Refused,
            ProviderBehaviour::LosesTheAnswer => TransferFate::AnswerLost,
            ProviderBehaviour::LosesTheRequest => TransferFate::RequestLost,
            ProviderBehaviour::DeliversLater => TransferFate::Later,
            ProviderBehaviour::TakesBack => TransferFate::TakenBack,
        };
        if service == Service::Bank {
            self.order_with(fate)
        } else {
            purchase_of(service).order()
        }
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.fake.payouts(reference.as_str())
    }

    async fn let_time_pass(&self) {
        self.fake.let_time_pass();
    }
}

#[async_trait]
impl WireProviderUnderTest for PaystackBench {
    fn server(&self) -> ProxiedServer {
        ProxiedServer {
            port: self.fake.port,
            writes: |method, target| (method, target) == ("POST", "/transfer"),
        }
    }

    async fn at_port(&self, port: u16) -> Arc<dyn Provider> {
        Arc::new(open(port, SECRET_KEY))
    }

    /// A submission is answered without the details of the account.
    fn echoes(&self, sent: &Submission) -> Vec<WireEcho> {
        let minor = sent.order.amount().minor();
        let reference = sent.reference.as_str();
        vec![
            WireEcho::new(
                "reference",
                (reference, "mnl-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ),
            WireEcho::new(
                "amount",
                (
                    format!("\"amount\":{minor}"),
                    format!("\"amount\":{}", minor / 100),
                ),
            ),
        ]
    }
}
