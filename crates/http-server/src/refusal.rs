//! What a merchant hears when nothing was done, and why. Every case is listed: a new one must not
//! compile before it has a status, a place and a remedy.

use crate::reply::Reply;
use application::Refused;
use http::StatusCode;
use http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use ports::PortError;
use ports::provider::LookupFailure;
use std::error::Error;
use wire::airtime::top_up::{COUNTRY_NOT_SERVED, NOT_IN_PLAN};
use wire::attribute::{AMOUNT, Accepts, Attribute, COUNTRY, DISCO, METER, PHONE, REFERENCE};
use wire::service_code::ServiceCode;
use wire::violations::Violations;

/// Seconds after which a request under a key in use is worth repeating: the first one has been
/// waited for already, and most are done a moment later.
const RETRY_KEY_IN_USE: u16 = 2;

/// Seconds after which a restarted gateway answers again.
const RETRY_DRAINING: u16 = 5;

/// Seconds after which payments under way have made room for more.
const RETRY_SATURATED: u16 = 1;

/// The header as an attribute, so that errors can name it.
const IDEMPOTENCY_KEY: Attribute = Attribute {
    name: "Idempotency-Key",
    accepts: Accepts::Text,
    service: None,
};

impl From<Refused> for Reply {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NumberNotInPlan => invalid(&PHONE, NOT_IN_PLAN),
            Refused::CountryNotServed => invalid(&COUNTRY, COUNTRY_NOT_SERVED),
            Refused::NetworkNotServed => network_not_served(),
            Refused::DiscoUnknown => unknown(
                &DISCO,
                "is unknown; /payment/electricity/discos lists those there are",
            ),
            Refused::DiscoUnavailable => disco_unavailable(),
            Refused::Meter(failure) => meter(failure),
            Refused::BelowMinimum(minimum) => {
                invalid(&AMOUNT, format!("is too small; the smallest is {minimum}"))
            }
            Refused::AboveMaximum(maximum) => {
                invalid(&AMOUNT, format!("is too large; the largest is {maximum}"))
            }
            Refused::Unpriceable => invalid(
                &AMOUNT,
                "leaves nothing to charge under the terms of your account; try a larger one",
            ),
            Refused::InsufficientFunds => insufficient_funds(),
            Refused::Suspended => Self::suspended(),
            Refused::ReferenceTaken { service, reference } => {
                let location = wire::report_path(service, &reference);
                reference_taken(&location)
            }
            Refused::KeyReused => key_reused(),
            Refused::InProgress => in_progress(),
            Refused::Draining => later(
                "The gateway is restarting.",
                "no new payments are taken at the moment and nothing was done; send it again",
                RETRY_DRAINING,
            ),
            Refused::Saturated => later(
                "The gateway is busy.",
                "too many payments are under way and nothing was done; send it again",
                RETRY_SATURATED,
            ),
            Refused::Store(error) => Self::unavailable(&error),
        }
    }
}

impl Reply {
    /// The account may do nothing at the moment.
    pub(crate) fn suspended() -> Self {
        Self::request(
            StatusCode::FORBIDDEN,
            "The account is suspended.",
            "ask the operator of the gateway to lift the suspension",
        )
        .about(ServiceCode::AccountId)
    }

    /// The store failed: what, is logged here and not told.
    pub(crate) fn unavailable(error: &PortError) -> Self {
        let cause = error.source().map(ToString::to_string);
        tracing::error!(%error, cause, "the store failed");
        Self::system(
            StatusCode::SERVICE_UNAVAILABLE,
            "The gateway cannot reach its books at the moment.",
            "if this was a payment, whether it was taken is not known here: ask for its report by \
             mrcReference before sending it again",
        )
    }
}

/// An attribute that cannot be so: 400 and the attribute's own service code.
fn invalid(attribute: &Attribute, message: impl Into<String>) -> Reply {
    let violations = Violations::of(attribute, message);
    Reply::params(
        StatusCode::BAD_REQUEST,
        "The request has attributes that are not valid.",
        violations,
    )
}

/// An attribute that names nothing: 404.
fn unknown(attribute: &Attribute, message: &str) -> Reply {
    let violations = Violations::of(attribute, message);
    Reply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}

fn network_not_served() -> Reply {
    let message = "belongs to a network whose airtime is not sold here; try another number";
    let violations = Violations::of(&PHONE, message).with_service(ServiceCode::ServiceProvider);
    Reply::params(
        StatusCode::BAD_REQUEST,
        "The network of this number is not served.",
        violations,
    )
}

fn disco_unavailable() -> Reply {
    Reply::system(
        StatusCode::SERVICE_UNAVAILABLE,
        "The distribution company cannot be paid at the moment.",
        "nothing was done; try again later, or another company of /payment/electricity/discos",
    )
    .about(ServiceCode::ServiceProvider)
}

fn meter(failure: LookupFailure) -> Reply {
    match failure {
        LookupFailure::Unknown => unknown(
            &METER,
            "is unknown to the distribution company; check number, disco and billing",
        ),
        LookupFailure::Unreachable => Reply::system(
            StatusCode::SERVICE_UNAVAILABLE,
            "The distribution company cannot be reached.",
            "the meter could not be checked and nothing was done; try again later",
        )
        .about(ServiceCode::MeterNumber),
        LookupFailure::Unusable => Reply::system(
            StatusCode::BAD_GATEWAY,
            "The distribution company gave no usable answer.",
            "the meter could not be checked and nothing was done; try again later",
        )
        .about(ServiceCode::ServiceProvider),
    }
}

fn insufficient_funds() -> Reply {
    let message = "is more than the balance covers; GET /account/balance shows what it is";
    let violations = Violations::of(&AMOUNT, message).with_service(ServiceCode::AccountBalance);
    let status = StatusCode::BAD_REQUEST;
    Reply::params(status, "The balance does not cover the price.", violations)
}

fn reference_taken(location: &str) -> Reply {
    let message = "was used before; Location leads to its report, use another for a new payment";
    let reply = Reply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The reference was used before.",
        Violations::of(&REFERENCE, message),
    );
    reply.located(location)
}

fn key_reused() -> Reply {
    let message = "was used for another request; use another key for a new payment";
    Reply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The Idempotency-Key was used for another request.",
        Violations::of(&IDEMPOTENCY_KEY, message),
    )
}

fn in_progress() -> Reply {
    let message = "belongs to a request that is still being worked on; send it again later";
    Reply::params(
        StatusCode::CONFLICT,
        "The first request under this Idempotency-Key is still in progress.",
        Violations::of(&IDEMPOTENCY_KEY, message),
    )
    .with_header(RETRY_AFTER, RETRY_KEY_IN_USE.into())
}

fn later(message: &str, remedy: &str, seconds: u16) -> Reply {
    Reply::system(StatusCode::SERVICE_UNAVAILABLE, message, remedy)
        .with_header(RETRY_AFTER, seconds.into())
}

impl Reply {
    /// The same answer with the way to a report.
    pub(crate) fn located(self, path: &str) -> Self {
        match HeaderValue::from_str(path) {
            Ok(value) => self.with_header(LOCATION, value),
            // Paths and references are ASCII without control characters.
            Err(_) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::negotiation::Format;
    use crate::layers::request_id::RequestIds;
    use domain::order::Service;
    use domain::reference::MerchantReference;
    use serde_json::Value;
    use testkit::builders::naira;

    fn shown(refused: Refused) -> (u16, Value, Vec<(String, String)>) {
        let id = RequestIds::new(0).next();
        let response = Reply::from(refused).render(Format::Json, &id);
        let json = serde_json::from_slice(response.body()).unwrap();
        let extra = [RETRY_AFTER, LOCATION].into_iter().filter_map(|name| {
            let value = response.headers().get(&name)?.to_str().ok()?;
            Some((name.to_string(), value.to_owned()))
        });
        (response.status().as_u16(), json, extra.collect())
    }

    fn check(refused: Refused, status: u16, service: Option<u16>, place: &str) {
        let name = format!("{refused:?}");
        let (shown_status, json, _) = shown(refused);
        assert_eq!(shown_status, status, "{name}");
        assert_eq!(json["code"], status, "{name}");
        let code = json.get("serviceCode").and_then(Value::as_u64);
        assert_eq!(code, service.map(u64::from), "{name}");
        let message = json["errors"]
            .pointer(place)
            .and_then(|all| all[0].as_str());
        assert!(
            message.is_some_and(|text| text.len() > 10),
            "{name}: {json}"
        );
    }

    #[test]
    fn every_refusal_has_its_status_its_code_and_its_place() {
        let failed = PortError::new("sqlite", "the disk is full");
        let meter = Refused::Meter;
        check(Refused::NumberNotInPlan, 400, Some(822), "/params/number");
        check(
            Refused::CountryNotServed,
            400,
            Some(851),
            "/params/countryCode",
        );
        check(Refused::NetworkNotServed, 400, Some(820), "/params/number");
        check(Refused::DiscoUnknown, 404, Some(820), "/params/disco");
        check(Refused::DiscoUnavailable, 503, Some(820), "/system");
        check(
            meter(LookupFailure::Unknown),
            404,
            Some(823),
            "/params/number",
        );
        check(meter(LookupFailure::Unreachable), 503, Some(823), "/system");
        check(meter(LookupFailure::Unusable), 502, Some(820), "/system");
        let (small, large) = (naira("50.00"), naira("50,000.00"));
        check(
            Refused::BelowMinimum(small),
            400,
            Some(814),
            "/params/amount",
        );
        check(
            Refused::AboveMaximum(large),
            400,
            Some(814),
            "/params/amount",
        );
        check(Refused::Unpriceable, 400, Some(814), "/params/amount");
        check(Refused::InsufficientFunds, 400, Some(807), "/params/amount");
        check(Refused::Suspended, 403, Some(801), "/request");
        check(Refused::KeyReused, 422, None, "/params/Idempotency-Key");
        check(Refused::InProgress, 409, None, "/params/Idempotency-Key");
        check(Refused::Draining, 503, None, "/system");
        check(Refused::Saturated, 503, None, "/system");
        check(Refused::Store(failed), 503, None, "/system");
    }

    #[test]
    fn a_limit_is_named_with_its_amount() {
        let (_, json, _) = shown(Refused::BelowMinimum(naira("1,050.00")));
        let message = json["errors"]["params"]["amount"][0].as_str().unwrap();
        assert!(message.ends_with("1,050.00"), "{message}");
    }

    #[test]
    fn a_taken_reference_leads_to_the_report_of_its_own_family() {
        let taken = Refused::ReferenceTaken {
            service: Service::Electricity,
            reference: MerchantReference::parse("order:1").unwrap(),
        };
        let (status, json, headers) = shown(taken);
        assert_eq!(status, 422);
        assert!(json["errors"]["params"]["mrcReference"].is_array());
        let path = "/payment/electricity/transaction?mrcReference=order:1";
        assert_eq!(headers, [("location".to_owned(), path.to_owned())]);
    }

    #[test]
    fn what_is_worth_repeating_says_when() {
        for refused in [Refused::InProgress, Refused::Draining, Refused::Saturated] {
            let (_, _, headers) = shown(refused);
            assert_eq!(headers.first().unwrap().0, "retry-after");
        }
    }

    #[test]
    fn what_failed_inside_stays_inside() {
        let failed = PortError::caused("sqlite", "commit", "disk I/O error in /var/books.db");
        let (_, json, _) = shown(Refused::Store(failed));
        let text = json.to_string();
        assert!(!text.contains("sqlite") && !text.contains("disk"), "{text}");
    }
}
