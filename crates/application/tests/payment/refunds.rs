//! Refunds: whatever is lost on the way between the request, the decision and the money, the price
//! comes back once.

use super::support::request::buy;
use super::support::{World, merchant};
use application::refunds::{RefundDecisionRefused, RefundError, RefundResult};
use application::{Gateway, ReplayMark};
use domain::event::EventKind;
use domain::idempotency::IdempotencyKey;
use domain::ledger::TransferKind;
use domain::refund::{NewRefund, NotRefundable, RefundReason, RefundStatus, RefundVerdict};
use testkit::builders::{reference, refund_decision};
use testkit::faults::Fault;
use tokio::task::JoinSet;

/// Its end leaves it to an operator.
const WAITS: &str = "back-0002";

fn wanted(under: &str) -> NewRefund {
    NewRefund {
        reference: reference(under),
        original: reference("order-1"),
        amount: None,
        reason: RefundReason::parse("never arrived").unwrap(),
    }
}

async fn ask(gateway: &Gateway, under: &str) -> Result<RefundResult, RefundError> {
    let key = IdempotencyKey::parse(under).unwrap();
    gateway
        .ask_for_refund(&merchant("shop"), wanted(under), Some(&key))
        .await
}

/// How often the price of the payment came back by a refund.
async fn given(world: &World) -> usize {
    let transfers = world.transfers(&world.stored("order-1").await).await;
    let refunds = transfers.iter().filter(|it| **it == TransferKind::Refund);
    refunds.count()
}

#[tokio::test]
async fn a_commit_that_is_lost_gives_the_price_back_once() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        let gateway = world.gateway();
        let before = world.wallet().await;
        buy(&gateway, "order-1").await.unwrap();
        world.ledger.on_next(fault);
        let first = ask(&gateway, "back-1").await;
        let again = ask(&gateway, "back-1").await.unwrap();
        assert_eq!(again.replay, ReplayMark::Replayed, "{first:?}");
        assert_eq!(again.state.status(), RefundStatus::Completed);
        assert_eq!(given(&world).await, 1);
        assert_eq!(world.wallet().await, before);
        let events = world.events(&world.stored("order-1").await).await;
        assert_eq!(events.last(), Some(&EventKind::Refunded));
    }
}

#[tokio::test]
async fn what_is_approved_again_after_a_lost_commit_is_given_once() {
    for fault in [Fault::RequestLost, Fault::ResponseLost] {
        let world = World::new().await;
        let gateway = world.gateway();
        let before = world.wallet().await;
        buy(&gateway, "order-1").await.unwrap();
        let asked = ask(&gateway, WAITS).await.unwrap().state;
        assert_eq!(asked.status(), RefundStatus::Pending);
        assert_eq!(given(&world).await, 0);
        let decision = refund_decision(RefundVerdict::Approved);
        world.ledger.on_next(fault);
        let first = gateway.decide_refund(&asked, &decision).await;
        let again = gateway.decide_refund(&asked, &decision).await;
        let again = again.unwrap();
        assert_eq!(again.status(), RefundStatus::Completed, "{first:?}");
        assert_eq!(given(&world).await, 1);
        assert_eq!(world.wallet().await, before);
        let other = refund_decision(RefundVerdict::Refused);
        let refused = gateway.decide_refund(&asked, &other).await;
        let verdict = RefundVerdict::Approved;
        assert!(matches!(refused, Err(RefundDecisionRefused::Decided(it)) if it == verdict));
    }
}

#[tokio::test]
async fn of_many_who_approve_at_once_one_gives() {
    let world = World::new().await;
    let before = world.wallet().await;
    buy(&world.gateway(), "order-1").await.unwrap();
    let asked = ask(&world.gateway(), WAITS).await.unwrap().state;
    let mut at_once = JoinSet::new();
    for _ in 0..8 {
        let (gateway, asked) = (world.gateway(), asked.clone());
        at_once.spawn(async move {
            let decision = refund_decision(RefundVerdict::Approved);
            gateway.decide_refund(&asked, &decision).await
        });
    }
    for decided in at_once.join_all().await {
        assert_eq!(decided.unwrap().status(), RefundStatus::Completed);
    }
    assert_eq!(given(&world).await, 1);
    assert_eq!(world.wallet().await, before);
}

#[tokio::test]
async fn what_was_refunded_is_not_refunded_again() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    ask(&gateway, "back-1").await.unwrap();
    let refused = ask(&gateway, "back-2").await.unwrap_err();
    let is_refunded = matches!(refused, RefundError::NotRefundable(NotRefundable::Refunded));
    assert!(is_refunded, "{refused:?}");
    world.is_right().await;
}
