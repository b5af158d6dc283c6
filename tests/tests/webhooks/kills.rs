//! Processes that are killed while events are delivered: whatever happened, every event arrives.

use crate::order;
use crate::receiver::WebhookReceiver;
use crate::shop::WebhookShop;
use std::collections::BTreeMap;
use std::time::Duration;
use tests::{patience, provider_journal, size};

/// How often the gateway is killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u32 = 3;

/// How many payments are made between two kills.
const PAYMENTS: u32 = 20;

/// How long the receiver takes, so that a killed process has claimed what it has not delivered.
const ANSWERED_AFTER: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_killed_delivers_everything_when_it_is_back() {
    let (mut shop, receiver) = (WebhookShop::open(), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    receiver.take(ANSWERED_AFTER);
    let mut bought = Vec::new();
    for kill in 0..size::of_run("MANILLA_KILLS", KILLS) {
        for payment in 0..PAYMENTS {
            let reference = format!("order-{kill}-{payment}");
            // Some are settled while a request waits, some later.
            let ending = if payment % 4 == 0 { "0002" } else { "4567" };
            assert!(shop.buy(&reference, ending).await < 300);
            bought.push(reference);
        }
        shop = shop.crash();
    }
    let what = "every payment has its event";
    patience::eventually(what, Duration::from_mins(2), async || {
        let reported = outcomes(&receiver);
        bought
            .iter()
            .all(|it| reported.contains_key(it))
            .then_some(())
    })
    .await;
    for (reference, sequences) in outcomes(&receiver) {
        let distinct: std::collections::BTreeSet<_> = sequences.iter().collect();
        assert_eq!(
            distinct.len(),
            1,
            "{reference} was settled twice: {sequences:?}"
        );
    }
    // What a killed process had claimed is delivered late, and what happened afterwards waits for
    // it.
    order::check(&receiver.events());
    assert_eq!(receiver.refused(), 0);
    provider_journal::audit_is_clean(&shop.account.folder);
}

/// The sequences under which each success was delivered.
fn outcomes(receiver: &WebhookReceiver) -> BTreeMap<String, Vec<u64>> {
    let mut outcomes = BTreeMap::<_, Vec<_>>::new();
    for event in receiver.events() {
        let event = event.json();
        if event["type"] == "transaction.successful" {
            let reference = event["data"]["mrcReference"].as_str().unwrap().to_owned();
            let sequence = event["data"]["evtSequence"].as_u64().unwrap();
            outcomes.entry(reference).or_default().push(sequence);
        }
    }
    outcomes
}
