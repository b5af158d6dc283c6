//! The laws of providers, run on the sandbox. Which number makes it behave how is all that is said
//! here; what must follow is said by the laws.
#![cfg(test)]

use async_trait::async_trait;
use domain::billing::Billing;
use domain::electricity::{DiscoCode, ElectricityOrder, MeterNumber};
use domain::order::{Order, Service};
use domain::reference::ProviderReference;
use ports::clock::Clock;
use ports::provider::{Meters, Provider};
use provider_sim::journal::{self, EntryEffect};
use provider_sim::{SimSettings, Simulator};
use std::future::{Ready, ready};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use testkit::builders::{
    bill, cabletv_topup, card_transfer, international, internet, naira, payout, plan_code,
    provider_code, purchase_of,
};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};

struct Sandbox {
    folder: TempDir,
    clock: Arc<ManualClock>,
    settings: SimSettings,
    simulator: Arc<Simulator>,
}

fn sandbox() -> Ready<Sandbox> {
    let folder = TempDir::new().unwrap();
    let (clock, settings) = (ManualClock::start(), SimSettings::default());
    let opened = Simulator::open(&journal_in(&folder), settings.clone(), clock.clone());
    ready(Sandbox {
        folder,
        clock,
        settings,
        simulator: Arc::new(opened.unwrap()),
    })
}

fn journal_in(folder: &TempDir) -> PathBuf {
    folder.path().join("sandbox.journal")
}

const fn ending(behaviour: ProviderBehaviour) -> &'static str {
    match behaviour {
        ProviderBehaviour::Delivers => "4567",
        ProviderBehaviour::Declines => "0001",
        ProviderBehaviour::LosesTheAnswer => "0003",
        ProviderBehaviour::LosesTheRequest => "0004",
        ProviderBehaviour::DeliversLater => "0002",
        ProviderBehaviour::TakesBack => "0009",
    }
}

#[async_trait]
impl ProviderUnderTest for Sandbox {
    fn provider(&self) -> Arc<dyn Provider> {
        self.simulator.clone()
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        let ending = ending(behaviour);
        match service {
            Service::Airtime
            | Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Hlr
            | Service::Lookup(_)
            | Service::MobileMoney => {
                let number = format!("234803555{ending}");
                purchase_of(service).to(&number).order()
            }
            Service::CableTv => {
                let mut order = cabletv_topup().to(&format!("7012345{ending}")).order();
                if let Order::CableTv(order) = &mut order {
                    order.provider = provider_code("202");
                }
                order
            }
            Service::Internet => {
                let mut order = internet().to(&format!("234803555{ending}")).order();
                if let Order::Internet(order) = &mut order {
                    order.provider = provider_code("301");
                    order.plan = plan_code("30109");
                }
                order
            }
            Service::Bill(category) => bill(category).to(&format!("3100{ending}")).order(),
            Service::Wallet | Service::User => panic!("no provider delivers it"),
            Service::International => {
                let number = format!("144100012{ending}");
                international().to(&number).order()
            }
            Service::Card => {
                let token = format!("tok_visa_{ending}");
                card_transfer().to(&token).order()
            }
            Service::Bank => payout().to(&format!("012345{ending}")).order(),
            Service::Electricity => {
                let disco = DiscoCode::parse("106").unwrap();
                let number = MeterNumber::parse(&format!("0451112{ending}")).unwrap();
                let meter = self.simulator.meter(&disco, &number, Billing::Prepaid);
                Order::Electricity(ElectricityOrder {
                    meter: meter.await.unwrap(),
                    amount: naira("5,000.00"),
                    customer_phone: None,
                })
            }
        }
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        let now = self.clock.now();
        let entries = journal::read(&journal_in(&self.folder)).unwrap();
        let entries = entries.iter().filter(|entry| entry.reference == *reference);
        let reached = entries.filter(|entry| match entry.effects(now) {
            EntryEffect::Delivered | EntryEffect::Reversed => true,
            EntryEffect::Awaited | EntryEffect::Refused => false,
        });
        u32::try_from(reached.count()).unwrap()
    }

    async fn let_time_pass(&self) {
        self.clock.advance(self.settings.later).await;
    }
}

testkit::provider_contract!(sandbox);
