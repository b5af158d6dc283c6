//! Errors about an account that is to be paid. Accounts of the other environment and those that do
//! not exist must get the same answer.

use super::{invalid, unknown};
use crate::reply::HttpReply;
use application::PayeeRefusal;
use http::StatusCode;
use wire::attribute::USER_IDENTITY;

pub(super) fn refused(why: PayeeRefusal) -> HttpReply {
    match why {
        PayeeRefusal::Unknown => unknown(
            &USER_IDENTITY,
            "is no account here; an e-mail address or a phone number may wait for one",
        ),
        PayeeRefusal::Own => invalid(&USER_IDENTITY, "is your own account; name another one"),
        PayeeRefusal::Suspended => invalid(
            &USER_IDENTITY,
            "is an account that is suspended and cannot be paid; ask its owner",
        ),
        PayeeRefusal::TooManyUnclaimed => HttpReply::request(
            StatusCode::CONFLICT,
            "Too many transfers wait for an account.",
            format!("{why}; nothing was done; name accounts by their mrcIdentity, or wait"),
        ),
    }
}
