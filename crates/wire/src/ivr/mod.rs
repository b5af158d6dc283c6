//! Calls that run a flow. It must not know what a flow says, nor what a minute costs.

pub mod call;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::ivr::IvrOrder;
use domain::transaction::Transaction;

impl FamilyView for IvrOrder {
    const NAME: &'static str = "IVR call";

    const PATH: &'static str = "/messaging/ivr";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        call::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        call::view(transaction, self, zone)
    }
}
