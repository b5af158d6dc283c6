//! I32: the opened invoices of an account are numbered without a gap, and each has its collection.

use super::{Check, MemoryTables};
use domain::collection::CollectionKind;
use ports::audit::CheckResult;
use std::collections::BTreeMap;

impl MemoryTables {
    pub(super) fn i32_invoices_are_numbered_and_billed(&self) -> CheckResult {
        let rule =
            "The opened invoices of an account are numbered from 1, each with its collection";
        let mut check = Check::new("I32", rule);
        let mut numbers: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for invoice in &self.invoices {
            let collections = self.collections.collections.iter();
            let own: Vec<_> = collections
                .filter(|it| it.account == invoice.account && it.number == invoice.number)
                .collect();
            let bill = invoice.bill();
            check.row(own == bill.iter().collect::<Vec<_>>(), || {
                format!("invoice {} has another collection", invoice.number)
            });
            if let Some(opened) = invoice.stage.opened() {
                let given = numbers.entry(&invoice.account).or_default();
                given.push(opened.number.get());
            }
        }
        for (account, mut given) in numbers {
            given.sort_unstable();
            let is_whole = (1_u32..)
                .zip(&given)
                .all(|(wanted, given)| wanted == *given);
            check.row(is_whole, || format!("numbers of {account}: {given:?}"));
        }
        for bill in &self.collections.collections {
            let mut invoices = self.invoices.iter();
            let is_billed =
                invoices.any(|it| it.account == bill.account && it.number == bill.number);
            let is_bill = matches!(bill.kind, CollectionKind::Bill(_));
            check.row(!is_bill || is_billed, || {
                format!("collection {} has no invoice", bill.number)
            });
        }
        check.result()
    }
}
