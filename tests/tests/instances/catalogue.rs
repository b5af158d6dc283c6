//! A version of the catalogue begins at one moment at every instance. It must ask each of them all
//! the while: an instance that sells by the old version after another sold by the new one has a
//! clock of its own.

use serde_json::Value;
use std::time::Duration;
use tests::fleet::Fleet;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, INTERNET, OrderFamily};
use tests::patience::{Deadline, Stopwatch, pause};
use tests::provider_journal;

/// A plan at another price, and one that is withdrawn.
const DOCUMENT: &str = "[[plan]]\nproduct = \"internet.301\"\ncode = \"30109\"\n\
    amount = \"2,000.00\"\n[[plan]]\nproduct = \"internet.301\"\ncode = \"30101\"\n\
    withdrawn = true\n";

/// 3 % of the plan are the merchant's.
const OLD: &str = "1,455.00";
const NEW: &str = "1,940.00";

/// A version begins a minute ahead at the earliest, and the command takes its time.
const BEGINS_WITHIN: Duration = Duration::from_mins(2);

/// Two instances answer within this of one another.
const AT_ONCE: Duration = Duration::from_secs(1);

fn publish(folder: &GatewayFolder, document: &str) -> Value {
    let file = folder.beside("catalogue.toml");
    std::fs::write(&file, document).expect("the document");
    let file = file.to_str().expect("a path in UTF-8");
    let publish = ["catalogue", "publish", file, "--reason", "a test", "--json"];
    folder.run(&publish).well().json()
}

async fn buys(merchant: &TestMerchant, reference: &str) -> tests::answer::HttpAnswer {
    let order = OrderFamily::Internet.order(reference, "0001");
    merchant.buy(OrderFamily::Internet, &order).await
}

fn price(answer: &tests::answer::HttpAnswer) -> String {
    answer.text("price")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_published_price_begins_at_every_instance_at_once_and_is_frozen_with_its_number() {
    let mut fleet = Fleet::start(QUICK);
    let [first, second, third] = fleet.merchants();
    assert_eq!(price(&buys(&first, "before").await), OLD);
    // This one learns nothing of what is published until it goes on.
    fleet.instance(2).pause();
    let published = publish(&fleet.account.folder, DOCUMENT);
    assert_eq!(published["version"], 1);
    let deadline = Deadline::after(BEGINS_WITHIN);
    let mut changed: [Option<Stopwatch>; 2] = [None, None];
    let mut round = 0_u32;
    while changed.iter().any(Option::is_none) {
        assert!(!deadline.is_over(), "the version did not begin");
        for (index, merchant) in [&first, &second].into_iter().enumerate() {
            let other = changed[1 - index];
            let answer = buys(merchant, &format!("o-{round}-{index}")).await;
            let paid = price(&answer.with_status(200));
            if paid == NEW {
                changed[index].get_or_insert_with(Stopwatch::start);
            } else {
                assert_eq!(paid, OLD);
                assert!(changed[index].is_none(), "instance {index} went back");
                let late = other.map(Stopwatch::elapsed).unwrap_or_default();
                assert!(
                    late < AT_ONCE,
                    "instance {index} still sells by the old version"
                );
            }
        }
        round += 1;
        pause().await;
    }
    fleet.instance(2).resume();
    // It has missed the version: it may refuse, and must not sell by the one before.
    let mut answered = 0_u32;
    while answered < 20 {
        assert!(!deadline.is_over(), "the paused instance does not sell");
        let answer = buys(&third, &format!("late-{answered}")).await;
        answered += 1;
        if answer.status != 503 {
            assert_eq!(price(&answer.with_status(200)), NEW);
        }
    }
    let frozen = |reference: &str| {
        let identity = &fleet.account.credentials.identity;
        let show = [
            "transaction",
            "show",
            "--identity",
            identity,
            "--reference",
            reference,
        ];
        let shown = fleet.account.folder.run(&[&show[..], &["--json"]].concat());
        shown.well().json()
    };
    assert_eq!(frozen("before")["catalogueVersion"], 0);
    let last = frozen(&format!("o-{}-0", round - 1));
    assert_eq!(last["catalogueVersion"], 1);
    assert_eq!(last["rule"], "catalogue@1:internet.301");
    is_withdrawn(&first).await;
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}

/// A plan that was sold before is answered with what there is, in both formats.
async fn is_withdrawn(merchant: &TestMerchant) {
    let order = orders::internet("gone", "2348031230001", "30101");
    let answer = merchant.post(INTERNET, &order).await.with_status(409);
    assert_eq!(answer.json()["serviceCode"], 830);
    let said = answer.json()["errors"]["params"]["identifier"][0].to_string();
    assert!(said.contains("30109 (2GB Monthly, 1,940.00 NGN)"), "{said}");
    let listed = merchant
        .get("/payment/internet/plans?provider=301&retrieve=all")
        .await;
    assert!(!listed.with_status(200).body.contains("30101"));
}
