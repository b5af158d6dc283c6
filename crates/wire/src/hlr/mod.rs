//! Lookups of mobile numbers. It must not show more than the register returned.

pub mod lookup;

use crate::family::FamilyView;
use crate::tree::Object;
use crate::zone::Zone;
use domain::hlr::HlrOrder;
use domain::transaction::Transaction;

impl FamilyView for HlrOrder {
    const NAME: &'static str = "HLR lookup";

    const PATH: &'static str = "/vas/hlrlookup";

    /// A lookup has no report of its own: asking again under its reference and number is free and
    /// answers what is known.
    const REPORT: &'static str = "";

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        lookup::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        lookup::view(transaction, self, zone)
    }
}
