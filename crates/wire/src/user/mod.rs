//! Transfers to other accounts. It must not show what the payee is called, only enough to recognise
//! the name.

pub mod transfer;

use crate::attribute::{Attribute, TRANSFER_AMOUNT, USER_IDENTITY};
use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::order::Service;
use domain::transaction::Transaction;
use domain::user::UserOrder;

impl FamilyView for UserOrder {
    const NAME: &'static str = "Transfer to an account";

    const PATH: &'static str = "/transfer/user";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    fn customer(_service: Service) -> Attribute {
        USER_IDENTITY
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }
}
