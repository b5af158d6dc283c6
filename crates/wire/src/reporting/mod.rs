//! Reports over a period: `GET /reporting/{type}/{category}`, one file for each type. Rows and
//! totals must have the same amounts in the same order.

pub mod commission;
mod csv;
pub mod float;
mod groups;
mod period;
pub mod reconciliation;
pub mod run;
pub mod settlement;
pub mod transactions;

pub use groups::{GroupedQuery, GroupedReport};
pub use period::PERIOD_DAYS_MAX;
pub use run::ReportFormat;
pub use transactions::ReportedQuery;

use crate::account::transactions::TransactionCategory;
use crate::attribute;
use crate::page::{self, PageWindow, sort_word};
use crate::tree::Object;
use crate::zone::utc;
use domain::money::Currency;
use domain::reporting::{PriceSums, ReportDays};
use domain::statement::Sort;

/// The amounts of prices.
pub(crate) fn prices(sums: &PriceSums) -> Object {
    Object::new()
        .with("face", sums.face)
        .with("commission", sums.commission)
        .with("charges", sums.charges)
        .with("vat", sums.vat)
        .with("duty", sums.duty)
        .with("net", sums.net)
}

/// The currency that every row ends with.
pub(crate) fn currency(currency: Currency) -> Object {
    Object::new().with("currency", currency.code())
}

/// The page of a report, and the filters under which its other pages are.
#[derive(Debug)]
struct Address<'a> {
    /// The type of the report.
    path: &'static str,
    category: TransactionCategory,
    days: &'a ReportDays,
    sort: Sort,
    /// Those that the type has beside the period, each with its value.
    filters: Vec<(&'static str, String)>,
}

impl Address<'_> {
    /// The `Link` header of the answer (RFC 8288). No value in it needs encoding in a query.
    fn links(&self, window: &PageWindow) -> String {
        let path = format!("/reporting/{}/{}", self.path, self.category.word());
        page::link_header(window, |offset| {
            let fixed = [
                (attribute::OFFSET.name, offset.to_string()),
                (attribute::LENGTH.name, window.length.to_string()),
                (attribute::SORT.name, sort_word(self.sort).to_owned()),
                (attribute::FROM.name, utc(self.days.from())),
                (attribute::TO.name, utc(self.days.until())),
            ];
            let filters = fixed.iter().chain(&self.filters);
            let pairs = filters.map(|(name, value)| format!("{name}={value}"));
            format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
        })
    }
}

#[cfg(test)]
mod tests;
