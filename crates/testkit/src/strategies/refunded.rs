//! Payments that were refunded, with what their merchant asked for.

use super::ArbitraryHistory;
use crate::builders::{airtime, delivered, refund, reversed};
use domain::refund::{GrantedRefund, RefundRequest, RefundVerdict};
use domain::transaction::Observation;

/// Two payments of an account with refunds that their references decided; the provider took the
/// second one back after that.
pub fn refunded(account: &str) -> Vec<(ArbitraryHistory, RefundRequest)> {
    let numbers = [(9_000_001, false), (9_000_002, true)];
    let lived = |(number, is_reversed): (u64, bool)| {
        let reference = format!("refunded-{number}");
        let purchase = airtime().by(account).number(number).reference(&reference);
        let mut asked = refund(account, number, &format!("back-{number}"));
        asked.forced = Some(RefundVerdict::Approved);
        let granted = GrantedRefund {
            number: asked.number,
            amount: asked.amount,
            at: asked.created_at,
        };
        let life = ArbitraryHistory::of(purchase)
            .observed(1, delivered)
            .observed(1, move |_| Observation::Refund(granted));
        let life = if is_reversed {
            life.observed(1, reversed)
        } else {
            life
        };
        asked.transaction = life.opening.transaction.number;
        asked.original = life.opening.transaction.reference.clone();
        (life, asked)
    };
    numbers.into_iter().map(lived).collect()
}
