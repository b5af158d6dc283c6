//! The transfers each step of a transaction makes. Every function must move the quoted price and
//! nothing else of the merchant's.

use super::{LedgerAccount, Transfer, TransferKind};
use crate::money::Money;
use crate::time::Timestamp;
use crate::transaction::Transaction;

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

/// Earns the price set aside and divides it: cost stays with the provider, margin and fee are
/// revenue.
pub(crate) fn capture(tx: &Transaction, at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider.clone());
    let legs = (LedgerAccount::Held(tx.account.clone()), float);
    let mut transfers = vec![entry((tx, at), TransferKind::Capture, legs, tx.quote.price)];
    transfers.extend(shares(tx, [TransferKind::Margin, TransferKind::Charge], at));
    transfers
}

/// Gives a captured price back and returns the shares.
pub(crate) fn reverse(tx: &Transaction, at: Timestamp) -> Vec<Transfer> {
    let float = LedgerAccount::Float(tx.provider.clone());
    let legs = (float, LedgerAccount::Available(tx.account.clone()));
    let narration = format!("Reversed: {}", tx.order.narration());
    let back =
        entry((tx, at), TransferKind::Reversal, legs, tx.quote.price).on_statement(narration);
    let kinds = [TransferKind::MarginReversal, TransferKind::ChargeReversal];
    let swapped = |share: Transfer| Transfer {
        debit: share.credit.clone(),
        credit: share.debit.clone(),
        ..share
    };
    shares(tx, kinds, at)
        .into_iter()
        .map(swapped)
        .chain([back])
        .collect()
}

/// Books a delivery that the merchant was already given the money back for.
pub(crate) fn loss(tx: &Transaction, at: Timestamp) -> Vec<Transfer> {
    let legs = (
        LedgerAccount::Loss,
        LedgerAccount::Float(tx.provider.clone()),
    );
    let booked = entry((tx, at), TransferKind::Loss, legs, tx.quote.cost);
    if booked.amount.is_positive() {
        vec![booked]
    } else {
        Vec::new()
    }
}

/// Margin and fee of a captured price, as kinds of transfer; a share of nothing makes none.
fn shares(tx: &Transaction, kinds: [TransferKind; 2], at: Timestamp) -> Vec<Transfer> {
    let [margin_kind, charge_kind] = kinds;
    let float = LedgerAccount::Float(tx.provider.clone());
    let zero = Money::zero(tx.quote.price.currency());
    // A quote always has a margin: price, fee and cost share a currency and are within the limit.
    let margin = tx.quote.margin().unwrap_or(zero);
    let (legs, margin) = match zero.checked_sub(margin).filter(|owed| owed.is_positive()) {
        Some(owed) => ((LedgerAccount::CommissionRevenue, float.clone()), owed),
        None => ((float.clone(), LedgerAccount::CommissionRevenue), margin),
    };
    let margin = entry((tx, at), margin_kind, legs, margin);
    let legs = (float, LedgerAccount::ChargesRevenue);
    let charge = entry((tx, at), charge_kind, legs, tx.quote.fee);
    [margin, charge]
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
