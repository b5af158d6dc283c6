//! Airtime in the sandbox. Every number is served.

pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::airtime::AirtimeOrder;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;

/// The number that is topped up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AirtimeProduct {
    pub(crate) number: PhoneNumber,
}

impl FamilyProduct for AirtimeProduct {
    type Order = AirtimeOrder;

    fn of(order: &AirtimeOrder, _: &SandboxCatalogue) -> Self {
        Self {
            number: order.number.clone(),
        }
    }

    fn service(&self) -> Service {
        Service::Airtime
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (None, None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        let number = PhoneNumber::parse(fields.digits).ok()?;
        Some(Self { number })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::Airtime)
    }
}
