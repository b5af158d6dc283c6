//! `GET` on a product's own path: its transactions, each as its report shows it. It must not sort
//! or filter: they come in the order shown.

use crate::attribute;
use crate::attributes::Attributes;
use crate::family::product_path;
use crate::format;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::transaction::report;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::statement::Sort;
use domain::transaction::{Status, Transaction};

pub(crate) const STATUSES: [(&str, Status); 4] = [
    (format::status(Status::Pending), Status::Pending),
    (format::status(Status::Successful), Status::Successful),
    (format::status(Status::Failed), Status::Failed),
    (format::status(Status::Reversed), Status::Reversed),
];

/// The only order: by the moment they were accepted.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// The transactions that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionsQuery {
    /// Only the one under this reference.
    pub reference: Option<MerchantReference>,
    /// Only those with this status.
    pub status: Option<Status>,
    pub offset: u64,
    pub length: u32,
    pub sort: Sort,
}

/// A page of the transactions of a product, or of several.
#[derive(Debug, Clone, Copy)]
pub struct ListPart<'a> {
    pub transactions: &'a [Transaction],
    /// How many transactions of it were looked through.
    pub total: u64,
    /// The number of them that satisfy the filters.
    pub found: u64,
}

/// Reads which transactions are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<TransactionsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let reference = reader.optional(&attribute::REFERENCE, MerchantReference::parse);
    let status = reader.choice(&attribute::TRANSACTION_STATUS, &STATUSES);
    reader.finish(|| {
        let paging = paging?;
        Ok(TransactionsQuery {
            reference: reference?,
            status: status?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// A page of the transactions.
pub fn view(part: ListPart<'_>, query: &TransactionsQuery, zone: &Zone) -> Object {
    part.view(window(part, query), |it| report(it, zone))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(service: Service, part: ListPart<'_>, query: &TransactionsQuery) -> String {
    let path = product_path(service);
    page::link_header(&window(part, query), |offset| {
        format!("{path}?{}", filters(query, offset))
    })
}

const fn window(part: ListPart<'_>, query: &TransactionsQuery) -> PageWindow {
    part.window(query.offset, query.length)
}

impl ListPart<'_> {
    /// Which part of the whole list it is.
    pub(crate) const fn window(self, offset: u64, length: u32) -> PageWindow {
        PageWindow {
            offset,
            length,
            total: self.total,
            found: self.found,
        }
    }

    /// The answer, with each transaction in its shape.
    pub(crate) fn view(self, window: PageWindow, entry: impl Fn(&Transaction) -> Object) -> Object {
        let entries = self.transactions.iter().map(entry);
        Object::new()
            .with("transactions", Node::objects("transaction", entries))
            .with("metadata", page::metadata(self.transactions.len()))
            .with("query", page::query(&window))
    }
}

/// The same filters for another page. No value in them needs encoding in a query.
fn filters(query: &TransactionsQuery, offset: u64) -> String {
    let mut filters = vec![
        (attribute::OFFSET, offset.to_string()),
        (attribute::LENGTH, query.length.to_string()),
        (attribute::SORT, sort_word(query.sort).to_owned()),
    ];
    if let Some(reference) = &query.reference {
        filters.push((attribute::REFERENCE, reference.to_string()));
    }
    if let Some(status) = query.status {
        let word = format::status(status).to_owned();
        filters.push((attribute::TRANSACTION_STATUS, word));
    }
    let pairs = filters.iter();
    let pairs = pairs.map(|(attribute, value)| format!("{}={value}", attribute.name));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, query as attributes};
    use testkit::builders::{airtime, reference, sms};

    fn read(text: &str) -> Result<TransactionsQuery, Violations> {
        parse(&attributes(text), Handling::Strict)
    }

    #[test]
    fn transactions_are_filtered_by_reference_and_status() {
        let all = TransactionsQuery {
            reference: None,
            status: None,
            offset: 0,
            length: 100,
            sort: Sort::Ascending,
        };
        assert_eq!(read(""), Ok(all));
        let some = TransactionsQuery {
            reference: Some(reference("order-1")),
            status: Some(Status::Reversed),
            offset: 5,
            length: 10,
            sort: Sort::Descending,
        };
        let text = "mrcReference=order-1&txnStatus=reversed&offset=5&length=10&sort=desc\
                    &orderby=txnDate";
        assert_eq!(read(text), Ok(some));
        insta::assert_snapshot!(faults(read("mrcReference=&txnStatus=open&orderby=price&x=1")), @r"
        400 -
        orderby: must be txnDate, or left out
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        txnStatus: must be Pending or Successful or Failed or Reversed
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn each_transaction_is_shown_as_its_report_shows_it() {
        let transactions = [airtime().transaction(), sms().transaction()];
        let part = ListPart {
            transactions: &transactions,
            total: 9,
            found: 7,
        };
        let query = read("length=2").unwrap();
        let shown = view(part, &query, &lagos());
        let reports = transactions.iter().map(|it| report(it, &lagos()));
        let mut fields = shown.fields();
        let expected = Node::objects("transaction", reports);
        assert_eq!(fields.next(), Some(("transactions", &expected)));
        let metadata = page::metadata(2).into();
        assert_eq!(fields.next(), Some(("metadata", &metadata)));
        let window = PageWindow {
            offset: 0,
            length: 2,
            total: 9,
            found: 7,
        };
        assert_eq!(fields.next(), Some(("query", &page::query(&window).into())));
        assert_eq!(fields.next(), None);
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let part = ListPart {
            transactions: &[],
            total: 9,
            found: 9,
        };
        let text = "mrcReference=a:1&txnStatus=Failed&offset=2&length=2&sort=desc";
        let query = read(text).unwrap();
        let header = link_header(Service::Electricity, part, &query);
        let without_offset = |query| TransactionsQuery { offset: 0, ..query };
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict);
        let path = "/payment/electricity";
        links_ask_for_the_same((path, &header), query, again, without_offset);
    }
}
