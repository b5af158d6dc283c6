//! Mobile money in the sandbox.

mod lookup;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::mobile_money::MobileMoneyOrder;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::subscription::BillerCode;
use ports::catalogue::Catalogue as _;

/// The wallet that is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MobileMoneyProduct {
    pub(crate) operator: BillerCode,
    pub(crate) number: PhoneNumber,
}

impl FamilyProduct for MobileMoneyProduct {
    type Order = MobileMoneyOrder;

    fn of(order: &MobileMoneyOrder, _: &SandboxCatalogue) -> Self {
        Self {
            operator: order.operator.clone(),
            number: order.number.clone(),
        }
    }

    fn is_served(order: &MobileMoneyOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.mobile_money_operator(&order.operator).is_some()
    }

    fn service(&self) -> Service {
        Service::MobileMoney
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (Some(self.operator.to_string()), None)
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            operator: BillerCode::parse(fields.biller?).ok()?,
            number: PhoneNumber::parse(fields.digits).ok()?,
        })
    }

    fn fulfilment(
        &self,
        _: &EntryFacts<'_>,
        _: Progress,
        _: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        Some(Fulfilment::MobileMoney)
    }
}
