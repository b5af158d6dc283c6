//! Starts that are killed before they are done: on an empty folder, and on one with payments to
//! take over. Whatever a start had made so far must not be in the way of the next one.

use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::try_send;
use tests::orders::OrderFamily;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal;
use tests::purchases::{LastAnswer, TestPurchase};

/// Starts are killed this much later each time, and a sixteenth more, until one was ready before:
/// the first steps of a start are the shortest, and a busy machine takes longer for all of them.
const STEP: Duration = Duration::from_millis(4);

/// So many starts at most: an unoptimised build is ready after some hundred milliseconds.
const STARTS_MAX: usize = 100;

const SETTLED_WITHIN: Duration = Duration::from_mins(1);

/// When starts are killed.
fn moments(step: Duration) -> impl Iterator<Item = Duration> {
    let later = move |after: &Duration| Some(*after + step + *after / 16);
    std::iter::successors(Some(Duration::ZERO), later).take(STARTS_MAX)
}

#[tokio::test]
async fn a_first_start_that_is_killed_can_be_repeated() {
    let mut too_early = 0;
    for after in moments(STEP) {
        let folder = GatewayFolder::empty();
        if GatewayProcess::kill_while_starting(&folder, &Launch::default(), after).await {
            break;
        }
        too_early += 1;
        drop(GatewayProcess::start(&folder));
        provider_journal::audit_is_clean(&folder);
    }
    assert!(
        too_early > 2,
        "only {too_early} starts were killed before they were ready"
    );
    assert!(too_early < STARTS_MAX, "no start was ready in time");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_payments_to_take_over_can_be_killed_at_any_time() {
    let account = TestAccount::new(QUICK);
    let server = GatewayProcess::start(&account.folder);
    let merchant = account.merchant(&server);
    let mut purchases = Vec::new();
    for (family, ending) in [
        (OrderFamily::Airtime, "0007"),
        (OrderFamily::Electricity, "0007"),
        (OrderFamily::Airtime, "0010"),
    ] {
        let reference = format!("{}-{ending}", family.word());
        let order = family.order(&reference, ending).to_string();
        let sent = merchant.posting(family.path(), order);
        let received = tokio::time::timeout(Duration::from_millis(200), try_send(sent)).await;
        assert!(received.is_err(), "{reference} is slow: {received:?}");
        purchases.push(TestPurchase {
            family,
            reference,
            ending,
            received: LastAnswer::Nothing,
        });
    }
    server.kill();
    for after in moments(4 * STEP) {
        if GatewayProcess::kill_while_starting(&account.folder, &Launch::default(), after).await {
            break;
        }
    }
    let server = GatewayProcess::start(&account.folder);
    let endings = account.settle(&server, (&purchases, SETTLED_WITHIN)).await;
    let stored = endings
        .iter()
        .filter(|ending| ending.status.is_some())
        .count();
    assert_eq!(stored, purchases.len(), "{endings:?}");
}
