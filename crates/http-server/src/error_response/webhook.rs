//! Errors about webhook endpoints and deliveries. An endpoint of another account and one that does
//! not exist must get the same answer.

use super::{invalid, later, unknown};
use crate::reply::HttpReply;
use application::webhook::{EndpointError, REPLAY_MAX};
use domain::webhook::ENDPOINTS_MAX;
use http::StatusCode;
use wire::attribute::{EVENT, WEBHOOK, WEBHOOK_URL};
use wire::violations::Violations;

impl From<EndpointError> for HttpReply {
    fn from(refused: EndpointError) -> Self {
        match refused {
            EndpointError::Unknown => endpoint_unknown(),
            EndpointError::Disabled => endpoint_disabled(),
            EndpointError::TooMany => too_many_endpoints(),
            EndpointError::TooManySecrets => too_many_secrets(),
            EndpointError::TargetUnfit(rule) => invalid(&WEBHOOK_URL, rule),
            EndpointError::TargetNotLookedUp => later::name_not_looked_up(),
            EndpointError::DeliveryUnknown => delivery_unknown(),
            EndpointError::TooManyDeliveries => too_many_deliveries(),
        }
    }
}

fn endpoint_unknown() -> HttpReply {
    let message = "names no endpoint of your account; GET /webhook/endpoint lists those you have";
    unknown(&WEBHOOK, message)
}

fn delivery_unknown() -> HttpReply {
    let message = "names no event delivered to this endpoint; GET /webhook/deliveries lists \
                   the delivered ones";
    unknown(&EVENT, message)
}

fn endpoint_disabled() -> HttpReply {
    let message = "is not served; POST /webhook/enable serves it again";
    let violations = Violations::of(&WEBHOOK, message);
    HttpReply::params(
        StatusCode::CONFLICT,
        "The endpoint is disabled.",
        violations,
    )
}

fn too_many_secrets() -> HttpReply {
    let message = "had its secret changed twice within 24 hours, and deliveries are signed with \
                   three secrets at most; wait until 24 hours after the first of the two changes";
    let violations = Violations::of(&WEBHOOK, message);
    HttpReply::params(
        StatusCode::CONFLICT,
        "The secret was changed too often.",
        violations,
    )
}

/// Too many endpoints are no attribute of the request, so the error is one of the request itself.
fn too_many_endpoints() -> HttpReply {
    let remedy = format!(
        "an account has {ENDPOINTS_MAX} endpoints at most; POST /webhook/delete removes one"
    );
    let message = "The account has as many endpoints as it may have.";
    HttpReply::request(StatusCode::CONFLICT, message, remedy)
}

fn too_many_deliveries() -> HttpReply {
    let remedy = format!(
        "more than {REPLAY_MAX} deliveries are in this time, and no more may be asked for \
         together; ask for shorter times, one after the other"
    );
    let message = "Too many deliveries are asked for at once.";
    HttpReply::request(StatusCode::PAYLOAD_TOO_LARGE, message, remedy)
}
