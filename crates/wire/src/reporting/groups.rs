//! Reports whose rows are sums: of a product, a biller, a day. It must not know which amounts are
//! summed up.

use super::run::{self, ReportFormat};
use super::{Address, csv, currency, period};
use crate::account::transactions::TransactionCategory;
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::reporting::{GroupKey, GroupedSums, ReportDays, ReportGrouping, ReportSums};
use domain::statement::Sort;

/// The only order: by what the rows are grouped by.
const ORDERS: [(&str, ()); 1] = [("groupby", ())];

/// The report that is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedQuery {
    pub category: TransactionCategory,
    pub days: ReportDays,
    /// By what its rows are grouped; `None` where the request does not say.
    pub grouping: Option<ReportGrouping>,
    pub format: ReportFormat,
    pub offset: u64,
    pub length: u32,
    pub sort: Sort,
}

/// The words of a grouping.
const GROUPINGS: [(&str, ReportGrouping); 4] = [
    ("service", ReportGrouping::Service),
    ("provider", ReportGrouping::Provider),
    ("day", ReportGrouping::Day),
    ("account", ReportGrouping::Account),
];

impl GroupedQuery {
    /// By what rows may be grouped.
    pub const GROUPINGS: [&str; 4] = ["service", "provider", "day", "account"];

    /// The same of wallets, which are of no product.
    pub const GROUPINGS_OF_WALLETS: [&str; 2] = ["day", "account"];

    /// Reads which report is requested.
    pub fn parse(
        category: TransactionCategory,
        (attributes, handling): (&Attributes, Handling),
        zone: &Zone,
    ) -> Result<Self, Violations> {
        Self::read((category, &GROUPINGS), (attributes, handling), zone)
    }

    /// Reads which report of wallets is requested.
    pub fn parse_of_wallets(
        category: TransactionCategory,
        (attributes, handling): (&Attributes, Handling),
        zone: &Zone,
    ) -> Result<Self, Violations> {
        let words: Vec<_> = GROUPINGS
            .into_iter()
            .filter(|(word, _)| Self::GROUPINGS_OF_WALLETS.contains(word))
            .collect();
        Self::read((category, &words), (attributes, handling), zone)
    }

    fn read(
        (category, words): (TransactionCategory, &[(&'static str, ReportGrouping)]),
        (attributes, handling): (&Attributes, Handling),
        zone: &Zone,
    ) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(attributes, handling);
        let paging = Paging::read(&mut reader, &ORDERS);
        let days = period::read(&mut reader, zone);
        let grouping = reader.choice(&attribute::GROUP_BY, words);
        let format = run::format(&mut reader);
        reader.finish(|| {
            let paging = paging?;
            Ok(Self {
                category,
                days: days?,
                grouping: grouping?,
                format: format?,
                offset: paging.offset,
                length: paging.length,
                sort: paging.sort,
            })
        })
    }

    const fn window(&self, rows: u64) -> PageWindow {
        PageWindow {
            offset: self.offset,
            length: self.length,
            total: rows,
            found: rows,
        }
    }
}

/// The type of a report, the name of its list of rows and of one row, and the columns of its file.
pub(super) type ReportShape = (
    &'static str,
    (&'static str, &'static str),
    &'static [&'static str],
);

/// The rows of a report, and its totals.
#[derive(Debug)]
pub struct GroupedReport {
    /// The type of the report.
    pub(super) path: &'static str,
    /// The name of the list of rows, and of one row.
    pub(super) named: (&'static str, &'static str),
    /// The names of the columns of its file.
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Object>,
    pub(super) totals: Vec<Object>,
}

impl GroupedReport {
    /// Rows and totals of sums, whose amounts `amounts` shows.
    pub(super) fn of<S: ReportSums>(
        (path, named, columns): ReportShape,
        sums: &GroupedSums<S>,
        zone: &Zone,
        amounts: impl Fn(&S) -> Object,
    ) -> Self {
        let row = |(key, sum): (&GroupKey, &S)| {
            let group = Object::new()
                .with("day", key.day.map(|day| zone.date(day)))
                .with("service", key.service.map(domain::order::Service::code))
                .with("provider", key.provider.as_deref());
            group.and(amounts(sum)).and(currency(key.currency))
        };
        let totals = sums.totals().iter();
        Self {
            path,
            named,
            columns,
            rows: sums.groups().iter().map(row).collect(),
            totals: totals
                .map(|(of, sum)| amounts(sum).and(currency(*of)))
                .collect(),
        }
    }

    /// All of it as the text of a file, and its number of rows.
    pub fn csv(&self) -> (String, u64) {
        let mut text = csv::columns(self.columns);
        for row in &self.rows {
            csv::line("row", self.columns, row, &mut text);
        }
        for total in &self.totals {
            csv::line("total", self.columns, total, &mut text);
        }
        (text, self.found())
    }

    /// The number of rows.
    pub fn found(&self) -> u64 {
        u64::try_from(self.rows.len()).unwrap_or(u64::MAX)
    }

    /// The `Link` header of the answer (RFC 8288): the neighbouring pages of the same report.
    pub fn link_header(&self, query: &GroupedQuery) -> String {
        let word = |grouping: ReportGrouping| {
            let mut words = GROUPINGS.into_iter();
            let (word, _) = words.find(|(_, it)| *it == grouping)?;
            Some((attribute::GROUP_BY.name, word.to_owned()))
        };
        let address = Address {
            path: self.path,
            category: query.category,
            days: &query.days,
            sort: query.sort,
            filters: query.grouping.and_then(word).into_iter().collect(),
        };
        address.links(&query.window(self.found()))
    }

    /// A page of the rows, with the totals of all of them.
    pub fn view(self, query: &GroupedQuery) -> Object {
        let window = query.window(self.found());
        let mut rows = self.rows;
        if query.sort == Sort::Descending {
            rows.reverse();
        }
        let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(offset).take(query.length as usize);
        let rows: Vec<_> = rows.collect();
        let returned = rows.len();
        let (list, item) = self.named;
        Object::new()
            .with(list, Node::objects(item, rows))
            .with("totals", Node::objects("total", self.totals))
            .with("metadata", page::metadata(returned))
            .with("query", page::query(&window))
    }
}
