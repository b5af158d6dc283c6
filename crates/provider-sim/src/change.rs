//! Changes the provider reports unasked about a journal entry. It must not report what a query
//! would not find.

use crate::journal::{BookEntry, EntryOutcome, SandboxProduct};
use crate::sms;
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
pub(crate) fn changes(entry: &BookEntry) -> Vec<(Timestamp, Change)> {
    match (entry.fate, &entry.product) {
        (EntryOutcome::Reversed { due }, _) => vec![(due, Change::TakenBack)],
        (_, SandboxProduct::Sms { parts, .. }) => {
            let tellings = sms::tellings(entry, *parts).into_iter();
            tellings
                .map(|reported| {
                    (
                        reported.due,
                        Change::Receipt {
                            steps: reported.steps,
                        },
                    )
                })
                .collect()
        }
        (
            EntryOutcome::Refused(_)
            | EntryOutcome::Delivered
            | EntryOutcome::Later { .. }
            | EntryOutcome::Slow { .. }
            | EntryOutcome::TokenLater { .. }
            | EntryOutcome::Never,
            SandboxProduct::Airtime { .. }
            | SandboxProduct::CableTv { .. }
            | SandboxProduct::Electricity { .. }
            | SandboxProduct::Internet { .. }
            | SandboxProduct::Bank { .. }
            | SandboxProduct::Bill { .. }
            | SandboxProduct::Hlr { .. },
        ) => Vec::new(),
    }
}
