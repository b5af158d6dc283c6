//! The record of a lookup that is sold by name. It must hold every value as it was frozen, names
//! and labels included.

use crate::record::RecordError;
use crate::record::labelled_value::{LabelledValueRecord, restore_all};
use crate::record::scalar::{MoneyRecord, Text, country, valid};
use domain::paid_lookup::{ConsentReference, LookupCategory, LookupCode, LookupOrder};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct LookupRecord<'a> {
    #[serde(borrow)]
    category: Text<'a>,
    #[serde(borrow)]
    code: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    country: u16,
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    values: Vec<LabelledValueRecord<'a>>,
    /// None where it is about no person.
    #[serde(borrow)]
    consent: Option<Text<'a>>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a LookupOrder> for LookupRecord<'a> {
    fn from(order: &'a LookupOrder) -> Self {
        Self {
            category: order.category.code().into(),
            code: order.code.as_str().into(),
            name: (&order.name).into(),
            country: order.country.get(),
            number: (&order.number).into(),
            values: order.values.iter().map(Into::into).collect(),
            consent: order.consent.as_ref().map(|it| it.as_str().into()),
            amount: order.amount.into(),
        }
    }
}

impl LookupRecord<'_> {
    pub(super) fn restore(self) -> Result<LookupOrder, RecordError> {
        let category = LookupCategory::from_code(&self.category);
        let consent = self.consent.map(|it| ConsentReference::parse(&it));
        Ok(LookupOrder {
            category: category.ok_or(RecordError::Value("category"))?,
            code: valid(LookupCode::parse(&self.code), "code")?,
            name: self.name.into_owned(),
            country: country(self.country)?,
            number: self.number.into_owned(),
            values: restore_all(self.values),
            consent: valid(consent.transpose(), "consent")?,
            amount: self.amount.restore("amount")?,
        })
    }
}
