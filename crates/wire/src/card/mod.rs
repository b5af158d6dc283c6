//! Transfers to cards. It must not show a token, nor take what may be the number of a card.

pub mod transfer;

use crate::attribute::{Attribute, CARD_TOKEN, TRANSFER_AMOUNT};
use crate::family::{FamilyView, LookupMessages};
use crate::tree::Object;
use crate::zone::Zone;
use domain::card::CardOrder;
use domain::order::Service;
use domain::transaction::Transaction;

impl FamilyView for CardOrder {
    const NAME: &'static str = "Card transfer";

    const PATH: &'static str = "/transfer/card";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "stands for no card at the provider; use the token that it gave for the card",
        unreachable: "The card's provider cannot be reached.",
        unusable: "The card's provider gave no usable answer.",
        unchecked: "the card could not be checked and nothing was done; try again later",
    };

    fn customer(_service: Service) -> Attribute {
        CARD_TOKEN
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }
}
