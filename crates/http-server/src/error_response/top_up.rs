//! Errors about top-ups. A top-up of another account and one that does not exist must get the same
//! answer.

use super::{invalid, reference_used, unknown};
use crate::reply::HttpReply;
use application::top_ups::TopUpError;
use domain::top_up::TOP_UPS_OPEN_MAX;
use http::StatusCode;
use wire::account::topups;
use wire::attribute::{REFERENCE, TOP_UP_CHANNEL};

impl From<TopUpError> for HttpReply {
    fn from(refused: TopUpError) -> Self {
        match refused {
            TopUpError::NoReceivingAccount => invalid(
                &TOP_UP_CHANNEL,
                "cannot be transfer: the operator of the gateway names no bank account to pay to; \
                 choose manual, and agree with the operator how to pay",
            ),
            TopUpError::ReferenceTaken(reference) => reference_used(
                "was used before; Location leads to its top-up, use another for a new one",
                &topups::path(&reference),
            ),
            TopUpError::TooMany => {
                let message = "The account has as many open top-ups as it may have.";
                let remedy = format!(
                    "an account has {TOP_UPS_OPEN_MAX} open top-ups at most; nothing was done: \
                     announce it once others are confirmed or have expired"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            TopUpError::Unknown => unknown(
                &REFERENCE,
                "names no top-up of your account; GET /account/topup lists those you have",
            ),
            TopUpError::Request(refused) => refused.into(),
        }
    }
}
