//! The transfers each step of a transaction makes. Every function must move the quoted price, or
//! what is charged of it, and nothing else of the merchant's.

use super::{LedgerAccount, Transfer, TransferKind};
use crate::account::AccountId;
use crate::money::Money;
use crate::pricing::Quote;
use crate::refund::GrantedRefund;
use crate::time::Timestamp;
use crate::transaction::{AttemptNumber, Transaction};

/// Sets the price aside.
pub(crate) fn hold(tx: &Transaction, at: Timestamp) -> Transfer {
    let legs = (
        LedgerAccount::Available(tx.account.clone()),
        LedgerAccount::Held(tx.account.clone()),
    );
    entry((tx, at), TransferKind::Hold, legs, tx.quote.price).on_statement(tx.order.narration())
}

/// Gives the price set aside back.
pub(crate) fn release(tx: &Transaction, at: Timestamp) -> Transfer {
    let legs = (
        LedgerAccount::Held(tx.account.clone()),
        LedgerAccount::Available(tx.account.clone()),
    );
    let narration = format!("Released: {}", tx.order.narration());
    entry((tx, at), TransferKind::Release, legs, tx.quote.price).on_statement(narration)
}

/// Earns what is charged of the price set aside and divides it: cost stays with the provider,
/// margin and fee are revenue. The rest of the hold is given back.
pub(crate) fn capture((tx, charged): (&Transaction, &Quote), at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider().clone());
    let held = LedgerAccount::Held(tx.account.clone());
    let legs = (held.clone(), float);
    let mut transfers = vec![entry((tx, at), TransferKind::Capture, legs, charged.price)];
    transfers.extend(shares((tx, charged), &CAPTURED, at));
    // What is charged is never more than what is held, in one currency.
    let unused = tx.quote.price.checked_sub(charged.price);
    let unused = unused.filter(|it| it.is_positive()).map(|unused| {
        let legs = (held, LedgerAccount::Available(tx.account.clone()));
        let narration = format!("Unused: {}", tx.order.narration());
        entry((tx, at), TransferKind::Unused, legs, unused).on_statement(narration)
    });
    transfers.extend(unused);
    transfers
}

/// The price leaves the hold for the account that it is exchanged by, and what it buys arrives.
pub(crate) fn exchange(tx: &Transaction, arrives: Money, at: Timestamp) -> Vec<Transfer> {
    let out = (
        LedgerAccount::Held(tx.account.clone()),
        LedgerAccount::CreditSales,
    );
    let arriving = (
        LedgerAccount::CreditSales,
        LedgerAccount::Available(tx.account.clone()),
    );
    vec![
        entry((tx, at), TransferKind::TransferOut, out, tx.quote.price),
        entry((tx, at), TransferKind::TransferIn, arriving, arrives)
            .on_statement(tx.order.narration()),
    ]
}

/// The price leaves the hold, and arrives at another account. The row there belongs to no
/// transaction of that account.
pub(crate) fn pay(tx: &Transaction, payee: &AccountId, at: Timestamp) -> Vec<Transfer> {
    let out = (
        LedgerAccount::Held(tx.account.clone()),
        LedgerAccount::Transit,
    );
    let arriving = (
        LedgerAccount::Transit,
        LedgerAccount::Available(payee.clone()),
    );
    let price = tx.quote.price;
    let credit = entry((tx, at), TransferKind::UserCredit, arriving, price);
    vec![
        entry((tx, at), TransferKind::TransferOut, out, price),
        Transfer {
            transaction: None,
            ..credit.on_statement(tx.order.narration_at_payee())
        },
    ]
}

/// Gives a captured price back and returns the shares.
pub(crate) fn reverse(tx: &Transaction, at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider().clone());
    let legs = (float, LedgerAccount::Available(tx.account.clone()));
    let narration = format!("Reversed: {}", tx.order.narration());
    let charged = tx.charged();
    let back = entry((tx, at), TransferKind::Reversal, legs, charged.price).on_statement(narration);
    let swapped = |share: Transfer| Transfer {
        debit: share.credit.clone(),
        credit: share.debit.clone(),
        ..share
    };
    shares((tx, &charged), &RETURNED, at)
        .into_iter()
        .map(swapped)
        .chain([back])
        .collect()
}

/// Gives a part of a captured price back, or all of it, at the gateway's cost.
pub(crate) fn refund(tx: &Transaction, amount: Money, at: Timestamp) -> Transfer {
    let available = LedgerAccount::Available(tx.account.clone());
    let legs = (LedgerAccount::Refunds, available);
    let narration = format!("Refunded: {}", tx.order.narration());
    entry((tx, at), TransferKind::Refund, legs, amount).on_statement(narration)
}

/// Takes a refund back, once the provider gave the whole price back: the merchant is left with the
/// price. It follows the reversal, so that the wallet holds it.
pub(crate) fn reverse_refund(
    tx: &Transaction,
    granted: Option<GrantedRefund>,
    at: Timestamp,
) -> Option<Transfer> {
    let available = LedgerAccount::Available(tx.account.clone());
    let legs = (available, LedgerAccount::Refunds);
    let narration = format!("Refund taken back: {}", tx.order.narration());
    granted.map(|refund| {
        entry((tx, at), TransferKind::RefundReversal, legs, refund.amount).on_statement(narration)
    })
}

/// Books a delivery that the merchant was already given the money back for.
pub(crate) fn loss((tx, attempt): (&Transaction, AttemptNumber), at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider_of(attempt).clone());
    let legs = (LedgerAccount::Loss, float);
    let booked = entry((tx, at), TransferKind::Loss, legs, tx.quote.cost);
    if booked.amount.is_positive() {
        vec![booked]
    } else {
        Vec::new()
    }
}

/// Undoes the loss of a delivery that was taken back.
pub(crate) fn reverse_loss(
    delivered: (&Transaction, AttemptNumber),
    at: Timestamp,
) -> Vec<Transfer> {
    let undone = |booked: Transfer| Transfer {
        kind: TransferKind::LossReversal,
        debit: booked.credit,
        credit: booked.debit,
        ..booked
    };
    loss(delivered, at).into_iter().map(undone).collect()
}

/// What the shares of a price are called when it is captured, and when it is returned.
struct Shares {
    margin: TransferKind,
    charge: TransferKind,
    vat: TransferKind,
    levy: TransferKind,
}

const CAPTURED: Shares = Shares {
    margin: TransferKind::Margin,
    charge: TransferKind::Charge,
    vat: TransferKind::Vat,
    levy: TransferKind::Levy,
};

const RETURNED: Shares = Shares {
    margin: TransferKind::MarginReversal,
    charge: TransferKind::ChargeReversal,
    vat: TransferKind::VatReversal,
    levy: TransferKind::LevyReversal,
};

/// Margin, fee and taxes of a captured price; a share of nothing makes no transfer.
fn shares((tx, quote): (&Transaction, &Quote), kinds: &Shares, at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider().clone());
    let zero = Money::zero(quote.price.currency());
    // A quote always has a margin: its parts share a currency and are within the limit.
    let margin = quote.margin().unwrap_or(zero);
    let (legs, margin) = match zero.checked_sub(margin).filter(|owed| owed.is_positive()) {
        Some(owed) => ((LedgerAccount::CommissionRevenue, float.clone()), owed),
        None => ((float.clone(), LedgerAccount::CommissionRevenue), margin),
    };
    let to = |account| (float.clone(), account);
    [
        entry((tx, at), kinds.margin, legs, margin),
        entry(
            (tx, at),
            kinds.charge,
            to(LedgerAccount::ChargesRevenue),
            quote.fee,
        ),
        entry(
            (tx, at),
            kinds.vat,
            to(LedgerAccount::VatPayable),
            quote.vat,
        ),
        entry(
            (tx, at),
            kinds.levy,
            to(LedgerAccount::LevyPayable),
            quote.levy,
        ),
    ]
    .into_iter()
    .filter(|share| share.amount.is_positive())
    .collect()
}

fn entry(
    (tx, at): (&Transaction, Timestamp),
    kind: TransferKind,
    (debit, credit): (LedgerAccount, LedgerAccount),
    amount: Money,
) -> Transfer {
    let transaction = Some(tx.number);
    Transfer {
        transaction,
        kind,
        debit,
        credit,
        amount,
        narration: None,
        at,
    }
}

impl Transfer {
    fn on_statement(self, narration: String) -> Self {
        Self {
            narration: Some(narration),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use crate::percent::Percent;
    use crate::pricing::{Terms, Use, quote};
    use crate::transaction::sample::{Product, draft};
    use proptest::prelude::*;
    use rust_decimal::Decimal;
    use std::collections::BTreeMap;

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn opened() -> Transaction {
        draft(Product::Airtime).open(NOW, NOW).transaction
    }

    /// What every account that changed has gained.
    fn gains(transfers: &[Transfer]) -> BTreeMap<LedgerAccount, i64> {
        let mut gains = BTreeMap::new();
        for transfer in transfers {
            let amount = transfer.amount.minor();
            *gains.entry(transfer.debit.clone()).or_default() -= amount;
            *gains.entry(transfer.credit.clone()).or_default() += amount;
        }
        gains.retain(|_, gain| *gain != 0);
        gains
    }

    #[test]
    fn what_was_not_used_of_a_hold_goes_back() {
        let tx = draft(Product::Call).open(NOW, NOW).transaction;
        let used = Use::new(2, tx.order.units()).unwrap();
        let charged = tx.quote.for_use(used).unwrap();
        let captured = capture((&tx, &charged), NOW);
        let expected = BTreeMap::from([
            (LedgerAccount::Held(tx.account.clone()), -97_903),
            (LedgerAccount::Available(tx.account.clone()), 32_301),
            (LedgerAccount::Float(tx.provider().clone()), 63_936),
            (LedgerAccount::CommissionRevenue, 666),
            (LedgerAccount::ChargesRevenue, 1_000),
        ]);
        assert_eq!(gains(&captured), expected);
        let lines = captured.iter().filter_map(|it| it.narration.as_deref());
        assert_eq!(
            lines.collect::<Vec<_>>(),
            ["Unused: Call MyShop to 2348031234567"]
        );
    }

    #[test]
    fn what_was_held_and_released_changes_nothing() {
        let tx = opened();
        let transfers = [hold(&tx, NOW), release(&tx, NOW)];
        assert_eq!(gains(&transfers), BTreeMap::new());
        assert!(
            transfers
                .iter()
                .all(|transfer| transfer.amount == tx.quote.price)
        );
    }

    #[test]
    fn a_captured_price_is_cost_margin_and_fee() {
        let tx = opened();
        let mut transfers = vec![hold(&tx, NOW)];
        transfers.extend(capture((&tx, &tx.quote), NOW));
        let expected = BTreeMap::from([
            (LedgerAccount::Available(tx.account.clone()), -98_000),
            (LedgerAccount::Float(tx.provider().clone()), 96_000),
            (LedgerAccount::CommissionRevenue, 1_000),
            (LedgerAccount::ChargesRevenue, 1_000),
        ]);
        assert_eq!(gains(&transfers), expected);
    }

    #[test]
    fn a_captured_payout_is_what_arrives_and_what_is_owed_on_top() {
        let tx = draft(Product::Payout).open(NOW, NOW).transaction;
        let mut transfers = vec![hold(&tx, NOW)];
        transfers.extend(capture((&tx, &tx.quote), NOW));
        let expected = BTreeMap::from([
            (LedgerAccount::Available(tx.account.clone()), -106_075),
            (LedgerAccount::Float(tx.provider().clone()), 100_000),
            (LedgerAccount::ChargesRevenue, 1_000),
            (LedgerAccount::VatPayable, 75),
            (LedgerAccount::LevyPayable, 5_000),
        ]);
        assert_eq!(gains(&transfers), expected);
        transfers.extend(reverse(&tx, NOW));
        assert_eq!(gains(&transfers), BTreeMap::new());
    }

    #[test]
    fn a_sale_below_cost_is_paid_for_by_the_commission() {
        let mut tx = opened();
        tx.quote.cost = naira(97_500);
        let float = LedgerAccount::Float(tx.provider().clone());
        let gains = gains(&capture((&tx, &tx.quote), NOW));
        assert_eq!(gains.get(&LedgerAccount::CommissionRevenue), Some(&-500));
        assert_eq!(gains.get(&float), Some(&97_500));
    }

    #[test]
    fn a_share_of_nothing_is_no_transfer() {
        let mut tx = opened();
        tx.quote.fee = naira(0);
        tx.quote.cost = tx.quote.price;
        let kinds: Vec<_> = capture((&tx, &tx.quote), NOW)
            .iter()
            .map(|share| share.kind)
            .collect();
        assert_eq!(kinds, [TransferKind::Capture]);
        tx.quote.cost = naira(0);
        assert_eq!(loss((&tx, AttemptNumber::FIRST), NOW), []);
        assert_eq!(reverse_loss((&tx, AttemptNumber::FIRST), NOW), []);
    }

    #[test]
    fn a_loss_that_is_undone_changes_nothing() {
        let tx = opened();
        let mut transfers = loss((&tx, AttemptNumber::FIRST), NOW);
        transfers.extend(reverse_loss((&tx, AttemptNumber::FIRST), NOW));
        assert_eq!(gains(&transfers), BTreeMap::new());
        let kinds: Vec<_> = transfers.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [TransferKind::Loss, TransferKind::LossReversal]);
    }

    #[test]
    fn only_what_the_merchant_sees_has_a_line_on_the_statement() {
        let tx = opened();
        let lines = |transfers: &[Transfer]| -> Vec<Option<String>> {
            let narrations = transfers.iter().map(|transfer| transfer.narration.clone());
            narrations.collect()
        };
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(
            lines(&[hold(&tx, NOW)]),
            [line("Airtime MTN 2348031234567")]
        );
        let released = line("Released: Airtime MTN 2348031234567");
        assert_eq!(lines(&[release(&tx, NOW)]), [released]);
        let reversed = line("Reversed: Airtime MTN 2348031234567");
        assert_eq!(lines(&reverse(&tx, NOW)), [None, None, reversed]);
        assert_eq!(lines(&capture((&tx, &tx.quote), NOW)), [None, None, None]);
        assert_eq!(lines(&loss((&tx, AttemptNumber::FIRST), NOW)), [None]);
    }

    proptest! {
        #[test]
        fn a_reversed_sale_leaves_no_trace_in_any_balance(
            amount in 1_i64..=1_000_000_000_000, commission in 0_i64..=9_999,
            discount in 0_i64..=10_000, fee in 0_i64..100_000,
        ) {
            let percent = |bp| Percent::try_new(Decimal::new(bp, 2)).unwrap();
            let terms = Terms {
                commission: percent(commission), discount: percent(discount), fee: naira(fee),
            };
            let Ok(quote) = quote(naira(amount), &terms, String::new()) else {
                return Ok(());
            };
            let tx = Transaction { quote, ..opened() };
            let mut transfers = vec![hold(&tx, NOW)];
            transfers.extend(capture((&tx, &tx.quote), NOW));
            let sold = gains(&transfers);
            let gain = |account| sold.get(&account).copied().unwrap_or_default();
            let spent = gain(LedgerAccount::Available(tx.account.clone()));
            prop_assert_eq!(spent, -tx.quote.price.minor());
            let cost = gain(LedgerAccount::Float(tx.provider().clone()));
            prop_assert_eq!(cost, tx.quote.cost.minor());
            prop_assert_eq!(gain(LedgerAccount::ChargesRevenue), fee);
            prop_assert_eq!(sold.values().sum::<i64>(), 0);
            transfers.extend(reverse(&tx, NOW));
            prop_assert!(transfers.iter().all(|transfer| transfer.amount.is_positive()));
            prop_assert_eq!(gains(&transfers), BTreeMap::new());
        }
    }
}
