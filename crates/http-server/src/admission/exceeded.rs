//! Refusals of requests that exceed a limit. Each must say which limit it is, and when it is worth
//! while to come again.

use crate::layers::concurrency::Full;
use crate::layers::login_throttle::Throttled;
use crate::layers::rate_limit::{Exceeded, LimitBreach, RateLimitClass, RateLimits, seconds};
use crate::reply::HttpReply;
use application::measuring::NamedLimit;
use http::StatusCode;
use http::header::{HeaderValue, RETRY_AFTER};

pub(super) fn too_many_requests(
    rates: &RateLimits,
    (account, class): (&str, RateLimitClass),
    exceeded: Exceeded,
) -> HttpReply {
    let limit = rates.named(account, class);
    let wait = seconds(exceeded.wait);
    let (limit_hit, status, message, remedy) = match exceeded.excess {
        LimitBreach::Quota => (
            NamedLimit::RequestRate,
            StatusCode::TOO_MANY_REQUESTS,
            "Too many requests.",
            format!("your limit is reached ({limit}); nothing was done, send it again in {wait} s"),
        ),
        LimitBreach::HourlyBlock => (
            NamedLimit::HourlyBlock,
            StatusCode::FORBIDDEN,
            "The account is rate limited.",
            format!(
                "your limit was exceeded in too many minutes of this hour ({limit}); nothing was \
                 done, none of these is taken until the next hour, in {wait} s"
            ),
        ),
    };
    HttpReply::request(status, message, remedy)
        .by_limit(limit_hit)
        .with_header(RETRY_AFTER, wait.into())
        .with_allowance(exceeded.allowance)
}

pub(super) fn too_many_at_once(Full { at_once }: Full) -> HttpReply {
    let remedy = format!(
        "{at_once} requests of yours are being answered, as many as may be at a time; nothing was \
         done, read their answers and send it again"
    );
    let message = "Too many requests at once.";
    HttpReply::request(StatusCode::TOO_MANY_REQUESTS, message, remedy)
        .by_limit(NamedLimit::RequestsAtOnce)
        .with_header(RETRY_AFTER, HeaderValue::from_static("1"))
}

pub(super) fn too_many_failures(Throttled { wait }: Throttled) -> HttpReply {
    let wait = seconds(wait);
    let remedy = format!(
        "too many logins of this identity failed from your address, and this one was not looked \
         at; check mrcIdentity and mrcAPIKey and send it again in {wait} s"
    );
    let message = "Too many failed logins.";
    HttpReply::request(StatusCode::TOO_MANY_REQUESTS, message, remedy)
        .by_limit(NamedLimit::FailedLogins)
        .with_header(RETRY_AFTER, wait.into())
}
