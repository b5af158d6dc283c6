//! Bulk transfers as merchants send them, and the payouts they consist of. Each payout must have a
//! reference that says which batch it is of.

use crate::orders::OrderFamily;
use crate::purchases::{LastAnswer, PurchaseEnd, TestPurchase};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The path of bulk transfers.
pub const BULK: &str = "/transfer/bulk";

/// A bulk transfer of so many payouts, whose account numbers end in these in turn.
#[must_use]
pub fn batch(run: &str, count: usize, endings: &[&'static str]) -> (Value, Vec<TestPurchase>) {
    let payouts = endings.iter().cycle().take(count).enumerate();
    let payouts = payouts.map(|(place, ending)| TestPurchase {
        family: OrderFamily::Bank,
        reference: format!("{run}-{place}"),
        ending,
        received: LastAnswer::Nothing,
    });
    let payouts: Vec<_> = payouts.collect();
    let items = payouts.iter();
    let items: Vec<_> = items
        .map(|it| OrderFamily::Bank.order(&it.reference, it.ending))
        .collect();
    (json!({"mrcReference": run, "items": items}), payouts)
}

/// How many payouts of each batch are stored.
#[must_use]
pub fn stored(endings: &[PurchaseEnd]) -> BTreeMap<&str, usize> {
    let mut stored = BTreeMap::new();
    for ending in endings.iter().filter(|ending| ending.status.is_some()) {
        let reference = &ending.purchase.reference;
        let (run, _) = reference.rsplit_once('-').expect("a payout of a batch");
        *stored.entry(run).or_default() += 1;
    }
    stored
}
