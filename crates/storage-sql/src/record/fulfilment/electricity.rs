//! The record of a vend. It must keep the token until that is erased: it is what the customer paid
//! for.

use super::token::TokenRecord;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, StoredTimestamp, Text};
use domain::electricity::Vend;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct VendRecord<'a> {
    #[serde(borrow)]
    receipt: Text<'a>,
    #[serde(borrow)]
    debt: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    outstanding: Option<MoneyRecord<'a>>,
    last_purchase: Option<StoredTimestamp>,
    #[serde(borrow)]
    last_paid: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    token: Option<TokenRecord<'a>>,
}

impl<'a> From<&'a Vend> for VendRecord<'a> {
    fn from(vend: &'a Vend) -> Self {
        Self {
            receipt: (&vend.receipt).into(),
            debt: vend.debt.map(Into::into),
            outstanding: vend.outstanding.map(Into::into),
            last_purchase: vend.last_purchase.map(Into::into),
            last_paid: vend.last_paid.map(Into::into),
            token: vend.token.as_ref().map(Into::into),
        }
    }
}

impl<'a> VendRecord<'a> {
    /// Where the number of the token stands, if there is one.
    pub(super) fn token(&mut self) -> Option<&mut Option<Text<'a>>> {
        self.token.as_mut().map(|token| &mut token.number)
    }

    pub(super) fn restore(self) -> Result<Vend, RecordError> {
        let last_paid = self.last_paid.map(|paid| paid.restore("last_paid"));
        let debt = self.debt.map(|debt| debt.restore("debt"));
        let outstanding = self.outstanding.map(|left| left.restore("outstanding"));
        Ok(Vend {
            receipt: self.receipt.into_owned(),
            debt: debt.transpose()?,
            outstanding: outstanding.transpose()?,
            last_purchase: self.last_purchase.map(Into::into),
            last_paid: last_paid.transpose()?,
            token: self.token.map(|token| token.restore()).transpose()?,
        })
    }
}
