//! Bills of every category in the sandbox.

mod account;
pub(crate) mod billers;
mod lookup;

use crate::catalogue::SandboxCatalogue;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress};
use domain::bill::{BillCategory, BillNumber, BillOrder};
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::subscription::BillerCode;
use ports::catalogue::Catalogue as _;

/// What says that a bill is paid with a token.
const TOKEN: &str = "token";

/// The bill that is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BillProduct {
    pub(crate) category: BillCategory,
    pub(crate) biller: BillerCode,
    pub(crate) number: BillNumber,
    /// Whether a token is made.
    pub(crate) has_token: bool,
}

impl FamilyProduct for BillProduct {
    type Order = BillOrder;

    fn of(order: &BillOrder, _: &SandboxCatalogue) -> Self {
        Self {
            category: order.category,
            biller: order.biller.clone(),
            number: order.number.clone(),
            has_token: order.has_token,
        }
    }

    fn is_served(order: &BillOrder, catalogue: &SandboxCatalogue) -> bool {
        catalogue.biller(order.category, &order.biller).is_some()
    }

    fn service(&self) -> Service {
        Service::Bill(self.category)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn fields(&self) -> (Option<String>, Option<String>) {
        let token = self.has_token.then(|| TOKEN.to_owned());
        (Some(self.biller.to_string()), token)
    }

    fn read(service: Service, fields: ProductFields<'_>) -> Option<Self> {
        let Service::Bill(category) = service else {
            return None;
        };
        Some(Self {
            category,
            biller: BillerCode::parse(fields.biller?).ok()?,
            number: BillNumber::restore(fields.digits).ok()?,
            has_token: fields.detail == Some(TOKEN),
        })
    }

    fn fulfilment(
        &self,
        entry: &EntryFacts<'_>,
        progress: Progress,
        catalogue: &SandboxCatalogue,
    ) -> Option<Fulfilment> {
        let biller = catalogue.biller(self.category, &self.biller)?;
        let paid = (biller, &self.number, self.has_token);
        account::receipt(entry, paid, progress.token).map(Fulfilment::Bill)
    }
}
