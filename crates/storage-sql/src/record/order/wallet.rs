//! The record of a transfer between the wallets of an account. It must hold the price of a credit
//! that was in force.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::bank::Narration;
use domain::wallet::WalletOrder;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct WalletRecord<'a> {
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    unit: MoneyRecord<'a>,
    #[serde(borrow)]
    arrives: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
}

impl<'a> From<&'a WalletOrder> for WalletRecord<'a> {
    fn from(order: &'a WalletOrder) -> Self {
        Self {
            amount: order.amount.into(),
            unit: order.unit.into(),
            arrives: order.arrives.into(),
            narration: order.narration.as_str().into(),
        }
    }
}

impl WalletRecord<'_> {
    pub(super) fn restore(self) -> Result<WalletOrder, RecordError> {
        Ok(WalletOrder {
            amount: self.amount.restore("amount")?,
            unit: self.unit.restore("unit")?,
            arrives: self.arrives.restore("arrives")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
        })
    }
}
