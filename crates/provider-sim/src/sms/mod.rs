//! Messages in the sandbox.

mod delivery;
mod reach;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress, ReceiptSchedule};
use crate::messaging::reply;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::sms::{MessageOrder, SenderName};
use domain::time::Timestamp;

/// The message that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageProduct {
    pub(crate) number: PhoneNumber,
    pub(crate) parts: u8,
    /// The sender, where the person replies.
    pub(crate) replied: Option<SenderName>,
}

impl FamilyProduct for MessageProduct {
    type Order = MessageOrder;

    fn of(order: &MessageOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.number.clone(),
            parts: order.segments.parts,
            replied: reply::sender(&order.number, &order.sender_name),
        }
    }

    fn is_served(order: &MessageOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.sends_messages_to(order.country)
    }

    fn service(&self) -> Service {
        Service::Sms
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let sender = self.replied.as_ref();
        let sender = sender.map(|it| it.as_str().to_owned());
        (sender, Some(self.parts.to_string()))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            parts: fields.detail?.parse().ok()?,
            replied: reply::read(fields.biller),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        delivery::dispatch(entry, self, progress.steps).map(Fulfilment::Sms)
    }

    fn steps_by(&self, entry: &EntryFacts<'_>, now: Timestamp) -> usize {
        delivery::steps_by(entry, self, now)
    }

    fn replied_sender(&self) -> Option<&SenderName> {
        self.replied.as_ref()
    }

    fn receipts(&self, entry: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
        delivery::receipts(entry, self)
    }
}
