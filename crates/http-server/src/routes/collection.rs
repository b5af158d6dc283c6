//! What the answer to every collection carries beside its body (interface §8). It must not know
//! what is collected.

use crate::reply::HttpReply;
use http::header::{HeaderName, HeaderValue, LINK};

/// How many items satisfy the query, on whichever parts.
const TOTAL: HeaderName = HeaderName::from_static("total");

/// One part of a collection: how much was found, and where the other parts are.
pub(super) fn part(reply: HttpReply, found: impl Into<HeaderValue>, links: &str) -> HttpReply {
    let reply = reply.with_header(TOTAL, found.into());
    match HeaderValue::from_str(links) {
        Ok(links) => reply.with_header(LINK, links),
        // Links are paths, references and numbers, all of them ASCII.
        Err(_) => reply,
    }
}
