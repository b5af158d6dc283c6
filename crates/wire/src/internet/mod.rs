//! Internet data: operators, plans and bundles, one file per operation. It must not know what can
//! be bought now.

pub mod number;
pub mod plans;
pub mod providers;
pub mod subscribe;
mod transaction;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::internet::DataOrder;
use domain::transaction::Transaction;

impl FamilyView for DataOrder {
    const NAME: &'static str = "Internet";

    const PATH: &'static str = "/payment/internet";

    const UNKNOWN_BILLER: &'static str =
        "is unknown; /payment/internet/providers lists those there are";

    const UNKNOWN_PLAN: &'static str =
        "is no plan of any provider; /payment/internet/plans lists those there are";

    fn answer(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        subscribe::view(transaction, self)
    }

    fn report(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        transaction::view(transaction, self)
    }
}
