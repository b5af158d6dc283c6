//! WhatsApp messages in the sandbox.

mod delivery;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress, ReceiptSchedule};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::time::Timestamp;
use domain::whatsapp::WhatsappOrder;

/// The message that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WhatsappProduct {
    pub(crate) number: PhoneNumber,
}

impl FamilyProduct for WhatsappProduct {
    type Order = WhatsappOrder;

    fn of(order: &WhatsappOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.number.clone(),
        }
    }

    fn is_served(order: &WhatsappOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.sends_whatsapp_to(order.country)
    }

    fn service(&self) -> Service {
        Service::Whatsapp
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (None, None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let delivery = delivery::after(entry, self, progress.steps);
        Some(Fulfilment::Whatsapp(delivery))
    }

    fn steps_by(&self, entry: &EntryFacts<'_>, now: Timestamp) -> usize {
        delivery::steps_by(entry, self, now)
    }

    fn receipts(&self, entry: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
        delivery::receipts(entry, self)
    }
}
