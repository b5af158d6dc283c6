//! The record of a top-up. It must hold every value as it was frozen.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, billing, country, valid};
use domain::airtime::AirtimeOrder;
use domain::phone::PhoneNumber;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct AirtimeRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network_code: Text<'a>,
    #[serde(borrow)]
    network_brandname: Text<'a>,
    #[serde(borrow)]
    billing: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a AirtimeOrder> for AirtimeRecord<'a> {
    fn from(order: &'a AirtimeOrder) -> Self {
        Self {
            number: order.number.digits().into(),
            country: order.country.get(),
            network_code: (&order.network_code).into(),
            network_brandname: (&order.network_brandname).into(),
            billing: order.billing.code().into(),
            amount: order.amount.into(),
        }
    }
}

impl AirtimeRecord<'_> {
    pub(super) fn restore(self) -> Result<AirtimeOrder, RecordError> {
        Ok(AirtimeOrder {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network_code: self.network_code.into_owned(),
            network_brandname: self.network_brandname.into_owned(),
            billing: billing(&self.billing)?,
            amount: self.amount.restore("amount")?,
        })
    }
}
