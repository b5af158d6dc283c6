//! The adapter on the test bench, and orders that make the server behave as a test wants.

use crate::fake::{API_KEY, FakeVtpass, SECRET_KEY};
use crate::fake_record::{Fate, RATE};
use async_trait::async_trait;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, ElectricityOrder, MeterNumber, Tariff};
use domain::order::{Order, Service};
use domain::provider::Submission;
use domain::reference::ProviderReference;
use outbound_http::{OutboundTarget, PlainHttp};
use ports::provider::{Meters, Provider};
use provider_vtpass::{ConfirmRefusals, PlanMapping, VtpassKeys, VtpassProvider, VtpassSettings};
use rust_decimal::Decimal;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::attempt;
use testkit::builders::{
    airtime, cabletv, internet, naira, phone, plan_code, provider_code, provider_id, purchase_of,
};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire::{WireEcho, WireProviderUnderTest};
use testkit::wire_proxy::ProxiedServer;

/// Companies whose answers name the same things differently.
const COMPANIES: [&str; 3] = ["106", "103", "109"];

pub(crate) struct VtpassBench {
    pub(crate) fake: FakeVtpass,
    pub(crate) provider: Arc<VtpassProvider>,
    orders: AtomicUsize,
}

/// With the setting as it is by default.
pub(crate) async fn confirming() -> VtpassBench {
    VtpassBench::with(ConfirmRefusals::Yes).await
}

impl VtpassBench {
    pub(crate) async fn with(confirm_refusals: ConfirmRefusals) -> Self {
        let fake = FakeVtpass::start().await;
        let provider = Arc::new(open(fake.port, SECRET_KEY, confirm_refusals));
        Self {
            fake,
            provider,
            orders: AtomicUsize::new(0),
        }
    }

    /// An order whose number, meter or card meets a fate.
    pub(crate) async fn order_with(&self, service: Service, fate: Fate) -> Order {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let (digits, order) = match service {
            Service::Airtime => {
                let order = airtime().to(&format!("234803{number:07}")).order();
                (format!("0803{number:07}"), order)
            }
            Service::Internet => {
                let mut order = internet().to(&format!("234803{number:07}")).order();
                if let Order::Internet(order) = &mut order {
                    order.provider = provider_code("301");
                    order.plan = plan_code("30109");
                }
                (format!("0803{number:07}"), order)
            }
            Service::CableTv => {
                let card = format!("70{number:08}");
                (card.clone(), cable_order(&card))
            }
            Service::Electricity => {
                let meter = format!("10101{number:08}");
                (meter.clone(), self.meter_order(number, &meter).await)
            }
            Service::Sms
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
            | Service::Bill(_) => {
                panic!("{service:?} is not served")
            }
        };
        self.fake.book().fates.insert(digits, fate);
        order
    }

    /// The meter as the company knows it; the tariff is on no interface, and the test knows it.
    async fn meter_order(&self, number: usize, digits: &str) -> Order {
        let disco = DiscoCode::parse(COMPANIES[number % COMPANIES.len()]).unwrap();
        let digits = MeterNumber::parse(digits).unwrap();
        let meter = self.provider.meter(&disco, &digits, Billing::Prepaid).await;
        let mut meter = meter.unwrap();
        meter.tariff = Tariff {
            band: "A".into(),
            rate: Some(Decimal::new(RATE.0, RATE.1)),
        };
        Order::Electricity(ElectricityOrder {
            meter,
            amount: naira("5,000.00"),
            customer_phone: None,
        })
    }

    /// An attempt as the flow prepares it.
    pub(crate) fn attempt(&self, under: &str, order: Order) -> Submission {
        attempt::prepared(&*self.provider, under, order)
    }
}

/// One month of a plan that is mapped.
pub(crate) fn cable_order(card: &str) -> Order {
    let mut order = cabletv().to(card).order();
    if let Order::CableTv(order) = &mut order {
        order.provider = provider_code("202");
        order.amount = naira("5,800.00");
        let wanted = order.subscription.as_mut().unwrap();
        (wanted.plan, wanted.duration) = (plan_code("20205"), 1);
    }
    order
}

/// The adapter of a server on this machine.
pub(crate) fn open(port: u16, secret: &str, confirm_refusals: ConfirmRefusals) -> VtpassProvider {
    let keys = VtpassKeys::parse(API_KEY, secret).unwrap();
    open_with(port, keys, confirm_refusals)
}

/// The same with keys of a test.
pub(crate) fn open_with(
    port: u16,
    keys: VtpassKeys,
    confirm_refusals: ConfirmRefusals,
) -> VtpassProvider {
    let base = format!("http://127.0.0.1:{port}/api/");
    let target = OutboundTarget::parse(&base, PlainHttp::ToLoopback).unwrap();
    let settings = VtpassSettings {
        confirm_refusals,
        internet_plans: PlanMapping::parse("30109=mtn-2gb-1500").unwrap(),
        cable_plans: PlanMapping::parse("20205=gotv-jolli").unwrap(),
        question: Duration::from_secs(5),
        ..VtpassSettings::new(target, keys, phone("2348035550001"))
    };
    VtpassProvider::open(provider_id("vtpass"), settings, ManualClock::start()).unwrap()
}

#[async_trait]
impl ProviderUnderTest for VtpassBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    fn services(&self) -> Vec<Service> {
        vec![
            Service::Airtime,
            Service::CableTv,
            Service::Electricity,
            Service::Internet,
        ]
    }

    /// Reversals are found by queries; its callbacks are hints.
    fn reports_changes(&self) -> bool {
        false
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        let fate = match behaviour {
            ProviderBehaviour::Delivers => Fate::Delivered,
            ProviderBehaviour::Declines => Fate::NotProcessed,
            ProviderBehaviour::LosesTheAnswer => Fate::AnswerLost,
            ProviderBehaviour::LosesTheRequest => Fate::RequestLost,
            ProviderBehaviour::DeliversLater => Fate::Later,
            ProviderBehaviour::TakesBack => Fate::TakenBack,
        };
        if self.services().contains(&service) {
            self.order_with(service, fate).await
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
impl WireProviderUnderTest for VtpassBench {
    fn server(&self) -> ProxiedServer {
        ProxiedServer {
            port: self.fake.port,
            writes: |method, target| (method, target) == ("POST", "/api/pay"),
        }
    }

    async fn at_port(&self, port: u16) -> Arc<dyn Provider> {
        Arc::new(open(port, SECRET_KEY, ConfirmRefusals::Yes))
    }

    fn echoes(&self, sent: &Submission) -> Vec<WireEcho> {
        let reference = sent.reference.as_str();
        let whole = sent.order.amount().minor() / 100;
        let (_, number) = sent.order.digits().split_at(sent.order.digits().len() - 8);
        vec![
            WireEcho::new("reference", (reference, "202601151000aaaaaaaaaaaaaaaaaaaa")),
            WireEcho::new("customer", (format!("{number}\""), "99999999\"")),
            // A number or a text, as it comes.
            WireEcho::new("amount", (format!("\"amount\":{whole}"), "\"amount\":90"))
                .or((format!("\"amount\":\"{whole}"), "\"amount\":\"90")),
        ]
    }
}
