//! Payouts to banks in the sandbox. Whether the bank exists is not checked here.

mod account;
mod lookup;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::bank::{BankIdentifier, PayoutOrder};
use domain::order::Service;
use domain::provider::Fulfilment;

/// The account that is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PayoutProduct {
    pub(crate) bank: BankIdentifier,
    /// The last four digits of the account: nothing needs the others.
    pub(crate) last_digits: String,
}

impl FamilyProduct for PayoutProduct {
    type Order = PayoutOrder;

    fn of(order: &PayoutOrder, _: &SandboxCatalogue) -> Self {
        Self {
            bank: order.account.bank.clone(),
            last_digits: last_digits(order.account.number.digits()),
        }
    }

    fn service(&self) -> Service {
        Service::Bank
    }

    fn digits(&self) -> &str {
        &self.last_digits
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (Some(self.bank.to_string()), None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            bank: BankIdentifier::parse(fields.biller?).ok()?,
            last_digits: last_digits(fields.digits),
        })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::Bank)
    }
}

/// The last four of some digits.
fn last_digits(digits: &str) -> String {
    let first = digits.len().saturating_sub(4);
    digits.get(first..).unwrap_or_default().to_owned()
}
