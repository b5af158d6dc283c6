//! Number lookups in the sandbox.

mod report;
pub(crate) mod table;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::country::CountryCode;
use domain::hlr::HlrOrder;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use report::report;
use table::MobileNetwork;

/// The number that is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LookupProduct {
    pub(crate) number: PhoneNumber,
    pub(crate) country: CountryCode,
    /// Mobile network code of the network the number's block was given to, where registers know
    /// that network.
    pub(crate) origin: Option<String>,
}

impl FamilyProduct for LookupProduct {
    type Order = HlrOrder;

    fn of(order: &HlrOrder, catalogue: &SandboxCatalogue) -> Self {
        Self {
            number: order.number.clone(),
            country: order.country,
            origin: origin(order, catalogue.mobile_networks()),
        }
    }

    fn is_served(order: &HlrOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.looks_up_in(order.country)
    }

    fn service(&self) -> Service {
        Service::Hlr
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        (Some(self.country.to_string()), self.origin.clone())
    }

    fn read(_: Service, fields: ProductFields<'_>) -> Option<Self> {
        Some(Self {
            number: PhoneNumber::parse(fields.digits).ok()?,
            country: CountryCode::parse(fields.biller?).ok()?,
            origin: fields.detail.map(ToOwned::to_owned),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        _: Progress,
        catalogue: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let networks = catalogue.mobile_networks();
        let asked = (self.number.digits(), self.origin.as_deref());
        Some(Fulfilment::Hlr(report(entry.seed, asked, networks)))
    }
}

fn origin(order: &HlrOrder, networks: &[MobileNetwork]) -> Option<String> {
    let brandname = order.network_origin.as_deref()?;
    let named = |network: &&MobileNetwork| network.brandname.eq_ignore_ascii_case(brandname);
    let network = networks.iter().find(named)?;
    Some(network.mnc.clone())
}
