//! The scripted provider keeps the laws that every provider must keep.
#![cfg(test)]

use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::UnknownCause;
use domain::reference::ProviderReference;
use domain::sms::DeliveryStatus;
use ports::provider::Provider;
use std::future::{Ready, ready};
use std::sync::Arc;
use testkit::builders::purchase_of;
use testkit::clock::ManualClock;
use testkit::contract::provider::{Behaviour, Bench};
use testkit::provider::{Reply, ScriptedProvider, Standing};

struct Scripted {
    provider: Arc<ScriptedProvider>,
    behaviours: std::sync::Mutex<Vec<Behaviour>>,
}

fn bench() -> Ready<Scripted> {
    ready(Scripted {
        provider: ScriptedProvider::new(ManualClock::start()),
        behaviours: std::sync::Mutex::default(),
    })
}

#[async_trait]
impl Bench for Scripted {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    async fn order(&self, service: Service, behaviour: Behaviour) -> Order {
        self.behaviours.lock().unwrap().push(behaviour);
        self.provider.on_submit(match behaviour {
            Behaviour::Delivers | Behaviour::TakesBack => Reply::deliver(),
            Behaviour::Declines => Reply::decline(),
            Behaviour::LosesTheAnswer => Reply::answer_lost(UnknownCause::ConnectionLost),
            Behaviour::LosesTheRequest => Reply::request_lost(UnknownCause::Timeout),
            Behaviour::DeliversLater => Reply::accept(),
        });
        purchase_of(service).order()
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.provider.deliveries(reference)
    }

    async fn let_time_pass(&self) {
        let takes_back = self.behaviours.lock().unwrap().last() == Some(&Behaviour::TakesBack);
        for line in self.provider.book() {
            match line.standing {
                Standing::Accepted(_) => self.provider.finish(&line.reference),
                Standing::Delivered(_) if takes_back => self.provider.take_back(&line.reference),
                Standing::Delivered(_) if line.order.service() == Service::Sms => {
                    for status in [DeliveryStatus::Buffered, DeliveryStatus::Delivered] {
                        self.provider.hear(&line.reference, &[status]);
                    }
                }
                Standing::Delivered(_) | Standing::Refused | Standing::TakenBack => {}
            }
        }
    }
}

testkit::provider_contract!(bench);
