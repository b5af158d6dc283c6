//! Refunds in few words.

use super::{account_id, at, naira, reference};
use domain::operator::OperatorName;
use domain::reference::TransactionNumber;
use domain::refund::{RefundDecision, RefundReason, RefundRequest, RefundVerdict};

/// A refund of 100.00 that an account called `account` asks for, of payment `order-1` under number
/// 1.
pub fn refund(account: &str, number: u64, under: &str) -> RefundRequest {
    let numbered = |number| TransactionNumber::try_new(number).expect("a number");
    RefundRequest {
        account: account_id(account),
        number: numbered(number),
        reference: reference(under),
        original: reference("order-1"),
        transaction: numbered(1),
        amount: naira("100.00"),
        is_whole: false,
        reason: RefundReason::parse("never arrived").expect("a reason"),
        forced: None,
        created_at: at(0),
    }
}

/// What two operators decide.
pub fn refund_decision(verdict: RefundVerdict) -> RefundDecision {
    let operator = |name| OperatorName::parse(name).expect("a name");
    RefundDecision {
        verdict,
        by: operator("amaka"),
        confirmed_by: Some(operator("bello")),
        at: at(30),
    }
}
