//! The record of a value with its names.

use super::scalar::Text;
use domain::labelled_value::LabelledValue;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LabelledValueRecord<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    label: Text<'a>,
    #[serde(borrow)]
    value: Text<'a>,
}

impl<'a> From<&'a LabelledValue> for LabelledValueRecord<'a> {
    fn from(value: &'a LabelledValue) -> Self {
        Self {
            name: (&value.name).into(),
            label: (&value.label).into(),
            value: (&value.value).into(),
        }
    }
}

/// The values of records.
pub(super) fn restore_all(records: Vec<LabelledValueRecord<'_>>) -> Vec<LabelledValue> {
    let restore = |record: LabelledValueRecord<'_>| LabelledValue {
        name: record.name.into_owned(),
        label: record.label.into_owned(),
        value: record.value.into_owned(),
    };
    records.into_iter().map(restore).collect()
}
