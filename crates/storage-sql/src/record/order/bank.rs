//! The record of a payout. It must hold the name of the account as its bank gave it before the
//! money was held.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid, word};
use domain::bank::{
    AccountKind, AccountNumber, BankAccount, BankIdentifier, Narration, PayoutOrder,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct PayoutRecord<'a> {
    #[serde(borrow)]
    bank: Text<'a>,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    bank_fullname: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
}

impl<'a> From<&'a PayoutOrder> for PayoutRecord<'a> {
    fn from(order: &'a PayoutOrder) -> Self {
        let account = &order.account;
        Self {
            bank: account.bank.as_str().into(),
            number: account.number.digits().into(),
            name: (&account.name).into(),
            kind: account.kind.code().into(),
            bank_fullname: (&order.bank_fullname).into(),
            amount: order.amount.into(),
            narration: order.narration.as_str().into(),
        }
    }
}

impl PayoutRecord<'_> {
    pub(super) fn restore(self) -> Result<PayoutOrder, RecordError> {
        let account = BankAccount {
            bank: valid(BankIdentifier::parse(&self.bank), "bank")?,
            number: valid(AccountNumber::parse(&self.number), "number")?,
            name: self.name.into_owned(),
            kind: word(AccountKind::from_code(&self.kind), "kind")?,
        };
        Ok(PayoutOrder {
            account,
            bank_fullname: self.bank_fullname.into_owned(),
            amount: self.amount.restore("amount")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
        })
    }
}
