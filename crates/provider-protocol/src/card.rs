//! Transfers to cards in the protocol. The card is named by the token that the provider gave; its
//! number is never sent.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::bank::Narration;
use domain::card::{CardDigits, CardOrder, CardToken, PaymentCard, may_hold_card_number};
use domain::order::Service;
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardOrderDocument {
    token: String,
    brand: String,
    number: String,
    narration: String,
}

pub(crate) struct CardDocuments;

impl FamilyDocuments for CardDocuments {
    type Order = CardOrder;
    type OrderDocument = CardOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &CardOrder) -> CardOrderDocument {
        CardOrderDocument {
            token: order.token.as_str().to_owned(),
            brand: order.brand.clone(),
            number: order.last.as_str().to_owned(),
            narration: order.narration.as_str().to_owned(),
        }
    }

    fn read_order(
        document: CardOrderDocument,
        ordered: OrderContext,
    ) -> Result<CardOrder, DocumentError> {
        Ok(CardOrder {
            token: valid(CardToken::parse(&document.token), "order.token")?,
            brand: document.brand,
            last: word(CardDigits::parse(&document.number), "order.number")?,
            amount: ordered.amount,
            narration: valid(Narration::parse(&document.narration), "order.narration")?,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::Card))
    }
}

/// `POST /lookups/card`: which card a token stands for.
#[derive(Serialize, Deserialize)]
pub struct CardLookup {
    token: String,
}

impl std::fmt::Debug for CardLookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CardLookup").finish_non_exhaustive()
    }
}

impl CardLookup {
    /// The question about a card.
    pub fn new(token: &CardToken) -> Self {
        Self {
            token: token.as_str().to_owned(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When it is no token of a card.
    pub fn token(&self) -> Result<CardToken, DocumentError> {
        valid(CardToken::parse(&self.token), "token")
    }
}

/// The longest name of a brand.
const BRAND_LENGTH_MAX: usize = 32;

/// The name of a brand; `None` of what is none: it is shown on statements.
fn brand(text: String) -> Option<String> {
    let is_short = (1..=BRAND_LENGTH_MAX).contains(&text.chars().count());
    (is_short && !may_hold_card_number(&text)).then_some(text)
}

/// A card as its provider knows it.
#[derive(Serialize, Deserialize)]
pub struct PaymentCardDocument {
    token: String,
    brand: String,
    number: String,
}

impl std::fmt::Debug for PaymentCardDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PaymentCardDocument")
            .finish_non_exhaustive()
    }
}

impl From<&PaymentCard> for PaymentCardDocument {
    fn from(card: &PaymentCard) -> Self {
        Self {
            token: card.token.as_str().to_owned(),
            brand: card.brand.clone(),
            number: card.last.as_str().to_owned(),
        }
    }
}

impl PaymentCardDocument {
    /// The card.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn card(self) -> Result<PaymentCard, DocumentError> {
        Ok(PaymentCard {
            token: valid(CardToken::parse(&self.token), "token")?,
            brand: word(brand(self.brand), "brand")?,
            last: word(CardDigits::parse(&self.number), "number")?,
        })
    }
}
