//! The record of a cable TV subscription. It must hold every value as it was frozen.

use super::customer_phone;
use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::cabletv::{CableOrder, SmartcardNumber, Subscription};
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct CableTvRecord<'a> {
    #[serde(borrow)]
    provider: Text<'a>,
    #[serde(borrow)]
    brandname: Text<'a>,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    customer_name: Text<'a>,
    /// None where an amount is credited.
    #[serde(borrow)]
    subscription: Option<SubscriptionRecord<'a>>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    /// None where the merchant gave none, and in records of before it could be given.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<Text<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SubscriptionRecord<'a> {
    #[serde(borrow)]
    plan: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    duration: u8,
}

impl<'a> From<&'a CableOrder> for CableTvRecord<'a> {
    fn from(order: &'a CableOrder) -> Self {
        let subscription = order.subscription.as_ref();
        Self {
            provider: order.provider.as_str().into(),
            brandname: (&order.brandname).into(),
            number: order.number.digits().into(),
            customer_name: (&order.customer_name).into(),
            subscription: subscription.map(|bought| SubscriptionRecord {
                plan: bought.plan.as_str().into(),
                name: (&bought.name).into(),
                duration: bought.duration,
            }),
            amount: order.amount.into(),
            customer_phone: order.customer_phone.as_ref().map(|it| it.digits().into()),
        }
    }
}

impl CableTvRecord<'_> {
    pub(super) fn restore(self) -> Result<CableOrder, RecordError> {
        let subscription = self.subscription.map(SubscriptionRecord::restore);
        Ok(CableOrder {
            provider: valid(BillerCode::parse(&self.provider), "provider")?,
            brandname: self.brandname.into_owned(),
            number: valid(SmartcardNumber::parse(&self.number), "number")?,
            customer_name: self.customer_name.into_owned(),
            subscription: subscription.transpose()?,
            amount: self.amount.restore("amount")?,
            customer_phone: customer_phone(self.customer_phone.as_ref())?,
        })
    }
}

impl SubscriptionRecord<'_> {
    fn restore(self) -> Result<Subscription, RecordError> {
        Ok(Subscription {
            plan: valid(PlanCode::parse(&self.plan), "plan")?,
            name: self.name.into_owned(),
            duration: self.duration,
        })
    }
}
