//! Electricity (interface §4.4), one file per operation. It must not show a token anywhere but in
//! the transaction that bought it.

pub mod discos;
pub mod meter;
pub mod pay;
mod transaction;

use crate::attribute::{Attribute, DISCO, METER};
use crate::family::{FamilyView, LookupMessages, UnavailableMessages};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::electricity::ElectricityOrder;
use domain::order::Service;
use domain::transaction::Transaction;

impl FamilyView for ElectricityOrder {
    const NAME: &'static str = "Electricity";

    const PATH: &'static str = "/payment/electricity";

    const BILLER: &'static Attribute = &DISCO;

    const UNKNOWN_BILLER: &'static str =
        "is unknown; /payment/electricity/discos lists those there are";

    const UNAVAILABLE: UnavailableMessages = UnavailableMessages {
        message: "The distribution company cannot be paid at the moment.",
        remedy: "nothing was done; try again later, or another company of \
                 /payment/electricity/discos",
        service: ServiceCode::ServiceProvider,
    };

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is unknown to the distribution company; check number, disco and billing",
        unreachable: "The distribution company cannot be reached.",
        unusable: "The distribution company gave no usable answer.",
        unchecked: "the meter could not be checked and nothing was done; try again later",
    };

    fn customer(_service: Service) -> Attribute {
        METER
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        pay::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transaction::view(transaction, self, zone)
    }
}
