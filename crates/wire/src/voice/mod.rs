//! Voice calls. It must not know who may call, nor what a minute costs.

pub mod call;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::transaction::Transaction;
use domain::voice::VoiceOrder;

impl FamilyView for VoiceOrder {
    const NAME: &'static str = "voice call";

    const PATH: &'static str = "/messaging/voice";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        call::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        call::view(transaction, self, zone)
    }
}
