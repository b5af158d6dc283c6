//! Errors about collections. A collection of another account and one that does not exist must get
//! the same answer.

use super::{conflict, invalid, reference_used, unknown};
use crate::reply::HttpReply;
use application::collections::{CollectionError, CollectionSort};
use domain::collection::VIRTUAL_ACCOUNTS_MAX;
use http::StatusCode;
use wire::attribute::{
    Attribute, CHECKOUT_EXPIRES, COLLECTION, COLLECTION_AMOUNT, COLLECTION_EXPIRES, DUE_DATE,
    IF_MATCH, REFERENCE, VERSION,
};
use wire::billing::invoices;
use wire::checkout;
use wire::collection::{account, invoice};
use wire::violations::Violations;

/// The attribute that says when a collection ends.
const fn end(sort: CollectionSort) -> &'static Attribute {
    match sort {
        CollectionSort::Account => &COLLECTION_EXPIRES,
        CollectionSort::Invoice | CollectionSort::Bill => &DUE_DATE,
        CollectionSort::Checkout => &CHECKOUT_EXPIRES,
    }
}

impl From<CollectionError> for HttpReply {
    fn from(refused: CollectionError) -> Self {
        match refused {
            CollectionError::NoRange => no_range(),
            CollectionError::CheckoutNotReady => checkout_not_ready(),
            CollectionError::RangeFull => range_full(),
            CollectionError::ReferenceTaken(reference, sort) => {
                let location = match sort {
                    CollectionSort::Account => account::path(&reference),
                    CollectionSort::Invoice => invoice::path(&reference),
                    CollectionSort::Checkout => checkout::path(&reference),
                    CollectionSort::Bill => invoices::path(&reference),
                };
                let message =
                    "was used before; Location leads to its collection, use another for a new one";
                reference_used(message, &location)
            }
            CollectionError::TooMany => too_many(),
            CollectionError::EndOver(sort) => {
                invalid(end(sort), "is over; send a moment that is to come")
            }
            CollectionError::EndFar(sort) => invalid(end(sort), too_far(sort)),
            CollectionError::Unknown => unknown(
                &COLLECTION,
                "names no collection of your account; GET /collection/account and GET \
                 /collection/invoice list those you have",
            ),
            CollectionError::ReferenceUnknown(sort) => reference_unknown(sort),
            CollectionError::Stale(version) => conflict(
                &VERSION,
                "The version does not match.",
                format!("is not the version of the collection, {version}; look at it again"),
            ),
            CollectionError::Changed => Self::params(
                StatusCode::PRECONDITION_FAILED,
                "The collection was changed.",
                Violations::of(
                    &IF_MATCH,
                    "matches no present version of the collection; read it again and repeat the \
                     change with its ETag",
                ),
            ),
            CollectionError::Closed => conflict(
                &COLLECTION,
                "The collection is closed.",
                "is closed, which is for ever; make another one".to_owned(),
            ),
            CollectionError::CheckoutOver(status) => conflict(
                &REFERENCE,
                "The session is over.",
                format!(
                    "names a session that is {}; only an open one is cancelled",
                    checkout::status(status)
                ),
            ),
            CollectionError::NotSimulated => not_simulated(),
            CollectionError::PaymentTaken => Self::params(
                StatusCode::UNPROCESSABLE_ENTITY,
                "The reference was used before.",
                Violations::of(
                    &REFERENCE,
                    "was used before for another simulated payment; use another for a new one",
                ),
            ),
            CollectionError::BalanceLimit => invalid(
                &COLLECTION_AMOUNT,
                "would take the balance above the most that it may be",
            ),
            CollectionError::Request(refused) => refused.into(),
        }
    }
}

const fn too_far(sort: CollectionSort) -> &'static str {
    match sort {
        CollectionSort::Account | CollectionSort::Invoice | CollectionSort::Bill => {
            "is too far away; a collection waits for ten years at most"
        }
        CollectionSort::Checkout => "is too far away; a session waits for 30 days at most",
    }
}

fn reference_unknown(sort: CollectionSort) -> HttpReply {
    let message = match sort {
        CollectionSort::Account => {
            "names no account number of yours; GET /collection/account lists those you have"
        }
        CollectionSort::Invoice => {
            "names no payment reference of yours; GET /collection/invoice lists those you have"
        }
        CollectionSort::Checkout => {
            "names no checkout session of yours; GET /checkout/session lists those you have"
        }
        CollectionSort::Bill => {
            "names no invoice of yours; GET /billing/invoice lists those you have"
        }
    };
    unknown(&REFERENCE, message)
}

fn no_range() -> HttpReply {
    HttpReply::system(
        StatusCode::SERVICE_UNAVAILABLE,
        "There are no account numbers to hand out.",
        "the operator's bank has lent the gateway no account numbers; nothing was made: \
                 collect with POST /collection/invoice, or ask the operator for account numbers"
            .to_owned(),
    )
}

fn checkout_not_ready() -> HttpReply {
    HttpReply::system(
        StatusCode::SERVICE_UNAVAILABLE,
        "Checkout is not set up.",
        "the operator has not said under which address customers reach pages, or into which \
                 account they pay; nothing was opened: ask the operator to set both up"
            .to_owned(),
    )
}

fn range_full() -> HttpReply {
    HttpReply::system(
        StatusCode::SERVICE_UNAVAILABLE,
        "The account numbers are used up.",
        "hardly any account number of the operator's bank is free; nothing was made: ask \
                 the operator for another range"
            .to_owned(),
    )
}

fn too_many() -> HttpReply {
    HttpReply::request(
        StatusCode::CONFLICT,
        "The account has as many account numbers as it may have.",
        format!(
            "an account has {VIRTUAL_ACCOUNTS_MAX} account numbers at most, for ever; \
                     nothing was made: use those you have again, or POST /collection/invoice"
        ),
    )
}

fn not_simulated() -> HttpReply {
    HttpReply::request(
        StatusCode::FORBIDDEN,
        "Payments are simulated for test accounts alone.",
        "a live account is paid through a bank; nothing was credited: send the request with \
                 a key of a test account"
            .to_owned(),
    )
}
