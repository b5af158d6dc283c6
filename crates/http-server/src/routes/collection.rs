//! The headers of the answer to every collection (interface §8). It must not know the items of the
//! collection.

use crate::reply::HttpReply;
use application::batches::PageOf;
use http::header::{HeaderName, HeaderValue, LINK};
use wire::page::Paging;

/// The number of items that satisfy the query, on all pages.
const TOTAL: HeaderName = HeaderName::from_static("total");

/// The part of a collection that a request asks for.
pub(super) const fn page_of<O>(paging: &Paging<O>) -> PageOf {
    PageOf {
        offset: paging.offset,
        length: paging.length,
        sort: paging.sort,
    }
}

/// One page of a collection: the number of items found, and the addresses of the other pages.
pub(super) fn part(reply: HttpReply, found: impl Into<HeaderValue>, links: &str) -> HttpReply {
    let reply = reply.with_header(TOTAL, found.into());
    match HeaderValue::from_str(links) {
        Ok(links) => reply.with_header(LINK, links),
        // Links are paths, references and numbers, all of them ASCII.
        Err(_) => reply,
    }
}
