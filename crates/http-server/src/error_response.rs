//! Maps every request error to an answer. Every case is listed: a new one must not compile before
//! it has a status, an attribute and a remedy.

mod access;
mod allowlist;
mod batch;
mod booking;
mod collection;
mod freezing;
mod group;
mod invoice;
mod later;
mod message;
mod quote;
mod recurring;
mod refund;
mod reporting;
mod spending;
mod top_up;
mod user;
mod voucher;
mod webhook;

pub(crate) use later::later;
pub(crate) use reporting::no_file;

use crate::reply::HttpReply;
use application::RequestError;
use application::request_error::{LookupFailure, RemainingPlan};
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::sms::PARTS_MAX;
use http::StatusCode;
use http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use wire::attribute::{
    Attribute, BANK_ACCOUNT, BILL_REFERENCE, CONSENT, COUNTRY, IDEMPOTENCY_KEY, MESSAGE, PAY_DATE,
    PHONE, PLAN, REFERENCE, SENDER,
};
use wire::family;
use wire::service_code::ServiceCode;
use wire::violations::Violations;

/// Seconds after which a request under a key in use is worth repeating: the first one has been
/// waited for already, and most finish a moment later.
const RETRY_KEY_IN_USE: u16 = 2;

/// Most plans that the refusal of a withdrawn one lists.
const REMAINING_SHOWN_MAX: usize = 20;

const NO_SUCH_SENDER: &str =
    "is no sender of your account; ask the operator of the gateway to register one";
const NO_SUCH_BILL: &str = "is not the open bill of this customer; the validation shows which is";
const WRONG_CHECK_DIGIT: &str =
    "is no account number of this bank: its check digit is wrong; check every digit";

impl From<RequestError> for HttpReply {
    fn from(refused: RequestError) -> Self {
        match refused {
            RequestError::NumberNotInPlan => invalid(
                &PHONE,
                "does not exist in the numbering plan of its country; check every digit",
            ),
            RequestError::CountryNotServed(country) => {
                invalid(&COUNTRY, wire::country::not_served(country))
            }
            RequestError::NetworkNotServed => network_not_served(
                "belongs to a network that nothing is sold for here; try another number",
            ),
            RequestError::NumberPorted => {
                network_not_served("was ported, and its network is not known; name the network")
            }
            RequestError::ProviderUnknown(service) => {
                unknown(family::biller(service), family::unknown_biller(service))
            }
            RequestError::ProviderUnavailable(service) => provider_unavailable(service),
            RequestError::Lookalike(_) => lookalike(),
            RequestError::PlanUnknown(service) => unknown(&PLAN, family::unknown_plan(service)),
            RequestError::PlanWithdrawn(left) => plan_withdrawn(&left),
            RequestError::Lookup(service, failure) => lookup(service, failure),
            RequestError::ConsentRequired => consent_required(),
            RequestError::BillUnknown => invalid(&BILL_REFERENCE, NO_SUCH_BILL),
            RequestError::WrongCheckDigit => invalid(&BANK_ACCOUNT, WRONG_CHECK_DIGIT),
            RequestError::SenderUnknown => unknown(&SENDER, NO_SUCH_SENDER),
            RequestError::SenderNotApproved => sender_not_approved(),
            RequestError::Message(refused) => refused.into(),
            RequestError::MessageTooLong => message_too_long(),
            RequestError::BelowMinimum(service, minimum) => too_small(service, minimum),
            RequestError::AboveMaximum(service, maximum) => too_large(service, maximum),
            RequestError::Unpriceable => unpriceable(),
            RequestError::InsufficientFunds(price) => insufficient_funds(price),
            RequestError::OverLimit(refused) => refused.into(),
            RequestError::Suspended => Self::suspended(),
            RequestError::Frozen(breach) => breach.into(),
            RequestError::ReferenceTaken { service, reference } => {
                let location = wire::report_path(service, &reference);
                reference_taken(&location)
            }
            RequestError::BatchTaken { kind, reference } => batch::taken(kind, &reference),
            RequestError::Items(items) => batch::refused(items),
            RequestError::BatchLater(why) => batch::not_now(why),
            RequestError::PayDay(refused) => invalid(&PAY_DATE, refused.to_string()),
            RequestError::CurrencyNotServed(sent) => quote::currency_not_served(&sent),
            RequestError::BeneficiaryElsewhere { country, has_iban } => {
                quote::beneficiary_elsewhere(country, has_iban)
            }
            RequestError::Quote(refused) => refused.into(),
            RequestError::GroupUnknown => group::group_unknown(),
            RequestError::KeyReused => key_reused(),
            RequestError::InProgress => in_progress(),
            RequestError::Draining => later::draining(),
            RequestError::Saturated => later::saturated(),
            RequestError::ReconciliationRequired => later::held(),
            RequestError::ReferenceUnsettled => reference_unsettled(),
            RequestError::ReferenceSettled => reference_settled(),
            RequestError::Payee(why) => user::refused(why),
            RequestError::Endpoint(refused) => refused.into(),
            RequestError::Store(error) => Self::unavailable(&error),
        }
    }
}

impl HttpReply {
    /// The account is suspended and may do nothing.
    pub(crate) fn suspended() -> Self {
        Self::request(
            StatusCode::FORBIDDEN,
            "The account is suspended.",
            "ask the operator of the gateway to lift the suspension",
        )
        .about(ServiceCode::AccountId)
    }

    /// The error of a request that names its biller in another attribute than most.
    pub(crate) fn refused_provider(refused: RequestError, attribute: &Attribute) -> Self {
        if let RequestError::ProviderUnknown(service) = refused {
            return unknown(attribute, family::unknown_biller(service));
        }
        refused.into()
    }
}

/// The lookup is about a person who is not known to agree: 403, and nothing was done.
fn consent_required() -> HttpReply {
    let violations = Violations::of(
        &CONSENT,
        "is missing: the lookup is about a person; send the reference of your record that the \
         person agreed to it",
    );
    HttpReply::params(
        StatusCode::FORBIDDEN,
        "The consent of the person is required.",
        violations,
    )
}

/// A payment under the reference may have been made: 409, and nothing of it is shown.
fn reference_unsettled() -> HttpReply {
    let violations = Violations::of(
        &REFERENCE,
        "may have been paid before a restore of the gateway's database; its operator is settling \
         it with the provider. Nothing was done now: keep this reference and ask for its report",
    );
    HttpReply::params(
        StatusCode::CONFLICT,
        "A payment under this reference is being settled.",
        violations,
    )
}

/// A payment under the reference was made, and its record was lost: 409, permanently.
fn reference_settled() -> HttpReply {
    let violations = Violations::of(
        &REFERENCE,
        "was delivered before a restore of the gateway's database, and settled since; the \
         statement shows what was charged. Nothing was done now: use a new reference for another \
         payment",
    );
    HttpReply::params(
        StatusCode::CONFLICT,
        "A payment under this reference was delivered.",
        violations,
    )
}

/// An attribute with an invalid value: 400 and the attribute's own service code.
fn invalid(attribute: &Attribute, message: impl Into<String>) -> HttpReply {
    let violations = Violations::of(attribute, message);
    HttpReply::params(
        StatusCode::BAD_REQUEST,
        "The request has attributes that are not valid.",
        violations,
    )
}

fn too_small(service: Service, smallest: Money) -> HttpReply {
    let message = format!("is too small; the smallest is {smallest}");
    invalid(family::amount(service), message)
}

fn too_large(service: Service, largest: Money) -> HttpReply {
    let message = format!("is too large; the largest is {largest}");
    invalid(family::amount(service), message)
}

/// An attribute that names nothing known: 404.
pub(crate) fn unknown(attribute: &Attribute, message: &str) -> HttpReply {
    let violations = Violations::of(attribute, message);
    HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}

/// A plan that is sold no more: 409, with what its provider sells instead. A client that holds an
/// old list learns in one answer what to offer.
fn plan_withdrawn(left: &[RemainingPlan]) -> HttpReply {
    let shown = left.iter().take(REMAINING_SHOWN_MAX).map(plan_left);
    let mut shown: Vec<_> = shown.collect();
    if left.len() > shown.len() {
        shown.push("and others".to_owned());
    }
    let message = if shown.is_empty() {
        "was withdrawn, and its provider sells no other; choose another provider".to_owned()
    } else {
        format!(
            "was withdrawn; its provider sells {}. The list of plans has them all",
            shown.join(", ")
        )
    };
    HttpReply::params(
        StatusCode::CONFLICT,
        "The plan is sold no more.",
        Violations::of(&PLAN, message),
    )
}

fn plan_left(plan: &RemainingPlan) -> String {
    let RemainingPlan { code, name, price } = plan;
    format!("{code} ({name}, {price} {})", price.currency().code())
}

fn network_not_served(message: &'static str) -> HttpReply {
    let violations = Violations::of(&PHONE, message).with_service(ServiceCode::ServiceProvider);
    HttpReply::params(
        StatusCode::BAD_REQUEST,
        "The network of this number is not served.",
        violations,
    )
}

/// A customer that is unknown, or whose provider did not say.
fn lookup(service: Service, failure: LookupFailure) -> HttpReply {
    let (attribute, messages) = (family::customer(service), family::lookup(service));
    let down = |status, message| HttpReply::system(status, message, messages.unchecked);
    match failure {
        LookupFailure::Unknown => unknown(&attribute, messages.unknown),
        LookupFailure::Unreachable => {
            let reply = down(StatusCode::SERVICE_UNAVAILABLE, messages.unreachable);
            attribute.service.into_iter().fold(reply, HttpReply::about)
        }
        LookupFailure::Unusable => {
            down(StatusCode::BAD_GATEWAY, messages.unusable).about(ServiceCode::ServiceProvider)
        }
    }
}

fn provider_unavailable(service: Service) -> HttpReply {
    let unavailable = family::unavailable(service);
    let (message, remedy) = (unavailable.message, unavailable.remedy);
    HttpReply::system(StatusCode::SERVICE_UNAVAILABLE, message, remedy).about(unavailable.service)
}

/// Waiting helps: 409, and nothing was done.
fn lookalike() -> HttpReply {
    HttpReply::request(
        StatusCode::CONFLICT,
        "An equal order was sent to the provider a moment ago.",
        "the provider would take this order for a copy of that one, for the product, customer and \
         amount are the same. Nothing was done: ask for the report of the earlier order, and send \
         this one again in some minutes if it is meant",
    )
}

fn message_too_long() -> HttpReply {
    let remedy = format!("needs more than {PARTS_MAX} parts; shorten it");
    invalid(&MESSAGE, remedy)
}

fn sender_not_approved() -> HttpReply {
    HttpReply::request(
        StatusCode::FORBIDDEN,
        "The sender is not approved.",
        "ask the operator of the gateway to approve the sender, or send under another one",
    )
    .about(ServiceCode::SenderId)
}

/// Not every request carries an amount, so the error is about the request itself.
fn unpriceable() -> HttpReply {
    let remedy = "the terms of your account leave nothing that can be charged for this; try a \
                  larger amount, or ask the operator of the gateway";
    let message = "The request cannot be priced.";
    HttpReply::request(StatusCode::BAD_REQUEST, message, remedy).about(ServiceCode::Amount)
}

/// The balance is no attribute of the request, so the error is about the request itself.
fn conflict(attribute: &Attribute, message: &str, violation: String) -> HttpReply {
    let violations = Violations::of(attribute, violation);
    HttpReply::params(StatusCode::CONFLICT, message, violations)
}

fn insufficient_funds(price: Money) -> HttpReply {
    let (service, wallet) = match price.currency() {
        Currency::Ngn => (ServiceCode::AccountBalance, "balance"),
        Currency::Crd => (ServiceCode::CreditBalance, "credit balance"),
    };
    let code = price.currency().code();
    let remedy = format!(
        "the price is {price} {code} and the {wallet} does not cover it; GET /account/balance \
         shows what is left"
    );
    let message = format!("The {wallet} does not cover the price.");
    HttpReply::request(StatusCode::BAD_REQUEST, &message, remedy).about(service)
}

fn reference_taken(location: &str) -> HttpReply {
    let message = "was used before; Location leads to its report, use another for a new payment";
    reference_used(message, location)
}

/// A reference works once: 422, with the address of what was made under it.
fn reference_used(message: &str, location: &str) -> HttpReply {
    let reply = HttpReply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The reference was used before.",
        Violations::of(&REFERENCE, message),
    );
    reply.located(location)
}

fn key_reused() -> HttpReply {
    let message = "was used for another request; use a key of its own for each";
    HttpReply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The Idempotency-Key was used for another request.",
        Violations::of(&IDEMPOTENCY_KEY, message),
    )
}

fn in_progress() -> HttpReply {
    let message = "belongs to a request that is still being worked on; send it again later";
    HttpReply::params(
        StatusCode::CONFLICT,
        "The first request under this Idempotency-Key is still in progress.",
        Violations::of(&IDEMPOTENCY_KEY, message),
    )
    .with_header(RETRY_AFTER, RETRY_KEY_IN_USE.into())
}

impl HttpReply {
    /// The same answer with the address of a report.
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
    use crate::layers::negotiation::AnswerFormat;
    use crate::layers::request_id::RequestIds;
    use application::PayeeRefusal;
    use application::request_error::MessageRefusal;
    use application::webhook::EndpointError;
    use domain::bank::InvalidPayDay;
    use domain::country::CountryCode;
    use domain::freeze::{FreezeAuthority, FreezeBreach};
    use domain::paid_lookup::LookupCategory;
    use domain::reference::MerchantReference;
    use ports::PortError;
    use serde_json::Value;
    use testkit::builders::{credits, naira};

    fn shown(refused: RequestError) -> (u16, Value, Vec<(String, String)>) {
        let id = RequestIds::new(0).next();
        let response = HttpReply::from(refused).render(AnswerFormat::Json, &id);
        let json = serde_json::from_slice(response.body()).unwrap();
        let extra = [RETRY_AFTER, LOCATION].into_iter().filter_map(|name| {
            let value = response.headers().get(&name)?.to_str().ok()?;
            Some((name.to_string(), value.to_owned()))
        });
        (response.status().as_u16(), json, extra.collect())
    }

    fn check(refused: RequestError, status: u16, service: Option<u16>, place: &str) {
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
    fn an_unknown_plan_is_answered_with_where_those_of_its_family_are() {
        for (service, path, other) in [
            (Service::CableTv, "/payment/cabletv/plans", "internet"),
            (Service::Internet, "/payment/internet/plans", "cabletv"),
        ] {
            let (_, json, _) = shown(RequestError::PlanUnknown(service));
            let reported = json["errors"]["params"]["identifier"][0].as_str().unwrap();
            assert!(
                reported.contains(path) && !reported.contains(other),
                "{reported}"
            );
        }
    }

    #[test]
    fn a_withdrawn_plan_is_answered_with_some_of_what_there_is() {
        let plan = |number: usize| RemainingPlan {
            code: testkit::builders::plan_code(&number.to_string()),
            name: format!("Plan {number}"),
            price: naira("1,050.00"),
        };
        let said = |left: Vec<RemainingPlan>| {
            let withdrawn = RequestError::PlanWithdrawn(left);
            let (status, json, _) = shown(withdrawn);
            assert_eq!((status, json["serviceCode"].as_u64()), (409, Some(830)));
            let said = json["errors"]["params"]["identifier"][0].as_str();
            said.unwrap().to_owned()
        };
        assert_eq!(
            said(vec![plan(7), plan(8)]),
            "was withdrawn; its provider sells 7 (Plan 7, 1,050.00 NGN), 8 (Plan 8, 1,050.00 NGN). \
             The list of plans has them all"
        );
        assert!(said(Vec::new()).contains("sells no other"));
        let many = said((1..=21).map(plan).collect());
        assert!(
            many.contains("20 (Plan 20") && many.contains(", and others"),
            "{many}"
        );
    }

    #[test]
    fn every_refusal_has_its_status_its_code_and_its_place() {
        use RequestError as Refused;
        let failed = PortError::new("sqlite", "the disk is full");
        let refusals = [
            (Refused::NumberNotInPlan, 400, Some(822), "/params/number"),
            (
                Refused::CountryNotServed(CountryCode::NIGERIA),
                400,
                Some(851),
                "/params/countryCode",
            ),
            (Refused::NetworkNotServed, 400, Some(820), "/params/number"),
            (Refused::NumberPorted, 400, Some(820), "/params/number"),
            (
                Refused::PlanUnknown(Service::Internet),
                404,
                Some(830),
                "/params/identifier",
            ),
            (
                Refused::WrongCheckDigit,
                400,
                Some(842),
                "/params/accountNumber",
            ),
            (Refused::SenderUnknown, 404, Some(870), "/params/sender"),
            (Refused::SenderNotApproved, 403, Some(870), "/request"),
            (Refused::MessageTooLong, 400, None, "/params/message"),
            (
                Refused::Message(MessageRefusal::ConversationClosed),
                400,
                None,
                "/params/type",
            ),
            (Refused::Unpriceable, 400, Some(814), "/request"),
            (
                Refused::InsufficientFunds(naira("5.00")),
                400,
                Some(807),
                "/request",
            ),
            (
                Refused::InsufficientFunds(credits("5.00")),
                400,
                Some(808),
                "/request",
            ),
            (Refused::Suspended, 403, Some(801), "/request"),
            (
                Refused::PayDay(InvalidPayDay::Past),
                400,
                None,
                "/params/payDate",
            ),
            (Refused::GroupUnknown, 404, None, "/params/grpIdentifier"),
            (Refused::KeyReused, 422, None, "/params/Idempotency-Key"),
            (Refused::InProgress, 409, None, "/params/Idempotency-Key"),
            (Refused::Draining, 503, None, "/system"),
            (Refused::Saturated, 503, None, "/system"),
            (Refused::ReconciliationRequired, 503, None, "/system"),
            (Refused::Store(failed), 503, None, "/system"),
        ];
        for (refused, status, service, place) in refusals {
            check(refused, status, service, place);
        }
    }

    #[test]
    fn what_cannot_be_had_of_an_endpoint_is_reported_where_it_is_named() {
        let refusals = [
            (
                EndpointError::Unknown.into(),
                404,
                None,
                "/params/whkIdentifier",
            ),
            (
                EndpointError::Disabled.into(),
                409,
                None,
                "/params/whkIdentifier",
            ),
            (EndpointError::TooMany.into(), 409, None, "/request"),
            (
                EndpointError::TargetUnfit("must begin with https://".into()).into(),
                400,
                None,
                "/params/whkUrl",
            ),
            (
                EndpointError::TargetNotLookedUp.into(),
                503,
                None,
                "/system",
            ),
            (
                EndpointError::DeliveryUnknown.into(),
                404,
                None,
                "/params/evtIdentifier",
            ),
            (
                EndpointError::TooManySecrets.into(),
                409,
                None,
                "/params/whkIdentifier",
            ),
            (
                EndpointError::TooManyDeliveries.into(),
                413,
                None,
                "/request",
            ),
        ];
        for (refused, status, service, place) in refusals {
            check(refused, status, service, place);
        }
    }

    #[test]
    fn a_failed_lookup_is_reported_by_what_was_looked_up() {
        let lookups = [
            (Service::Electricity, 823, "/params/number"),
            (Service::CableTv, 824, "/params/number"),
            (Service::Bank, 842, "/params/accountNumber"),
        ];
        for (service, code, place) in lookups {
            let of = |failure| RequestError::Lookup(service, failure);
            check(of(LookupFailure::Unknown), 404, Some(code), place);
            check(of(LookupFailure::Unreachable), 503, Some(code), "/system");
            check(of(LookupFailure::Unusable), 502, Some(820), "/system");
        }
    }

    #[test]
    fn what_a_provider_does_not_sell_is_refused_by_its_family() {
        for service in Service::all() {
            let unknown = RequestError::ProviderUnknown(service);
            let named = [
                (Service::Bank, (840, "/params/bankIdentifier")),
                (Service::Electricity, (820, "/params/disco")),
                (Service::MobileMoney, (820, "/params/identifier")),
                (
                    Service::Lookup(LookupCategory::Record),
                    (820, "/params/lkpCode"),
                ),
                (
                    Service::Lookup(LookupCategory::Device),
                    (820, "/params/lkpCode"),
                ),
            ];
            let named = named.into_iter().find(|(of, _)| *of == service);
            let (code, place) = named.map_or((820, "/params/provider"), |(_, named)| named);
            check(unknown, 404, Some(code), place);
            let closed = RequestError::ProviderUnavailable(service);
            let closed_code = if service == Service::Wallet {
                808
            } else {
                code
            };
            check(closed, 503, Some(closed_code), "/system");
        }
    }

    #[test]
    fn an_account_that_cannot_be_paid_is_named_by_what_identifies_it() {
        for (refused, status, place) in [
            (PayeeRefusal::Unknown, 404, "/params/usrIdentity"),
            (PayeeRefusal::Own, 400, "/params/usrIdentity"),
            (PayeeRefusal::Suspended, 400, "/params/usrIdentity"),
            (PayeeRefusal::TooManyUnclaimed, 409, "/request"),
        ] {
            check(RequestError::Payee(refused), status, None, place);
        }
    }

    #[test]
    fn a_limit_is_named_with_its_amount_and_the_name_the_family_gives_it() {
        for service in Service::all() {
            let is_transfer = matches!(
                service,
                Service::Bank
                    | Service::MobileMoney
                    | Service::Card
                    | Service::Wallet
                    | Service::User
            );
            let name = if service == Service::International {
                "srcAmount"
            } else if is_transfer {
                "txnAmount"
            } else {
                "amount"
            };
            let place = format!("/params/{name}");
            let amount = || naira("1,050.00");
            check(
                RequestError::AboveMaximum(service, amount()),
                400,
                Some(814),
                &place,
            );
            check(
                RequestError::BelowMinimum(service, amount()),
                400,
                Some(814),
                &place,
            );
            let (_, json, _) = shown(RequestError::BelowMinimum(service, amount()));
            let message = json["errors"]["params"][name][0].as_str().unwrap();
            assert!(message.ends_with("1,050.00"), "{message}");
        }
    }

    #[test]
    fn a_taken_reference_leads_to_the_report_of_its_own_family() {
        let taken = RequestError::ReferenceTaken {
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
    fn what_is_frozen_is_refused_as_long_as_it_is() {
        let of_account = FreezeBreach::Account(FreezeAuthority::Operator);
        let of_service = FreezeBreach::Service(Service::Bank, FreezeAuthority::Operator);
        for (breach, status, service, place) in [
            (FreezeBreach::Everything, 503, None, "/system"),
            (of_account, 403, Some(801), "/request"),
            (of_service, 403, Some(801), "/request"),
        ] {
            check(RequestError::Frozen(breach), status, service, place);
        }
    }

    #[test]
    fn what_is_worth_repeating_says_when() {
        for refused in [
            RequestError::InProgress,
            RequestError::Draining,
            RequestError::Saturated,
            RequestError::ReconciliationRequired,
            RequestError::Frozen(FreezeBreach::Everything),
        ] {
            let (_, _, headers) = shown(refused);
            assert_eq!(headers.first().unwrap().0, "retry-after");
        }
    }

    #[test]
    fn what_failed_inside_stays_inside() {
        let failed = PortError::caused("sqlite", "commit", "disk I/O error in /var/ledger.db");
        let (_, json, _) = shown(RequestError::Store(failed));
        let text = json.to_string();
        assert!(!text.contains("sqlite") && !text.contains("disk"), "{text}");
    }
}
