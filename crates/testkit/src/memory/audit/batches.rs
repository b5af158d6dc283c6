//! I23: batches are whole.

use super::{Check, MemoryTables};
use domain::money::Money;
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i23_batches_are_whole(&self) -> CheckResult {
        let rule = "Every batch has all its payments, and they come to its total and price.";
        let mut check = Check::new("I23", rule);
        for row in &self.batches {
            let (batch, items) = (row.batch(), self.items_of(row));
            let sum = |of: fn(&domain::pricing::Quote) -> Money| -> i64 {
                items.iter().map(|tx| of(&tx.quote).minor()).sum()
            };
            let is_whole = items.len() == row.items.len()
                && u32::try_from(items.len()) == Ok(batch.count)
                && sum(|quote| quote.amount) == batch.total.minor()
                && sum(|quote| quote.price) == batch.price.minor();
            let is_free = self
                .under_reference(&batch.account, &batch.reference)
                .is_none();
            check.row(is_whole && is_free, || {
                format!("batch {}: {} payments", batch.reference, items.len())
            });
        }
        check.result()
    }
}
