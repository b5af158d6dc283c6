//! The record of a meter payment, with the meter as it was looked up. It must hold every value as
//! it was frozen.

use super::customer_phone;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, StoredTimestamp, Text, billing, decimal, valid};
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct ElectricityRecord<'a> {
    #[serde(borrow)]
    meter: MeterRecord<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    /// None where the merchant gave none, and in records of before it could be given.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<Text<'a>>,
}

impl<'a> From<&'a ElectricityOrder> for ElectricityRecord<'a> {
    fn from(order: &'a ElectricityOrder) -> Self {
        Self {
            meter: (&order.meter).into(),
            amount: order.amount.into(),
            customer_phone: order.customer_phone.as_ref().map(|it| it.digits().into()),
        }
    }
}

impl ElectricityRecord<'_> {
    pub(super) fn restore(self) -> Result<ElectricityOrder, RecordError> {
        Ok(ElectricityOrder {
            meter: self.meter.restore()?,
            amount: self.amount.restore("amount")?,
            customer_phone: customer_phone(self.customer_phone.as_ref())?,
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct MeterRecord<'a> {
    #[serde(borrow)]
    disco: Text<'a>,
    #[serde(borrow)]
    brandname: Text<'a>,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    owner: Text<'a>,
    #[serde(borrow)]
    address: Text<'a>,
    #[serde(borrow)]
    billing: Text<'a>,
    #[serde(borrow)]
    debt: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    minimum: MoneyRecord<'a>,
    #[serde(borrow)]
    maximum: MoneyRecord<'a>,
    last_purchase: Option<StoredTimestamp>,
    #[serde(borrow)]
    last_paid: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    band: Text<'a>,
    rate: Option<String>,
}

impl<'a> From<&'a Meter> for MeterRecord<'a> {
    fn from(meter: &'a Meter) -> Self {
        Self {
            disco: meter.disco.as_str().into(),
            brandname: (&meter.brandname).into(),
            number: meter.number.digits().into(),
            owner: (&meter.owner).into(),
            address: (&meter.address).into(),
            billing: meter.billing.code().into(),
            debt: meter.debt.map(Into::into),
            minimum: meter.minimum.into(),
            maximum: meter.maximum.into(),
            last_purchase: meter.last_purchase.map(Into::into),
            last_paid: meter.last_paid.map(Into::into),
            band: (&meter.tariff.band).into(),
            rate: meter.tariff.rate.map(|rate| rate.to_string()),
        }
    }
}

impl MeterRecord<'_> {
    fn restore(self) -> Result<Meter, RecordError> {
        let last_paid = self.last_paid.map(|paid| paid.restore("last_paid"));
        let debt = self.debt.map(|debt| debt.restore("debt"));
        let rate = self.rate.map(|rate| decimal(&rate, "rate"));
        Ok(Meter {
            disco: valid(DiscoCode::parse(&self.disco), "disco")?,
            brandname: self.brandname.into_owned(),
            number: valid(MeterNumber::parse(&self.number), "number")?,
            owner: self.owner.into_owned(),
            address: self.address.into_owned(),
            billing: billing(&self.billing)?,
            debt: debt.transpose()?,
            minimum: self.minimum.restore("minimum")?,
            maximum: self.maximum.restore("maximum")?,
            last_purchase: self.last_purchase.map(Into::into),
            last_paid: last_paid.transpose()?,
            tariff: Tariff {
                band: self.band.into_owned(),
                rate: rate.transpose()?,
            },
        })
    }
}
