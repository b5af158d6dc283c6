//! Collections: how they are made and found again, and how a payment is credited once whatever
//! fails.

use super::support::{World, merchant};
use application::collections::{
    CollectionError, CollectionName, CollectionResult, CollectionSort, CollectionTerms,
    PaymentReport, SeenCollection, SimulatedPayment,
};
use application::{Gateway, Merchant, ReplayMark, RequestError};
use domain::bank::GroupLabel;
use domain::collection::{
    BankSession, CollectionCharges, CollectionPayer, CollectionPurpose, CollectionSource,
    CollectionState, CollectionStatus, CollectionStep, NewCollection, NewPaymentReference,
    NewVirtualAccount,
};
use domain::environment::Environment;
use domain::idempotency::IdempotencyKey;
use ports::reconciliation::Clearance;
use std::collections::HashSet;
use testkit::builders::{at, naira, reference};
use testkit::faults::Fault;
use tokio::task::JoinSet;

/// The kinds whose steps are asked for.
const KINDS: [CollectionSort; 2] = [CollectionSort::Account, CollectionSort::Invoice];

fn account(under: &str) -> NewCollection {
    NewCollection::Account(NewVirtualAccount {
        reference: reference(under),
        customer: GroupLabel::parse("Ada Obi").unwrap(),
        email: None,
        phone: None,
        identity: None,
        is_single: false,
        amount: None,
        expires_at: None,
    })
}

fn invoice(under: &str) -> NewCollection {
    NewCollection::Invoice(NewPaymentReference {
        reference: reference(under),
        payer: GroupLabel::parse("Ada Obi").unwrap(),
        purpose: CollectionPurpose::Tax,
        amount: naira("5,000.00"),
        due_at: at(86_400),
        in_parts: true,
    })
}

async fn collect(
    gateway: &Gateway,
    merchant: &Merchant,
    wanted: NewCollection,
    key: Option<&str>,
) -> Result<CollectionResult, CollectionError> {
    let key = key.map(|key| IdempotencyKey::parse(key).unwrap());
    gateway.collect(merchant, wanted, key.as_ref()).await
}

fn live(id: &str) -> Merchant {
    let mut merchant = merchant(id);
    merchant.account.environment = Environment::Live;
    merchant
}

fn simulated(under: &str, made: &CollectionResult, amount: &str) -> SimulatedPayment {
    SimulatedPayment {
        reference: reference(under),
        collection: made.state.collection.number,
        amount: naira(amount),
        payer: CollectionPayer::default(),
    }
}

#[tokio::test]
async fn a_key_makes_one_collection_however_many_ask_at_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut asked = JoinSet::new();
    for _ in 0..50 {
        let gateway = gateway.clone();
        asked.spawn(async move {
            let made = collect(&gateway, &merchant("shop"), account("col-1"), Some("try-1")).await;
            made.unwrap()
        });
    }
    let made = asked.join_all().await;
    let payees: HashSet<_> = made
        .iter()
        .map(|it| it.state.collection.kind.payee())
        .collect();
    assert_eq!(payees.len(), 1);
    let new = made.iter().filter(|it| it.replay == ReplayMark::New);
    assert_eq!(new.count(), 1);
    let other = collect(&gateway, &merchant("shop"), account("col-2"), Some("try-1")).await;
    let refused = matches!(
        other,
        Err(CollectionError::Request(RequestError::KeyReused))
    );
    assert!(refused, "{other:?}");
    let taken = collect(&gateway, &merchant("shop"), invoice("col-1"), None).await;
    let sort = CollectionSort::Account;
    let refused = matches!(&taken, Err(CollectionError::ReferenceTaken(_, it)) if *it == sort);
    assert!(refused, "{taken:?}");
}

#[tokio::test]
async fn live_accounts_get_numbers_of_the_operators_bank_alone() {
    let world = World::new().await;
    let gateway = world.gateway();
    let refused = collect(&gateway, &live("shop"), account("col-1"), None).await;
    assert!(
        matches!(refused, Err(CollectionError::NoRange)),
        "{refused:?}"
    );
    collect(&gateway, &live("shop"), invoice("col-1"), None)
        .await
        .unwrap();
    let lent = world.gateway_with(|parts| {
        parts.collection_terms = CollectionTerms {
            range: Some(testkit::builders::virtual_accounts()),
            charges: CollectionCharges::default(),
            ..CollectionTerms::default()
        };
    });
    let made = collect(&lent, &live("shop"), account("col-2"), None)
        .await
        .unwrap();
    assert!(made.state.collection.kind.payee().starts_with("774"));
    let tested = collect(&lent, &merchant("shop"), account("col-3"), None).await;
    assert!(
        tested
            .unwrap()
            .state
            .collection
            .kind
            .payee()
            .starts_with("99")
    );
    let simulated = simulated("pay-1", &made, "1.00");
    let refused = lent.simulate_payment(&live("shop"), simulated).await;
    assert!(
        matches!(refused, Err(CollectionError::NotSimulated)),
        "{refused:?}"
    );
}

/// The answer of the store is lost: what was credited is found again, and nothing is credited
/// twice.
#[tokio::test]
async fn a_lost_answer_credits_once() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        let gateway = world.gateway();
        let shop = merchant("shop");
        let made = collect(&gateway, &shop, invoice("col-1"), None)
            .await
            .unwrap();
        let before = world.wallet().await.0;
        world.ledger.on_next(fault);
        let lost = gateway
            .simulate_payment(&shop, simulated("pay-1", &made, "700.00"))
            .await;
        assert!(lost.is_err(), "{lost:?}");
        let again = gateway
            .simulate_payment(&shop, simulated("pay-1", &made, "700.00"))
            .await;
        let again = again.unwrap();
        assert_eq!(again.state.paid.total, naira("700.00"));
        assert_eq!(again.state.status(at(0)), CollectionStatus::Part);
        assert_eq!(world.wallet().await.0, before + 70_000);
        let other = gateway
            .simulate_payment(&shop, simulated("pay-1", &made, "701.00"))
            .await;
        assert!(
            matches!(other, Err(CollectionError::PaymentTaken)),
            "{other:?}"
        );
    }
}

/// A bank that says the same session again, with another amount or for another collection, credits
/// nothing more.
#[tokio::test]
async fn a_bank_that_contradicts_itself_credits_nothing_more() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let one = collect(&gateway, &shop, invoice("col-1"), None)
        .await
        .unwrap()
        .state;
    let two = collect(&gateway, &shop, invoice("col-2"), None)
        .await
        .unwrap()
        .state;
    let report = |amount: &str| PaymentReport {
        session: BankSession::parse("S1").unwrap(),
        amount: naira(amount),
        payer: CollectionPayer::default(),
        paid_at: at(0),
    };
    let of = |state: &CollectionState, amount: &str| {
        let reported = (CollectionSource::Bank, report(amount));
        gateway.payment_to(&state.collection, reported).unwrap()
    };
    let first = of(&one, "10.00");
    assert_eq!(gateway.credit_payment(first.clone()).await.unwrap(), None);
    for other in [of(&one, "11.00"), of(&two, "10.00")] {
        let known = gateway.credit_payment(other.clone()).await.unwrap();
        let known = known.unwrap();
        assert_eq!(known, first);
        assert!(!known.is_of(&other));
    }
    let same = gateway.credit_payment(of(&one, "10.00")).await.unwrap();
    assert!(same.unwrap().is_of(&first));
}

/// Payments are suspended after a restore: money that arrives is credited still, for it was paid.
#[tokio::test]
async fn what_arrives_is_credited_while_payments_are_suspended() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let made = collect(&gateway, &shop, account("col-1"), None)
        .await
        .unwrap();
    let suspended = world
        .stores
        .reconciliation
        .suspend("a test", Clearance::Person);
    suspended.await.unwrap();
    let paid = gateway
        .simulate_payment(&shop, simulated("pay-1", &made, "5.00"))
        .await;
    assert_eq!(paid.unwrap().payment.net(), naira("5.00"));
}

#[tokio::test]
async fn of_steps_at_once_each_is_from_the_version_before() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let made = collect(&gateway, &shop, account("col-1"), None)
        .await
        .unwrap();
    let number = made.state.collection.number;
    let mut steps = JoinSet::new();
    for step in [
        CollectionStep::Suspend,
        CollectionStep::Resume,
        CollectionStep::Close,
    ] {
        for _ in 0..5 {
            let (gateway, shop) = (gateway.clone(), shop.clone());
            steps.spawn(async move {
                let seen = SeenCollection::default();
                gateway
                    .change_collection(&shop, (number, step), (&seen, &KINDS))
                    .await
            });
        }
    }
    let done = steps.join_all().await;
    let refused = done.iter().filter_map(|it| it.as_ref().err());
    for refused in refused {
        assert!(matches!(refused, CollectionError::Closed), "{refused:?}");
    }
    let under = reference("col-1");
    let name = CollectionName::Reference(&under);
    let state = gateway
        .collection(&shop, name, CollectionSort::Account)
        .await
        .unwrap();
    assert_eq!(state.status(at(0)), CollectionStatus::Closed);
    let outdated = SeenCollection {
        stated: Some(1),
        only_in: None,
    };
    let step = (number, CollectionStep::Resume);
    let resumed = gateway.change_collection(&shop, step, (&outdated, &KINDS));
    assert!(matches!(resumed.await, Err(CollectionError::Stale(_))));
}
