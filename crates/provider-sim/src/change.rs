//! Changes the provider reports unasked about a journal entry. It must not report what a query
//! would not find, except for what a person writes.

use crate::family_product::ReceiptSchedule;
use crate::journal::SandboxEntry;
use crate::messaging::steps::taken_over;
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
    /// The person replied to the message, when as much of it was known as after so many steps.
    Reply {
        /// How many.
        steps: usize,
        /// When.
        at: Timestamp,
    },
}

/// The reply of the person, where the number makes one: as long after the message was taken over as
/// what is later.
fn reply(entry: &SandboxEntry) -> Option<(Timestamp, Change)> {
    entry.product.replied_sender()?;
    let at = taken_over(&entry.facts())?.plus(entry.later);
    let steps = entry.product.steps_by(&entry.facts(), at);
    Some((at, Change::Reply { steps, at }))
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
    receipts.map(receipt).chain(reply(entry)).collect()
}
