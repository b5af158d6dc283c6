//! Errors about limits and approvals. They must say which bound stands in the way, and where it is
//! set.

use super::{conflict, unknown};
use crate::reply::HttpReply;
use application::spending::{ApprovalError, LimitError, OverLimit};
use domain::spending::LIMIT_CHANGES_PER_DAY_MAX;
use domain::transaction::{ApprovalForbidden, ApprovalVerdict, CancelCause};
use http::StatusCode;
use wire::attribute::{DECISION, IF_MATCH, REFERENCE, VERSION};
use wire::service_code::ServiceCode;
use wire::violations::Violations;

const WHERE: &str = "GET /account/limits shows the limits of your account; nothing was done";

impl From<OverLimit> for HttpReply {
    fn from(refused: OverLimit) -> Self {
        let (code, what) = match refused {
            OverLimit::PerTransaction(most) => (
                ServiceCode::Amount,
                format!("one payment may cost {most} at most; {WHERE}"),
            ),
            OverLimit::PerDay(most) => (
                ServiceCode::Amount,
                format!("payments of a day may cost {most} together; {WHERE}"),
            ),
            OverLimit::Approval(bound) => (
                ServiceCode::Amount,
                format!(
                    "what costs more than {bound} needs an approval, which transfers that are done \
                     at once cannot wait for; {WHERE}"
                ),
            ),
            OverLimit::Unreadable => (
                ServiceCode::AccountId,
                "a limit of the account is not as it was set, so nothing is spent; set it again \
                 with POST /account/limits, and ask the operator of the gateway for an audit. \
                 Nothing was done"
                    .to_owned(),
            ),
        };
        let message = "The limits of your account do not allow it.";
        Self::request(StatusCode::FORBIDDEN, message, what).about(code)
    }
}

impl From<LimitError> for HttpReply {
    fn from(refused: LimitError) -> Self {
        match refused {
            LimitError::VersionConflict(version) => Self::params(
                StatusCode::CONFLICT,
                "The version does not match.",
                Violations::of(&VERSION, stale(version)),
            ),
            LimitError::Changed(version) => Self::params(
                StatusCode::PRECONDITION_FAILED,
                "The limit was changed.",
                Violations::of(&IF_MATCH, stale(version)),
            ),
            LimitError::TooManyToday => {
                let message = "Too many limits were set.";
                let remedy = format!(
                    "an account sets {LIMIT_CHANGES_PER_DAY_MAX} limits within 24 hours at most; \
                     nothing was done, set it later"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            LimitError::Request(refused) => refused.into(),
        }
    }
}

fn stale(version: u32) -> String {
    format!(
        "is not the present version of the limit, which is {version}; read it again with \
         GET /account/limits and repeat the change"
    )
}

impl From<ApprovalError> for HttpReply {
    fn from(refused: ApprovalError) -> Self {
        match refused {
            ApprovalError::Unknown => {
                let message = "names no payment and no batch of your account; \
                               GET /account/approvals lists what waits";
                unknown(&REFERENCE, message)
            }
            ApprovalError::NotNeeded => conflict(
                &REFERENCE,
                "The payment needs no approval.",
                "is of a payment that needs no approval".to_owned(),
            ),
            ApprovalError::OfBatch => conflict(
                &REFERENCE,
                "The payment is decided of with its batch.",
                "is of a payment of a batch; name the reference of the batch".to_owned(),
            ),
            ApprovalError::Decided(verdict) => {
                let word = match verdict {
                    ApprovalVerdict::Approved => "approved",
                    ApprovalVerdict::Refused => "refused",
                };
                let why = format!("comes too late: the payment was {word} before");
                conflict(&DECISION, "It was decided before.", why)
            }
            ApprovalError::Cancelled(cause) => {
                let why = match cause {
                    CancelCause::Expired => "is of a payment that was not approved in its time",
                    CancelCause::Requested
                    | CancelCause::NotApproved
                    | CancelCause::BatchStopped
                    | CancelCause::Unconfirmed => "is of a payment that was cancelled",
                };
                conflict(&REFERENCE, "The payment was cancelled.", why.to_owned())
            }
            ApprovalError::Forbidden(why) => {
                let why = match why {
                    ApprovalForbidden::NoUser => {
                        "the payment was asked for with a key of the account, as yours is; decide \
                         of it with the key of a user"
                    }
                    ApprovalForbidden::SameUser => {
                        "your user asked for the payment; another user has to decide of it"
                    }
                };
                let message = "The key may not decide of the payment.";
                let code = ServiceCode::ApiConnection;
                Self::request(StatusCode::FORBIDDEN, message, why).about(code)
            }
            ApprovalError::Request(refused) => refused.into(),
        }
    }
}
