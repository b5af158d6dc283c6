//! Cable TV in the sandbox.

mod lookup;
mod smartcard;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::cabletv::{CableOrder, SmartcardNumber};
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::subscription::{BillerCode, PlanCode};
use ports::catalogue::Catalogue as _;

/// The card that is paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CableTvProduct {
    pub(crate) provider: BillerCode,
    pub(crate) number: SmartcardNumber,
    /// None where an amount is credited to the card.
    pub(crate) plan: Option<PlanCode>,
}

impl FamilyProduct for CableTvProduct {
    type Order = CableOrder;

    fn of(order: &CableOrder, _: &SandboxCatalogue) -> Self {
        let wanted = order.subscription.as_ref();
        Self {
            provider: order.provider.clone(),
            number: order.number.clone(),
            plan: wanted.map(|wanted| wanted.plan.clone()),
        }
    }

    fn is_served(order: &CableOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.cable_provider(&order.provider).is_some()
    }

    fn service(&self) -> Service {
        Service::CableTv
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let plan = self.plan.as_ref().map(ToString::to_string);
        (Some(self.provider.to_string()), plan)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            provider: BillerCode::parse(fields.biller?).ok()?,
            number: SmartcardNumber::parse(fields.digits).ok()?,
            plan: fields.detail.map(PlanCode::parse).transpose().ok()?,
        })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::CableTv)
    }
}
