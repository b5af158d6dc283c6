//! Refusals of keys: those that open nothing, or not this. A key that is not known must be answered
//! like an account that is not.

use crate::layers::authentication::CHALLENGE;
use crate::reply::HttpReply;
use application::credentials::Denied;
use domain::access::AccessScope;
use http::StatusCode;
use http::header::WWW_AUTHENTICATE;
use std::net::IpAddr;
use wire::service_code::ServiceCode;

pub(super) fn unknown_or_wrong() -> HttpReply {
    HttpReply::request(
        StatusCode::UNAUTHORIZED,
        "The credentials are not valid.",
        "check mrcIdentity and mrcAPIKey: together they open no account",
    )
    .about(ServiceCode::ApiToken)
    .with_header(WWW_AUTHENTICATE, CHALLENGE)
}

/// What is wrong with a key that is known, and what to do.
const KEY_EXPIRED: [&str; 2] = [
    "The key has expired.",
    "make another one at POST /account/keys, with a key that works, or ask the operator for one",
];
const USER_INACTIVE: [&str; 2] = [
    "The user that the key belongs to is not active.",
    "activate the user at POST /account/users/activate, or use another key",
];

/// A key that is known and opens nothing any more.
fn key_refused([message, remedy]: [&str; 2]) -> HttpReply {
    HttpReply::request(StatusCode::UNAUTHORIZED, message, remedy)
        .about(ServiceCode::ApiToken)
        .with_header(WWW_AUTHENTICATE, CHALLENGE)
}

/// A key that is known and opens nothing now.
pub(super) fn key_denied(denied: &Denied) -> HttpReply {
    match denied {
        Denied::KeyFrozen => key_frozen(),
        Denied::Expired => key_refused(KEY_EXPIRED),
        Denied::UserInactive => key_refused(USER_INACTIVE),
        Denied::UnknownOrWrong | Denied::Suspended | Denied::Unavailable(_) => unknown_or_wrong(),
    }
}

/// A key that is known and frozen.
pub(crate) fn key_frozen() -> HttpReply {
    let message = "The key is frozen.";
    let remedy = "it opens nothing until it goes on, with POST /security/unfreeze and another \
                  key, or by the operator of the gateway who froze it; nothing was done";
    HttpReply::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::ApiConnection)
}

/// A key that is known and may not be used from there.
pub(crate) fn address_refused(from: IpAddr) -> HttpReply {
    let message = "The key may not be used from your address.";
    let remedy = format!(
        "this came from {from}, which is in none of the networks of the key; send it from one of \
         them, or use another key"
    );
    HttpReply::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::ApiConnection)
}

/// A key that is known and does not allow this.
pub(super) fn scope_lacking(scope: AccessScope) -> HttpReply {
    let message = "The key does not allow this.";
    let remedy = format!(
        "this needs the scope {}, which the key does not have; nothing was done, use a key that \
         has it",
        scope.code()
    );
    HttpReply::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::ApiConnection)
}
