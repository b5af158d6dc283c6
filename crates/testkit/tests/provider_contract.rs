//! The scripted provider keeps the laws that every provider must keep.
#![cfg(test)]

use async_trait::async_trait;
use domain::messaging::{MessageDelivery, MessageStatus};
use domain::order::{Order, Service};
use domain::provider::{Fulfilment, UnknownCause};
use domain::rcs::RcsDelivery;
use domain::reference::ProviderReference;
use domain::sms::DeliveryStatus;
use ports::provider::Provider;
use std::future::{Ready, ready};
use std::sync::Arc;
use testkit::builders::purchase_of;
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::provider::{JournalledState, ScriptedProvider, ScriptedReply};

/// What is reported of a message until it is read.
const READ: [MessageDelivery; 2] = [
    reached(MessageStatus::Delivered),
    reached(MessageStatus::Read),
];

const fn reached(status: MessageStatus) -> MessageDelivery {
    MessageDelivery {
        status,
        read_at: None,
    }
}

struct Scripted {
    provider: Arc<ScriptedProvider>,
    behaviours: std::sync::Mutex<Vec<ProviderBehaviour>>,
}

fn bench() -> Ready<Scripted> {
    ready(Scripted {
        provider: ScriptedProvider::new(ManualClock::start()),
        behaviours: std::sync::Mutex::default(),
    })
}

#[async_trait]
impl ProviderUnderTest for Scripted {
    fn provider(&self) -> Arc<dyn Provider> {
        self.provider.clone()
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        self.behaviours.lock().unwrap().push(behaviour);
        self.provider.on_submit(match behaviour {
            ProviderBehaviour::Delivers | ProviderBehaviour::TakesBack => ScriptedReply::deliver(),
            ProviderBehaviour::Declines => ScriptedReply::decline(),
            ProviderBehaviour::LosesTheAnswer => {
                ScriptedReply::answer_lost(UnknownCause::ConnectionLost)
            }
            ProviderBehaviour::LosesTheRequest => {
                ScriptedReply::request_lost(UnknownCause::Timeout)
            }
            ProviderBehaviour::DeliversLater => ScriptedReply::accept(),
        });
        purchase_of(service).order()
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.provider.deliveries(reference)
    }

    async fn let_time_pass(&self) {
        let takes_back =
            self.behaviours.lock().unwrap().last() == Some(&ProviderBehaviour::TakesBack);
        for line in self.provider.journal() {
            match line.standing {
                JournalledState::Accepted(_) => self.provider.finish(&line.reference),
                JournalledState::Delivered(_) if takes_back => {
                    self.provider.take_back(&line.reference);
                }
                JournalledState::Delivered(_) if line.order.service() == Service::Sms => {
                    for status in [DeliveryStatus::Buffered, DeliveryStatus::Delivered] {
                        self.provider.observe(&line.reference, &[status]);
                    }
                }
                JournalledState::Delivered(_) if line.order.service() == Service::Whatsapp => {
                    for delivery in READ.map(Fulfilment::Whatsapp) {
                        self.provider.observe_delivery(&line.reference, delivery);
                    }
                }
                JournalledState::Delivered(_) if line.order.service() == Service::Rcs => {
                    for delivery in READ.map(|it| Fulfilment::Rcs(RcsDelivery::by_rcs(it, None))) {
                        self.provider.observe_delivery(&line.reference, delivery);
                    }
                }
                JournalledState::Delivered(_)
                | JournalledState::Refused
                | JournalledState::TakenBack => {}
            }
        }
    }
}

testkit::provider_contract!(bench);
