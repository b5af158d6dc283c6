//! Airtime (interface §4.2), one file per operation. It must not share a view with another family.

pub mod top_up;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::airtime::AirtimeOrder;
use domain::transaction::Transaction;

impl FamilyView for AirtimeOrder {
    const NAME: &'static str = "Airtime";

    const PATH: &'static str = "/payment/airtime";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        top_up::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        top_up::view(transaction, self, zone)
    }
}
