//! `GET /account/statement`. It must not sort or filter: the lines come as they are shown.

use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, Window};
use crate::reader::{Handling, Reader};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::reference::MerchantReference;
use domain::statement::{Direction, Sort, StatementEntry, StatementPage, StatementQuery};

/// Most lines of one answer, and how many it holds unless told otherwise (interface §4.1).
pub const LENGTH_MAX: u32 = 100;

/// Furthest line that can be skipped to: 2^53 − 1, the largest integer every JSON reader keeps exact.
pub const OFFSET_MAX: u64 = 9_007_199_254_740_991;

const PATH: &str = "/account/statement";

const DIRECTIONS: [(&str, Direction); 2] = [
    (direction_word(Direction::Debit), Direction::Debit),
    (direction_word(Direction::Credit), Direction::Credit),
];

const SORTS: [(&str, Sort); 2] = [
    (sort_word(Sort::Ascending), Sort::Ascending),
    (sort_word(Sort::Descending), Sort::Descending),
];

/// The only order there is: lines are numbered as they are written.
const ORDERS: [(&str, ()); 1] = [("stmDate", ())];

/// Reads which part of the statement is asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<StatementQuery, Violations> {
    let mut reader = Reader::new(attributes, handling);
    let offset = reader.integer(&attribute::OFFSET, 0..=OFFSET_MAX);
    let length = reader.integer(&attribute::LENGTH, 1..=u64::from(LENGTH_MAX));
    let order = reader.choice(&attribute::ORDER_BY, &ORDERS);
    let sort = reader.choice(&attribute::SORT, &SORTS);
    let reference = reader.optional(&attribute::REFERENCE, MerchantReference::parse);
    let direction = reader.choice(&attribute::STATEMENT_TYPE, &DIRECTIONS);
    reader.finish(|| {
        order?;
        let length = length?.and_then(|length| u32::try_from(length).ok());
        Ok(StatementQuery {
            offset: offset?.unwrap_or(0),
            length: length.unwrap_or(LENGTH_MAX),
            sort: sort?.unwrap_or(Sort::Ascending),
            reference: reference?,
            direction: direction?,
        })
    })
}

/// A part of the statement.
pub fn view(page: &StatementPage, query: &StatementQuery, zone: &Zone) -> Object {
    let entries = page.entries.iter().map(|entry| line(entry, zone));
    Object::new()
        .with("statements", Node::objects("statement", entries))
        .with("metadata", page::metadata(page.entries.len()))
        .with("query", page::query(&window(page, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring parts under the same filters.
pub fn link_header(page: &StatementPage, query: &StatementQuery) -> String {
    let links = page::links(&window(page, query));
    let link = |(relation, offset)| format!("<{}>; rel=\"{relation}\"", address(query, offset));
    links.relations().map(link).collect::<Vec<_>>().join(", ")
}

const fn window(page: &StatementPage, query: &StatementQuery) -> Window {
    Window {
        offset: query.offset,
        length: query.length,
        total: page.total,
        found: page.found,
    }
}

fn line(entry: &StatementEntry, zone: &Zone) -> Object {
    let number = entry.transaction.as_ref().map(|(number, _)| number.get());
    let reference = entry.transaction.as_ref();
    let reference = reference.map(|(_, reference)| reference.as_str());
    Object::new()
        .with("stmReference", entry.entry.to_string())
        .with("txnReference", number)
        .with("mrcReference", reference)
        .with("stmType", direction_word(entry.direction))
        .with("stmNarration", entry.narration.as_str())
        .with("stmAmount", entry.amount)
        .with("balBefore", entry.before)
        .with("balAfter", entry.after)
        .with("stmDate", zone.date_time(entry.at))
}

/// The same request for another part. Every value in it stands for itself in a query.
fn address(query: &StatementQuery, offset: u64) -> String {
    let mut filters = vec![
        (attribute::OFFSET, offset.to_string()),
        (attribute::LENGTH, query.length.to_string()),
        (attribute::SORT, sort_word(query.sort).to_owned()),
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

const fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Ascending => "asc",
        Sort::Descending => "desc",
    }
}
