//! The errors an operation can be answered with, and an example of each. It must list every status:
//! a status that is not listed must not be answered.

use crate::operation::{AccessRule, Operation, ParameterNeed};
use http_server::Verb;
use wire::attribute::{CONSENT, IDEMPOTENCY_KEY, IF_MATCH, PLAN, REFERENCE, VERSION};
use wire::envelope::{ErrorEnvelope, Errors};
use wire::service_code::ServiceCode;
use wire::tree::Node;
use wire::violations::Violations;

/// Errors of every request: for its head, its format, or an error of the gateway.
const ALWAYS: [u16; 6] = [400, 403, 406, 413, 500, 503];

/// Additional errors of requests with credentials.
const WITH_CREDENTIALS: [u16; 2] = [401, 429];

/// Additional errors of requests with a body.
const WITH_BODY: [u16; 2] = [408, 415];

/// Additional errors of requests that create a transaction.
const WITH_REFERENCE: [u16; 2] = [409, 422];

/// The statuses of errors of an operation, in order.
pub(crate) fn statuses(operation: &Operation) -> Vec<u16> {
    let mut statuses = ALWAYS.to_vec();
    if operation.access == AccessRule::Merchants {
        statuses.extend(WITH_CREDENTIALS);
    }
    match operation.verb {
        Verb::Post => statuses.extend(WITH_BODY),
        Verb::Get if first_required(operation).is_some() => statuses.push(405),
        Verb::Get => {}
    }
    if operation.is_payment() {
        statuses.extend(WITH_REFERENCE);
    }
    statuses.extend(&operation.refusals);
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}

/// When an operation answers an error of a status.
pub(crate) fn meaning_of(operation: &Operation, status: u16) -> &'static str {
    match status {
        409 if is_versioned(operation) => {
            "The object has another version than the request names. Nothing was done."
        }
        409 if !operation.is_payment() => {
            "What is there does not allow it: there are as many as there may be, or what it is \
             about is taken or disabled."
        }
        409 if sells_plans(operation) => {
            "The first request under this `Idempotency-Key` is still in progress; or the plan was \
             withdrawn, and the errors say what its provider sells instead."
        }
        422 if !operation.is_payment() && !has_reference(operation) => {
            "The `Idempotency-Key` was used for another request, or for what was deleted since."
        }
        403 if asks_for_consent(operation) => {
            "The request was not encrypted, the account is suspended or limited, its key does not \
             allow this or not from there, or a lookup about a person has no `cnsReference`. \
             Nothing was done."
        }
        _ => meaning(status),
    }
}

/// Whether a person must have agreed to it.
fn asks_for_consent(operation: &Operation) -> bool {
    let mut parameters = operation.parameters();
    parameters.any(|parameter| parameter.attribute.name == CONSENT.name)
}

/// Whether a plan can be ordered: one that was withdrawn is refused.
fn sells_plans(operation: &Operation) -> bool {
    let mut parameters = operation.parameters();
    parameters.any(|parameter| parameter.attribute.name == PLAN.name)
}

/// Whether what it makes is named by a reference of the merchant.
fn has_reference(operation: &Operation) -> bool {
    let mut parameters = operation.parameters();
    parameters.any(|parameter| parameter.attribute.name == REFERENCE.name)
}

/// Whether a request names the version of what it changes.
fn is_versioned(operation: &Operation) -> bool {
    let mut parameters = operation.parameters();
    parameters.any(|parameter| parameter.attribute.name == VERSION.name)
}

/// When an error of a status is answered.
const fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read, or a value is wrong. Nothing was done.",
        401 => "No credentials, none that open an account, or a key that has expired.",
        403 => {
            "The request was not encrypted, the account is suspended or limited, or its key does \
             not allow this or not from there."
        }
        404 => "There is no such thing, or it is not yours.",
        405 => "A required filter is missing.",
        406 => "`Accept` allows neither JSON nor XML.",
        408 => "The request took too long to arrive. Nothing was done.",
        409 => {
            "The first request under this `Idempotency-Key` or for this `mrcReference` is still in \
             progress, or what was bought under the reference waits to be settled."
        }
        412 => "`If-Match` names no present version. Nothing was done.",
        413 => "The head or the body is too large, or too much is asked for at once.",
        415 => "The body is not `application/json`.",
        422 => "The reference was used before, or the `Idempotency-Key` for another request.",
        429 => "Too many requests; `Retry-After` says when to go on.",
        501 => "The interface names it, and it is not there yet.",
        502 => "The biller gave no usable answer. Nothing was done.",
        503 => {
            "Something is down. If this was a payment and the errors do not say that nothing was \
             done, ask for its report before sending it again."
        }
        _ => {
            "An internal error. If this was a payment, ask for its report before sending it again."
        }
    }
}

/// An error of a status as the operation could answer it.
pub(crate) fn example(operation: &Operation, status: u16) -> Node {
    let (service, errors) = match status {
        409 if is_versioned(operation) => at_fault(operation, status),
        409 if !operation.is_payment() => (None, in_request(meaning_of(operation, status))),
        422 if !operation.is_payment() && !has_reference(operation) => (None, key_reused()),
        400 | 404 | 405 | 409 | 412 | 422 => at_fault(operation, status),
        401 => (Some(ServiceCode::ApiToken), in_request(UNAUTHORIZED)),
        403 => (Some(ServiceCode::AccountId), in_request(SUSPENDED)),
        500..=599 => (None, Errors::System(vec![SYSTEM.to_owned()])),
        _ => (None, in_request(meaning(status))),
    };
    wire::envelope::failure(&ErrorEnvelope {
        status,
        message: sentence(operation, status).to_owned(),
        service,
        errors,
        request_id: "5f2c1f4e9a3b7c60d1e2f3a4".to_owned(),
    })
}

const UNAUTHORIZED: &str = "check mrcIdentity and mrcAPIKey: together they open no account";
const SUSPENDED: &str = "ask the operator of the gateway to lift the suspension";
const SYSTEM: &str = "give support the requestId";

fn key_reused() -> Errors {
    let text = "was used for another request; use a key of its own for each";
    Errors::Params(Violations::of(&IDEMPOTENCY_KEY, text))
}

fn in_request(text: &str) -> Errors {
    Errors::Request(vec![text.to_owned()])
}

/// An error about an attribute; one about the request where the operation has none.
fn at_fault(operation: &Operation, status: u16) -> (Option<ServiceCode>, Errors) {
    let first = match status {
        409 if is_versioned(operation) => Some(VERSION),
        409 | 422 => Some(REFERENCE),
        412 => Some(IF_MATCH),
        _ => first_required(operation),
    };
    let attribute = first.or_else(|| Some(operation.parameters().next()?.attribute));
    let Some(attribute) = attribute else {
        return (None, in_request(meaning(status)));
    };
    let text = match status {
        404 => "names nothing that is yours",
        405 => "is required; add it to the query of the address",
        409 if is_versioned(operation) => "is not the present version; read it again",
        412 => "matches no present version; read it again and repeat the change with its ETag",
        409 => "belongs to a request that is still being worked on; send it again later",
        422 => "was used before; Location leads to its report, use another for a new payment",
        _ => "is not valid; compare it with the documentation",
    };
    let violations = Violations::of(&attribute, text);
    (violations.service(), Errors::Params(violations))
}

fn first_required(operation: &Operation) -> Option<wire::attribute::Attribute> {
    let mut required = operation
        .parameters()
        .filter(|parameter| parameter.need == ParameterNeed::Required);
    required.next().map(|parameter| parameter.attribute)
}

/// The `message` of an error.
fn sentence(operation: &Operation, status: u16) -> &'static str {
    match status {
        409 if is_versioned(operation) => "The version does not match.",
        409 if !operation.is_payment() => "The account has as many as it may have.",
        422 if !operation.is_payment() && !has_reference(operation) => {
            "The Idempotency-Key was used for another request."
        }
        400 => "The request has attributes that are missing or not valid.",
        401 => "The credentials are not valid.",
        403 => "The account is suspended.",
        404 => "Not found.",
        405 => "A required filter is missing.",
        406 => "No such format.",
        408 => "The body came too slowly.",
        409 => "The first request under this Idempotency-Key is still in progress.",
        412 => "The group was changed.",
        413 => "The body is too large.",
        415 => "The body is of a kind that is not read.",
        422 => "The reference was used before.",
        429 => "Too many requests.",
        501 => "Not implemented.",
        502 => "The biller gave no usable answer.",
        503 => "The gateway is busy.",
        _ => "Something went wrong on our side.",
    }
}
