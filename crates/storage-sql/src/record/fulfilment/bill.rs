//! The record of a biller's receipt. It must keep every value the biller reported.

use super::token::TokenRecord;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text};
use domain::bill::{BillCategory, BillReceipt};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct BillReceiptRecord<'a> {
    #[serde(borrow)]
    category: Text<'a>,
    #[serde(borrow)]
    receipt: Text<'a>,
    #[serde(borrow)]
    outstanding: MoneyRecord<'a>,
    #[serde(borrow)]
    token: Option<TokenRecord<'a>>,
}

impl<'a> From<&'a BillReceipt> for BillReceiptRecord<'a> {
    fn from(receipt: &'a BillReceipt) -> Self {
        Self {
            category: receipt.category.code().into(),
            receipt: (&receipt.receipt).into(),
            outstanding: receipt.outstanding.into(),
            token: receipt.token.as_ref().map(Into::into),
        }
    }
}

impl<'a> BillReceiptRecord<'a> {
    /// Where the number of the token stands, if there is one.
    pub(super) fn token(&mut self) -> Option<&mut Option<Text<'a>>> {
        self.token.as_mut().map(|token| &mut token.number)
    }

    pub(super) fn restore(self) -> Result<BillReceipt, RecordError> {
        let category = BillCategory::from_code(&self.category);
        Ok(BillReceipt {
            category: category.ok_or(RecordError::Value("category"))?,
            receipt: self.receipt.into_owned(),
            outstanding: self.outstanding.restore("outstanding")?,
            token: self.token.map(|token| token.restore()).transpose()?,
        })
    }
}
