//! The record of a lookup. It must hold every value as it was frozen.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, country, valid};
use domain::hlr::HlrOrder;
use domain::phone::PhoneNumber;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct HlrRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    country: u16,
    #[serde(borrow)]
    network_origin: Option<Text<'a>>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a HlrOrder> for HlrRecord<'a> {
    fn from(order: &'a HlrOrder) -> Self {
        Self {
            number: order.number.digits().into(),
            country: order.country.get(),
            network_origin: order.network_origin.as_ref().map(Into::into),
            amount: order.amount.into(),
        }
    }
}

impl HlrRecord<'_> {
    pub(super) fn restore(self) -> Result<HlrOrder, RecordError> {
        Ok(HlrOrder {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: country(self.country)?,
            network_origin: self.network_origin.map(Text::into_owned),
            amount: self.amount.restore("amount")?,
        })
    }
}
