//! `GET /account/statement`. It must not sort or filter: the lines come in the order shown.

use super::CURRENCIES;
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::Currency;
use domain::reference::MerchantReference;
use domain::statement::{Direction, StatementEntry, StatementPage, StatementQuery};

const PATH: &str = "/account/statement";

const DIRECTIONS: [(&str, Direction); 2] = [
    (direction_word(Direction::Debit), Direction::Debit),
    (direction_word(Direction::Credit), Direction::Credit),
];

/// The only order: lines are numbered as they are written.
const ORDERS: [(&str, ()); 1] = [("stmDate", ())];

/// Reads which page of which wallet's statement is requested: the wallet in the account's currency
/// unless another is named.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<StatementQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let reference = reader.optional(&attribute::REFERENCE, MerchantReference::parse);
    let direction = reader.choice(&attribute::STATEMENT_TYPE, &DIRECTIONS);
    let wallet = reader.choice(&attribute::STATEMENT_CURRENCY, &CURRENCIES);
    reader.finish(|| {
        let paging = paging?;
        Ok(StatementQuery {
            currency: wallet?.unwrap_or(currency),
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
            reference: reference?,
            direction: direction?,
        })
    })
}

/// A page of the statement.
pub fn view(page: &StatementPage, query: &StatementQuery, zone: &Zone) -> Object {
    let entries = page.entries.iter().map(|entry| line(entry, zone));
    Object::new()
        .with("statements", Node::objects("statement", entries))
        .with("metadata", page::metadata(page.entries.len()))
        .with("query", page::query(&window(page, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(page: &StatementPage, query: &StatementQuery) -> String {
    page::link_header(&window(page, query), |offset| address(query, offset))
}

const fn window(page: &StatementPage, query: &StatementQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: page.total,
        found: page.found,
    }
}

/// A line of the statement, in every answer that shows one.
pub(crate) fn line(entry: &StatementEntry, zone: &Zone) -> Object {
    let number = entry.transaction.as_ref().map(|(number, _)| number.get());
    let reference = entry.transaction.as_ref();
    let reference = reference.map(|(_, reference)| reference.as_str());
    Object::new()
        .with("stmReference", entry.position.to_string())
        .with("txnReference", number)
        .with("mrcReference", reference)
        .with("stmType", direction_word(entry.direction))
        .with("stmNarration", entry.narration.as_str())
        .with("stmAmount", entry.amount)
        .with("stmCurrency", entry.amount.currency().code())
        .with("balBefore", entry.before)
        .with("balAfter", entry.after)
        .with("stmDate", zone.date_time(entry.at))
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &StatementQuery, offset: u64) -> String {
    let mut filters = vec![
        (attribute::OFFSET, offset.to_string()),
        (attribute::LENGTH, query.length.to_string()),
        (attribute::SORT, sort_word(query.sort).to_owned()),
        (
            attribute::STATEMENT_CURRENCY,
            query.currency.code().to_owned(),
        ),
    ];
    if let Some(reference) = &query.reference {
        filters.push((attribute::REFERENCE, reference.to_string()));
    }
    if let Some(direction) = query.direction {
        filters.push((
            attribute::STATEMENT_TYPE,
            direction_word(direction).to_owned(),
        ));
    }
    let pairs = filters
        .iter()
        .map(|(attribute, value)| format!("{}={value}", attribute.name));
    format!("{PATH}?{}", pairs.collect::<Vec<_>>().join("&"))
}

const fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Debit => "Debit",
        Direction::Credit => "Credit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query as attributes};
    use domain::statement::Sort;
    use testkit::builders::{START, naira, number, reference};

    fn lenient(text: &str) -> Result<StatementQuery, Violations> {
        parse(&attributes(text), Handling::Lenient, Currency::Ngn)
    }

    fn page(found: u64) -> StatementPage {
        let credit = StatementEntry {
            position: 1,
            transaction: None,
            direction: Direction::Credit,
            narration: "Opening balance".into(),
            amount: naira("1,000,000.00"),
            before: naira("0.00"),
            after: naira("1,000,000.00"),
            at: START,
        };
        let debit = StatementEntry {
            position: 2,
            transaction: Some((number(1), reference("order-1"))),
            direction: Direction::Debit,
            narration: "Airtime MTN 2348031234567".into(),
            amount: naira("970.00"),
            before: naira("1,000,000.00"),
            after: naira("999,030.00"),
            at: START,
        };
        StatementPage {
            entries: vec![credit, debit],
            total: found.saturating_add(5),
            found,
        }
    }

    #[test]
    fn a_request_without_filters_asks_for_the_first_hundred_lines() {
        let expected = StatementQuery {
            currency: Currency::Ngn,
            offset: 0,
            length: 100,
            sort: Sort::Ascending,
            reference: None,
            direction: None,
        };
        assert_eq!(lenient(""), Ok(expected.clone()));
        assert_eq!(lenient("orderby=stmDate&sort=asc"), Ok(expected));
        let filters = "offset=200&length=1&sort=desc&mrcReference=order-1&stmType=Credit";
        let expected = StatementQuery {
            currency: Currency::Ngn,
            offset: 200,
            length: 1,
            sort: Sort::Descending,
            reference: Some(reference("order-1")),
            direction: Some(Direction::Credit),
        };
        assert_eq!(lenient(filters), Ok(expected.clone()));
        let shouted = filters.replace("desc", "DESC").replace("Credit", "credit");
        assert_eq!(lenient(&shouted), Ok(expected));
    }

    #[test]
    fn every_bad_filter_is_named_with_what_is_permitted() {
        let all = "offset=-1&length=101&orderby=amount&sort=up&mrcReference=a+b&stmType=debt\
                   &stmCurrency=USD";
        insta::assert_snapshot!(faults(lenient(all)), @r"
        400 -
        offset: must be a whole number from 0 to 9007199254740991
        length: must be a whole number from 1 to 100
        orderby: must be stmDate, or left out
        sort: must be asc or desc
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        stmType: must be Debit or Credit
        stmCurrency: must be NGN or CRD
        ");
        for text in ["0", "", "+5", "1e1", "٣", "99999999999999999999999"] {
            let read = lenient(&format!("length={}", text.replace('+', "%2B")));
            let expected = "400 -\nlength: must be a whole number from 1 to 100";
            assert_eq!(faults(read), expected, "{text:?}");
        }
        assert!(lenient("offset=9007199254740991").is_ok());
        assert!(lenient("offset=9007199254740992").is_err());
    }

    #[test]
    fn a_statement_shows_its_lines_and_which_part_it_is() {
        let query = lenient("offset=3&length=2").unwrap();
        let shown = pretty(&view(&page(9), &query, &lagos()).into());
        insta::assert_snapshot!("statement", shown);
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let text = "offset=2&length=2&sort=desc&stmCurrency=CRD&mrcReference=a:1&stmType=Debit";
        let query = lenient(text).unwrap();
        let header = link_header(&page(9), &query);
        let expected =
            [(0, "first"), (0, "prev"), (4, "next"), (8, "last")].map(|(at, relation)| {
                let rest = "length=2&sort=desc&stmCurrency=CRD&mrcReference=a:1&stmType=Debit";
                format!("</account/statement?offset={at}&{rest}>; rel=\"{relation}\"")
            });
        assert_eq!(header, expected.join(", "));
        let again = header.split(['?', '>']).nth(1).unwrap();
        let first = StatementQuery { offset: 0, ..query };
        assert_eq!(
            parse(&attributes(again), Handling::Strict, Currency::Ngn),
            Ok(first)
        );
    }
}
