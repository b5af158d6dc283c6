//! Transfers abroad in the sandbox.

mod quotes;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::international::{
    DestinationAmount, DestinationCurrency, ForeignAccountNumber, InternationalOrder, Remittance,
};
use domain::order::Service;
use domain::provider::Fulfilment;

/// The account that is credited, and what arrives there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InternationalProduct {
    /// Its number or IBAN.
    pub(crate) number: String,
    pub(crate) credited: DestinationAmount,
}

impl FamilyProduct for InternationalProduct {
    type Order = InternationalOrder;

    fn of(order: &InternationalOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.beneficiary.account.number().to_owned(),
            credited: order.destination,
        }
    }

    /// What the sandbox would quote is what it converts at.
    fn is_served(order: &InternationalOrder, catalogue: &SandboxCatalogue) -> bool {
        let currency = order.destination.currency();
        catalogue.corridors.rate(order.country, currency) == Some(order.rate)
    }

    fn service(&self) -> Service {
        Service::International
    }

    fn digits(&self) -> &str {
        &self.number
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let currency = self.credited.currency().code().to_owned();
        (Some(currency), Some(self.credited.minor().to_string()))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        let number = ForeignAccountNumber::parse(fields.digits).ok()?;
        let currency = DestinationCurrency::from_code(fields.biller?)?;
        Some(Self {
            number: number.as_str().to_owned(),
            credited: DestinationAmount::from_minor(fields.detail?.parse().ok()?, currency)?,
        })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let credited = self.credited;
        Some(Fulfilment::International(Remittance { credited }))
    }
}
