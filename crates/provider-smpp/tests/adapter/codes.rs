//! Every row of the table of statuses, over the socket, against what the specification says. This
//! copy is written by hand: a change of the table must be made twice.

use crate::bench::{SmppBench, started};
use crate::fake::Reply;
use domain::provider::{RefusalKind, SubmitOutcome, UnknownCause};
use domain::sms::DeliveryStatus;
use provider_smpp::StatusTable;
use std::collections::BTreeSet;

const ROWS: [(u32, &str); 39] = [
    (0x01, "declined Order"),
    (0x02, "declined Account"),
    (0x03, "declined Account"),
    (0x04, "declined Moment"),
    (0x05, "declined Moment"),
    (0x06, "declined Account"),
    (0x07, "declined Account"),
    (0x08, "unknown ServerError"),
    (0x0A, "declined Account"),
    (0x0B, "declined Order"),
    (0x0C, "unknown Unlisted"),
    (0x0D, "unknown Unlisted"),
    (0x0E, "unknown Unlisted"),
    (0x0F, "unknown Unlisted"),
    (0x14, "declined Moment"),
    (0x15, "declined Account"),
    (0x42, "declined Account"),
    (0x43, "declined Account"),
    (0x45, "declined Order"),
    (0x48, "declined Account"),
    (0x49, "declined Account"),
    (0x50, "declined Account"),
    (0x51, "declined Account"),
    (0x53, "unknown Unlisted"),
    (0x58, "declined Moment"),
    (0x61, "declined Account"),
    (0x62, "declined Account"),
    (0x63, "declined Account"),
    (0x64, "unknown Unlisted"),
    (0x65, "unknown Unlisted"),
    (0x66, "unknown Unlisted"),
    (0x67, "unknown Unlisted"),
    (0xC0, "declined Account"),
    (0xC1, "declined Account"),
    (0xC2, "declined Account"),
    (0xC3, "declined Account"),
    (0xC4, "declined Account"),
    (0xFE, "unknown ServerError"),
    (0xFF, "unknown ServerError"),
];

/// Statuses that the table does not list.
const UNLISTED: [u32; 6] = [0x09, 0x11, 0x400, 0x401, 0x4FF, 0x1000_0000];

/// The words of receipts.
const STATES: [(&str, Option<u8>, DeliveryStatus); 10] = [
    ("SCHEDULED", Some(0), DeliveryStatus::Submitted),
    ("ENROUTE", Some(1), DeliveryStatus::Submitted),
    ("DELIVRD", Some(2), DeliveryStatus::Delivered),
    ("EXPIRED", Some(3), DeliveryStatus::Expired),
    ("DELETED", Some(4), DeliveryStatus::Undelivered),
    ("UNDELIV", Some(5), DeliveryStatus::Undelivered),
    ("ACCEPTD", Some(6), DeliveryStatus::Submitted),
    ("UNKNOWN", Some(7), DeliveryStatus::Unknown),
    ("REJECTD", Some(8), DeliveryStatus::Rejected),
    ("BUFFRD", None, DeliveryStatus::Buffered),
];

fn said(outcome: &SubmitOutcome) -> String {
    match outcome {
        SubmitOutcome::Declined(refusal) => match refusal.kind {
            RefusalKind::Order => "declined Order".into(),
            RefusalKind::Account => "declined Account".into(),
            RefusalKind::Moment { .. } => "declined Moment".into(),
            RefusalKind::Lookalike => "declined Lookalike".into(),
        },
        SubmitOutcome::Unknown(cause) => format!("unknown {cause:?}"),
        SubmitOutcome::Delivered(_) => "delivered".into(),
        SubmitOutcome::NotSent => "not sent".into(),
        SubmitOutcome::Pending => "pending".into(),
        SubmitOutcome::Reversed => "reversed".into(),
    }
}

#[tokio::test]
async fn every_status_means_what_its_row_says() {
    let bench = started().await;
    for (status, expected) in ROWS {
        let order = bench.order("Hi", &[Reply::Status(status)]);
        let answer = bench.submit(&format!("row-{status}"), &order).await;
        assert_eq!(said(&answer.outcome), expected, "{status:#X}");
        if let SubmitOutcome::Declined(refusal) = answer.outcome {
            assert_eq!(refusal.code, format!("{status:#010x}"));
            assert!(!refusal.reason.is_empty());
        }
    }
    let table = StatusTable::embedded();
    let listed: BTreeSet<_> = table.statuses().iter().map(|row| row.status).collect();
    assert_eq!(listed, ROWS.iter().map(|(status, _)| *status).collect());
}

#[tokio::test]
async fn a_status_that_is_not_listed_is_unknown_unless_the_operator_lists_it() {
    let bench = SmppBench::with(|settings| settings.vendor_statuses = "0x401=account".into()).await;
    for status in UNLISTED {
        let order = bench.order("Hi", &[Reply::Status(status)]);
        let answer = bench.submit(&format!("other-{status}"), &order).await;
        let expected = if status == 0x401 {
            "declined Account".to_owned()
        } else {
            format!("unknown {:?}", UnknownCause::Unlisted)
        };
        assert_eq!(said(&answer.outcome), expected, "{status:#X}");
    }
}

#[test]
fn every_state_means_what_its_row_says() {
    let table = StatusTable::embedded();
    assert_eq!(table.states().len(), STATES.len());
    for (word, number, expected) in STATES {
        assert_eq!(table.state_of_word(word), expected, "{word}");
        assert_eq!(
            table.state_of_word(&word.to_lowercase()),
            expected,
            "{word}"
        );
        if let Some(number) = number {
            assert_eq!(table.state_of_number(number), expected, "{word}");
        }
    }
    assert_eq!(table.state_of_word("ENDED"), DeliveryStatus::Unknown);
    assert_eq!(table.state_of_number(9), DeliveryStatus::Unknown);
}
