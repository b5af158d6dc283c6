//! What must hold after every step, and of every history. It must not know the observations.

use crate::history::{FUNDED, History};
use domain::change_set::StateChange;
use domain::event::EventKind;
use domain::ledger::{LedgerAccount, TransferKind};
use domain::provider::Fulfilment;
use domain::sms::Dispatch;
use domain::transaction::{Age, AttemptNumber, Proof, State, Status, Transaction};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Versions rise by one, events by one where there is one, final states absorb, and every public
/// change has an event.
pub(crate) fn check_step(before: &Transaction, advance: &StateChange) -> Result<(), TestCaseError> {
    let after = &advance.transaction;
    prop_assert_eq!(after.version, before.version + 1);
    prop_assert_eq!(advance.expected_version(), before.version);
    if let Some(event) = &advance.event {
        prop_assert_eq!(event.sequence, before.sequence + 1);
        prop_assert_eq!(after.sequence, event.sequence);
        prop_assert_eq!(event.transaction, after.number);
    } else {
        prop_assert_eq!(after.sequence, before.sequence);
        prop_assert_eq!(after.status(), before.status());
        prop_assert!(advance.transfers.is_empty());
    }
    match before.status() {
        Status::Pending => {}
        Status::Successful => {
            prop_assert!(matches!(
                after.status(),
                Status::Successful | Status::Reversed
            ));
        }
        Status::Failed | Status::Reversed => prop_assert_eq!(after.status(), before.status()),
    }
    if let (Some(known), Some(after)) = (way(before), way(after)) {
        let ended = known.overall().is_final();
        prop_assert!(!ended || after == known, "{known:?} became {after:?}");
        for (known, after) in known.parts().iter().zip(after.parts()) {
            prop_assert!(!known.is_final() || after == known);
        }
        let reported = advance.event.map(|event| event.kind) == Some(EventKind::MessageStatus);
        prop_assert_eq!(after != known, reported);
    }
    if let (State::InDoubt(known), State::InDoubt(after)) = (&before.state, &after.state) {
        let (known, after) = (known.age.elapsed(), after.age.elapsed());
        prop_assert!(known <= after && after.saturating_sub(known) <= Age::STEP_MAX);
    }
    let frozen = |tx: &Transaction| (tx.order.clone(), tx.quote.clone(), tx.reference.clone());
    prop_assert_eq!(frozen(after), frozen(before));
    Ok(())
}

/// What is known of a message that was delivered to the network.
fn way(tx: &Transaction) -> Option<&Dispatch> {
    match &tx.state.delivered()?.fulfilment {
        Fulfilment::Sms(dispatch) => Some(dispatch),
        Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Electricity(_)
        | Fulfilment::Internet
        | Fulfilment::Whatsapp(_)
        | Fulfilment::Rcs(_)
        | Fulfilment::Voice(_)
        | Fulfilment::Ivr(_)
        | Fulfilment::Bank
        | Fulfilment::MobileMoney
        | Fulfilment::Card
        | Fulfilment::International(_)
        | Fulfilment::Bill(_)
        | Fulfilment::Hlr(_)
        | Fulfilment::Lookup(_) => None,
    }
}

/// The money is exactly where the state says (I1, I2, I3, I16).
pub(crate) fn check_money(history: &History) -> Result<(), TestCaseError> {
    let tx = &history.tx;
    let (price, cost) = (tx.quote.price.minor(), tx.quote.cost.minor());
    let quote = tx.charged();
    let (held, charged, sold) = match tx.status() {
        Status::Pending => (price, price, 0),
        Status::Successful => (0, quote.price.minor(), 1),
        Status::Failed | Status::Reversed => (0, 0, 0),
    };
    let disproven = history.disproven();
    let losses = disproven.iter().filter(|ended| ended.is_loss()).count();
    let losses = i64::try_from(losses).unwrap();
    let balances = history.balances()?;
    let balance = |account| balances.get(&account).copied().unwrap_or_default();
    prop_assert_eq!(balances.values().sum::<i64>(), 0);
    prop_assert_eq!(history.wallet.held.minor(), held);
    prop_assert_eq!(history.wallet.available.minor(), FUNDED - charged);
    prop_assert_eq!(
        balance(LedgerAccount::Available(tx.account.clone())),
        -charged
    );
    prop_assert_eq!(balance(LedgerAccount::Held(tx.account.clone())), held);
    let mut floats = BTreeMap::new();
    *floats.entry(tx.provider().clone()).or_insert(0) += quote.cost.minor() * sold;
    for lost in disproven.iter().filter(|ended| ended.is_loss()) {
        let provider = tx.provider_of(lost.attempt).clone();
        *floats.entry(provider).or_insert(0) += cost;
    }
    for (provider, expected) in floats {
        prop_assert_eq!(balance(LedgerAccount::Float(provider)), expected);
    }
    prop_assert_eq!(balance(LedgerAccount::Loss), -cost * losses);
    let shares = [
        (LedgerAccount::ChargesRevenue, quote.fee),
        (LedgerAccount::VatPayable, quote.vat),
        (LedgerAccount::LevyPayable, quote.levy),
        (LedgerAccount::CommissionRevenue, quote.margin().unwrap()),
    ];
    for (account, share) in shares {
        prop_assert_eq!(balance(account), share.minor() * sold);
    }
    let settled = history.count(TransferKind::Capture) + history.count(TransferKind::Release);
    prop_assert_eq!(history.count(TransferKind::Hold), 1);
    let is_part = quote.price != tx.quote.price;
    prop_assert_eq!(history.count(TransferKind::Unused), usize::from(is_part));
    prop_assert_eq!(settled, usize::from(tx.status() != Status::Pending));
    let reversed = usize::from(tx.status() == Status::Reversed);
    prop_assert_eq!(history.count(TransferKind::Reversal), reversed);
    Ok(())
}

/// One attempt at a time, the second only after proof against the first (I4, I5, I6), one event per
/// change without a gap (I11), and one loss for each attempt that was delivered against its proof.
pub(crate) fn check_attempts(history: &History) -> Result<(), TestCaseError> {
    let tx = &history.tx;
    let retried = tx.attempt() > Some(AttemptNumber::FIRST);
    prop_assert_eq!(tx.earlier.len(), usize::from(retried));
    for ended in &tx.earlier {
        match &ended.proof {
            Proof::NotSent => {}
            Proof::Refused(refusal) => {
                prop_assert!(refusal.kind.allows_another_route());
                prop_assert_ne!(tx.provider_of(ended.attempt), tx.provider());
            }
            Proof::Absent(_) | Proof::TakenBack | Proof::Ruled(_) => prop_assert!(false),
        }
    }
    prop_assert_eq!(history.reported(EventKind::Resent), usize::from(retried));
    let disproven = history.disproven();
    let contradicted = disproven
        .iter()
        .filter(|ended| ended.contradicted_at.is_some());
    let contradicted = contradicted.count();
    prop_assert_eq!(history.reported(EventKind::LateDelivered), contradicted);
    prop_assert_eq!(history.count(TransferKind::Loss), contradicted);
    let losses = disproven.iter().filter(|ended| ended.is_loss()).count();
    let undone = contradicted - losses;
    prop_assert_eq!(history.reported(EventKind::LateReversed), undone);
    prop_assert_eq!(history.count(TransferKind::LossReversal), undone);
    prop_assert_eq!(usize::try_from(tx.sequence).unwrap(), history.events.len());
    let ended = match tx.status() {
        Status::Pending => None,
        Status::Successful => Some(EventKind::Successful),
        Status::Failed => Some(EventKind::Failed),
        Status::Reversed => Some(EventKind::Reversed),
    };
    prop_assert!(ended.is_none_or(|kind| history.reported(kind) == 1));
    Ok(())
}
