//! Electricity (interface §4.4), one file per operation. It must not show a token anywhere but in
//! the transaction that bought it.

pub mod discos;
pub mod meter;
pub mod pay;
mod transaction;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::electricity::ElectricityOrder;
use domain::transaction::Transaction;

impl FamilyView for ElectricityOrder {
    const NAME: &'static str = "Electricity";

    const PATH: &'static str = "/payment/electricity";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        pay::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transaction::view(transaction, self, zone)
    }
}
