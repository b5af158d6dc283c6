//! Errors about refunds. A payment and a refund of another account and those that do not exist must
//! get the same answer.

use super::{invalid, reference_used, unknown};
use crate::reply::HttpReply;
use application::refunds::RefundError;
use domain::refund::{NotRefundable, REFUNDS_OPEN_MAX};
use http::StatusCode;
use wire::attribute::{CURRENCY, REFERENCE, REFUNDED, TRANSFER_AMOUNT};
use wire::billing::refunds;

impl From<RefundError> for HttpReply {
    fn from(refused: RefundError) -> Self {
        match refused {
            RefundError::PaymentUnknown => unknown(
                &REFUNDED,
                "names no payment of your account; GET /account/transactions/all lists those you \
                 have",
            ),
            RefundError::NotRefundable(why) => not_refundable(why),
            RefundError::PaymentTaken => conflict(
                "another refund of this payment was asked for; GET /billing/refund lists it",
            ),
            RefundError::ReferenceTaken(reference) => reference_used(
                "was used before; Location leads to its refund, use another for a new one",
                &refunds::path(&reference),
            ),
            RefundError::TooMany => conflict(&format!(
                "{REFUNDS_OPEN_MAX} refunds of an account may wait at once; nothing was done: ask \
                 for it once others were decided"
            )),
            RefundError::Unknown => unknown(
                &REFERENCE,
                "names no refund of your account; GET /billing/refund lists those you have",
            ),
            RefundError::Request(refused) => refused.into(),
        }
    }
}

fn not_refundable(why: NotRefundable) -> HttpReply {
    match why {
        NotRefundable::AbovePrice(_) => invalid(&TRANSFER_AMOUNT, why.to_string()),
        NotRefundable::OtherCurrency(_) => invalid(&CURRENCY, why.to_string()),
        NotRefundable::Open
        | NotRefundable::Failed
        | NotRefundable::Reversed
        | NotRefundable::Booked
        | NotRefundable::Free
        | NotRefundable::Refunded => conflict(&format!("the payment {why}")),
    }
}

fn conflict(remedy: &str) -> HttpReply {
    let message = "The payment cannot be refunded now.";
    HttpReply::request(StatusCode::CONFLICT, message, remedy.to_owned())
}
