//! The headers of the answer to every collection (interface §8). It must not know the items of the
//! collection.

use crate::reply::HttpReply;
use http::header::{HeaderName, HeaderValue, LINK};

/// The number of items that satisfy the query, on all pages.
const TOTAL: HeaderName = HeaderName::from_static("total");

/// One page of a collection: the number of items found, and the addresses of the other pages.
pub(super) fn part(reply: HttpReply, found: impl Into<HeaderValue>, links: &str) -> HttpReply {
    let reply = reply.with_header(TOTAL, found.into());
    match HeaderValue::from_str(links) {
        Ok(links) => reply.with_header(LINK, links),
        // Links are paths, references and numbers, all of them ASCII.
        Err(_) => reply,
    }
}
