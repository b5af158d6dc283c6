//! Bank transfers: banks, accounts and payouts, one file per operation. It must not know what a
//! payout is charged.

pub mod enquiry;
pub mod lists;
pub mod lookup;
pub mod payout;

use crate::attribute::{Attribute, BANK, BANK_ACCOUNT, TRANSFER_AMOUNT};
use crate::family::{FamilyView, LookupMessages, UnavailableMessages};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::bank::PayoutOrder;
use domain::order::Service;
use domain::transaction::Transaction;

impl FamilyView for PayoutOrder {
    const NAME: &'static str = "Bank transfer";

    const PATH: &'static str = "/transfer/bank";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    const BILLER: &'static Attribute = &BANK;

    const UNKNOWN_BILLER: &'static str =
        "is unknown; /transfer/bank/lists lists the banks there are";

    const UNAVAILABLE: UnavailableMessages = UnavailableMessages::about(ServiceCode::BankProvider);

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is unknown to the bank; check accountNumber and bankIdentifier",
        unreachable: "The bank cannot be reached.",
        unusable: "The bank gave no usable answer.",
        unchecked: "the account could not be checked and nothing was done; try again later",
    };

    fn customer(_service: Service) -> Attribute {
        BANK_ACCOUNT
    }

    fn answer(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        payout::view(transaction, self)
    }

    fn report(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        payout::view(transaction, self)
    }
}
