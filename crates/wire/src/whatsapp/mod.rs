//! WhatsApp messages. It must not know who may send, nor what a message costs.

pub mod send;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::transaction::Transaction;
use domain::whatsapp::WhatsappOrder;

impl FamilyView for WhatsappOrder {
    const NAME: &'static str = "WhatsApp";

    const PATH: &'static str = "/messaging/whatsapp";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        send::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        send::view(transaction, self, zone)
    }
}
