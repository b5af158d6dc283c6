//! Pages of a collection: the requested one, its neighbours, and the counts in the answer. It must
//! not know the items of the collection.

use crate::attribute;
use crate::reader::{FieldReader, InvalidField};
use crate::tree::Object;
use domain::statement::Sort;

/// Most items of one answer, and the default (interface §4.1).
pub const LENGTH_MAX: u32 = 100;

/// Furthest item that can be skipped to: 2^53 − 1, the largest integer every JSON reader keeps
/// exact.
pub const OFFSET_MAX: u64 = 9_007_199_254_740_991;

const SORTS: [(&str, Sort); 2] = [
    (sort_word(Sort::Ascending), Sort::Ascending),
    (sort_word(Sort::Descending), Sort::Descending),
];

/// The requested page of a collection and its order (interface §4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging<O> {
    /// Items to skip.
    pub offset: u64,
    /// Most items to answer, 1–100.
    pub length: u32,
    /// The field to order by; `None` for the collection's own order.
    pub order: Option<O>,
    pub sort: Sort,
}

impl<O: Copy> Paging<O> {
    /// Reads the four parameters every collection takes; `orders` are the fields it may be ordered
    /// by.
    pub(crate) fn read(
        reader: &mut FieldReader<'_>,
        orders: &[(&'static str, O)],
    ) -> Result<Self, InvalidField> {
        Self::read_sorted(reader, orders, Sort::Ascending)
    }

    /// The same of a collection whose newest items come first unless it is said otherwise.
    pub(crate) fn read_newest_first(
        reader: &mut FieldReader<'_>,
        orders: &[(&'static str, O)],
    ) -> Result<Self, InvalidField> {
        Self::read_sorted(reader, orders, Sort::Descending)
    }

    fn read_sorted(
        reader: &mut FieldReader<'_>,
        orders: &[(&'static str, O)],
        unless_said: Sort,
    ) -> Result<Self, InvalidField> {
        let offset = reader.integer(&attribute::OFFSET, 0..=OFFSET_MAX);
        let length = reader.integer(&attribute::LENGTH, 1..=u64::from(LENGTH_MAX));
        let order = reader.choice(&attribute::ORDER_BY, orders);
        let sort = reader.choice(&attribute::SORT, &SORTS);
        let length = length?.and_then(|length| u32::try_from(length).ok());
        Ok(Self {
            offset: offset?.unwrap_or(0),
            length: length.unwrap_or(LENGTH_MAX),
            order: order?,
            sort: sort?.unwrap_or(unless_said),
        })
    }
}

impl<O> Paging<O> {
    /// The page of a collection without filters, of which there are so many items.
    pub(crate) const fn window(&self, total: u64) -> PageWindow {
        PageWindow {
            offset: self.offset,
            length: self.length,
            total,
            found: total,
        }
    }

    /// The `Link` header of a page of a collection that has one order and no filters.
    pub(crate) fn link_header(&self, path: &str, total: u64) -> String {
        self.linked((path, '?'), total)
    }

    /// The same of a collection whose address has a query of its own.
    pub(crate) fn link_header_of(&self, address: &str, total: u64) -> String {
        self.linked((address, '&'), total)
    }

    fn linked(&self, (path, mark): (&str, char), total: u64) -> String {
        let (length, sort) = (self.length, sort_word(self.sort));
        link_header(&self.window(total), |offset| {
            let [of, l, s] = [attribute::OFFSET, attribute::LENGTH, attribute::SORT];
            let (of, l, s) = (of.name, l.name, s.name);
            format!("{path}{mark}{of}={offset}&{l}={length}&{s}={sort}")
        })
    }
}

/// The name of a sort direction.
pub(crate) const fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Ascending => "asc",
        Sort::Descending => "desc",
    }
}

/// The page of a collection an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageWindow {
    /// Items skipped before it.
    pub offset: u64,
    /// Most items it holds, above zero.
    pub length: u32,
    /// Items the account has.
    pub total: u64,
    /// Items among them that satisfy the filters.
    pub found: u64,
}

/// The offsets of other pages, for the `Link` header (RFC 8288).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    pub first: u64,
    /// `None` on the first page.
    pub prev: Option<u64>,
    /// `None` on the last page.
    pub next: Option<u64>,
    pub last: u64,
}

/// The offsets of the pages around a window.
pub fn links(window: &PageWindow) -> Links {
    let length = u64::from(window.length.max(1));
    let before_last = window.found.saturating_sub(1);
    let last = before_last.saturating_sub(before_last.checked_rem(length).unwrap_or(0));
    let next = window.offset.saturating_add(length);
    Links {
        first: 0,
        // From beyond the end, `prev` leads to the last page, not to another empty one.
        prev: (window.offset > 0).then(|| window.offset.saturating_sub(length).min(last)),
        next: (next < window.found).then_some(next),
        last,
    }
}

impl Links {
    /// The existing offsets with the name of their relation.
    pub fn relations(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let all = [
            ("first", Some(self.first)),
            ("prev", self.prev),
            ("next", self.next),
            ("last", Some(self.last)),
        ];
        all.into_iter()
            .filter_map(|(relation, offset)| Some((relation, offset?)))
    }
}

/// The `Link` header of a page (RFC 8288); `address` is the same request for the page at an offset.
pub(crate) fn link_header(window: &PageWindow, address: impl Fn(u64) -> String) -> String {
    let links = links(window);
    let link = |(relation, offset)| format!("<{}>; rel=\"{relation}\"", address(offset));
    links.relations().map(link).collect::<Vec<_>>().join(", ")
}

/// The `query` object of a paged answer (interface §2.2).
pub(crate) fn query(window: &PageWindow) -> Object {
    Object::new()
        .with("length", u64::from(window.length))
        .with("offset", window.offset)
        .with("total", window.total)
        .with("found", window.found)
}

/// The `metadata` object of an answer that holds a collection (interface §2.1).
pub(crate) fn metadata(returned: usize) -> Object {
    Object::new().with("total", u64::try_from(returned).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(offset: u64, found: u64, expected: (Option<u64>, Option<u64>, u64)) {
        let window = PageWindow {
            offset,
            length: 10,
            total: found,
            found,
        };
        let Links {
            first,
            prev,
            next,
            last,
        } = links(&window);
        assert_eq!((prev, next, last), expected, "{window:?}");
        assert_eq!(first, 0);
    }

    #[test]
    fn links_lead_to_parts_that_hold_something() {
        check(0, 0, (None, None, 0));
        check(0, 10, (None, None, 0));
        check(0, 11, (None, Some(10), 10));
        check(10, 25, (Some(0), Some(20), 20));
        check(20, 25, (Some(10), None, 20));
        check(5, 25, (Some(0), Some(15), 20));
        check(500, 25, (Some(20), None, 20));
        check(500, 0, (Some(0), None, 0));
        check(
            u64::MAX,
            u64::MAX,
            (Some(u64::MAX - 10), None, u64::MAX - 5),
        );
    }

    proptest! {
        #[test]
        fn following_next_from_the_first_visits_every_item_once(
            found in 0_u64..2_000, length in 1_u32..=100,
        ) {
            let mut offset = 0;
            let mut seen = 0;
            loop {
                let window = PageWindow { offset, length, total: found, found };
                seen += u64::from(length).min(found - offset);
                let links = links(&window);
                match links.next {
                    Some(next) => offset = next,
                    None => break prop_assert_eq!(offset, links.last),
                }
            }
            prop_assert_eq!(seen, found);
        }
    }
}
