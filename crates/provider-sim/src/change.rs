//! Changes the provider reports unasked about a journal entry. It must not report what a query
//! would not find.

use crate::family_product::ReceiptSchedule;
use crate::journal::SandboxEntry;
use domain::time::Timestamp;

/// A change to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// The delivery was taken back.
    TakenBack,
    /// What was known of the parts of a message after so many steps.
    Receipt {
        /// How many.
        steps: usize,
    },
}

/// All changes that are ever reported about an entry, each with when it is due.
pub(crate) fn changes(entry: &SandboxEntry) -> Vec<(Timestamp, Change)> {
    if let Some(due) = entry.reversed_at() {
        return vec![(due, Change::TakenBack)];
    }
    let receipts = entry.product.receipts(&entry.facts()).into_iter();
    let receipt = |receipt: ReceiptSchedule| {
        let steps = receipt.steps;
        (receipt.due, Change::Receipt { steps })
    };
    receipts.map(receipt).collect()
}
