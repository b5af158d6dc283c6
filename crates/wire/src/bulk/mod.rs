//! Batches: many payments of one request, one file per operation. It must show each payment as its
//! own report shows it.

pub mod cancel;
pub mod csv;
pub mod list;
pub mod order;
pub mod report;

use crate::attribute;
use crate::format;
use crate::reader::{FieldReader, InvalidField};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::batch::{Batch, BatchKind, BatchProgress, BatchStatus, OnFailure};
use domain::reference::MerchantReference;
use domain::transaction::Status;
use std::collections::HashMap;

/// The path of the batches of a kind.
pub const fn path(kind: BatchKind) -> &'static str {
    match kind {
        BatchKind::BankTransfers => "/transfer/bulk",
        BatchKind::Payroll => "/transfer/payroll",
        BatchKind::Messages => "/messaging/bulk",
    }
}

/// The path of the report of a batch of a kind.
const fn report_of(kind: BatchKind) -> &'static str {
    match kind {
        BatchKind::BankTransfers => "/transfer/bulk/transaction",
        BatchKind::Payroll => "/transfer/payroll/transaction",
        BatchKind::Messages => "/messaging/bulk/transaction",
    }
}

pub(crate) const ON_FAILURE: [(&str, OnFailure); 2] = [
    (OnFailure::Continue.code(), OnFailure::Continue),
    (OnFailure::Stop.code(), OnFailure::Stop),
];

/// The address of the report of a batch, for `Location`.
pub fn report_path(kind: BatchKind, reference: &MerchantReference) -> String {
    format!(
        "{}?{}={reference}",
        report_of(kind),
        attribute::REFERENCE.name
    )
}

/// Each payment has a reference of its own, and none that of the batch.
pub(crate) fn named_apart<'a>(
    reader: &mut FieldReader<'_>,
    batch: Option<&MerchantReference>,
    payments: impl Iterator<Item = &'a MerchantReference>,
) -> Result<(), InvalidField> {
    let mut earlier: HashMap<&MerchantReference, usize> = HashMap::new();
    let mut repeated = Vec::new();
    for (place, reference) in payments.enumerate() {
        let other = if batch == Some(reference) {
            Some("is the reference of the batch".to_owned())
        } else {
            let other = earlier.insert(reference, place);
            other.map(|other| format!("is that of items.{other} as well"))
        };
        if let Some(other) = other {
            let message = format!("{other}; give each object one of its own");
            repeated.push((place, Violations::of(&attribute::REFERENCE, message)));
        }
    }
    reader.refuse_objects(&attribute::ITEMS, repeated)
}

/// A batch as every operation shows it.
pub fn view(batch: &Batch, progress: &BatchProgress, zone: &Zone) -> Object {
    let counts = [
        ("pending", Status::Pending),
        ("successful", Status::Successful),
        ("failed", Status::Failed),
        ("reversed", Status::Reversed),
    ];
    let counts = counts.into_iter().fold(Object::new(), |shown, (name, of)| {
        shown.with(name, u64::from(progress.with_status(of)))
    });
    Object::new()
        .with("mrcReference", batch.reference.as_str())
        .with("batReference", batch.number.get())
        .with("batStatus", status(progress.status()))
        .with("batDate", zone.date_time(batch.opened_at))
        .with("batOnFailure", batch.on_failure.code())
        .with("batCount", u64::from(batch.count))
        .with("batTotal", batch.total)
        .with("batPrice", batch.price)
        .with("counts", counts)
        .with("currency", batch.price.currency().code())
}

/// The `message` of an answer that shows a batch.
pub const fn outcome(kind: BatchKind, progress: &BatchProgress) -> &'static str {
    match (kind, progress.status()) {
        (BatchKind::BankTransfers | BatchKind::Payroll, status) => payouts_outcome(status),
        (BatchKind::Messages, status) => messages_outcome(status),
    }
}

const fn payouts_outcome(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Pending => {
            "The payouts are accepted; the report shows how far they have come."
        }
        BatchStatus::Processing => "The payouts are being made.",
        BatchStatus::Completed => "Each payout is final.",
        BatchStatus::Cancelled => "The payouts were cancelled; nothing was charged.",
    }
}

const fn messages_outcome(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Pending => {
            "The messages are accepted; the report shows how far they have come."
        }
        BatchStatus::Processing => "The messages are being sent.",
        BatchStatus::Completed => "Each message is final.",
        BatchStatus::Cancelled => "The messages were cancelled; nothing was charged.",
    }
}

const fn status(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Pending => format::status(Status::Pending),
        BatchStatus::Processing => "Processing",
        BatchStatus::Completed => "Completed",
        BatchStatus::Cancelled => "Cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lagos, pretty};
    use testkit::builders::{at, batch, payout, reference};

    fn run() -> Batch {
        let items = (1..=3).map(|n| payout().nth(n).queued(at(0), at(60)));
        batch("run-1", items).number(77).opening().batch().clone()
    }

    #[test]
    fn a_batch_shows_what_it_comes_to_and_how_far_it_has_come() {
        let progress = BatchProgress {
            queued: 1,
            successful: 1,
            cancelled: 1,
            ..BatchProgress::default()
        };
        insta::assert_snapshot!(pretty(&view(&run(), &progress, &lagos()).into()));
    }

    #[test]
    fn a_batch_is_found_by_its_reference() {
        let path = report_path(BatchKind::BankTransfers, &reference("run:1"));
        assert_eq!(path, "/transfer/bulk/transaction?mrcReference=run:1");
    }

    #[test]
    fn each_state_of_a_batch_has_words() {
        let of = |queued, successful, cancelled| BatchProgress {
            queued,
            successful,
            cancelled,
            ..BatchProgress::default()
        };
        for (progress, word, message) in [
            (of(3, 0, 0), "Pending", "accepted"),
            (of(2, 1, 0), "Processing", "being made"),
            (of(0, 2, 1), "Completed", "final"),
            (of(0, 0, 3), "Cancelled", "nothing was charged"),
        ] {
            assert_eq!(status(progress.status()), word);
            let said = outcome(BatchKind::Payroll, &progress);
            assert!(said.contains(message), "{word}");
            let said = outcome(BatchKind::Messages, &progress);
            let message = message.replace("being made", "being sent");
            assert!(said.contains(&message), "{said}");
        }
    }
}
