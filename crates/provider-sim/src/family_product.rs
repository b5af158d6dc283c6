//! What a family brings to the sandbox: what it writes into the journal and what it hands over. It
//! must not name a family.

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::sms::SenderName;
use domain::time::Timestamp;

/// What was ordered of a family, as the sandbox keeps it.
pub(crate) trait FamilyProduct: Sized {
    /// The order it is made from.
    type Order;

    /// What an order asks for.
    fn of(order: &Self::Order, catalogue: &SandboxCatalogue) -> Self;

    /// Whether the biller of an order is one the sandbox delivers for.
    fn is_served(_: &Self::Order, _: &SandboxCatalogue) -> bool {
        true
    }

    /// The family.
    fn service(&self) -> Service;

    /// The telephone, meter or card number, or the last digits of an account.
    fn digits(&self) -> &str;

    /// What its line says beside the digits: of or through whom it is, and what of theirs.
    fn fields(&self) -> (Option<String>, Option<String>);

    /// The product of a line; `None` where that is not what [`Self::fields`] made.
    fn read(service: Service, fields: ProductFields<'_>) -> Option<Self>;

    /// What is handed over for an entry; `None` where the sandbox cannot say.
    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        catalogue: &SandboxCatalogue,
    ) -> Option<Fulfilment>;

    /// How many steps of the delivery there were by a moment, where it has steps.
    fn steps_by(&self, _: &EntryFacts<'_>, _: Timestamp) -> usize {
        0
    }

    /// The sender that the person replies to; `None` where the person does not.
    fn replied_sender(&self) -> Option<&SenderName> {
        None
    }

    /// The receipts that are sent unasked, in the order they are sent.
    fn receipts(&self, _: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
        Vec::new()
    }
}

/// The fields of a line that say what was ordered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProductFields<'a> {
    pub(crate) digits: &'a str,
    pub(crate) biller: Option<&'a str>,
    pub(crate) detail: Option<&'a str>,
}

/// How far the reported part of a delivery has come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    pub(crate) token: TokenState,
    /// What happened to the parts of a message.
    pub(crate) steps: usize,
}

/// Whether the token is made yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenState {
    Made,
    Awaited,
}

/// A receipt that is sent unasked: the status after so many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReceiptSchedule {
    pub(crate) due: Timestamp,
    pub(crate) steps: usize,
}
