//! Bulk transfers. It must not document what no sample shows.

use crate::operation::{FileForm, Operation, OperationFamily, objects, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::batch::{BatchKind, BatchOpening, BatchProgress};
use domain::statement::Sort;
use domain::transaction::Transaction;
use testkit::builders::{START, batch, payout};
use wire::attribute::{
    BANK, BANK_ACCOUNT, FORMAT, GROUP, ITEMS, NARRATION, ON_FAILURE, REFERENCE, TRANSFER_AMOUNT,
};
use wire::bulk::list::{self, BatchesPart};
use wire::bulk::report::{self, BatchPart, BatchQuery, ReportForm};
use wire::bulk::{csv, outcome, view};
use wire::page::{LENGTH_MAX, Paging};

const RUN: &str = "run-1001";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "bulk",
        name: "Bulk transfer",
        about: "Pay to up to a thousand bank accounts with one request: all of them are paid for \
                and accepted, or none is.",
        operations: vec![list_batches(), pay_out(), transaction(), cancel()],
    }
}

fn pay_out() -> Operation {
    Operation::post(
        "/transfer/bulk",
        "payOutInBulk",
        "Pay to many bank accounts",
    )
    .detailed(
        "The holder of each account is looked up first. The balance is charged the prices of \
             all payouts at once; where it does not cover them, or where one payout is refused, \
             nothing is done. Each payout is a transaction of its own, under its own reference, \
             with its own events and report. They are sent one after the other, and cancelled \
             where they could not be sent within a day. With `batOnFailure` `stop`, those that \
             were not sent when one fails are cancelled. Errors name the payout by its place: \
             `items.3.accountNumber` is of the fourth. Instead of payouts, name a group and what \
             each member is paid: its members as they are then, in their order, are paid under \
             the reference of the batch and their place from one, such as `run-1002.0001`; that \
             reference has up to 59 characters.",
    )
    .takes_as(
        "Each payout",
        [
            required(&REFERENCE, RUN),
            optional(&ON_FAILURE).one_of(&["continue", "stop"]),
            objects(
                &ITEMS,
                [
                    required(&REFERENCE, "run-1001-1"),
                    required(&BANK, "NGNIP000013"),
                    required(&BANK_ACCOUNT, "0100044567"),
                    required(&TRANSFER_AMOUNT, "10,000.00"),
                    required(&NARRATION, "Salary of May"),
                ],
            ),
        ],
    )
    .takes_as(
        "A group",
        [
            required(&REFERENCE, "run-1002"),
            optional(&ON_FAILURE).one_of(&["continue", "stop"]),
            required(&GROUP, "7213340021"),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Salary of May"),
        ],
    )
    .pays_many("Batch", in_every_state(&opening(), 202))
    .refused(&[404, 502])
}

fn list_batches() -> Operation {
    let (opening, progress) = (opening(), waiting());
    let batches = [(opening.batch().clone(), progress)];
    let part = BatchesPart {
        kind: BatchKind::BankTransfers,
        batches: &batches,
        total: 1,
    };
    let fields = list::view(part, &whole(), &lagos());
    Operation::get("/transfer/bulk", "listBatches", "List bulk transfers")
        .in_parts(&["batDate"])
        .lists(
            "Batches",
            vec![sample("batches", "The bulk transfers.", fields)],
        )
}

fn transaction() -> Operation {
    let path = "/transfer/bulk/transaction";
    let report = Operation::get(path, "reportBatch", "Report a bulk transfer").detailed(
        "The batch, and a page of its payouts in the order of the request, each as its own \
             report shows it. With `format=csv` all payouts come as one file of comma-separated \
             values (RFC 4180), whose first row names the columns; a text that a spreadsheet would \
             take for a formula has an apostrophe before it.",
    );
    reports_batch(report, (RUN, "BatchReport"), (&opening(), &waiting()))
}

fn cancel() -> Operation {
    let path = "/transfer/bulk/cancel";
    let cancel = Operation::post(path, "cancelBatch", "Cancel a bulk transfer").detailed(
        "Payouts that were not sent are cancelled, and their prices given back; those that \
             were sent come to their own end. Repeating it changes nothing more.",
    );
    cancels_batch(cancel, (RUN, "Batch"), &opening())
}

/// What a report of a batch takes and answers, of whatever kind.
pub(super) fn reports_batch(
    operation: Operation,
    (run, schema): (&'static str, &'static str),
    (opening, progress): (&BatchOpening, &BatchProgress),
) -> Operation {
    operation
        .takes([
            required(&REFERENCE, run),
            optional(&FORMAT).one_of(&["json", "csv"]),
        ])
        .in_parts(&["position"])
        .lists(schema, reported(opening, progress))
        .as_file(FileForm::Csv(as_csv(opening)))
        .refused(&[404])
}

/// What the cancelling of a batch takes and answers, of whatever kind.
pub(super) fn cancels_batch(
    operation: Operation,
    (run, schema): (&'static str, &'static str),
    opening: &BatchOpening,
) -> Operation {
    operation
        .takes([required(&REFERENCE, run)])
        .answers(schema, in_every_state(opening, 200))
        .refused(&[404])
}

fn opening() -> BatchOpening {
    let items = (1..=3).map(|n| {
        let name = format!("{RUN}-{n}");
        payout().number(n).reference(&name).queued(START, START)
    });
    batch(RUN, items).number(7_213_340_017).opening()
}

fn waiting() -> BatchProgress {
    BatchProgress {
        queued: 3,
        ..BatchProgress::default()
    }
}

pub(super) fn progress_of(
    queued: u32,
    successful: u32,
    failed: u32,
    cancelled: u32,
) -> BatchProgress {
    BatchProgress {
        queued,
        successful,
        failed,
        cancelled,
        ..BatchProgress::default()
    }
}

/// A batch of one to three payments as it comes to its end.
pub(super) fn in_every_state(opening: &BatchOpening, status: u16) -> Vec<Sample> {
    let of = progress_of;
    let progress = [
        ("pending", waiting()),
        ("processing", of(1, 2, 0, 0)),
        ("completed", of(0, 2, 1, 0)),
        ("cancelled", of(0, 0, 0, 3)),
    ];
    let shown = progress.map(|(name, progress)| Sample {
        status,
        ..sample(
            name,
            outcome(opening.batch().kind, &progress),
            view(opening.batch(), &progress, &lagos()),
        )
    });
    shown.into()
}

pub(super) fn whole() -> Paging<()> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}

/// The first payment of a page.
pub(super) fn first(opening: &BatchOpening) -> Vec<Transaction> {
    let items = opening.items().iter().take(1);
    items.map(|item| item.transaction.clone()).collect()
}

/// # Panics
/// When rows cannot be written into memory, which they always can.
fn as_csv(opening: &BatchOpening) -> String {
    let rows = csv::rows(opening.batch().kind, &first(opening), &lagos());
    String::from_utf8(rows.expect("rows in memory")).expect("texts")
}

fn reported(opening: &BatchOpening, progress: &BatchProgress) -> Vec<Sample> {
    let items = first(opening);
    let part = BatchPart {
        batch: opening.batch(),
        progress,
        items: &items,
    };
    let query = BatchQuery {
        reference: opening.batch().reference.clone(),
        form: ReportForm::Page,
        paging: whole(),
    };
    let fields = report::view(part, &query, &lagos());
    vec![sample(
        "pending",
        outcome(part.batch.kind, progress),
        fields,
    )]
}
