//! The adapter on the test bench, and payouts that make the server behave as a test wants.

use crate::fake::{FakePaystack, SECRET_KEY, TransferFate};
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankIdentifier};
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, RefusalKind, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::provider::{AttemptQuery, Naming, Provider, ProviderAnswer};
use provider_paystack::{PaystackKey, PaystackProvider, PaystackSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::builders::{payout, provider_id, purchase_of, submission};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::permit::FixedPermit;

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
        let sent = submission(under, order);
        let prepared = self.provider.prepare(Naming {
            derived: sent.reference.clone(),
            order: &sent.order,
            started_at: sent.started_at,
        });
        Submission {
            reference: prepared.reference,
            ..sent
        }
    }

    pub(crate) async fn submit(&self, sent: &Submission) -> ProviderAnswer<SubmitOutcome> {
        self.provider.submit(sent, &FixedPermit::granted()).await
    }

    pub(crate) async fn query(&self, sent: &Submission) -> ProviderAnswer<QueryOutcome> {
        let asked = AttemptQuery {
            order: Some(&sent.order),
            ..AttemptQuery::by(&sent.reference)
        };
        self.provider.query(&asked).await
    }
}

fn kind(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Order => "declined Order",
        RefusalKind::Account => "declined Account",
        RefusalKind::Moment { .. } => "declined Moment",
        RefusalKind::Lookalike => "declined Lookalike",
    }
}

pub(crate) fn of_submit(outcome: &SubmitOutcome) -> String {
    match outcome {
        SubmitOutcome::Delivered(_) => "delivered".into(),
        SubmitOutcome::Declined(refusal) => kind(refusal.kind).into(),
        SubmitOutcome::NotSent => "not sent".into(),
        SubmitOutcome::Pending => "pending".into(),
        SubmitOutcome::Reversed => "reversed".into(),
        SubmitOutcome::Unknown(cause) => format!("unknown {cause:?}"),
    }
}

pub(crate) fn of_query(outcome: &QueryOutcome) -> String {
    match outcome {
        QueryOutcome::Delivered(_) => "delivered".into(),
        QueryOutcome::Declined(refusal) => kind(refusal.kind).into(),
        QueryOutcome::Pending => "pending".into(),
        QueryOutcome::NotFound => "not found".into(),
        QueryOutcome::Reversed => "reversed".into(),
        QueryOutcome::Unknown => "unknown".into(),
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
