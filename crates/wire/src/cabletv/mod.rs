//! Cable TV: billers, smartcards, plans and subscriptions, one file per operation. It must not know
//! what can be bought now.

pub mod plans;
pub mod providers;
pub mod smartcard;
pub mod subscribe;
mod transaction;

use crate::attribute::{Attribute, SMARTCARD};
use crate::family::{FamilyView, LookupMessages};
use crate::tree::Object;
use crate::zone::Zone;
use domain::cabletv::CableOrder;
use domain::order::Service;
use domain::transaction::Transaction;

impl FamilyView for CableOrder {
    const NAME: &'static str = "Cable TV";

    const PATH: &'static str = "/payment/cabletv";

    const UNKNOWN_BILLER: &'static str =
        "is unknown; /payment/cabletv/providers lists those there are";

    const UNKNOWN_PLAN: &'static str =
        "is no plan of this provider; /payment/cabletv/plans lists those it has";

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is unknown to the provider; check number and provider",
        unreachable: "The provider cannot be reached.",
        unusable: "The provider gave no usable answer.",
        unchecked: "the smartcard could not be checked and nothing was done; try again later",
    };

    fn customer(_service: Service) -> Attribute {
        SMARTCARD
    }

    fn answer(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        subscribe::view(transaction, self)
    }

    fn report(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        transaction::view(transaction, self)
    }
}
