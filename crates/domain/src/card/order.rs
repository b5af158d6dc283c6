//! What the merchant asked to pay to a card. The card is frozen as its provider named it; it must
//! never be looked up again afterwards.

use super::{CardDigits, CardToken};
use crate::bank::Narration;
use crate::family::{AbsenceEnds, FamilyOrder};
use crate::money::Money;
use crate::order::Service;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A transfer as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardTransfer {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The card to credit.
    pub token: CardToken,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

/// A transfer with the card as its provider named it before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardOrder {
    /// The card to credit.
    pub token: CardToken,
    /// Its scheme.
    pub brand: String,
    /// Its last digits.
    pub last: CardDigits,
    /// What to credit it with.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

impl FamilyOrder for CardOrder {
    /// As at banks: money that arrived on a card cannot be fetched back.
    const ABSENCE: AbsenceEnds = AbsenceEnds::Search;

    /// The token of the card.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Card
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("Card {} ******{}", self.brand, self.last.as_str())
    }

    fn digits(&self) -> &str {
        self.last.as_str()
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Card)
    }
}
