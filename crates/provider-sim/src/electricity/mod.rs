//! Electricity in the sandbox.

mod lookup;
mod meter;
pub(crate) mod table;
mod vend;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::billing::Billing;
use domain::electricity::{DiscoCode, ElectricityOrder, MeterNumber};
use domain::order::Service;
use domain::provider::Fulfilment;
use ports::catalogue::Catalogue as _;
use vend::{PaidMeter, vend};

/// The meter that is paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ElectricityProduct {
    pub(crate) disco: DiscoCode,
    pub(crate) number: MeterNumber,
    pub(crate) billing: Billing,
}

impl FamilyProduct for ElectricityProduct {
    type Order = ElectricityOrder;

    fn of(order: &ElectricityOrder, _: &SandboxCatalogue) -> Self {
        Self {
            disco: order.meter.disco.clone(),
            number: order.meter.number.clone(),
            billing: order.meter.billing,
        }
    }

    fn is_served(order: &ElectricityOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.disco(&order.meter.disco).is_some()
    }

    fn service(&self) -> Service {
        Service::Electricity
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let billing = self.billing.code().to_owned();
        (Some(self.disco.to_string()), Some(billing))
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            disco: DiscoCode::parse(fields.biller?).ok()?,
            number: MeterNumber::parse(fields.digits).ok()?,
            billing: Billing::from_code(fields.detail?)?,
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        catalogue: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let paid = PaidMeter {
            record: catalogue.record(&self.disco)?,
            number: &self.number,
            billing: self.billing,
        };
        vend(entry, paid, progress.token).map(Fulfilment::Electricity)
    }
}
