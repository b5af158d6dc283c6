//! Errors about codes. A code of another account and one that does not exist must get the same
//! answer.

use super::{conflict, invalid, unknown};
use crate::reply::HttpReply;
use application::voucher::{RedemptionFault, VoucherError};
use domain::order::Service;
use domain::voucher::{VoucherRefusal, VoucherStatus};
use http::StatusCode;
use wire::attribute::{
    AMOUNT, ORIGINAL, REFERENCE, TARGET, VERSION, VOUCHER, VOUCHER_AMOUNT, VOUCHER_CODE,
    VOUCHER_EXPIRY,
};
use wire::violations::Violations;

impl From<VoucherError> for HttpReply {
    fn from(refused: VoucherError) -> Self {
        match refused {
            VoucherError::CodeUnknown => unknown(
                &VOUCHER_CODE,
                "is no code of your account; ask the customer to read it out again",
            ),
            VoucherError::IdentifierUnknown => unknown(
                &VOUCHER,
                "names no code of your account; GET /voucher/lookup shows that of a code",
            ),
            VoucherError::RedemptionUnknown => unknown(
                &ORIGINAL,
                "names no redemption of your account; send the mrcReference it was made under",
            ),
            VoucherError::ReferenceTaken => reference_taken(),
            VoucherError::TakenBack => conflict(
                &REFERENCE,
                "The redemption was rolled back.",
                "was used for a redemption that was rolled back; use another to redeem the code"
                    .to_owned(),
            ),
            VoucherError::EndOver => {
                invalid(&VOUCHER_EXPIRY, "is over; send a moment that is to come")
            }
            VoucherError::EndFar => invalid(
                &VOUCHER_EXPIRY,
                "is too far away; codes are valid for five years at most",
            ),
            VoucherError::TooMuch => invalid(
                &VOUCHER_AMOUNT,
                "comes to more than a balance may be; make fewer codes, or smaller ones",
            ),
            VoucherError::Faults(faults) => redemption_faults(&faults),
            VoucherError::Refused(refused) => not_now(refused),
            VoucherError::Request(refused) => refused.into(),
        }
    }
}

fn reference_taken() -> HttpReply {
    let message =
        "was used before for another request of this operation; use another for a new one";
    HttpReply::params(
        StatusCode::UNPROCESSABLE_ENTITY,
        "The reference was used before.",
        Violations::of(&REFERENCE, message),
    )
}

/// What the state of the code does not allow now: 409, and nothing was done.
fn not_now(refused: VoucherRefusal) -> HttpReply {
    match refused {
        VoucherRefusal::NotActive(status) => {
            let (message, remedy) = not_active(status);
            conflict(&VOUCHER_CODE, message, remedy.to_owned())
        }
        VoucherRefusal::TargetTaken => conflict(
            &TARGET,
            "Another code lowers the payment.",
            "is lowered by another code already; roll that redemption back first".to_owned(),
        ),
        VoucherRefusal::RolledBack => conflict(
            &ORIGINAL,
            "The redemption was rolled back before.",
            "was rolled back before, under another mrcReference; nothing is left to do".to_owned(),
        ),
        VoucherRefusal::Changed(version) => conflict(
            &VERSION,
            "The code was changed.",
            format!("is not the version of the code, which is {version}; look at it again"),
        ),
        VoucherRefusal::Unknown
        | VoucherRefusal::NumberTaken
        | VoucherRefusal::ReferenceTaken
        | VoucherRefusal::OtherCurrency
        | VoucherRefusal::BelowMinimum(_)
        | VoucherRefusal::AboveMaximum(_)
        | VoucherRefusal::NothingOff => conflict(
            &VOUCHER_CODE,
            "The code was changed.",
            "was changed while it was redeemed; look at it again".to_owned(),
        ),
    }
}

const fn not_active(status: VoucherStatus) -> (&'static str, &'static str) {
    match status {
        VoucherStatus::Redeemed => (
            "The code is redeemed.",
            "is redeemed, and nothing is left of it; ask for another code",
        ),
        VoucherStatus::Expired => (
            "The code has expired.",
            "has expired; ask for another code. POST /voucher/void gives back what it holds",
        ),
        VoucherStatus::Void | VoucherStatus::Active => {
            ("The code is void.", "is void; ask for another code")
        }
    }
}

fn redemption_faults(faults: &[RedemptionFault]) -> HttpReply {
    let mut violations = Violations::default();
    for fault in faults {
        let (attribute, message) = match fault {
            RedemptionFault::BelowMinimum(least) => (
                &AMOUNT,
                format!("is below {least}, the least that the code is redeemed for"),
            ),
            RedemptionFault::AboveMaximum(most) => (
                &AMOUNT,
                format!("is above {most}, the most that the code is redeemed for"),
            ),
            RedemptionFault::NothingOff => (
                &AMOUNT,
                "is so small that the code takes nothing off; redeem it for more".to_owned(),
            ),
            RedemptionFault::AbovePrice(price) => (
                &AMOUNT,
                format!("is above the price of the payment, which is {price}"),
            ),
            RedemptionFault::TargetNeeded(services) => (
                &TARGET,
                format!(
                    "is required: the code lowers payments of {} alone; add the reference of one",
                    words(services)
                ),
            ),
            RedemptionFault::TargetUnknown => (
                &TARGET,
                "names no transaction of your account; send its mrcReference".to_owned(),
            ),
            RedemptionFault::TargetFailed => (
                &TARGET,
                "failed or was given back, so there is nothing to lower; name another payment"
                    .to_owned(),
            ),
            RedemptionFault::TargetService(services) => (
                &TARGET,
                format!(
                    "is none of the payments that the code lowers, which are of {}",
                    words(services)
                ),
            ),
            RedemptionFault::TargetCurrency => (
                &TARGET,
                "is in another currency than the code; name a payment in the same".to_owned(),
            ),
            RedemptionFault::TargetPrice(outside) => (&TARGET, outside_rules(*outside)),
        };
        violations.add(attribute, message);
    }
    HttpReply::params(
        StatusCode::BAD_REQUEST,
        "The request has attributes that are not valid.",
        violations,
    )
}

fn outside_rules(outside: VoucherRefusal) -> String {
    let which = match outside {
        VoucherRefusal::BelowMinimum(least) => format!("costs less than {least}, the least"),
        VoucherRefusal::AboveMaximum(most) => format!("costs more than {most}, the most"),
        VoucherRefusal::Unknown
        | VoucherRefusal::NumberTaken
        | VoucherRefusal::ReferenceTaken
        | VoucherRefusal::NotActive(_)
        | VoucherRefusal::OtherCurrency
        | VoucherRefusal::NothingOff
        | VoucherRefusal::TargetTaken
        | VoucherRefusal::RolledBack
        | VoucherRefusal::Changed(_) => "does not cost".to_owned(),
    };
    format!("{which} that the code is redeemed for; name another payment")
}

fn words(services: &[Service]) -> String {
    let words: Vec<_> = services.iter().map(|service| service.code()).collect();
    words.join(", ")
}
