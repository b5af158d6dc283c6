//! The record of a transfer to a mobile money wallet. It must hold the name of the owner as the
//! operator gave it before the money was held.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, country, valid};
use domain::bank::Narration;
use domain::mobile_money::MobileMoneyOrder;
use domain::phone::PhoneNumber;
use domain::subscription::BillerCode;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct MobileMoneyRecord<'a> {
    #[serde(borrow)]
    operator: Text<'a>,
    #[serde(borrow)]
    brandname: Text<'a>,
    country: u16,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    account_name: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
}

impl<'a> From<&'a MobileMoneyOrder> for MobileMoneyRecord<'a> {
    fn from(order: &'a MobileMoneyOrder) -> Self {
        Self {
            operator: order.operator.as_str().into(),
            brandname: (&order.brandname).into(),
            country: order.country.get(),
            number: order.number.digits().into(),
            account_name: (&order.account_name).into(),
            amount: order.amount.into(),
            narration: order.narration.as_str().into(),
        }
    }
}

impl MobileMoneyRecord<'_> {
    pub(super) fn restore(self) -> Result<MobileMoneyOrder, RecordError> {
        Ok(MobileMoneyOrder {
            operator: valid(BillerCode::parse(&self.operator), "operator")?,
            brandname: self.brandname.into_owned(),
            country: country(self.country)?,
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            account_name: self.account_name.into_owned(),
            amount: self.amount.restore("amount")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
        })
    }
}
