//! WhatsApp messages in the sandbox.

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress, ReceiptSchedule};
use crate::messaging::delivery::{self, DeliverySteps};
use crate::messaging::reply;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sms::SenderName;
use domain::time::Timestamp;
use domain::whatsapp::WhatsappOrder;

/// What one costs.
pub(crate) const TABLE: &str = include_str!("../data/whatsapp.toml");

/// The message that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WhatsappProduct {
    pub(crate) number: PhoneNumber,
    /// The sender, where the person replies.
    pub(crate) replied: Option<SenderName>,
}

impl WhatsappProduct {
    fn steps<'a>(&self, entry: &'a EntryFacts<'_>) -> DeliverySteps<'a> {
        DeliverySteps {
            entry,
            statuses: delivery::statuses(&self.number),
        }
    }
}

impl FamilyProduct for WhatsappProduct {
    type Order = WhatsappOrder;

    fn of(order: &WhatsappOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.parties.number.clone(),
            replied: reply::sender(&order.parties.number, &order.parties.sender_name),
        }
    }

    fn is_served(order: &WhatsappOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.sends_whatsapp_to(order.parties.country)
    }

    fn service(&self) -> Service {
        Service::Whatsapp
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let sender = self.replied.as_ref();
        (sender.map(|it| it.as_str().to_owned()), None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            replied: reply::read(fields.biller),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let delivery = self.steps(entry).after(progress.steps);
        Some(Fulfilment::Whatsapp(delivery))
    }

    fn steps_by(&self, entry: &EntryFacts<'_>, now: Timestamp) -> usize {
        self.steps(entry).by(now)
    }

    fn replied_sender(&self) -> Option<&SenderName> {
        self.replied.as_ref()
    }

    fn receipts(&self, entry: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
        self.steps(entry).receipts(Service::Whatsapp.code())
    }
}
