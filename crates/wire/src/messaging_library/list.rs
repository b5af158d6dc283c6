//! `GET /messaging/template` and `GET /messaging/flow`. It must not sort or filter: the items come
//! in the order shown.

use super::{entry, item_id, words};
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::messaging_library::{LibraryItemId, LibraryKind, LibrarySummary};

/// Which items are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryQuery {
    /// The one item, where one is named.
    pub only: Option<LibraryItemId>,
    /// The part of all items otherwise.
    pub paging: Paging<()>,
}

/// A part of the items of a kind.
#[derive(Debug, Clone, Copy)]
pub struct LibraryPart<'a> {
    pub kind: LibraryKind,
    pub items: &'a [LibrarySummary],
    /// How many there are.
    pub total: u64,
}

/// Reads which items are asked for.
pub fn parse(
    kind: LibraryKind,
    attributes: &Attributes,
    handling: Handling,
) -> Result<LibraryQuery, Violations> {
    let words = words(kind);
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.optional(words.id, |text| item_id(kind, text));
    let paging = Paging::read(&mut reader, &[(words.created, ())]);
    reader.finish(|| {
        Ok(LibraryQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// Items without what they hold.
pub fn view(part: LibraryPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let words = words(part.kind);
    let items = part.items.iter();
    let items = items.map(|item| entry(part.kind, item, zone));
    Object::new()
        .with(words.many, Node::objects(words.one, items))
        .with("metadata", page::metadata(part.items.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// Where the parts before and after this one are.
pub fn link_header(part: LibraryPart<'_>, query: &Paging<()>) -> String {
    query.link_header(words(part.kind).path, part.total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, query};

    #[test]
    fn one_item_or_a_part_of_them_is_asked_for() {
        let read = |text| parse(LibraryKind::Flow, &query(text), Handling::Strict);
        assert_eq!(read("length=1").unwrap().only, None);
        let only = read("flwIdentifier=7").unwrap().only;
        assert_eq!(only.map(LibraryItemId::get), Some(7));
        insta::assert_snapshot!(faults(read("flwIdentifier=x&orderby=flwName&tplIdentifier=7")), @r"
        400 -
        flwIdentifier: must be the number of a flow; GET /messaging/flow lists those you have
        orderby: must be flwCreated, or left out
        tplIdentifier: is not an attribute of this request; leave it out
        ");
    }
}
