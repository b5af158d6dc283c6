//! Reports over a period. It must not document what no sample shows.

use super::report_runs;
use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::ledger::TransferKind;
use domain::money::{Currency, Money};
use domain::reporting::{
    AcceptedTransaction, GroupedSums, MovedPrice, PriceSums, ReconciliationSums, ReportDays,
    ReportGrouping, ReportSums, SettledTransfer, SettlementSums, WalletDay,
};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use testkit::builders::{START, airtime, at, electricity, kobo, naira, sms, wallet_transfer};
use wire::account::transactions::TransactionCategory;
use wire::attribute::{ANY_NUMBER, CATEGORY, FORMAT, FROM, GROUP_BY, TO, TRANSACTION_STATUS};
use wire::page::LENGTH_MAX;
use wire::reporting::float::WalletPart;
use wire::reporting::transactions::{self, ReportedPart, ReportedQuery};
use wire::reporting::{
    GroupedQuery, GroupedReport, ReportFormat, commission, float, reconciliation, settlement,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "reporting",
        name: "Reporting",
        about: "What an account bought and what its money did over a period, with totals that are \
                those of the ledger.",
        operations: vec![
            report_transactions(),
            report_commission(),
            report_settlement(),
            report_float(),
            report_reconciliation(),
            report_runs::show_run(csv_file()),
        ],
    }
}

fn category(words: &[&'static str]) -> Parameter {
    optional(&CATEGORY).one_of(words).such_as("all")
}

fn period() -> [Parameter; 2] {
    [required(&FROM, "01-11-2026"), required(&TO, "30-11-2026")]
}

fn format() -> Parameter {
    optional(&FORMAT).one_of(&["json", "csv"])
}

fn csv_file() -> String {
    let mut text = transactions::csv_columns();
    for row in bought() {
        transactions::csv_line(&row, &lagos(), &mut text);
    }
    text
}

fn of_sums(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    let [from, to] = period();
    Operation::get(path, id, summary)
        .takes([
            category(&TransactionCategory::words()),
            from,
            to,
            optional(&GROUP_BY).one_of(&GroupedQuery::GROUPINGS),
            format(),
        ])
        .in_parts(&["groupby"])
        .refused(&[404, 409])
}

fn all() -> TransactionCategory {
    TransactionCategory::parse("all").expect("a category")
}

fn days() -> ReportDays {
    ReportDays::new(START, at(60), Vec::new())
}

/// A page of a report of sums.
fn page(shown_as: &'static str, report: GroupedReport) -> Sample {
    let query = GroupedQuery {
        category: all(),
        days: days(),
        grouping: None,
        format: ReportFormat::Page,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    sample(shown_as, "The report.", report.view(&query))
}

/// A transaction as a report reads it.
fn accepted(bought: &Transaction, kinds: &[TransferKind]) -> AcceptedTransaction {
    let price = bought.quote.price;
    let none = MovedPrice::none(price.currency());
    let kinds = kinds.iter().copied();
    let moved = kinds.fold(none, |moved, kind| {
        moved.after(kind, price).expect("a small amount")
    });
    AcceptedTransaction {
        number: bought.number,
        reference: bought.reference.clone(),
        order: bought.order.clone(),
        quote: bought.quote.clone(),
        opened_at: bought.opened_at,
        updated_at: bought.updated_at,
        is_final: moves_are_final(moved),
        moved,
    }
}

const fn moves_are_final(moved: MovedPrice) -> bool {
    moved.captured.is_positive() || moved.released.is_positive()
}

/// What was bought: airtime that was delivered, a meter payment that is open, a message, and an
/// exchange.
fn bought() -> Vec<AcceptedTransaction> {
    use TransferKind::{Capture, Hold, TransferOut};
    let airtime = airtime().reference("airtime-1001").transaction();
    let meter = electricity().reference("electricity-1001").transaction();
    let message = sms().in_credits().reference("sms-1001").transaction();
    let exchange = wallet_transfer().reference("credits-1001").transaction();
    vec![
        accepted(&airtime, &[Hold, Capture]),
        accepted(&meter, &[Hold]),
        accepted(&message, &[Hold, Capture]),
        accepted(&exchange, &[Hold, TransferOut]),
    ]
}

fn report_transactions() -> Operation {
    let [from, to] = period();
    let path = "/reporting/transactions/{category}";
    Operation::get(path, "reportTransactions", "Report transactions")
        .detailed(
            "Every transaction that was accepted from `from` on and before `to`, 366 days and \
             50,000 rows at most, with all parts of its price. `totals` has the sums of all that \
             satisfy the filters, on whatever page they are: a row for each currency.",
        )
        .takes([
            category(&TransactionCategory::words()),
            from,
            to,
            optional(&TRANSACTION_STATUS).one_of(&["Pending", "Successful", "Failed", "Reversed"]),
            optional(&ANY_NUMBER),
            format(),
        ])
        .in_parts(&["txnDate"])
        .lists("TransactionReport", vec![reported()])
        .answers("ReportRun", report_runs::runs())
        .refused(&[404, 409])
}

fn reported() -> Sample {
    let rows = bought();
    let mut sums = GroupedSums::default();
    for row in &rows {
        let key = key(ReportGrouping::Account, row);
        sums.add(key, &PriceSums::of(&row.quote)).expect("few rows");
    }
    let query = ReportedQuery {
        category: all(),
        days: days(),
        status: None,
        number: None,
        format: ReportFormat::Page,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    let part = ReportedPart {
        transactions: &rows,
        total: 4,
        found: 4,
        sums: &sums,
    };
    let fields = transactions::view(part, &query, &lagos());
    sample("report", "The report.", fields)
}

fn key(grouping: ReportGrouping, row: &AcceptedTransaction) -> domain::reporting::GroupKey {
    let bought = (Some(row.order.service()), row.order.biller());
    grouping.key(START, bought, row.quote.price.currency())
}

/// What settled of that, and a payment in.
fn settled() -> Vec<SettledTransfer> {
    let of = |kind, row: &AcceptedTransaction| SettledTransfer {
        entry: 1,
        kind,
        amount: row.quote.price,
        at: START,
        bought: Some((row.order.clone(), row.quote.clone())),
    };
    let rows = bought();
    let rows = rows.iter().filter(|row| row.is_final);
    let mut settled: Vec<_> = rows.map(|row| of(TransferKind::Capture, row)).collect();
    settled.push(SettledTransfer {
        entry: 2,
        kind: TransferKind::Fund,
        amount: naira("1,000,000.00"),
        at: START,
        bought: None,
    });
    settled
}

fn sums_of<S: ReportSums>(
    grouping: ReportGrouping,
    part: impl Fn(&SettledTransfer) -> Option<S>,
) -> GroupedSums<S> {
    let mut sums = GroupedSums::default();
    for row in settled() {
        let bought = (row.service(), row.biller());
        let key = grouping.key(START, bought, row.amount.currency());
        if let Some(part) = part(&row) {
            sums.add(key, &part).expect("few rows");
        }
    }
    sums
}

fn report_commission() -> Operation {
    let of = |grouping| {
        let sums: GroupedSums<PriceSums> = sums_of(grouping, SettledTransfer::price_sums);
        commission::report(&sums, &lagos())
    };
    of_sums(
        "/reporting/commission/{category}",
        "reportCommission",
        "Report commission",
    )
    .detailed(
        "What was delivered from `from` on and before `to`, less what was taken back then: its \
         face value, your commission, charges, taxes, and what you paid (`net`). Grouped by \
         `service` unless `groupby` says otherwise.",
    )
    .lists(
        "CommissionReport",
        vec![
            page("service", of(ReportGrouping::Service)),
            page("provider", of(ReportGrouping::Provider)),
            page("day", of(ReportGrouping::Day)).unseen(),
        ],
    )
    .answers("ReportRun", report_runs::runs())
}

fn report_settlement() -> Operation {
    let of = |grouping| {
        let sums: GroupedSums<SettlementSums> =
            sums_of(grouping, |row| Some(row.settlement_sums()));
        settlement::report(&sums, &lagos())
    };
    of_sums(
        "/reporting/settlement/{category}",
        "reportSettlement",
        "Report settlement",
    )
    .detailed(
        "The money that settled from `from` on and before `to`: taken for what was delivered, \
         given back for what was taken back, and paid in. `net` of `all` is what the wallet has \
         more, what is held included. Grouped by day and service unless `groupby` says otherwise.",
    )
    .lists(
        "SettlementReport",
        vec![
            page("settlement", of(ReportGrouping::DayAndService)),
            page("provider", of(ReportGrouping::Provider)).unseen(),
        ],
    )
    .answers("ReportRun", report_runs::runs())
}

fn report_float() -> Operation {
    let day = |day: Timestamp, opening: Money, went_out: Money| WalletDay {
        day,
        count: i64::from(went_out.is_positive()),
        opening,
        came_in: Money::zero(opening.currency()),
        went_out,
        closing: opening.checked_sub(went_out).expect("a small amount"),
    };
    let money = day(START, naira("1,000,000.00"), naira("970.00"));
    let credits = Money::zero(Currency::Crd);
    let credits = day(START, credits, credits);
    let of = |grouping| {
        let part = |total| WalletPart {
            days: std::slice::from_ref(total),
            total,
        };
        float::report(&[part(&money), part(&credits)], grouping, &lagos())
    };
    let [from, to] = period();
    Operation::get("/reporting/float/{category}", "reportFloat", "Report float")
        .detailed(
            "What could be spent of each wallet at the beginning and at the end of each day, and \
             what came in and went out between: `balOpening` + `balIn` − `balOut` = `balClosing`, \
             as the statement has it. The category is `all`.",
        )
        .takes([
            category(&["all"]),
            from,
            to,
            optional(&GROUP_BY).one_of(&GroupedQuery::GROUPINGS_OF_WALLETS),
            format(),
        ])
        .in_parts(&["groupby"])
        .lists(
            "FloatReport",
            vec![
                page("day", of(ReportGrouping::Day)),
                page("account", of(ReportGrouping::Account)).unseen(),
            ],
        )
        .answers("ReportRun", report_runs::runs())
        .refused(&[404, 409])
}

fn report_reconciliation() -> Operation {
    let of = |grouping| {
        let mut sums: GroupedSums<ReconciliationSums> = GroupedSums::default();
        for row in bought() {
            let part = row.reconciliation_sums(at(60)).expect("a small amount");
            assert_eq!(part.difference.minor(), kobo(0).minor());
            sums.add(key(grouping, &row), &part).expect("few rows");
        }
        reconciliation::report(&sums, &lagos())
    };
    of_sums(
        "/reporting/reconciliation/{category}",
        "reportReconciliation",
        "Report reconciliation",
    )
    .detailed(
        "The prices of the transactions that were accepted from `from` on and before `to`: held \
         as they were accepted, and of that captured, released, or still open. `difference` is \
         what is left, and must be 0.00. Grouped by day unless `groupby` says otherwise.",
    )
    .lists(
        "ReconciliationReport",
        vec![
            page("reconciliation", of(ReportGrouping::Day)),
            page("provider", of(ReportGrouping::Provider)).unseen(),
        ],
    )
    .answers("ReportRun", report_runs::runs())
}
