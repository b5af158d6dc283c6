//! What operators sign: nothing is signed by who is no operator, two must say the very same, and
//! the audit sees what was forged.

use application::operators::{Decision, NotSigned, Operators, Signer};
use domain::account::AccountId;
use domain::operator::{Act, Actor, OperatorEntry, OperatorName, OperatorOrder, PublicKey};
use operator_keys::SigningKey;
use ports::accounts::Accounts;
use ports::audit::CheckOutcome;
use ports::clock::Clock;
use ports::operators::{Appended, OperatorLog};
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account, kobo};
use testkit::clock::ManualClock;
use testkit::memory::MemoryStore;

/// The log of an empty store.
struct OperatorWorld {
    store: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    operators: Operators,
}

fn signer(name: &str, seed: u8) -> Signer {
    Signer {
        name: OperatorName::parse(name).unwrap(),
        key: SigningKey::from_seed([seed; 32]).unwrap(),
    }
}

fn addition(signer: &Signer) -> OperatorOrder {
    let key = PublicKey(signer.key.public());
    OperatorOrder::new(Act::OperatorAdd)
        .under(&signer.name)
        .with(key)
}

fn credit(reference: &str) -> OperatorOrder {
    let order = OperatorOrder::new(Act::AccountCredit)
        .to("shop")
        .under(reference);
    order.moving(Some(kobo(700)))
}

impl OperatorWorld {
    /// With `alpha` and `beta`.
    async fn with_two() -> (Self, Signer, Signer) {
        let (store, clock) = (MemoryStore::new(), ManualClock::start());
        let operators = Operators::new(store.clone(), clock.clone());
        let world = Self {
            store,
            clock,
            operators,
        };
        let (alpha, beta) = (signer("alpha", 1), signer("beta", 2));
        let alone = world.operators.sign(&alpha, &credit("too-early")).await;
        assert!(matches!(alone, Err(NotSigned::NoOperators)), "{alone:?}");
        world
            .operators
            .sign(&alpha, &addition(&alpha))
            .await
            .unwrap();
        world
            .operators
            .sign(&alpha, &addition(&beta))
            .await
            .unwrap();
        (world, alpha, beta)
    }

    /// What the audit finds wrong with the log and with what was done.
    async fn offences(&self) -> [Vec<String>; 2] {
        let checks = self.operators.audit(self.clock.now()).await.unwrap();
        let offences = checks.into_iter().map(|check| match check.outcome {
            CheckOutcome::Broken { offences } => offences,
            CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
        });
        let offences: Vec<_> = offences.collect();
        offences.try_into().unwrap()
    }

    /// Appends an entry as who holds the store can, without a key.
    async fn forge(&self, change: impl FnOnce(&mut OperatorEntry)) {
        let last = self.store.last().await.unwrap().unwrap();
        let mut entry = OperatorEntry {
            number: last.number + 1,
            ..last
        };
        change(&mut entry);
        assert_eq!(self.store.append(&entry).await.unwrap(), Appended::Done);
    }
}

#[tokio::test]
async fn only_an_operator_signs_and_only_with_the_key_that_was_added() {
    let (world, alpha, beta) = OperatorWorld::with_two().await;
    let order = credit("bank-1");
    assert_eq!(world.operators.sign(&alpha, &order).await.unwrap(), 3);
    let other = world.operators.sign(&signer("beta", 3), &order).await;
    assert!(matches!(other, Err(NotSigned::OtherKey(_))), "{other:?}");
    let gamma = world.operators.sign(&signer("gamma", 9), &order).await;
    assert!(matches!(gamma, Err(NotSigned::NoOperator(_))), "{gamma:?}");
    let revoke = OperatorOrder::new(Act::OperatorRevoke).under(&beta.name);
    world.operators.sign(&alpha, &revoke).await.unwrap();
    let revoked = world.operators.sign(&beta, &order).await;
    assert!(
        matches!(revoked, Err(NotSigned::NoOperator(_))),
        "{revoked:?}"
    );
    let last = OperatorOrder::new(Act::OperatorRevoke).under(&alpha.name);
    let last = world.operators.sign(&alpha, &last).await;
    assert!(matches!(last, Err(NotSigned::NotListed(_))), "{last:?}");
    assert_eq!(world.store.entries(0, 9).await.unwrap().len(), 4);
}

#[tokio::test]
async fn two_operators_must_say_the_very_same() {
    let (world, alpha, beta) = OperatorWorld::with_two().await;
    let decide = async |signer: &Signer, order: &OperatorOrder| {
        world.operators.decide(signer, order).await.unwrap()
    };
    let order = credit("bank-1");
    let proposed = Decision::Proposed { entry: 3 };
    assert_eq!(decide(&alpha, &order).await, proposed);
    assert_eq!(
        decide(&alpha, &order).await,
        proposed,
        "one is one, however often"
    );
    let other = decide(&beta, &credit("bank-2")).await;
    assert_eq!(other, Decision::Proposed { entry: 4 });
    let approved = Decision::Approved {
        proposed_by: alpha.name.clone(),
    };
    assert_eq!(decide(&beta, &order).await, approved);
    assert_eq!(
        decide(&beta, &order).await,
        approved,
        "what was not done is done"
    );
    let entries = world.store.entries(0, 9).await.unwrap();
    assert_eq!((entries.len(), entries[4].approves), (5, Some(3)));
    assert_eq!(world.offences().await[0], [""; 0]);
}

#[tokio::test]
async fn what_a_revoked_operator_or_a_forger_proposed_is_not_approved() {
    let (world, alpha, beta) = OperatorWorld::with_two().await;
    let order = credit("bank-1");
    world.operators.sign(&beta, &order).await.unwrap();
    let revoke = OperatorOrder::new(Act::OperatorRevoke).under(&beta.name);
    world.operators.sign(&alpha, &revoke).await.unwrap();
    let alone = world.operators.decide(&alpha, &order).await.unwrap();
    assert!(matches!(alone, Decision::Proposed { .. }), "{alone:?}");
    let (world, alpha, beta) = OperatorWorld::with_two().await;
    world
        .forge(|entry| {
            entry.actor = Actor::Operator(beta.name.clone());
            entry.order = order.clone();
        })
        .await;
    let alone = world.operators.decide(&alpha, &order).await.unwrap();
    assert!(matches!(alone, Decision::Proposed { .. }), "{alone:?}");
    let [log, _] = world.offences().await;
    assert!(log[1].contains("entry 3 is not signed by beta"), "{log:?}");
}

#[tokio::test]
async fn the_program_opens_one_account_and_does_nothing_else() {
    let (world, ..) = OperatorWorld::with_two().await;
    let open = OperatorOrder::new(Act::AccountOpen).to("sandbox");
    world.operators.note(&open).await.unwrap();
    assert_eq!(world.offences().await[0], [""; 0]);
    world.operators.note(&open).await.unwrap();
    let [log, _] = world.offences().await;
    assert!(log[0].contains("entry 4 is of the program"), "{log:?}");
    world.operators.note(&credit("bank-1")).await.unwrap();
    let [log, _] = world.offences().await;
    assert!(log[1].contains("which does no account-credit"), "{log:?}");
}

#[tokio::test]
async fn an_operator_who_is_forged_stops_every_act() {
    let (world, alpha, _) = OperatorWorld::with_two().await;
    let gamma = signer("gamma", 9);
    world.forge(|entry| entry.order = addition(&gamma)).await;
    for who in [&alpha, &gamma] {
        let signed = world.operators.sign(who, &credit("bank-1")).await;
        assert!(matches!(signed, Err(NotSigned::Broken(_))), "{signed:?}");
    }
}

/// The command that the audit names has to be one that does it.
#[tokio::test]
async fn a_confirmation_that_was_not_done_is_done_with_the_command_of_top_ups() {
    let (world, alpha, _) = OperatorWorld::with_two().await;
    world
        .operators
        .sign(&alpha, &credit("topup:7"))
        .await
        .unwrap();
    world.clock.advance(Duration::from_mins(3)).await;
    let [_, done] = world.offences().await;
    let said = done.join("\n");
    assert!(said.contains("account topup confirm"), "{said}");
    assert!(!said.contains("account credit"), "{said}");
}

#[tokio::test]
async fn what_is_done_without_an_act_and_what_is_signed_and_not_done_is_found() {
    let (world, alpha, _) = OperatorWorld::with_two().await;
    let new = account("shop").with_balance("10.00").new_account();
    world.store.create(&new).await.unwrap();
    let [_, done] = world.offences().await;
    let said = done.join("\n");
    for what in [
        "account shop",
        "key mk_test_",
        "NGN 10.00 under opening-balance",
    ] {
        assert!(said.contains(what), "{what} is not in {said}");
    }
    let open = OperatorOrder::new(Act::AccountOpen).to(AccountId::parse("shop").unwrap());
    let open = open
        .with(&new.key.hint)
        .under("opening-balance")
        .moving(Some(kobo(1_000)));
    world.operators.sign(&alpha, &open).await.unwrap();
    assert_eq!(world.offences().await[1], [""; 0]);
    world
        .operators
        .sign(&alpha, &credit("bank-1"))
        .await
        .unwrap();
    assert_eq!(world.offences().await[1], [""; 0], "it may be under way");
    world.clock.jump(Duration::from_mins(3));
    let [_, done] = world.offences().await;
    assert!(done[0].contains("--reference bank-1"), "{done:?}");
}
