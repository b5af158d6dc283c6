//! What a family brings to the interface: its paths, its views, and the words of its errors. No
//! family may show the fields of another.

use crate::attribute::{AMOUNT, Attribute};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::family::FamilyOrder;
use domain::for_service;
use domain::order::Service;
use domain::transaction::Transaction;

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

    /// The service code where its provider does not sell now.
    const UNAVAILABLE: ServiceCode = ServiceCode::ServiceProvider;

    /// What is wrong with a biller that is not listed.
    const UNKNOWN_BILLER: &'static str = "is no provider of this kind";

    /// What is wrong with a plan that is not listed.
    const UNKNOWN_PLAN: &'static str = "is no plan of this kind";

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

/// The service code where the provider of a family does not sell now.
pub const fn unavailable(service: Service) -> ServiceCode {
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
