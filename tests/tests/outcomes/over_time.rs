//! Reports watched from before the purchase to its end. A report must only ever go forward: what
//! was final stays, except that a delivery can be taken back.

use crate::expected::EXPECTED;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::patience::Deadline;
use tests::process::GatewayProcess;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Everything that can end has ended within this.
const ENDED_WITHIN: Duration = Duration::from_secs(90);

/// How often each looks.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(200);

/// [`QUICK`], but what is delivered or given up later is so late that a hundred who watch on a busy
/// machine all see what was before.
fn settings() -> String {
    QUICK
        .replace("pending_delay_ms = 500", "pending_delay_ms = 5000")
        .replace("quarantine_ms = 500", "quarantine_ms = 5000")
}

/// `txnStatus` and `gtwStatus`.
type Seen = (String, Option<String>);

/// How many orders and how many reports are asked for at a time: together fewer than the requests
/// of an account that are answered at a time, on a machine that is slow too.
const ORDERS_AT_ONCE: usize = 30;
const REPORTS_AT_ONCE: usize = 30;

/// An account that asks for no more than that.
#[derive(Clone)]
struct WatchingMerchant {
    merchant: TestMerchant,
    orders: Arc<Semaphore>,
    reports: Arc<Semaphore>,
}

impl WatchingMerchant {
    fn new(merchant: TestMerchant) -> Self {
        Self {
            merchant,
            orders: Arc::new(Semaphore::new(ORDERS_AT_ONCE)),
            reports: Arc::new(Semaphore::new(REPORTS_AT_ONCE)),
        }
    }

    async fn buy(&self, family: OrderFamily, order: &Value) -> HttpAnswer {
        let _place = self.orders.acquire().await.expect("it is never closed");
        self.merchant.buy(family, order).await
    }

    async fn get(&self, path: &str) -> HttpAnswer {
        let _place = self.reports.acquire().await.expect("it is never closed");
        self.merchant.get(path).await
    }
}

/// Buys, and notes every different report until the last one that is expected.
async fn watch(
    merchant: WatchingMerchant,
    family: OrderFamily,
    ending: &str,
    last: Seen,
) -> Vec<Seen> {
    let reference = format!("watched-{}-{ending}", family.word());
    let order = family.order(&reference, ending);
    let buying = async {
        let answer = merchant.buy(family, &order).await;
        let refused = (400..500).contains(&answer.status);
        assert!(!refused, "{reference}: {}", answer.body);
    };
    let watching = async {
        let deadline = Deadline::after(ENDED_WITHIN);
        let mut all: Vec<Seen> = Vec::new();
        while all.last() != Some(&last) {
            let report = merchant.get(&family.report(&reference)).await;
            if report.status == 200 {
                let now = family.statuses(&report);
                if all.last() != Some(&now) {
                    all.push(now);
                }
            }
            assert!(
                !deadline.is_over(),
                "{reference} never is {last:?}: {all:?}"
            );
            // As many as watch would leave the machine no time for what they watch.
            sleep(LOOKED_AT_EVERY).await;
        }
        all
    };
    tokio::join!(buying, watching).1
}

/// Whether one status may follow another.
fn may_follow(before: &str, after: &str) -> bool {
    match (before, after) {
        ("Pending", _) | ("Successful", "Reversed") => true,
        (before, after) => before == after,
    }
}

fn only_forward(all: &[Seen]) -> bool {
    let mut pairs = all.iter().zip(all.iter().skip(1));
    pairs.all(|((before, _), (after, _))| may_follow(before, after))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_only_ever_goes_forward() {
    let folder = GatewayFolder::with(&settings());
    let account = folder.account("Watched", "100000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let merchant = WatchingMerchant::new(merchant);
    let mut watching = JoinSet::new();
    for expected in EXPECTED.iter() {
        let Some((status, gateway_status)) = expected.end else {
            continue;
        };
        let last = expected.family.shown(status, gateway_status);
        let merchant = merchant.clone();
        watching.spawn(async move {
            let all = watch(merchant, expected.family, expected.ending, last).await;
            (expected, all)
        });
    }
    for (expected, all) in watching.join_all().await {
        let what = (expected.family, expected.ending);
        let pending = |gateway: &str| expected.family.shown("Pending", gateway);
        assert!(only_forward(&all), "{what:?}: {all:?}");
        match expected.ending {
            // The request is on its way for as long as the provider takes to answer.
            "0007" => assert_eq!(all.first(), Some(&pending("Queued")), "{what:?}"),
            "0002" => assert!(all.contains(&pending("Submitted")), "{what:?}: {all:?}"),
            "0004" | "0006" => assert!(all.contains(&pending("Unknown")), "{what:?}: {all:?}"),
            "0009" => {
                // A message is with the network then, and was on its way to the handset.
                let so_far = if expected.family.is_message() {
                    "Submitted"
                } else {
                    "Delivered"
                };
                let delivered = expected.family.shown("Successful", so_far);
                assert!(all.contains(&delivered), "{what:?}: {all:?}");
            }
            _ => {}
        }
    }
}

#[test]
fn going_back_is_recognised() {
    let of = |statuses: &[&str]| -> Vec<Seen> {
        let seen = |status: &&str| ((*status).to_owned(), None);
        statuses.iter().map(seen).collect()
    };
    for forward in [
        &["Pending", "Successful", "Reversed"][..],
        &["Pending", "Pending", "Failed"],
        &[],
    ] {
        assert!(only_forward(&of(forward)), "{forward:?}");
    }
    for back in [
        &["Successful", "Pending"][..],
        &["Failed", "Successful"],
        &["Successful", "Failed"],
        &["Failed", "Reversed"],
        &["Reversed", "Successful"],
    ] {
        assert!(!only_forward(&of(back)), "{back:?}");
    }
}
