//! Bank transfers: banks, accounts and payouts, one file per operation. It must not know what a
//! payout is charged.

pub mod enquiry;
pub mod lists;
pub mod lookup;
pub mod payout;

use crate::attribute::{Attribute, TRANSFER_AMOUNT};
use crate::family::FamilyView;
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::bank::PayoutOrder;
use domain::transaction::Transaction;

impl FamilyView for PayoutOrder {
    const NAME: &'static str = "Bank transfer";

    const PATH: &'static str = "/transfer/bank";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    const UNAVAILABLE: ServiceCode = ServiceCode::BankProvider;

    fn answer(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        payout::view(transaction, self)
    }

    fn report(&self, transaction: &Transaction, _zone: &Zone) -> Object {
        payout::view(transaction, self)
    }
}
