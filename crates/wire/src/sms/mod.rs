//! Text messages, one file per operation. It must show a message in the field names it was sent
//! with.

pub mod bulk;
pub(crate) mod delivery;
mod names;
pub mod send;
pub mod senders;
mod transaction;

pub use names::in_names_of;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::sms::MessageOrder;
use domain::transaction::Transaction;

impl FamilyView for MessageOrder {
    const NAME: &'static str = "SMS";

    const PATH: &'static str = "/messaging/sms";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        send::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transaction::view(transaction, self, zone)
    }
}
