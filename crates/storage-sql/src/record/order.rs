//! Records of what was bought and what it costs. They must hold every value as it was frozen when
//! the transaction was opened.

use super::RecordError;
use super::scalar::{Moment, MoneyRecord, Text, billing, decimal, valid};
use domain::airtime::AirtimeOrder;
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use domain::order::Order;
use domain::phone::PhoneNumber;
use domain::pricing::Quote;
use serde::{Deserialize, Serialize};

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderRecord<'a> {
    #[serde(borrow)]
    Airtime(AirtimeRecord<'a>),
    #[serde(borrow)]
    Electricity(ElectricityRecord<'a>),
}

impl<'a> From<&'a Order> for OrderRecord<'a> {
    fn from(order: &'a Order) -> Self {
        match order {
            Order::Airtime(order) => Self::Airtime(order.into()),
            Order::Electricity(order) => Self::Electricity(order.into()),
        }
    }
}

impl OrderRecord<'_> {
    pub(super) fn restore(self) -> Result<Order, RecordError> {
        match self {
            Self::Airtime(record) => record.restore().map(Order::Airtime),
            Self::Electricity(record) => record.restore().map(Order::Electricity),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AirtimeRecord<'a> {
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
    fn restore(self) -> Result<AirtimeOrder, RecordError> {
        Ok(AirtimeOrder {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            country: valid(CountryCode::parse(&self.country.to_string()), "country")?,
            network_code: self.network_code.into_owned(),
            network_brandname: self.network_brandname.into_owned(),
            billing: billing(&self.billing)?,
            amount: self.amount.restore("amount")?,
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ElectricityRecord<'a> {
    #[serde(borrow)]
    meter: MeterRecord<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a ElectricityOrder> for ElectricityRecord<'a> {
    fn from(order: &'a ElectricityOrder) -> Self {
        Self {
            meter: (&order.meter).into(),
            amount: order.amount.into(),
        }
    }
}

impl ElectricityRecord<'_> {
    fn restore(self) -> Result<ElectricityOrder, RecordError> {
        Ok(ElectricityOrder {
            meter: self.meter.restore()?,
            amount: self.amount.restore("amount")?,
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
    debt: MoneyRecord<'a>,
    #[serde(borrow)]
    minimum: MoneyRecord<'a>,
    #[serde(borrow)]
    maximum: MoneyRecord<'a>,
    last_purchase: Option<Moment>,
    #[serde(borrow)]
    last_paid: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    band: Text<'a>,
    rate: String,
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
            debt: meter.debt.into(),
            minimum: meter.minimum.into(),
            maximum: meter.maximum.into(),
            last_purchase: meter.last_purchase.map(Into::into),
            last_paid: meter.last_paid.map(Into::into),
            band: (&meter.tariff.band).into(),
            rate: meter.tariff.rate.to_string(),
        }
    }
}

impl MeterRecord<'_> {
    fn restore(self) -> Result<Meter, RecordError> {
        let last_paid = self.last_paid.map(|paid| paid.restore("last_paid"));
        Ok(Meter {
            disco: valid(DiscoCode::parse(&self.disco), "disco")?,
            brandname: self.brandname.into_owned(),
            number: valid(MeterNumber::parse(&self.number), "number")?,
            owner: self.owner.into_owned(),
            address: self.address.into_owned(),
            billing: billing(&self.billing)?,
            debt: self.debt.restore("debt")?,
            minimum: self.minimum.restore("minimum")?,
            maximum: self.maximum.restore("maximum")?,
            last_purchase: self.last_purchase.map(Into::into),
            last_paid: last_paid.transpose()?,
            tariff: Tariff {
                band: self.band.into_owned(),
                rate: decimal(&self.rate, "rate")?,
            },
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct QuoteRecord<'a> {
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    commission: MoneyRecord<'a>,
    #[serde(borrow)]
    fee: MoneyRecord<'a>,
    #[serde(borrow)]
    price: MoneyRecord<'a>,
    #[serde(borrow)]
    cost: MoneyRecord<'a>,
    #[serde(borrow)]
    rule: Text<'a>,
}

impl<'a> From<&'a Quote> for QuoteRecord<'a> {
    fn from(quote: &'a Quote) -> Self {
        Self {
            amount: quote.amount.into(),
            commission: quote.commission.into(),
            fee: quote.fee.into(),
            price: quote.price.into(),
            cost: quote.cost.into(),
            rule: (&quote.rule).into(),
        }
    }
}

impl QuoteRecord<'_> {
    pub(super) fn restore(self) -> Result<Quote, RecordError> {
        Ok(Quote {
            amount: self.amount.restore("amount")?,
            commission: self.commission.restore("commission")?,
            fee: self.fee.restore("fee")?,
            price: self.price.restore("price")?,
            cost: self.cost.restore("cost")?,
            rule: self.rule.into_owned(),
        })
    }
}
