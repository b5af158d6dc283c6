//! `GET /reporting/float/{category}`: the wallets of the account from day to day.

use super::currency;
use super::groups::GroupedReport;
use crate::account::transactions::TransactionCategory;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::reporting::{ReportGrouping, WalletDay};

/// By what rows are grouped where the request does not say.
pub const GROUPING: ReportGrouping = ReportGrouping::Day;

/// The columns of its file.
const COLUMNS: [&str; 7] = [
    "day",
    "count",
    "balOpening",
    "balIn",
    "balOut",
    "balClosing",
    "currency",
];

/// The days of one wallet, and the whole period of it.
#[derive(Debug, Clone, Copy)]
pub struct WalletPart<'a> {
    pub days: &'a [WalletDay],
    pub total: &'a WalletDay,
}

/// Whether there is a report of wallets for a category: what is in a wallet is for every product.
pub const fn is_of_wallets(category: TransactionCategory) -> bool {
    category.is_all()
}

/// The error of a path with another category.
pub const fn not_of_wallets() -> &'static str {
    "must be all: what is in a wallet is for every product"
}

/// The report: the days of each wallet after those of the one before, by day.
pub fn report(wallets: &[WalletPart<'_>], grouping: ReportGrouping, zone: &Zone) -> GroupedReport {
    let mut days: Vec<&WalletDay> = wallets.iter().flat_map(|it| it.days).collect();
    days.sort_by_key(|it| (it.day, it.opening.currency()));
    let row = |it: &WalletDay| {
        let day = (grouping != ReportGrouping::Account).then(|| zone.date(it.day));
        let count = Object::new().with("day", day);
        count.and(balances(it))
    };
    GroupedReport {
        path: "float",
        named: ("floats", "float"),
        columns: &COLUMNS,
        rows: days.into_iter().map(row).collect(),
        totals: wallets.iter().map(|it| balances(it.total)).collect(),
    }
}

fn balances(it: &WalletDay) -> Object {
    Object::new()
        .with("count", Node::Integer(it.count))
        .with("balOpening", it.opening)
        .with("balIn", it.came_in)
        .with("balOut", it.went_out)
        .with("balClosing", it.closing)
        .and(currency(it.opening.currency()))
}
