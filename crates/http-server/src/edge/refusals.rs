//! What of a request is refused before its route is looked up. No refusal may disclose which paths
//! exist.

use crate::layers::body::Body;
use crate::layers::{api_version, body, cross_site, negotiation};
use crate::reply::HttpReply;
use crate::routes::table;
use crate::settings::{HEAD_BYTES_MAX, HEADERS_MAX};
use http::header::{COOKIE, HOST};
use http::{Request, StatusCode, Version};

/// Refusals decided before any route is looked up: an unknown version or format, or a charge that
/// another site would cause.
pub(super) fn refused_by_its_head(request: &Request<Body>, acceptable: bool) -> Option<HttpReply> {
    if let Err(unknown) = api_version::check(request.headers()) {
        let message = "There is no such version of the interface.";
        let status = StatusCode::BAD_REQUEST;
        return Some(HttpReply::request(status, message, unknown.to_string()));
    }
    if table::is_charged_read(request.uri().path()) && cross_site::is_forced(request.headers()) {
        let message = "Another site made the browser send this.";
        let remedy = "it would be charged, so nothing was done; send it from a program, or from a \
                      page with fetch and CORS";
        return Some(HttpReply::request(StatusCode::FORBIDDEN, message, remedy));
    }
    if acceptable || table::has_own_format(request.uri().path()) {
        return None;
    }
    let remedy = negotiation::NotAcceptable.to_string();
    let status = StatusCode::NOT_ACCEPTABLE;
    Some(HttpReply::request(status, "No such format.", remedy))
}

/// An HTTP/1.1 request without exactly one `Host` must be refused (RFC 9112 §3.2): a proxy before
/// this server may have read another one. Over HTTP/2 the host is in `:authority`, from which
/// `Host` must not differ (RFC 9113 §8.3.1).
pub(super) fn names_one_host(request: &Request<Body>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (host, further) = (hosts.next(), hosts.next());
    let authority = request.uri().authority();
    match request.version() {
        Version::HTTP_11 => host.is_some() && further.is_none(),
        Version::HTTP_2 => {
            let same = host.zip(authority).is_none_or(|(host, authority)| {
                let authority = authority.as_str().as_bytes();
                host.as_bytes().eq_ignore_ascii_case(authority)
            });
            (host.is_some() || authority.is_some()) && further.is_none() && same
        }
        _ => further.is_none(),
    }
}

/// A head with more header lines than HTTP/1.1 lets through. Over HTTP/2 browsers send each cookie
/// as a line (RFC 9113 §8.2.3): they count as the one line that they are over HTTP/1.1.
pub(super) fn has_too_many_headers(request: &Request<Body>) -> bool {
    let headers = request.headers();
    let cookies = headers.get_all(COOKIE).iter().count().saturating_sub(1);
    headers.len().saturating_sub(cookies) > HEADERS_MAX
}

/// The head is too large; the interface has one status for everything too large.
pub(super) fn head_too_large() -> HttpReply {
    HttpReply::request(
        StatusCode::PAYLOAD_TOO_LARGE,
        "The head of the request is too large.",
        format!("it must fit in {HEAD_BYTES_MAX} bytes and have at most {HEADERS_MAX} headers"),
    )
}

/// The request names a host that this gateway does not serve.
pub(super) fn misdirected(host: &str) -> HttpReply {
    let host: String = host
        .chars()
        .filter(char::is_ascii_graphic)
        .take(253)
        .collect();
    HttpReply::request(
        StatusCode::MISDIRECTED_REQUEST,
        "The request names another host.",
        format!(
            "this gateway is not reached as {host:?}; where it is to be, the operator adds the \
             name to `server.tls_names`"
        ),
    )
}

pub(super) fn not_encrypted() -> HttpReply {
    let remedy = "send the request over HTTPS: the same address, https instead of http; \
                  credentials that were sent like this should be replaced";
    HttpReply::request(
        StatusCode::FORBIDDEN,
        "The request is not encrypted.",
        remedy,
    )
}

/// Reads the body of a request that is refused without it.
pub(super) async fn turned_away(request: Request<Body>, reply: HttpReply) -> HttpReply {
    let (head, unwanted) = request.into_parts();
    body::discard(&head.headers, unwanted).await;
    reply
}
