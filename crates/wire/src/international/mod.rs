//! Transfers abroad. It must not show who converts the money.

pub mod quote;
pub mod transfer;

use crate::attribute::{Attribute, DESTINATION_CURRENCY, SOURCE_AMOUNT};
use crate::family::{FamilyView, LookupMessages, UnavailableMessages};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::international::InternationalOrder;
use domain::order::Service;
use domain::transaction::Transaction;

impl FamilyView for InternationalOrder {
    const NAME: &'static str = "International transfer";

    const PATH: &'static str = "/transfer/international";

    const AMOUNT: &'static Attribute = &SOURCE_AMOUNT;

    const UNAVAILABLE: UnavailableMessages = UnavailableMessages {
        message: "Nothing is sent there at the moment.",
        remedy: "nothing was done; try again later, with a new quote",
        service: ServiceCode::ServiceProvider,
    };

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is not converted into there at the moment; try again later, or another currency",
        unreachable: "The provider of quotes cannot be reached.",
        unusable: "The provider gave no usable quote.",
        unchecked: "there is no quote and nothing was done; try again later",
    };

    fn customer(_service: Service) -> Attribute {
        DESTINATION_CURRENCY
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }
}
