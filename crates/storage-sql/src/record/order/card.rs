//! The record of a transfer to a card. It must hold the card as its provider named it before the
//! money was held.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid, word};
use domain::bank::Narration;
use domain::card::{CardDigits, CardOrder, CardToken};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct CardRecord<'a> {
    #[serde(borrow)]
    token: Text<'a>,
    #[serde(borrow)]
    brand: Text<'a>,
    #[serde(borrow)]
    last: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
}

impl<'a> From<&'a CardOrder> for CardRecord<'a> {
    fn from(order: &'a CardOrder) -> Self {
        Self {
            token: order.token.as_str().into(),
            brand: (&order.brand).into(),
            last: order.last.as_str().into(),
            amount: order.amount.into(),
            narration: order.narration.as_str().into(),
        }
    }
}

impl CardRecord<'_> {
    pub(super) fn restore(self) -> Result<CardOrder, RecordError> {
        Ok(CardOrder {
            token: valid(CardToken::restore(&self.token), "token")?,
            brand: self.brand.into_owned(),
            last: word(CardDigits::parse(&self.last), "last")?,
            amount: self.amount.restore("amount")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
        })
    }
}
