//! Requests that lead to no operation: unknown paths, named families without one yet, wrong verbs.
//! What they hear is public, so it must not depend on who asks.

use super::table;
use crate::layers::body;
use crate::reply::Reply;
use axum::body::Body;
use http::header::ALLOW;
use http::{Method, Request, StatusCode};

/// Paths of families and types the interface names (interface §1) that have no operation here yet.
const NAMED_ONLY: [&str; 20] = [
    "/billing",
    "/transfer",
    "/payment/cabletv",
    "/payment/internet",
    "/payment/water",
    "/payment/landline",
    "/payment/gas",
    "/checkout",
    "/geolocation",
    "/vas",
    "/messaging",
    "/collection",
    "/booking",
    "/voucher",
    "/reporting",
    "/operations",
    "/operation",
    "/security",
    "/webhook",
    "/tools",
];

/// A path without an operation: 404, or 501 where the interface names it.
pub(super) async fn unknown_path(request: Request<Body>) -> Reply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    if is_named_only(head.uri.path()) {
        let remedy = "this part of the interface is not available here yet; nothing was done";
        return Reply::system(StatusCode::NOT_IMPLEMENTED, "Not implemented.", remedy);
    }
    let remedy = "there is nothing under this path; compare it with the documentation";
    Reply::request(StatusCode::NOT_FOUND, "Not found.", remedy)
}

/// A verb the path does not have: 405 and those it has, which is also what OPTIONS asks for.
pub(super) async fn other_verb(request: Request<Body>) -> Reply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    let allow = table::allow(head.uri.path());
    let reply = if head.method == Method::OPTIONS {
        Reply::nothing()
    } else {
        let remedy = "the path does not take this verb; Allow lists those it takes";
        Reply::request(StatusCode::METHOD_NOT_ALLOWED, "Wrong verb.", remedy)
    };
    reply.with_header(ALLOW, allow)
}

fn is_named_only(path: &str) -> bool {
    NAMED_ONLY.iter().any(|named| {
        path.strip_prefix(named)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_interface_names_is_not_implemented_yet() {
        for named in [
            "/payment/cabletv/plans",
            "/transfer/bank/lists",
            "/vas/hlrlookup",
        ] {
            assert!(is_named_only(named), "{named}");
        }
        for other in [
            "/",
            "/payment/cabletvx",
            "/payment/airtime/x",
            "/account/x",
            "/xvas",
        ] {
            assert!(!is_named_only(other), "{other}");
        }
    }

    #[test]
    fn no_operation_hides_behind_not_implemented() {
        for endpoint in table::endpoints() {
            assert!(!is_named_only(endpoint.path), "{}", endpoint.path);
        }
    }
}
