//! Entity tags of answers that a client may keep, and `If-None-Match` (RFC 9110 §8.8.3, §13.1.2).
//! An answer about an account's own objects must not be kept: it has no tag of this kind.

use crate::reply::HttpReply;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
};
use http::{Method, Request, Response, StatusCode};
use sha2::{Digest, Sha256};

/// How long a client may use an answer without asking again: what it shows changes with releases of
/// the gateway and of its catalogue.
const KEPT: HeaderValue = HeaderValue::from_static("private, max-age=3600");

/// For an answer that differs between accounts: a client that has several asks each time.
const ASKED_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Bytes of the digest that a tag has: enough that no two contents ever share one.
const TAG_BYTES: usize = 16;

/// The tags of what a client has already.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownTags(Vec<HeaderValue>);

impl KnownTags {
    /// Those of a request that reads.
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        if request.method() != Method::GET && request.method() != Method::HEAD {
            return Self::default();
        }
        let tags = request.headers().get_all(IF_NONE_MATCH);
        Self(tags.iter().cloned().collect())
    }

    /// Whether one of them is the tag, weak or not, or any is meant.
    fn have(&self, tag: &HeaderValue) -> bool {
        let lists = self.0.iter().map(HeaderValue::as_bytes);
        let mut tags = lists.flat_map(|list| list.split(|byte| *byte == b','));
        tags.any(|known| {
            let known = known.trim_ascii();
            let strong = known.strip_prefix(b"W/").unwrap_or(known);
            known == b"*" || strong == tag.as_bytes()
        })
    }
}

/// The same answer, which a client may keep for a while.
pub(crate) fn kept(reply: HttpReply) -> HttpReply {
    reply.with_header(CACHE_CONTROL, KEPT)
}

/// The same answer, which a client may keep and asks for again before each use.
pub(crate) fn asked_again(reply: HttpReply) -> HttpReply {
    reply.with_header(CACHE_CONTROL, ASKED_AGAIN)
}

/// Gives an answer that may be kept its tag, and leaves its content out where the client has it.
pub(crate) fn apply(response: &mut Response<Bytes>, known: &KnownTags) {
    let control = response.headers().get(CACHE_CONTROL);
    let is_kept = control.is_some_and(|control| control == KEPT || control == ASKED_AGAIN);
    if !is_kept || response.status() != StatusCode::OK {
        return;
    }
    let digest = Sha256::digest(response.body());
    let digest = digest.get(..TAG_BYTES).unwrap_or_default();
    let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(digest));
    // Letters, digits and quotes are a header.
    let Ok(tag) = HeaderValue::from_str(&tag) else {
        return;
    };
    if known.have(&tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Bytes::new();
        leave_out_content(response.headers_mut());
    }
    response.headers_mut().insert(ETAG, tag);
}

fn leave_out_content(headers: &mut HeaderMap) {
    headers.remove(CONTENT_LENGTH);
    headers.remove(CONTENT_TYPE);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(body: &'static str, known: &[&'static str]) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from_static(body.as_bytes()));
        response.headers_mut().insert(CACHE_CONTROL, KEPT);
        let mut request = Request::new(());
        for tag in known {
            let tag = HeaderValue::from_static(tag);
            request.headers_mut().append(IF_NONE_MATCH, tag);
        }
        apply(&mut response, &KnownTags::of(&request));
        response
    }

    #[test]
    fn a_content_has_one_tag_and_is_not_sent_to_a_client_that_has_it() {
        let first = answered("{}", &["\"other\""]);
        assert_eq!(
            (first.status(), &first.body()[..]),
            (StatusCode::OK, &b"{}"[..])
        );
        let tag = first.headers()[ETAG].to_str().unwrap().to_owned();
        assert_ne!(tag, answered("[]", &[]).headers()[ETAG].to_str().unwrap());
        let tag: &'static str = tag.leak();
        let weak: &'static str = format!("\"x\", W/{tag}").leak();
        for known in [tag, weak, "*"] {
            let again = answered("{}", &[known]);
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert!(again.body().is_empty());
            assert_eq!(again.headers()[ETAG], tag);
        }
    }

    #[test]
    fn what_may_not_be_kept_has_no_tag() {
        let mut response = Response::new(Bytes::from_static(b"{}"));
        apply(&mut response, &KnownTags::default());
        assert!(!response.headers().contains_key(ETAG));
        let mut failed = answered("{}", &[]);
        failed.headers_mut().remove(ETAG);
        *failed.status_mut() = StatusCode::NOT_FOUND;
        apply(&mut failed, &KnownTags::default());
        assert!(!failed.headers().contains_key(ETAG));
    }
}
