//! Mobile money: operators, wallets and transfers, one file per operation. It must not know what a
//! transfer is charged.

pub mod enquiry;
pub mod providers;
pub mod transfer;

use crate::attribute::{Attribute, PROVIDER_IDENTIFIER, TRANSFER_AMOUNT};
use crate::family::{FamilyView, LookupMessages};
use crate::tree::Object;
use crate::zone::Zone;
use domain::mobile_money::MobileMoneyOrder;
use domain::transaction::Transaction;

impl FamilyView for MobileMoneyOrder {
    const NAME: &'static str = "Mobile money";

    const PATH: &'static str = "/transfer/mobilemoney";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    const BILLER: &'static Attribute = &PROVIDER_IDENTIFIER;

    const UNKNOWN_BILLER: &'static str =
        "is unknown; /transfer/mobilemoney/providers lists the operators there are";

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "has no wallet at this operator that takes money; \
                  /transfer/mobilemoney/enquiry shows what is known of it",
        unreachable: "The operator cannot be reached.",
        unusable: "The operator gave no usable answer.",
        unchecked: "the wallet could not be checked and nothing was done; try again later",
    };

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }
}
