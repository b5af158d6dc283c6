//! Why a request in VTpass's shape came to nothing. Every error of the application is listed: a new
//! one must not compile before it has a code. A purchase must never be refused with a code that
//! means failed while a transaction may be stored under its reference.

use crate::reply::HttpReply;
use application::RequestError as Refused;
use application::reference_use::ReferenceUse;
use application::request_error::LookupFailure;
use application::{Gateway, Merchant, RequestError};
use compat_vtpass::ResponseCode as Code;
use compat_vtpass::{InvalidRequest, ResponseCode};
use domain::freeze::FreezeBreach;
use domain::reference::MerchantReference;
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::attributes::Attributes;
use wire::violations::Violations;

const REQUERY: &str = "what became of it is not known here; requery it before anything else";
const USED_BEFORE: &str = "request_id was used before; requery it to learn what became of it";

/// Why nothing was done, as VTpass says it.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: ResponseCode,
    /// For people.
    pub(super) why: String,
}

impl Refusal {
    /// What is wrong with attributes, by the names that were sent.
    pub(super) fn violations<'a>(
        violations: &'a Violations,
        name_of: impl Fn(&'a str) -> &'a str,
    ) -> Self {
        let is_reference = violations.iter().any(|(name, _)| name == REFERENCE.name);
        let all = violations
            .iter()
            .map(|(name, messages)| format!("{} {}", name_of(name), messages.join(", ")));
        Self {
            code: if is_reference {
                ResponseCode::ImproperRequestId
            } else {
                ResponseCode::InvalidArguments
            },
            why: all.collect::<Vec<_>>().join("; "),
        }
    }

    /// The answer to a request that buys nothing.
    pub(super) fn reply(&self, request_id: Option<&str>) -> HttpReply {
        let body = compat_vtpass::refused(self.code, &self.why, request_id);
        HttpReply::document(StatusCode::OK, body.to_string().into())
    }

    /// The answer to a purchase: what was refused now may repeat one that was not.
    pub(super) async fn of_purchase(
        self,
        gateway: &Gateway,
        merchant: &Merchant,
        sent: &Attributes,
    ) -> HttpReply {
        let id = compat_vtpass::request_id(sent);
        let reference = id.and_then(|id| MerchantReference::parse(id).ok());
        let Some(reference) = reference.filter(|_| !self.code.is_open()) else {
            return self.reply(id);
        };
        match gateway.reference_use(merchant, &reference).await {
            Ok(ReferenceUse::NotStored) => self.of_unknown_purchase().reply(id),
            Ok(
                ReferenceUse::Stored(_)
                | ReferenceUse::DeliveredWithoutRecord(_)
                | ReferenceUse::Unsettled,
            ) => Self::used_before().reply(id),
            Err(error) => Self::from(RequestError::Store(error)).reply(id),
        }
    }

    /// Where nothing is stored under the reference, another instance may still be opening it. What
    /// this one refuses for the moment or for its own state proves nothing about that purchase.
    fn of_unknown_purchase(self) -> Self {
        if self.code.is_of_the_moment() {
            let why = format!("{}; {REQUERY}", self.why);
            return Self {
                code: ResponseCode::SystemError,
                why,
            };
        }
        self
    }

    fn used_before() -> Self {
        Self {
            code: ResponseCode::RequestIdExists,
            why: USED_BEFORE.to_owned(),
        }
    }
}

impl From<InvalidRequest> for Refusal {
    fn from(invalid: InvalidRequest) -> Self {
        Self {
            code: invalid.code(),
            why: invalid.to_string(),
        }
    }
}

impl From<RequestError> for Refusal {
    fn from(refused: RequestError) -> Self {
        if let RequestError::Store(error) = &refused {
            // The reason is logged here and not disclosed.
            tracing::error!(%error, "the store failed");
        }
        let code = code_of(&refused);
        let why = if code == ResponseCode::SystemError {
            REQUERY.to_owned()
        } else if code == ResponseCode::RequestIdExists {
            USED_BEFORE.to_owned()
        } else {
            refused.to_string()
        };
        Self { code, why }
    }
}

/// The code of what is not sold.
const UNSOLD: ResponseCode = Code::NoSuchProduct;

/// VTpass's code for an error.
const fn code_of(refused: &Refused) -> ResponseCode {
    match refused {
        Refused::NumberNotInPlan
        | Refused::CountryNotServed(_)
        | Refused::WrongCheckDigit
        | Refused::BillUnknown
        | Refused::ConsentRequired
        | Refused::MessageTooLong
        | Refused::Endpoint(_)
        | Refused::Payee(_)
        | Refused::Items(_)
        | Refused::GroupUnknown
        | Refused::CurrencyNotServed(_)
        | Refused::BeneficiaryElsewhere { .. }
        | Refused::Quote(_)
        | Refused::PayDay(_)
        | Refused::Message(_)
        | Refused::SenderUnknown
        | Refused::SenderNotApproved => Code::InvalidArguments,
        Refused::Lookup(_, failure) => lookup_code(*failure),
        Refused::NetworkNotServed | Refused::NumberPorted | Refused::ProviderUnknown(_) => UNSOLD,
        Refused::ProviderUnavailable(_) => Code::ServiceSuspended,
        Refused::Lookalike(_) => Code::LikelyDuplicate,
        Refused::PlanUnknown(_) | Refused::PlanWithdrawn(_) => Code::NoSuchVariation,
        Refused::BelowMinimum(..) => Code::BelowMinimum,
        Refused::AboveMaximum(..) => Code::AboveMaximum,
        Refused::Unpriceable | Refused::OverLimit(_) => Code::ProductNotAllowed,
        Refused::InsufficientFunds(_) => Code::LowBalance,
        Refused::Frozen(breach) => frozen_code(*breach),
        Refused::ReconciliationRequired | Refused::Store(_) => Code::SystemError,
        Refused::Suspended => Code::AccountSuspended,
        Refused::BatchTaken { .. }
        | Refused::ReferenceTaken { .. }
        | Refused::KeyReused
        | Refused::InProgress
        | Refused::ReferenceUnsettled
        | Refused::ReferenceSettled => Code::RequestIdExists,
        Refused::Draining | Refused::Saturated | Refused::BatchLater(_) => Code::NotProcessed,
    }
}

/// The code of what is frozen.
const fn frozen_code(breach: FreezeBreach) -> ResponseCode {
    match breach {
        FreezeBreach::Everything => Code::SystemError,
        FreezeBreach::Account(_) | FreezeBreach::Service(..) | FreezeBreach::Unreadable => {
            Code::AccountSuspended
        }
    }
}

/// The code of a meter or card that could not be looked up before it was paid for.
const fn lookup_code(failure: LookupFailure) -> ResponseCode {
    match failure {
        LookupFailure::Unknown => ResponseCode::InvalidArguments,
        LookupFailure::Unreachable | LookupFailure::Unusable => ResponseCode::BillerUnreachable,
    }
}
