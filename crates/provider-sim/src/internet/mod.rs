//! Internet data in the sandbox.

pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::internet::DataOrder;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::subscription::{BillerCode, PlanCode};
use ports::catalogue::Catalogue as _;

/// The plan that a number is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataProduct {
    pub(crate) provider: BillerCode,
    pub(crate) number: PhoneNumber,
    pub(crate) plan: PlanCode,
}

impl FamilyProduct for DataProduct {
    type Order = DataOrder;

    fn of(order: &DataOrder, _: &SandboxCatalogue) -> Self {
        Self {
            provider: order.provider.clone(),
            number: order.number.clone(),
            plan: order.plan.clone(),
        }
    }

    fn is_served(order: &DataOrder, catalogue: &SandboxCatalogue) -> bool {
        let found = catalogue.data_plan(&order.plan);
        found.is_some_and(|(provider, _)| provider.code == order.provider)
    }

    fn service(&self) -> Service {
        Service::Internet
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (Some(self.provider.to_string()), Some(self.plan.to_string()))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            provider: BillerCode::parse(fields.biller?).ok()?,
            number: PhoneNumber::parse(fields.digits).ok()?,
            plan: PlanCode::parse(fields.detail?).ok()?,
        })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::Internet)
    }
}
