//! The record of a data bundle. It must hold every value as it was frozen.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::internet::DataOrder;
use domain::phone::PhoneNumber;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct DataRecord<'a> {
    #[serde(borrow)]
    provider: Text<'a>,
    #[serde(borrow)]
    brandname: Text<'a>,
    #[serde(borrow)]
    plan: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    validity_days: u16,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a DataOrder> for DataRecord<'a> {
    fn from(order: &'a DataOrder) -> Self {
        Self {
            provider: order.provider.as_str().into(),
            brandname: (&order.brandname).into(),
            plan: order.plan.as_str().into(),
            name: (&order.name).into(),
            validity_days: order.validity_days,
            number: order.number.digits().into(),
            amount: order.amount.into(),
        }
    }
}

impl DataRecord<'_> {
    pub(super) fn restore(self) -> Result<DataOrder, RecordError> {
        Ok(DataOrder {
            provider: valid(BillerCode::parse(&self.provider), "provider")?,
            brandname: self.brandname.into_owned(),
            plan: valid(PlanCode::parse(&self.plan), "plan")?,
            name: self.name.into_owned(),
            validity_days: self.validity_days,
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            amount: self.amount.restore("amount")?,
        })
    }
}
