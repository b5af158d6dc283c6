//! Errors about where keys are used from. They must say what lets a change through.

use super::{conflict, invalid, unknown};
use crate::admission::address_refused;
use crate::reply::HttpReply;
use application::allowlists::AllowlistError;
use domain::access::{ALLOWLIST_CHANGES_PER_DAY_MAX, NETWORKS_MAX};
use http::StatusCode;
use wire::attribute::{ALLOWED_NETWORK, Attribute, KEY};
use wire::service_code::ServiceCode;

impl HttpReply {
    /// The error of a request about allowlists; what would lock the key of the request out is said
    /// of `attribute`.
    pub(crate) fn allowlist_refused(
        refused: AllowlistError,
        attribute: &'static Attribute,
    ) -> Self {
        match refused {
            AllowlistError::KeyUnknown => {
                let message = "names no key that opens your account; GET /account/permissions \
                               lists those that do";
                unknown(&KEY, message)
            }
            AllowlistError::EntryUnknown => {
                let message = "names no network of a key that works; GET /security/allowlist \
                               lists those there are";
                unknown(attribute, message)
            }
            AllowlistError::LocksOut(from) => invalid(
                attribute,
                format!(
                    "would refuse the key of this request, which came from {from}: keep a network \
                     with that address in its list, or use another key; nothing was done"
                ),
            ),
            AllowlistError::Outside(from) => address_refused(from),
            AllowlistError::Full => conflict(
                &ALLOWED_NETWORK,
                "The key has as many networks as it may have.",
                format!(
                    "is one more than the {NETWORKS_MAX} networks that a key may have; \
                     POST /security/allowlist/remove removes one"
                ),
            ),
            AllowlistError::Unreadable => allowlist_unreadable(),
            AllowlistError::TooManyToday => {
                let message = "Too many allowlists were changed.";
                let remedy = format!(
                    "an account changes its allowlists {ALLOWLIST_CHANGES_PER_DAY_MAX} times \
                     within 24 hours at most; nothing was done, change it later"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            AllowlistError::Request(refused) => refused.into(),
        }
    }
}

/// A list that no gateway wrote.
pub(super) fn allowlist_unreadable() -> HttpReply {
    let message = "An allowlist of a key is not as it was set.";
    let remedy = "so the key is used from nowhere; set it again with POST /security/allowlist, and \
                  ask the operator of the gateway for an audit. Nothing was done";
    HttpReply::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::ApiConnection)
}
