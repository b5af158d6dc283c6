//! Errors of batches. Each payment that is refused must be named by its place, with the error that
//! it would be refused with alone.

use super::later::later;
use crate::reply::HttpReply;
use application::RequestError;
use application::request_error::RefusedItem;
use domain::batch::BatchKind;
use domain::reference::MerchantReference;
use http::StatusCode;
use wire::attribute::{ITEMS, REFERENCE};
use wire::bulk;
use wire::envelope::Errors;
use wire::reader::REFUSED_OBJECTS_MAX;
use wire::violations::Violations;

/// Seconds after which banks that were slow may answer faster.
const RETRY_SLOW: u16 = 30;

/// The reference was used for a batch: 422, with the address of its report.
pub(super) fn taken(kind: BatchKind, reference: &MerchantReference) -> HttpReply {
    let message =
        "was used for a bulk transfer before; Location leads to its report, use another reference";
    let reply = HttpReply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The reference was used before.",
        Violations::of(&REFERENCE, message),
    );
    reply.located(&bulk::report_path(kind, reference))
}

/// The payments could not all be looked up in time: 503, and nothing was done.
pub(super) fn too_slow() -> HttpReply {
    later(
        "The payments could not all be looked up in time.",
        "the banks answered too slowly for so many; nothing was done and nothing was charged, send \
         it again later, or fewer payments at a time",
        RETRY_SLOW,
    )
}

/// Payments that are refused: the status they have in common, 400 where they have none, and 503 or
/// 502 only where nothing is wrong with the request.
pub(super) fn refused(items: Vec<RefusedItem>) -> HttpReply {
    let more = items.len().saturating_sub(REFUSED_OBJECTS_MAX);
    let shown = items.into_iter().take(REFUSED_OBJECTS_MAX);
    let refused: Vec<_> = shown.map(|item| (item.place, errors(item.error))).collect();
    let statuses = refused.iter().map(|(_, (status, ..))| *status);
    let at_fault: Vec<_> = statuses
        .clone()
        .filter(StatusCode::is_client_error)
        .collect();
    let service = refused.iter().find_map(|(_, (_, service, _))| *service);
    let reply = if let Some(first) = at_fault.first() {
        let is_common = at_fault.iter().all(|status| status == first);
        let status = if is_common {
            *first
        } else {
            StatusCode::BAD_REQUEST
        };
        HttpReply::params(status, REFUSED, violations(refused, more))
    } else {
        let status = statuses.min().unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        HttpReply::system(status, REFUSED, sentences(refused))
    };
    service.into_iter().fold(reply, HttpReply::about)
}

/// Each error at the place of its payment.
fn violations(refused: Vec<(usize, ItemErrors)>, more: usize) -> Violations {
    let mut violations = Violations::default();
    for (place, (_, _, errors)) in refused {
        add(&mut violations, place, errors);
    }
    if more > 0 {
        let message = format!("has {more} more payments that are refused");
        violations.add(&ITEMS, message);
    }
    violations
}

/// Each error after the name of its payment.
fn sentences(refused: Vec<(usize, ItemErrors)>) -> String {
    let named = refused.into_iter().map(|(place, (_, _, errors))| {
        let texts = texts(errors).join("; ");
        format!("{}.{place}: {texts}", ITEMS.name)
    });
    named.collect::<Vec<_>>().join(". ")
}

const REFUSED: &str = "Some of the payments cannot be made; nothing was done.";

type ItemErrors = (StatusCode, Option<wire::service_code::ServiceCode>, Errors);

fn errors(refused: RequestError) -> ItemErrors {
    if let RequestError::ReferenceTaken { .. } = refused {
        let message = "was used before; use another for a new payment";
        let violations = Violations::of(&REFERENCE, message);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return (status, None, Errors::Params(violations));
    }
    HttpReply::from(refused).into_errors()
}

fn add(violations: &mut Violations, place: usize, errors: Errors) {
    match errors {
        Errors::Params(own) => violations.add_of_object(&ITEMS, place, own),
        Errors::Request(texts) | Errors::System(texts) => {
            for text in texts {
                violations.add_object(&ITEMS, place, text);
            }
        }
    }
}

fn texts(errors: Errors) -> Vec<String> {
    match errors {
        Errors::Request(texts) | Errors::System(texts) => texts,
        Errors::Params(violations) => {
            let all = violations.iter();
            let all = all.map(|(name, messages)| format!("{name} {}", messages.join(", ")));
            all.collect()
        }
    }
}
