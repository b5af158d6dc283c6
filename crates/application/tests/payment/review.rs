//! Rulings: by whom, on what, and only once.

use super::support::request::buy;
use super::support::{BALANCE, World};
use application::review::RulingRefused;
use application::{Gateway, Parts};
use domain::change_set::ChangeSet;
use domain::money::{Currency, Money};
use domain::transaction::{Evidence, Proof, Ruling, State, Status, Transaction, Verdict};
use testkit::builders::{account_id, advance, fulfilment, reference, ruled, ruling};
use testkit::faults::Fault;
use testkit::provider::ScriptedReply;

/// A gateway with `order-1` before a person: another amount was delivered.
async fn in_review(world: &World, change: impl FnOnce(&mut Parts)) -> (Gateway, Transaction) {
    world
        .provider
        .on_submit(ScriptedReply::deliver_other_amount());
    let gateway = world.gateway_with(change);
    let paid = buy(&gateway, "order-1").await.unwrap();
    assert!(matches!(paid.transaction.state, State::Review(_)));
    (gateway, paid.transaction)
}

async fn rule(gateway: &Gateway, ruling: Ruling) -> Result<Transaction, RulingRefused> {
    let (account, reference) = (account_id("shop"), reference("order-1"));
    gateway.rule(&account, &reference, ruling).await
}

fn delivered(tx: &Transaction) -> Verdict {
    Verdict::Delivered(fulfilment(&tx.order))
}

/// One person may rule on amounts up to this many kobo.
fn alone_up_to(minor: i64) -> impl FnOnce(&mut Parts) {
    move |parts| parts.settings.dual_control_above = Money::from_minor(minor, Currency::Ngn)
}

fn alone(verdict: Verdict) -> Ruling {
    Ruling {
        confirmed_by: None,
        ..ruling(verdict)
    }
}

#[tokio::test]
async fn a_ruling_settles_either_way_and_is_kept_as_the_evidence() {
    let world = World::new().await;
    let (gateway, tx) = in_review(&world, |_| ()).await;
    assert_eq!(
        gateway.reviews(9).await.unwrap().as_slice(),
        std::slice::from_ref(&tx)
    );
    let yes = ruling(delivered(&tx));
    let settled = rule(&gateway, yes.clone()).await.unwrap();
    let State::Successful(delivered) = &settled.state else {
        panic!("{:?}", settled.state);
    };
    assert_eq!(delivered.evidence, Evidence::Ruled(yes));
    // The price is what was quoted, whatever amount the provider spoke of.
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    assert_eq!(gateway.reviews(9).await.unwrap(), []);
    world.is_right().await;

    let world = World::new().await;
    let (gateway, _) = in_review(&world, |_| ()).await;
    let no = ruling(Verdict::NotDelivered);
    let settled = rule(&gateway, no.clone()).await.unwrap();
    let State::Failed(failed) = &settled.state else {
        panic!("{:?}", settled.state);
    };
    assert_eq!(failed.proof, Proof::Ruled(no));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn above_the_limit_a_second_and_different_person_is_needed() {
    // The order is worth 100,000 kobo.
    let world = World::new().await;
    let (gateway, tx) = in_review(&world, alone_up_to(99_999)).await;
    let seconds = [
        None,
        Some(""),
        Some("  "),
        Some("Ngozi Eze"),
        Some(" ngozi EZE "),
    ];
    for second in seconds {
        let ruling = Ruling {
            confirmed_by: second.map(ToOwned::to_owned),
            ..ruling(Verdict::NotDelivered)
        };
        let answer = rule(&gateway, ruling).await;
        let needed = matches!(answer, Err(RulingRefused::SecondPersonNeeded));
        assert!(needed, "{second:?}: {answer:?}");
    }
    assert_eq!(world.stored("order-1").await, tx);
    assert!(rule(&gateway, ruling(Verdict::NotDelivered)).await.is_ok());
}

#[tokio::test]
async fn up_to_the_limit_one_person_is_enough() {
    let world = World::new().await;
    let (gateway, _) = in_review(&world, alone_up_to(100_000)).await;
    assert!(rule(&gateway, alone(Verdict::NotDelivered)).await.is_ok());
}

#[tokio::test]
async fn a_ruling_without_a_name_or_evidence_is_unfounded() {
    let world = World::new().await;
    let (gateway, tx) = in_review(&world, |_| ()).await;
    let nameless = Ruling {
        by: " ".into(),
        ..ruling(Verdict::NotDelivered)
    };
    let baseless = Ruling {
        evidence: "\t".into(),
        ..ruling(Verdict::NotDelivered)
    };
    for unfounded in [nameless, baseless] {
        let answer = rule(&gateway, unfounded).await;
        assert!(
            matches!(answer, Err(RulingRefused::Unfounded)),
            "{answer:?}"
        );
    }
    assert_eq!(world.stored("order-1").await, tx);
}

#[tokio::test]
async fn what_would_not_complete_the_order_is_not_taken_for_delivered() {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::deliver_other_amount());
    let gateway = world.gateway();
    let tx = super::support::request::pay(&gateway, "order-1")
        .await
        .unwrap();
    let wrong_family = Verdict::Delivered(domain::provider::Fulfilment::Airtime);
    let domain::provider::Fulfilment::Electricity(vend) = fulfilment(&tx.transaction.order) else {
        panic!("an electricity order");
    };
    let tokenless = domain::electricity::Vend {
        token: None,
        ..vend
    };
    let tokenless = Verdict::Delivered(domain::provider::Fulfilment::Electricity(tokenless));
    for verdict in [wrong_family, tokenless] {
        let answer = rule(&gateway, ruling(verdict)).await;
        assert!(
            matches!(answer, Err(RulingRefused::Incomplete)),
            "{answer:?}"
        );
    }
    assert!(
        rule(&gateway, ruling(delivered(&tx.transaction)))
            .await
            .is_ok()
    );
    world.is_right().await;
}

#[tokio::test]
async fn only_what_waits_for_a_person_is_ruled_on() {
    let world = World::new().await;
    let gateway = world.gateway();
    let unknown = rule(&gateway, ruling(Verdict::NotDelivered)).await;
    assert!(
        matches!(unknown, Err(RulingRefused::Unknown)),
        "{unknown:?}"
    );
    let paid = buy(&gateway, "order-1").await.unwrap();
    let settled = rule(&gateway, ruling(Verdict::NotDelivered)).await;
    assert!(
        matches!(settled, Err(RulingRefused::NotInReview)),
        "{settled:?}"
    );
    assert_eq!(world.stored("order-1").await, paid.transaction);
}

#[tokio::test]
async fn of_two_rulings_at_once_the_second_is_refused() {
    let world = World::new().await;
    let (gateway, tx) = in_review(&world, |_| ()).await;
    let first = advance(&tx, &ruled(delivered(&tx)), world.now());
    let first = ChangeSet::Advance(Box::new(first));
    world.ledger.on_next(Fault::Overtaken(Box::new(first)));
    let second = rule(&gateway, ruling(Verdict::NotDelivered)).await;
    assert!(
        matches!(second, Err(RulingRefused::NotInReview)),
        "{second:?}"
    );
    let stored = world.stored("order-1").await;
    assert_eq!(stored.status(), Status::Successful);
    world.is_right().await;
}

#[tokio::test]
async fn a_ruling_whose_commit_is_lost_is_an_error_that_says_so() {
    let world = World::new().await;
    let (gateway, tx) = in_review(&world, |_| ()).await;
    world.ledger.on_next(Fault::RequestLost);
    let answer = rule(&gateway, ruling(Verdict::NotDelivered)).await;
    assert!(matches!(answer, Err(RulingRefused::Store(_))), "{answer:?}");
    assert_eq!(world.stored("order-1").await, tx);
    assert!(rule(&gateway, ruling(Verdict::NotDelivered)).await.is_ok());
}
