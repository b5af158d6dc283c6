//! What lookups of numbers cost: once per reference, and nothing where no network is queried. It
//! must look at the balance, not only at what the answers say.

use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, minor};
use tokio::task::JoinSet;

const NUMBER: &str = "2348031231000";

struct Bench {
    folder: GatewayFolder,
    merchant: TestMerchant,
    _server: GatewayProcess,
}

fn bench(balance: &str) -> Bench {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Numbers", balance);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    Bench {
        folder,
        merchant,
        _server: server,
    }
}

impl Bench {
    async fn look_up(&self, reference: &str, number: &str) -> HttpAnswer {
        let order = orders::lookup(reference, number);
        self.merchant.buy(OrderFamily::Hlr, &order).await
    }

    async fn spent(&self, of: &str) -> i64 {
        minor(of) - minor(&self.merchant.balance().await.0)
    }
}

/// Every family that is asked for by a charged GET, and what one costs.
const CHARGED: [(OrderFamily, i64); 3] = [
    (OrderFamily::Hlr, 500),
    (OrderFamily::Lookup, 1_500),
    (OrderFamily::Device, 2_000),
];

#[tokio::test]
async fn a_lookup_is_charged_once_for_its_reference_however_often_it_is_asked_for() {
    for (family, price) in CHARGED {
        let bench = bench("100.00");
        let order = family.order("once", "1000");
        let ask = async || bench.merchant.buy(family, &order).await.with_status(200);
        let first = ask().await;
        assert_eq!(minor(&first.text("price")), price);
        for _ in 0..3 {
            assert_eq!(ask().await.json(), first.json());
        }
        let report = bench.merchant.get(&family.report("once")).await;
        assert_eq!(report.with_status(200).json(), first.json());
        assert_eq!(bench.spent("100.00").await, price);
        provider_journal::audit_is_clean(&bench.folder);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_for_by_many_at_once_a_lookup_is_charged_once() {
    for (family, price) in CHARGED {
        let bench = bench("100.00");
        let mut asking = JoinSet::new();
        for _ in 0..16 {
            let merchant = bench.merchant.clone();
            let order = family.order("crowd", "1000");
            asking.spawn(async move { merchant.buy(family, &order).await });
        }
        let mut numbers = Vec::new();
        for answer in asking.join_all().await {
            assert!(matches!(answer.status, 200 | 202), "{answer:?}");
            numbers.push(answer.json()["txnReference"].clone());
        }
        numbers.dedup();
        assert_eq!(numbers.len(), 1, "{numbers:?}");
        assert_eq!(bench.spent("100.00").await, price);
        provider_journal::audit_is_clean(&bench.folder);
    }
}

#[tokio::test]
async fn a_lookup_without_a_reference_gets_one_and_is_charged_each_time() {
    let bench = bench("100.00");
    let asked = format!("/vas/hlrlookup?countryCode=566&number={NUMBER}");
    let mut references = Vec::new();
    for _ in 0..2 {
        let answer = bench.merchant.get(&asked).await.with_status(200);
        let reference = answer.text("mrcReference");
        let report = bench
            .merchant
            .get(&OrderFamily::Hlr.report(&reference))
            .await;
        assert_eq!(report.with_status(200).json(), answer.json());
        references.push(reference);
    }
    assert_ne!(references[0], references[1]);
    assert_eq!(bench.spent("100.00").await, 1_000);
}

#[tokio::test]
async fn a_reference_belongs_to_one_number_and_one_family() {
    let bench = bench("1000.00");
    bench.look_up("mine", NUMBER).await.with_status(200);
    let order = orders::airtime("top-up", NUMBER, "100");
    bench.merchant.post(AIRTIME, &order).await.with_status(200);
    let spent = bench.spent("1000.00").await;
    for (reference, number, family) in [
        ("mine", "2348031231001", OrderFamily::Hlr),
        ("top-up", NUMBER, OrderFamily::Airtime),
    ] {
        let refused = bench.look_up(reference, number).await.with_status(422);
        assert_eq!(refused.faulty(), ["mrcReference"]);
        let report = family.report(reference);
        assert_eq!(refused.header("location"), Some(&*report));
    }
    // The other way round, too.
    let order = orders::airtime("mine", NUMBER, "100");
    let refused = bench.merchant.post(AIRTIME, &order).await.with_status(422);
    let report = OrderFamily::Hlr.report("mine");
    assert_eq!(refused.header("location"), Some(&*report));
    assert_eq!(bench.spent("1000.00").await, spent);
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn what_is_no_mobile_number_is_free_and_leaves_its_reference_unused() {
    // Not even the price of one lookup.
    let bench = bench("4.99");
    for number in ["2342011234567", "2348001234567", "23480312345"] {
        let answer = bench.look_up("free", number).await.with_status(200);
        assert_eq!(answer.text("price"), "0.00");
        assert_eq!(answer.json()["isMobile"], false, "{answer:?}");
    }
    bench
        .merchant
        .get(&OrderFamily::Hlr.report("free"))
        .await
        .with_status(404);
    let refused = bench.look_up("free", NUMBER).await.with_status(400);
    assert_eq!(refused.json()["serviceCode"], 807, "{refused:?}");
    assert_eq!(bench.spent("4.99").await, 0);
    let lines = bench.merchant.get("/account/statement").await.json();
    assert_eq!(lines["query"]["found"], 1, "only the funding: {lines}");
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn a_ported_number_is_topped_up_by_the_network_that_is_named() {
    let bench = bench("10000.00");
    let mut order = OrderFamily::Airtime.order("by-block", "4567");
    let airtime = async |order: &serde_json::Value| bench.merchant.post(AIRTIME, order).await;
    let by_block = airtime(&order).await.with_status(200);
    assert_eq!(by_block.text("network"), "MTN");
    order["mrcReference"] = "ported".into();
    order["network"] = "AIRTEL".into();
    let ported = airtime(&order).await.with_status(200);
    assert_eq!(ported.text("network"), "Airtel");
    let report = OrderFamily::Airtime.report("ported");
    let report = bench.merchant.get(&report).await.with_status(200);
    assert_eq!(report.text("network"), "Airtel");
    order["network"] = "Etisalat".into();
    let unknown = airtime(&order).await.with_status(400);
    let body = unknown.json();
    let message = &body["errors"]["params"]["network"][0];
    let brands = "must be one of 9mobile, Airtel, Glo, MTN, Smile, ntel, or be left out";
    assert_eq!(message, brands, "{body}");
    // Another network makes it another request.
    order["network"] = "Glo".into();
    let key = "key-1";
    order["mrcReference"] = "keyed".into();
    let keyed = bench.merchant.post_keyed(AIRTIME, key, &order).await;
    assert_eq!(keyed.with_status(200).text("network"), "Glo");
    let again = bench.merchant.post_keyed(AIRTIME, key, &order).await;
    assert_eq!(again.with_status(200).text("network"), "Glo");
    order["network"] = "MTN".into();
    let other = bench.merchant.post_keyed(AIRTIME, key, &order).await;
    other.with_status(422);
    provider_journal::audit_is_clean(&bench.folder);
}
