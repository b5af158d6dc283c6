//! Errors about groups of bank accounts. A group of another account and one that does not exist
//! must get the same answer.

use super::unknown;
use crate::reply::HttpReply;
use application::payout_groups::GroupError;
use domain::bank::GROUPS_MAX;
use http::StatusCode;
use wire::attribute::{GROUP, IF_MATCH, VERSION};
use wire::violations::Violations;

impl From<GroupError> for HttpReply {
    fn from(refused: GroupError) -> Self {
        match refused {
            GroupError::Unknown => group_unknown(),
            GroupError::TooMany => too_many_groups(),
            GroupError::Stale => group_stale(),
            GroupError::Changed => group_changed(),
            GroupError::Request(refused) => refused.into(),
        }
    }
}

pub(super) fn group_unknown() -> HttpReply {
    let message = "names no group of your account; GET /transfer/group lists those you have";
    unknown(&GROUP, message)
}

/// Too many groups are no attribute of the request, so the error is one of the request itself.
fn too_many_groups() -> HttpReply {
    let remedy = format!(
        "an account has {GROUPS_MAX} groups at most; POST /transfer/group/delete removes one"
    );
    let message = "The account has as many groups as it may have.";
    HttpReply::request(StatusCode::CONFLICT, message, remedy)
}

fn group_stale() -> HttpReply {
    let message = "is not the present version of the group; read it again with \
                   GET /transfer/group and repeat the change with its version";
    let violations = Violations::of(&VERSION, message);
    HttpReply::params(
        StatusCode::CONFLICT,
        "The version does not match.",
        violations,
    )
}

fn group_changed() -> HttpReply {
    let message = "matches no present version of the group; read it again with \
                   GET /transfer/group and repeat the change with its ETag";
    let violations = Violations::of(&IF_MATCH, message);
    let status = StatusCode::PRECONDITION_FAILED;
    HttpReply::params(status, "The group was changed.", violations)
}
