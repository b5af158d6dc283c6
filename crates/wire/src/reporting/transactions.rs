//! `GET /reporting/transactions/{category}`: every transaction that was accepted in a period, with
//! all parts of its price.

use super::run::{self, ReportFormat};
use super::{Address, csv, currency, period, prices};
use crate::account::transactions::{TransactionCategory, digits};
use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, PageWindow, Paging};
use crate::reader::{FieldReader, Handling};
use crate::transaction_list::STATUSES;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::reporting::{AcceptedTransaction, GroupedSums, PriceSums, ReportDays};
use domain::statement::Sort;
use domain::transaction::Status;

/// The only order: by the moment they were accepted.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// The transactions that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedQuery {
    pub category: TransactionCategory,
    pub days: ReportDays,
    /// Only those with this status.
    pub status: Option<Status>,
    /// Only those for these digits.
    pub number: Option<String>,
    pub format: ReportFormat,
    pub offset: u64,
    pub length: u32,
    pub sort: Sort,
}

/// A page of the transactions, and the sums of all that satisfy the filters.
#[derive(Debug, Clone, Copy)]
pub struct ReportedPart<'a> {
    pub transactions: &'a [AcceptedTransaction],
    /// How many the period has.
    pub total: u64,
    /// The number of them that satisfy the filters.
    pub found: u64,
    pub sums: &'a GroupedSums<PriceSums>,
}

/// Reads which transactions are requested.
pub fn parse(
    category: TransactionCategory,
    (attributes, handling): (&Attributes, Handling),
    zone: &Zone,
) -> Result<ReportedQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let days = period::read(&mut reader, zone);
    let status = reader.choice(&attribute::TRANSACTION_STATUS, &STATUSES);
    let number = reader.optional(&attribute::ANY_NUMBER, digits);
    let format = run::format(&mut reader);
    reader.finish(|| {
        let paging = paging?;
        Ok(ReportedQuery {
            category,
            days: days?,
            status: status?,
            number: number?,
            format: format?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// A page of the transactions, with the totals of all of them.
pub fn view(part: ReportedPart<'_>, query: &ReportedQuery, zone: &Zone) -> Object {
    let rows = part.transactions.iter().map(|it| row(it, zone));
    let totals = part.sums.totals().iter().map(|(of, sums)| {
        let count = Object::new().with("count", Node::Integer(sums.count));
        count.and(prices(sums)).and(currency(*of))
    });
    Object::new()
        .with("transactions", Node::objects("transaction", rows))
        .with("totals", Node::objects("total", totals))
        .with("metadata", page::metadata(part.transactions.len()))
        .with("query", page::query(&window(part, query)))
}

/// The number is the one that was bought for; of a card it is what the gateway knows, its last four
/// digits, and of a transfer between wallets and a lookup by name there is none.
fn row(it: &AcceptedTransaction, zone: &Zone) -> Object {
    let number = it.order.listed_number();
    Object::new()
        .with("mrcReference", it.reference.as_str())
        .with("txnReference", it.number.get())
        .with("txnStatus", format::status(it.status()))
        .with("txnType", it.order.service().code())
        .with("txnDate", zone.date_time(it.opened_at))
        .with("provider", it.order.biller())
        .with("number", number)
        .and(prices(&PriceSums::of(&it.quote)))
        .and(currency(it.quote.price.currency()))
}

/// The columns of a file.
const COLUMNS: [&str; 14] = [
    "mrcReference",
    "txnReference",
    "txnStatus",
    "txnType",
    "txnDate",
    "provider",
    "number",
    "face",
    "commission",
    "charges",
    "vat",
    "duty",
    "net",
    "currency",
];

/// The line of a file with the names of its columns.
pub fn csv_columns() -> String {
    csv::columns(&COLUMNS)
}

/// Adds the line of a transaction to a file.
pub fn csv_line(it: &AcceptedTransaction, zone: &Zone, text: &mut String) {
    csv::line("row", &COLUMNS, &row(it, zone), text);
}

/// The lines of the totals of a file.
pub fn csv_totals(sums: &GroupedSums<PriceSums>) -> String {
    let mut text = String::new();
    for (of, sums) in sums.totals() {
        let total = prices(sums).and(currency(*of));
        csv::line("total", &COLUMNS, &total, &mut text);
    }
    text
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: ReportedPart<'_>, query: &ReportedQuery) -> String {
    let status = query.status.map(|status| format::status(status).to_owned());
    let filters = [
        (attribute::TRANSACTION_STATUS.name, status),
        (attribute::ANY_NUMBER.name, query.number.clone()),
    ];
    let filters = filters.into_iter();
    let address = Address {
        path: "transactions",
        category: query.category,
        days: &query.days,
        sort: query.sort,
        filters: filters
            .filter_map(|(name, value)| Some((name, value?)))
            .collect(),
    };
    address.links(&window(part, query))
}

const fn window(part: ReportedPart<'_>, query: &ReportedQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: part.total,
        found: part.found,
    }
}
