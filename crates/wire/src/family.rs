//! What a family brings to the interface: its paths, its views, and the words of its errors. No
//! family may show the fields of another.

use crate::attribute::{AMOUNT, Attribute, PHONE, PROVIDER};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::family::FamilyOrder;
use domain::for_service;
use domain::order::Service;
use domain::transaction::Transaction;

/// What a family says where its customers cannot be looked up.
#[derive(Debug, Clone, Copy)]
pub struct LookupMessages {
    /// The number is unknown.
    pub unknown: &'static str,
    pub unreachable: &'static str,
    pub unusable: &'static str,
    /// What was not checked, and what to do.
    pub unchecked: &'static str,
}

/// What a family says where its provider does not sell now.
#[derive(Debug, Clone, Copy)]
pub struct UnavailableMessages {
    pub message: &'static str,
    pub remedy: &'static str,
    pub service: ServiceCode,
}

impl UnavailableMessages {
    /// The words of most families, about an error with a service code.
    pub(crate) const fn about(service: ServiceCode) -> Self {
        Self {
            message: "This cannot be bought at the moment.",
            remedy: "its provider does not sell it now and nothing was done; try again later, or \
                     another one of the list",
            service,
        }
    }
}

/// The representation of one family. Each implements it in its own folder.
pub(crate) trait FamilyView: FamilyOrder {
    /// How a report names the family.
    const NAME: &'static str;

    /// Where its products are bought or, of number lookups, asked for.
    const PATH: &'static str;

    /// Where the report of a transaction is, below `PATH`.
    const REPORT: &'static str = "/transaction";

    /// The attribute that carries the amount.
    const AMOUNT: &'static Attribute = &AMOUNT;

    /// The attribute that names the biller.
    const BILLER: &'static Attribute = &PROVIDER;

    /// What is said where its provider does not sell now.
    const UNAVAILABLE: UnavailableMessages =
        UnavailableMessages::about(ServiceCode::ServiceProvider);

    /// What is said where a customer cannot be looked up.
    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is unknown to the provider; check number and provider",
        unreachable: "The provider cannot be reached.",
        unusable: "The provider gave no usable answer.",
        unchecked: "the customer could not be checked and nothing was done; try again later",
    };

    /// What is wrong with a biller that is not listed.
    const UNKNOWN_BILLER: &'static str = "is no provider of this kind";

    /// What is wrong with a plan that is not listed.
    const UNKNOWN_PLAN: &'static str = "is no plan of this kind";

    /// The attribute that is looked up.
    fn customer(_service: Service) -> Attribute {
        PHONE
    }

    /// How a report names a family: of those with categories, the category.
    fn name(_service: Service) -> &'static str {
        Self::NAME
    }

    /// The path of a family: of those with categories, that of the category.
    fn path(_service: Service) -> &'static str {
        Self::PATH
    }

    /// The answer to the request that made the transaction.
    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object;

    /// The transaction as its report shows it.
    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object;
}

/// How a report names a family.
pub(crate) fn name(service: Service) -> &'static str {
    for_service!(service, It => <It as FamilyView>::name(service))
}

/// The path of a product: where it is bought, if it is posted there, and its transactions are
/// listed or, of number lookups, found by reference.
pub fn product_path(service: Service) -> &'static str {
    for_service!(service, It => <It as FamilyView>::path(service))
}

/// Where reports of a family are, below its path.
pub(crate) const fn report_below(service: Service) -> &'static str {
    for_service!(service, It => <It as FamilyView>::REPORT)
}

/// The attribute that carries the amount of a family.
pub const fn amount(service: Service) -> &'static Attribute {
    for_service!(service, It => <It as FamilyView>::AMOUNT)
}

/// The attribute that names the biller of a family.
pub const fn biller(service: Service) -> &'static Attribute {
    for_service!(service, It => <It as FamilyView>::BILLER)
}

/// The attribute of a family that is looked up.
pub fn customer(service: Service) -> Attribute {
    for_service!(service, It => <It as FamilyView>::customer(service))
}

/// What a family says where a customer cannot be looked up.
pub const fn lookup(service: Service) -> LookupMessages {
    for_service!(service, It => <It as FamilyView>::LOOKUP)
}

/// What is said where the provider of a family does not sell now.
pub const fn unavailable(service: Service) -> UnavailableMessages {
    for_service!(service, It => <It as FamilyView>::UNAVAILABLE)
}

/// What is wrong with a biller of a family that is not listed, and where the list is.
pub const fn unknown_biller(service: Service) -> &'static str {
    for_service!(service, It => <It as FamilyView>::UNKNOWN_BILLER)
}

/// What is wrong with a plan of a family that is not listed, and where the list is.
pub const fn unknown_plan(service: Service) -> &'static str {
    for_service!(service, It => <It as FamilyView>::UNKNOWN_PLAN)
}
