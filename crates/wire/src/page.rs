//! Parts of a collection: which other parts there are, and what the answer says about itself. It
//! must not know what is collected.

use crate::tree::Object;

/// The part of a collection an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Items skipped before it.
    pub offset: u64,
    /// Most items it holds, above zero.
    pub length: u32,
    /// Items the account has.
    pub total: u64,
    /// Items among them that satisfy the filters.
    pub found: u64,
}

/// Where other parts begin, for the `Link` header (RFC 8288).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    pub first: u64,
    /// `None` on the first part.
    pub prev: Option<u64>,
    /// `None` on the last part.
    pub next: Option<u64>,
    pub last: u64,
}

/// The offsets of the parts around a window.
pub fn links(window: &Window) -> Links {
    let length = u64::from(window.length.max(1));
    let before_last = window.found.saturating_sub(1);
    let last = before_last.saturating_sub(before_last.checked_rem(length).unwrap_or(0));
    let next = window.offset.saturating_add(length);
    Links {
        first: 0,
        // From beyond the end the way back leads to the last part, not to another empty one.
        prev: (window.offset > 0).then(|| window.offset.saturating_sub(length).min(last)),
        next: (next < window.found).then_some(next),
        last,
    }
}

impl Links {
    /// The offsets by the name of their relation, those that exist.
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

/// The `query` object of a paged answer (interface §2.2).
pub(crate) fn query(window: &Window) -> Object {
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
