//! What a sale lists, as a text in JSON. What is read back must pass every rule of a fresh item.

use super::RecordError;
use super::scalar::valid;
use domain::bank::GroupLabel;
use domain::collection::{COLLECTION_MAX, SALE_QUANTITY_MAX, SaleItem};
use domain::money::{Currency, Money};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemRecord {
    name: String,
    quantity: u32,
    /// What one costs, in minor units.
    amount: i64,
}

/// The text of items.
pub(super) fn write(items: &[SaleItem]) -> String {
    let records = items.iter().map(|item| {
        serde_json::json!({
            "name": item.name.as_str(),
            "quantity": item.quantity,
            "amount": item.amount.minor(),
        })
    });
    serde_json::Value::Array(records.collect()).to_string()
}

/// The items of a text.
pub(super) fn read(text: &str) -> Result<Vec<SaleItem>, RecordError> {
    let records: Vec<ItemRecord> =
        serde_json::from_str(text).map_err(|_| RecordError::Value("items"))?;
    records.iter().map(item).collect()
}

fn item(record: &ItemRecord) -> Result<SaleItem, RecordError> {
    let amount = Money::from_minor(record.amount, Currency::Ngn);
    let is_price = (1..=COLLECTION_MAX.minor()).contains(&record.amount);
    if !is_price || !(1..=SALE_QUANTITY_MAX).contains(&record.quantity) {
        return Err(RecordError::Value("items"));
    }
    Ok(SaleItem {
        name: valid(GroupLabel::parse(&record.name), "items")?,
        quantity: record.quantity,
        amount,
    })
}
