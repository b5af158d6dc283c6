//! Top-ups: what is announced, by which channel, and what a retry is answered.

use super::support::{World, merchant};
use application::top_ups::{TopUpError, TopUpResult};
use application::{Gateway, Merchant, ReplayMark, RequestError};
use domain::idempotency::IdempotencyKey;
use domain::top_up::{NewTopUp, TOP_UP_OPEN_FOR, TopUpChannel};
use testkit::builders::{naira, reference};
use tokio::task::JoinSet;

fn wanted(under: &str, channel: TopUpChannel) -> NewTopUp {
    NewTopUp {
        reference: reference(under),
        amount: naira("5,000.00"),
        channel,
    }
}

async fn announce(
    gateway: &Gateway,
    merchant: &Merchant,
    wanted: NewTopUp,
    key: Option<&str>,
) -> Result<TopUpResult, TopUpError> {
    let key = key.map(|key| IdempotencyKey::parse(key).unwrap());
    gateway
        .announce_top_up(merchant, wanted, key.as_ref())
        .await
}

#[tokio::test]
async fn a_transfer_needs_an_account_to_pay_to() {
    let world = World::new().await;
    let nowhere = world.gateway_with(|parts| parts.receiving_account = None);
    let shop = merchant("shop");
    let transfer = wanted("top-1", TopUpChannel::Transfer);
    let refused = announce(&nowhere, &shop, transfer.clone(), Some("try-1")).await;
    assert!(
        matches!(refused, Err(TopUpError::NoReceivingAccount)),
        "{refused:?}"
    );
    let manual = announce(&nowhere, &shop, wanted("top-2", TopUpChannel::Manual), None).await;
    assert_eq!(manual.unwrap().replay, ReplayMark::New);
    let gateway = world.gateway();
    let announced = announce(&gateway, &shop, transfer.clone(), Some("try-1")).await;
    let announced = announced.unwrap().state;
    let top_up = &announced.top_up;
    assert_eq!(top_up.expires_at.since(top_up.created_at), TOP_UP_OPEN_FOR);
    // What was announced while there was an account is answered where there is none any more.
    let again = announce(&nowhere, &shop, transfer, Some("try-1"))
        .await
        .unwrap();
    assert_eq!(
        (again.state, again.replay),
        (announced, ReplayMark::Replayed)
    );
}

#[tokio::test]
async fn of_retries_at_once_one_announces() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut at_once = JoinSet::new();
    for _ in 0..8 {
        let gateway = gateway.clone();
        at_once.spawn(async move {
            let transfer = wanted("top-1", TopUpChannel::Transfer);
            announce(&gateway, &merchant("shop"), transfer, Some("try-1")).await
        });
    }
    let answers: Vec<_> = at_once.join_all().await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let new = answers.iter().filter(|it| it.replay == ReplayMark::New);
    assert_eq!(new.count(), 1);
    assert!(answers.iter().all(|it| it.state == answers[0].state));
    let reused = wanted("top-2", TopUpChannel::Transfer);
    let reused = announce(&gateway, &merchant("shop"), reused, Some("try-1")).await;
    let is_reused = matches!(reused, Err(TopUpError::Request(RequestError::KeyReused)));
    assert!(is_reused, "{reused:?}");
}
