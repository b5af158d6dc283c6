//! `GET /transfer/bulk` and that of payroll. It must not sort or filter: the batches come in the
//! order shown.

use super::{path, view as batch_view};
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::batch::{Batch, BatchKind, BatchProgress};

/// The only order: by the moment they were accepted.
const ORDERS: [(&str, ()); 1] = [("batDate", ())];

/// The requested page.
pub type BatchesQuery = Paging<()>;

/// A page of the batches of an account.
#[derive(Debug, Clone, Copy)]
pub struct BatchesPart<'a> {
    /// What they are made of.
    pub kind: BatchKind,
    pub batches: &'a [(Batch, BatchProgress)],
    /// The number of batches of the account.
    pub total: u64,
}

/// Reads which batches are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<BatchesQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| paging)
}

/// The `message` of an answer that lists batches.
pub const fn listed(kind: BatchKind) -> &'static str {
    match kind {
        BatchKind::BankTransfers => "The bulk transfers.",
        BatchKind::Payroll => "The payrolls.",
        BatchKind::Messages => "The bulk messages.",
    }
}

/// A page of the batches.
pub fn view(part: BatchesPart<'_>, query: &BatchesQuery, zone: &Zone) -> Object {
    let batches = part.batches.iter();
    let batches = batches.map(|(batch, progress)| batch_view(batch, progress, zone));
    Object::new()
        .with("batches", Node::objects("batch", batches))
        .with("metadata", page::metadata(part.batches.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: BatchesPart<'_>, query: &BatchesQuery) -> String {
    query.link_header(path(part.kind), part.total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, query};
    use testkit::builders::{at, batch, payout};

    fn read(text: &str) -> Result<BatchesQuery, Violations> {
        parse(&query(text), Handling::Strict)
    }

    #[test]
    fn batches_come_in_parts_as_every_collection() {
        let run = batch("run-1", [payout().queued(at(0), at(60))]);
        let batches = [(run.opening().batch().clone(), BatchProgress::default())];
        let part = BatchesPart {
            kind: BatchKind::BankTransfers,
            batches: &batches,
            total: 9,
        };
        let query = read("offset=2&length=1&sort=desc&orderby=batDate").unwrap();
        let shown = view(part, &query, &lagos());
        let names: Vec<_> = shown.fields().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names, ["batches", "metadata", "query"]);
        let header = link_header(part, &query);
        let without = |query| BatchesQuery {
            offset: 0,
            order: None,
            ..query
        };
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict);
        links_ask_for_the_same(("/transfer/bulk", &header), query, again, without);
        insta::assert_snapshot!(faults(read("length=101&orderby=price&x=1")), @r"
        400 -
        length: must be a whole number from 1 to 100
        orderby: must be batDate, or left out
        x: is not an attribute of this request; leave it out
        ");
    }
}
