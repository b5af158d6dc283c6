//! Answers requests that match no operation: unknown paths, named families without an operation,
//! wrong verbs. Only authenticated requests reach it, and every account must get the same answer.

use super::families;
use super::table;
use crate::layers::body::{self, Body};
use crate::reply::HttpReply;
use http::header::ALLOW;
use http::{Method, Request, StatusCode};

/// A path without an operation: 404, unless a family of the interface has such a path; then 501, or
/// 405 for a verb the family does not have.
pub(super) async fn unknown_path(request: Request<Body>) -> HttpReply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    let Some(named) = families::named(head.uri.path()) else {
        let remedy = "there is nothing under this path; compare it with the documentation";
        return HttpReply::request(StatusCode::NOT_FOUND, "Not found.", remedy);
    };
    if head.method == Method::OPTIONS {
        return HttpReply::nothing().with_header(ALLOW, named.allow());
    }
    if !named.verbs.iter().any(|verb| verb.answers(&head.method)) {
        return wrong_verb().with_header(ALLOW, named.allow());
    }
    let remedy = "the family is part of the interface and has no such operation here yet; compare \
                  the path with the documentation; nothing was done";
    HttpReply::system(StatusCode::NOT_IMPLEMENTED, "Not implemented.", remedy)
}

/// A verb the path does not have: 405 with the verbs it has, which also answers OPTIONS.
pub(super) async fn other_verb(request: Request<Body>) -> HttpReply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    let allow = table::allow(head.uri.path());
    let reply = if head.method == Method::OPTIONS {
        HttpReply::nothing()
    } else {
        wrong_verb()
    };
    reply.with_header(ALLOW, allow)
}

fn wrong_verb() -> HttpReply {
    let remedy = "the path does not take this verb; Allow lists those it takes";
    HttpReply::request(StatusCode::METHOD_NOT_ALLOWED, "Wrong verb.", remedy)
}
