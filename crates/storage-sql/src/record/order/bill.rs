//! The record of a bill's payment. It must hold every value as it was frozen, names and labels
//! included.

use super::customer_phone;
use crate::record::RecordError;
use crate::record::labelled_value::{LabelledValueRecord, restore_all};
use crate::record::scalar::{MoneyRecord, Text, valid};
use domain::bill::{BillCategory, BillNumber, BillOrder, BoughtPlan};
use domain::billing::Billing;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct BillRecord<'a> {
    #[serde(borrow)]
    category: Text<'a>,
    #[serde(borrow)]
    biller: Text<'a>,
    #[serde(borrow)]
    brandname: Text<'a>,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    fields: Vec<LabelledValueRecord<'a>>,
    #[serde(borrow)]
    customer_name: Text<'a>,
    #[serde(borrow)]
    billing: Text<'a>,
    #[serde(borrow)]
    debt: MoneyRecord<'a>,
    /// None where nothing was billed.
    #[serde(borrow)]
    bill_reference: Option<Text<'a>>,
    /// None where an amount is paid.
    #[serde(borrow)]
    plan: Option<BoughtPlanRecord<'a>>,
    has_token: bool,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    /// None where the merchant gave none, and in records of before it could be given.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<Text<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct BoughtPlanRecord<'a> {
    #[serde(borrow)]
    code: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    duration: u8,
}

impl<'a> From<&'a BillOrder> for BillRecord<'a> {
    fn from(order: &'a BillOrder) -> Self {
        Self {
            category: order.category.code().into(),
            biller: order.biller.as_str().into(),
            brandname: (&order.brandname).into(),
            number: order.number.digits().into(),
            fields: order.fields.iter().map(Into::into).collect(),
            customer_name: (&order.customer_name).into(),
            billing: order.billing.code().into(),
            debt: order.debt.into(),
            bill_reference: order.bill_reference.as_ref().map(Into::into),
            plan: order.plan.as_ref().map(|plan| BoughtPlanRecord {
                code: plan.code.as_str().into(),
                name: (&plan.name).into(),
                duration: plan.duration,
            }),
            has_token: order.has_token,
            amount: order.amount.into(),
            customer_phone: order.customer_phone.as_ref().map(|it| it.digits().into()),
        }
    }
}

impl BillRecord<'_> {
    pub(super) fn restore(self) -> Result<BillOrder, RecordError> {
        let category = BillCategory::from_code(&self.category);
        let billing = Billing::from_code(&self.billing);
        let plan = self.plan.map(BoughtPlanRecord::restore);
        Ok(BillOrder {
            category: category.ok_or(RecordError::Value("category"))?,
            biller: valid(BillerCode::parse(&self.biller), "biller")?,
            brandname: self.brandname.into_owned(),
            number: valid(BillNumber::restore(&self.number), "number")?,
            fields: restore_all(self.fields),
            customer_name: self.customer_name.into_owned(),
            billing: billing.ok_or(RecordError::Value("billing"))?,
            debt: self.debt.restore("debt")?,
            bill_reference: self.bill_reference.map(Cow::into_owned),
            plan: plan.transpose()?,
            has_token: self.has_token,
            amount: self.amount.restore("amount")?,
            customer_phone: customer_phone(self.customer_phone.as_ref())?,
        })
    }
}

impl BoughtPlanRecord<'_> {
    fn restore(self) -> Result<BoughtPlan, RecordError> {
        Ok(BoughtPlan {
            code: valid(PlanCode::parse(&self.code), "plan")?,
            name: self.name.into_owned(),
            duration: self.duration,
        })
    }
}
