//! `GET /transfer/bulk/transaction`. It must show each payout as its own report shows it.

use super::{report_of, view as batch_view};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::payroll;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::batch::{Batch, BatchProgress};
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// The only order: that of the request.
const ORDERS: [(&str, ()); 1] = [("position", ())];

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// A page of the payouts, in the format that is negotiated.
    Page,
    /// All payouts, as comma-separated values.
    Csv,
}

const FORMS: [(&str, ReportForm); 2] = [("json", ReportForm::Page), ("csv", ReportForm::Csv)];

/// The batch whose report is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchQuery {
    pub reference: MerchantReference,
    pub form: ReportForm,
    pub paging: Paging<()>,
}

/// A page of the payouts of a batch.
#[derive(Debug, Clone, Copy)]
pub struct BatchPart<'a> {
    pub batch: &'a Batch,
    pub progress: &'a BatchProgress,
    pub items: &'a [Transaction],
}

/// Reads which batch is requested, and which of its payouts.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<BatchQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let form = reader.choice(&attribute::FORMAT, &FORMS);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| {
        Ok(BatchQuery {
            reference: reference?,
            form: form?.unwrap_or(ReportForm::Page),
            paging: paging?,
        })
    })
}

/// The batch, and a page of its payouts.
pub fn view(part: BatchPart<'_>, query: &BatchQuery, zone: &Zone) -> Object {
    let items = part.items.iter().map(|tx| payroll::item(tx, zone));
    batch_view(part.batch, part.progress, zone)
        .with("items", Node::objects("item", items))
        .with("metadata", page::metadata(part.items.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: BatchPart<'_>, query: &BatchQuery) -> String {
    page::link_header(&window(part, query), |offset| {
        let filters = [
            (attribute::REFERENCE, query.reference.to_string()),
            (attribute::OFFSET, offset.to_string()),
            (attribute::LENGTH, query.paging.length.to_string()),
            (attribute::SORT, sort_word(query.paging.sort).to_owned()),
        ];
        let pairs = filters.iter();
        let pairs = pairs.map(|(attribute, value)| format!("{}={value}", attribute.name));
        let path = report_of(part.batch.kind);
        format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
    })
}

fn window(part: BatchPart<'_>, query: &BatchQuery) -> PageWindow {
    let count = u64::from(part.batch.count);
    PageWindow {
        offset: query.paging.offset,
        length: query.paging.length,
        total: count,
        found: count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query};
    use domain::batch::BatchKind;
    use testkit::builders::{at, batch, payout};

    fn read(text: &str) -> Result<BatchQuery, Violations> {
        parse(&query(text), Handling::Strict)
    }

    #[test]
    fn a_report_shows_the_batch_and_a_page_of_its_payouts() {
        let items = (1..=3).map(|n| payout().nth(n).queued(at(0), at(60)));
        let opening = batch("run-1", items).opening();
        let items: Vec<_> = opening.items().iter().skip(1).take(1).collect();
        let items: Vec<_> = items.iter().map(|it| it.transaction.clone()).collect();
        let progress = BatchProgress {
            queued: 3,
            ..BatchProgress::default()
        };
        let part = BatchPart {
            batch: opening.batch(),
            progress: &progress,
            items: &items,
        };
        let query = read("mrcReference=run-1&offset=1&length=1").unwrap();
        insta::assert_snapshot!(pretty(&view(part, &query, &lagos()).into()));
        let header = link_header(part, &query);
        let first = |query: BatchQuery| BatchQuery {
            paging: Paging {
                offset: 0,
                ..query.paging
            },
            ..query
        };
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict);
        links_ask_for_the_same(
            (report_of(BatchKind::BankTransfers), &header),
            query,
            again,
            first,
        );
    }

    #[test]
    fn a_report_is_asked_for_by_reference_in_one_of_two_forms() {
        let csv = read("mrcReference=run-1&format=csv").unwrap();
        assert_eq!(csv.form, ReportForm::Csv);
        assert_eq!(read("mrcReference=run-1").unwrap().form, ReportForm::Page);
        insta::assert_snapshot!(faults(read("format=xml&length=0")), @r"
        405 -
        mrcReference: is required; add it to the query of the address
        format: must be json or csv
        length: must be a whole number from 1 to 100
        ");
    }
}
