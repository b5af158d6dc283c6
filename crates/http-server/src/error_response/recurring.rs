//! Errors about subscriptions. A subscription of another account and one that does not exist must
//! get the same answer.

use super::{invalid, reference_used, unknown};
use crate::reply::HttpReply;
use application::recurring::RecurringError;
use domain::recurring::RECURRING_MAX;
use http::StatusCode;
use wire::attribute::{IF_MATCH, SUBSCRIPTION, SUBSCRIPTION_START, VERSION};
use wire::billing::subscriptions;
use wire::violations::Violations;

impl From<RecurringError> for HttpReply {
    fn from(refused: RecurringError) -> Self {
        match refused {
            RecurringError::Unknown => unknown(
                &SUBSCRIPTION,
                "names no subscription of your account; GET /billing/subscription lists those you \
                 have",
            ),
            RecurringError::TooMany => {
                let message = "The account has as many subscriptions as it may have.";
                let remedy = format!(
                    "an account has {RECURRING_MAX} subscriptions at most that are not over; \
                     nothing was done: cancel one that is not needed"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            RecurringError::ReferenceTaken(reference) => reference_used(
                "was used before; Location leads to its subscription, use another for a new one",
                &subscriptions::path_of_reference(&reference),
            ),
            RecurringError::Start(refused) => invalid(&SUBSCRIPTION_START, refused.to_string()),
            RecurringError::Over(_) => Self::request(
                StatusCode::CONFLICT,
                "The subscription is over.",
                "it has ended or was cancelled and nothing was done; make another one".to_owned(),
            ),
            RecurringError::Stale => stale(),
            RecurringError::Changed => changed(),
            RecurringError::Request(refused) => refused.into(),
        }
    }
}

fn stale() -> HttpReply {
    let message = "is not the present version of the subscription; read it again with \
                   GET /billing/subscription and repeat the change with its version";
    let violations = Violations::of(&VERSION, message);
    let status = StatusCode::CONFLICT;
    HttpReply::params(status, "The version does not match.", violations)
}

fn changed() -> HttpReply {
    let message = "matches no present version of the subscription; read it again with \
                   GET /billing/subscription and repeat the change with its ETag";
    let violations = Violations::of(&IF_MATCH, message);
    let status = StatusCode::PRECONDITION_FAILED;
    HttpReply::params(status, "The subscription was changed.", violations)
}
