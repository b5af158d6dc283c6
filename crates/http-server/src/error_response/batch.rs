//! Errors of batches. Each payment that is refused must be named by its place, with the error that
//! it would be refused with alone.

use super::later::later;
use crate::reply::HttpReply;
use application::RequestError;
use application::request_error::{BatchLater, RefusedItem};
use domain::batch::BatchKind;
use domain::reference::MerchantReference;
use http::StatusCode;
use http::header::RETRY_AFTER;
use wire::attribute::{ITEMS, REFERENCE};
use wire::bulk;
use wire::envelope::Errors;
use wire::reader::REFUSED_OBJECTS_MAX;
use wire::service_code::ServiceCode;
use wire::violations::Violations;

/// Seconds after which banks that were slow may answer faster.
const RETRY_SLOW: u16 = 30;

/// Seconds after which a request for a batch has come to its end, most often.
const RETRY_IN_PROGRESS: u16 = 5;

/// The reference was used for a batch: 422, with the address of its report.
pub(super) fn taken(kind: BatchKind, reference: &MerchantReference) -> HttpReply {
    let used_for = match kind {
        BatchKind::BankTransfers => "a bulk transfer",
        BatchKind::Payroll => "a payroll",
        BatchKind::Messages => "bulk messages",
    };
    let message = format!(
        "was used for {used_for} before; Location leads to its report, use another reference"
    );
    let reply = HttpReply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The reference was used before.",
        Violations::of(&REFERENCE, message),
    );
    reply.located(&bulk::report_path(kind, reference))
}

/// The batch cannot be stored now.
pub(super) fn not_now(why: BatchLater) -> HttpReply {
    match why {
        BatchLater::TooSlow => too_slow(),
        BatchLater::InProgress => in_progress(),
    }
}

/// The payments could not all be looked up in time: 503, and nothing was done.
fn too_slow() -> HttpReply {
    later(
        "The payments could not all be looked up in time.",
        "what they are looked up at answered too slowly for so many; nothing was done and nothing \
         was charged, send it again later, or fewer payments at a time",
        RETRY_SLOW,
    )
}

/// Another request under the reference may still store the batch: 409.
fn in_progress() -> HttpReply {
    let message = "belongs to a request that is still being worked on; ask for the report of the \
                   batch, or send it again later";
    HttpReply::params(
        StatusCode::CONFLICT,
        "Another request under this reference is still in progress.",
        Violations::of(&REFERENCE, message),
    )
    .with_header(RETRY_AFTER, RETRY_IN_PROGRESS.into())
}

/// Payments that are refused: the status they have in common, 400 where they have none, and 503 or
/// 502 only where nothing is wrong with the request. Where more are refused than are shown, those
/// that the request is at fault for are.
pub(super) fn refused(items: Vec<RefusedItem>) -> HttpReply {
    let mut refused: Vec<_> = items.into_iter().map(ItemErrors::of).collect();
    let statuses: Vec<_> = refused.iter().map(|item| item.status).collect();
    let retry_after = refused.iter().filter_map(|item| item.retry_after).max();
    let service = refused.iter().find_map(|item| item.service);
    refused.sort_by_key(|item| !item.status.is_client_error());
    let more = refused.len().saturating_sub(REFUSED_OBJECTS_MAX);
    refused.truncate(REFUSED_OBJECTS_MAX);
    refused.sort_by_key(|item| item.place);
    let at_fault = statuses.iter().filter(|status| status.is_client_error());
    let reply = if let Some(status) = common(at_fault) {
        HttpReply::params(status, REFUSED, violations(refused, more))
    } else {
        let status = statuses.into_iter().min();
        let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        let reply = HttpReply::system(status, REFUSED, sentences(refused, more));
        let header = retry_after.map(|seconds| (RETRY_AFTER, seconds.into()));
        header
            .into_iter()
            .fold(reply, |reply, (name, value)| reply.with_header(name, value))
    };
    service.into_iter().fold(reply, HttpReply::about)
}

/// The status that all have, or 400; `None` where there is none.
fn common<'a>(mut statuses: impl Iterator<Item = &'a StatusCode>) -> Option<StatusCode> {
    let first = *statuses.next()?;
    Some(if statuses.all(|status| *status == first) {
        first
    } else {
        StatusCode::BAD_REQUEST
    })
}

/// Each error at the place of its payment.
fn violations(refused: Vec<ItemErrors>, more: usize) -> Violations {
    let mut violations = Violations::default();
    for item in refused {
        add(&mut violations, item.place, item.errors);
    }
    if more > 0 {
        violations.add(&ITEMS, others(more));
    }
    violations
}

/// Each error after the name of its payment.
fn sentences(refused: Vec<ItemErrors>, more: usize) -> String {
    let named = refused.into_iter().map(|item| {
        let texts = texts(item.errors).join("; ");
        format!("{}.{}: {texts}", ITEMS.name, item.place)
    });
    let rest = (more > 0).then(|| format!("{} {}", ITEMS.name, others(more)));
    named.chain(rest).collect::<Vec<_>>().join(". ")
}

fn others(more: usize) -> String {
    format!("has {more} more payments that are refused")
}

const REFUSED: &str = "Some of the payments cannot be made; nothing was done.";

/// What a payment of a batch is refused for.
struct ItemErrors {
    place: usize,
    status: StatusCode,
    service: Option<ServiceCode>,
    /// Seconds after which a retry is worthwhile.
    retry_after: Option<u16>,
    errors: Errors,
}

impl ItemErrors {
    fn of(item: RefusedItem) -> Self {
        let is_taken = matches!(
            item.error,
            RequestError::ReferenceTaken { .. } | RequestError::BatchTaken { .. }
        );
        let reply = if is_taken {
            let message = "was used before; use another for a new payment";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            HttpReply::params(status, REFUSED, Violations::of(&REFERENCE, message))
        } else {
            HttpReply::from(item.error)
        };
        let retry_after = reply.header(&RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
        let (status, service, errors) = reply.into_errors();
        Self {
            place: item.place,
            status,
            service,
            retry_after,
            errors,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::negotiation::AnswerFormat;
    use crate::layers::request_id::RequestIds;
    use application::request_error::LookupFailure;
    use domain::order::Service;
    use http::Response;
    use serde_json::Value;

    const AWAY: LookupFailure = LookupFailure::Unreachable;

    fn item(place: usize, error: RequestError) -> RefusedItem {
        RefusedItem { place, error }
    }

    fn shown(items: Vec<RefusedItem>) -> (u16, Value, Option<String>) {
        let id = RequestIds::new(0).next();
        let response: Response<_> = refused(items).render(AnswerFormat::Json, &id);
        let json = serde_json::from_slice(response.body()).unwrap();
        let retry = response.headers().get(RETRY_AFTER);
        let retry = retry.map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), json, retry)
    }

    #[test]
    fn a_fault_of_the_request_is_shown_however_many_banks_are_away() {
        let away = (0..150).map(|place| item(place, RequestError::Lookup(Service::Bank, AWAY)));
        let wrong = item(150, RequestError::WrongCheckDigit);
        let (status, json, retry) = shown(away.chain([wrong]).collect());
        assert_eq!((status, retry), (400, None));
        let params = &json["errors"]["params"];
        assert!(params["items.150.accountNumber"].is_array(), "{json}");
        assert_eq!(params["items"][0], "has 51 more payments that are refused");
    }

    #[test]
    fn where_only_banks_are_away_a_retry_is_worthwhile_and_all_are_counted() {
        let away = (0..120).map(|place| item(place, RequestError::Lookup(Service::Bank, AWAY)));
        let saturated = item(120, RequestError::Saturated);
        let draining = item(121, RequestError::Draining);
        let (status, json, retry) = shown(away.chain([saturated, draining]).collect());
        assert_eq!((status, retry.as_deref()), (503, Some("5")));
        let said = json["errors"]["system"][0].as_str().unwrap();
        assert!(said.starts_with("items.0: "), "{said}");
        assert!(said.ends_with("items has 22 more payments that are refused"));
    }

    #[test]
    fn different_faults_have_no_status_in_common() {
        let unknown = RequestError::ProviderUnknown(Service::Bank);
        let (status, json, _) = shown(vec![
            item(0, unknown),
            item(1, RequestError::WrongCheckDigit),
            item(2, RequestError::Lookup(Service::Bank, AWAY)),
        ]);
        assert_eq!(status, 400, "{json}");
        let taken = |place| {
            let reference = MerchantReference::parse("run-1").unwrap();
            let kind = BatchKind::BankTransfers;
            item(place, RequestError::BatchTaken { kind, reference })
        };
        let (status, json, _) = shown(vec![taken(3), taken(4)]);
        assert_eq!(status, 422, "{json}");
        let params = &json["errors"]["params"];
        assert!(params["items.3.mrcReference"].is_array(), "{json}");
    }
}
