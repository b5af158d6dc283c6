//! RCS messages. It must not know who may send, nor what a message costs.

mod content;
pub mod send;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::rcs::RcsOrder;
use domain::transaction::Transaction;

impl FamilyView for RcsOrder {
    const NAME: &'static str = "RCS";

    const PATH: &'static str = "/messaging/rcs";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        send::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        send::view(transaction, self, zone)
    }
}
