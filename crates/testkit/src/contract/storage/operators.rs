//! Laws of the log of operators. No entry may be lost, and none stand before its predecessor.

use super::setup::Stores;
use crate::builders::{account_id, at, contact, kobo, provider_id, reference, vouched};
use domain::account::AccountContact;
use domain::change_set::ChangeSet;
use domain::operator::{Act, Actor, OperatorEntry, OperatorName, OperatorOrder};
use domain::reference::ProviderReference;
use domain::reference_settlement::{ReferenceSettlement, ReferenceToSettle, SettledAs};
use ports::accounts::ContactChange;
use ports::ledger_store::CommitOutcome;
use ports::operators::{Appended, SignedEffect};
use ports::reconciliation::{AcknowledgeOutcome, Acknowledgement, Clearance};
use std::iter::once;

fn entry(number: u64, order: OperatorOrder) -> OperatorEntry {
    OperatorEntry {
        number,
        at: at(3),
        actor: Actor::Operator(OperatorName::parse("alpha").expect("a name")),
        order,
        approves: None,
        previous: [u8::try_from(number).expect("small"); 32],
        signature: vec![7; 64],
    }
}

async fn append(stores: &Stores, entry: &OperatorEntry) -> Appended {
    stores.operators.append(entry).await.expect("append")
}

/// Each part of it, and nothing before the first.
pub async fn an_entry_of_the_operators_log_reads_back(stores: &Stores) {
    assert_eq!(stores.operators.last().await.unwrap(), None);
    let credit = OperatorOrder::new(Act::AccountCredit)
        .to("shop")
        .under("bank-1")
        .moving(Some(kobo(700)))
        .with("Funding");
    let first = entry(1, credit);
    let program = OperatorEntry {
        actor: Actor::Program,
        signature: Vec::new(),
        ..entry(2, OperatorOrder::new(Act::AccountOpen))
    };
    let third = OperatorEntry {
        approves: Some(1),
        ..entry(3, OperatorOrder::new(Act::AccountCredit))
    };
    for entry in [&first, &program, &third] {
        assert_eq!(append(stores, entry).await, Appended::Done);
        assert_eq!(stores.operators.last().await.unwrap().as_ref(), Some(entry));
    }
    let after = stores.operators.entries(1, 1).await.unwrap();
    assert_eq!(after, [program]);
    let credits = stores
        .operators
        .of_acts(&[Act::AccountCredit, Act::KeyRotate]);
    assert_eq!(credits.await.unwrap(), [first, third]);
}

/// An operator who signed after an entry that is no longer the last has to sign again.
pub async fn an_entry_of_the_operators_log_follows_the_last(stores: &Stores) {
    let order = || OperatorOrder::new(Act::DeadLetterRetry);
    assert_eq!(append(stores, &entry(2, order())).await, Appended::Behind);
    assert_eq!(append(stores, &entry(1, order())).await, Appended::Done);
    let other = entry(1, order().with("another"));
    assert_eq!(append(stores, &other).await, Appended::Behind);
    assert_eq!(append(stores, &entry(3, order())).await, Appended::Behind);
    assert_eq!(append(stores, &entry(2, order())).await, Appended::Done);
    let all = stores.operators.entries(0, 9).await.unwrap();
    assert_eq!(all, [entry(1, order()), entry(2, order())]);
}

/// Accounts, keys, money paid in, settled references and resumed payments are known to the audit.
pub async fn what_only_operators_make_is_listed(stores: &Stores) {
    stores.has_account("shop", "10.00").await;
    let keys = stores.accounts.credentials(&account_id("shop")).await;
    let keys = keys.unwrap().expect("an account").keys;
    let suspended = stores.reconciliation.suspend("a test", Clearance::Person);
    suspended.await.unwrap();
    let name = ProviderReference::from_echo("TXN 4711".to_owned());
    let word = Acknowledgement {
        by: "alpha".to_owned(),
        ..vouched([name.clone()])
    };
    let acknowledged = stores.reconciliation.acknowledge(&word).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
    let absorbed = SettledAs::Absorbed(kobo(700));
    let waits = ReferenceToSettle::new(name.clone(), provider_id("sandbox"));
    let settlement = ReferenceSettlement::try_new(waits, absorbed, ("beta".to_owned(), at(7)));
    let settlement = ChangeSet::Settle(Box::new(settlement.unwrap()));
    assert_eq!(stores.commit(settlement).await, CommitOutcome::Done);
    let reached = contact("owner@shop.example", "2348031234567");
    let none = AccountContact::default();
    let (accounts, id) = (&stores.accounts, account_id("shop"));
    let set = accounts.set_contact(&id, &none, &reached).await.unwrap();
    assert_eq!(set, ContactChange::Done);
    let effects = stores.operators.effects().await.unwrap();
    let shop = || account_id("shop");
    let expected = once(SignedEffect::Account(shop(), reached))
        .chain(
            keys.into_iter()
                .map(|key| SignedEffect::Key(shop(), key.hint)),
        )
        .chain([
            SignedEffect::Funding(shop(), reference("opening-balance"), kobo(1_000)),
            SignedEffect::Resumption(provider_id("sandbox"), "alpha".to_owned()),
            SignedEffect::Settlement(name, absorbed, "beta".to_owned()),
        ]);
    let expected: Vec<_> = expected.collect();
    assert_eq!(effects.len(), expected.len(), "{effects:?}");
    for effect in expected {
        assert!(
            effects.contains(&effect),
            "{effect:?} is not in {effects:?}"
        );
    }
}
