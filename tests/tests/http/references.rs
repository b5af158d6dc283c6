//! A reference works once, and an `Idempotency-Key` makes its repetition harmless. It must show
//! that however often something is sent, it is bought once.

use reqwest::header::HeaderName;
use serde_json::{Value, json};
use tests::folder::{GatewayFolder, MerchantCredentials, OPEN, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::orders::{self, AIRTIME, ELECTRICITY, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal, minor};
use tokio::task::JoinSet;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");

struct Bench {
    folder: GatewayFolder,
    account: MerchantCredentials,
    merchant: TestMerchant,
    _server: GatewayProcess,
}

fn bench(settings: &str) -> Bench {
    let folder = GatewayFolder::with(settings);
    let account = folder.account("References", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    Bench {
        folder,
        account,
        merchant,
        _server: server,
    }
}

impl Bench {
    fn deliveries(&self, reference: &str) -> usize {
        ProviderJournal::read(&self.folder).deliveries(&self.account.identity, reference)
    }
}

fn top_up(reference: &str, amount: &str) -> Value {
    orders::airtime(reference, "2348031230000", amount)
}

#[tokio::test]
async fn a_reference_buys_once_in_every_family_and_leads_back_to_its_report() {
    let bench = bench(QUICK);
    let merchant = &bench.merchant;
    let order = top_up("once", "1000");
    merchant.post(AIRTIME, &order).await.with_status(200);
    let before = merchant.balance().await;
    let meter = orders::electricity("once", "04512340000", "5000");
    let unsold = top_up("once", "1");
    for (path, repeated) in [(AIRTIME, &order), (ELECTRICITY, &meter), (AIRTIME, &unsold)] {
        let answer = merchant.post(path, repeated).await.with_status(422);
        assert_eq!(answer.faulty(), ["mrcReference"], "{answer:?}");
        assert_eq!(
            answer.header("location"),
            Some(&*OrderFamily::Airtime.report("once"))
        );
        for reported in ["2348031230000", "970.00", "txnReference"] {
            assert!(
                !answer.body.contains(reported),
                "{reported} is shown: {answer:?}"
            );
        }
    }
    assert_eq!(merchant.balance().await, before);
    assert_eq!(bench.deliveries("once"), 1);
    let report = merchant
        .get(&OrderFamily::Airtime.report("once"))
        .await
        .with_status(200);
    assert_eq!(report.text("amount"), "1,000.00");
    let other = merchant.get(&OrderFamily::Electricity.report("once")).await;
    assert_eq!(other.status, 404);
}

#[tokio::test]
async fn an_idempotency_key_replays_the_same_meaning_and_refuses_another() {
    let bench = bench(QUICK);
    let merchant = &bench.merchant;
    let order = top_up("keyed", "1,234.00");
    let first = merchant
        .post_keyed(AIRTIME, "key 1", &order)
        .await
        .with_status(200);
    assert_eq!(first.header("idempotency-replayed"), None);
    let mut respelt = top_up("keyed", "1234");
    respelt["number"] = "+2348031230000".into();
    respelt["countryCode"] = "566".into();
    let again = merchant
        .post_keyed(AIRTIME, "key 1", &respelt)
        .await
        .with_status(200);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.body, first.body);
    for other in [top_up("keyed", "1235"), top_up("keyed-2", "1,234.00")] {
        let answer = merchant
            .post_keyed(AIRTIME, "key 1", &other)
            .await
            .with_status(422);
        assert_eq!(answer.faulty(), ["Idempotency-Key"], "{answer:?}");
    }
    let answer = merchant
        .post_keyed(AIRTIME, "key 2", &order)
        .await
        .with_status(422);
    assert_eq!(answer.faulty(), ["mrcReference"], "{answer:?}");
    assert_eq!(bench.deliveries("keyed"), 1);
    assert_eq!(bench.deliveries("keyed-2"), 0);
    for key in ["", "\u{e9}", &"k".repeat(256)] {
        let body = top_up("keyed-3", "100").to_string();
        let request = merchant.posting(AIRTIME, body).header(KEY, key.as_bytes());
        let answer = send(request).await.with_status(400);
        assert!(
            answer.json()["errors"]["request"].is_array(),
            "{key:?}: {answer:?}"
        );
    }
    assert_eq!(
        merchant
            .get(&OrderFamily::Airtime.report("keyed-3"))
            .await
            .status,
        404
    );
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn a_replay_shows_what_has_become_of_the_first_one() {
    let bench = bench("[payment]\nanswer_window_ms = 300\n[sandbox]\npending_delay_ms = 1500\n");
    let merchant = &bench.merchant;
    let order = OrderFamily::Airtime.order("late", "0002");
    let first = merchant
        .post_keyed(AIRTIME, "late", &order)
        .await
        .with_status(202);
    assert_eq!(first.txn_status(), "Pending");
    let again = merchant
        .post_keyed(AIRTIME, "late", &order)
        .await
        .with_status(202);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(
        again.header("location"),
        Some(&*OrderFamily::Airtime.report("late"))
    );
    let what = "the replay tells the outcome";
    let within = std::time::Duration::from_secs(15);
    let last = tests::patience::eventually(what, within, async || {
        let answer = merchant.post_keyed(AIRTIME, "late", &order).await;
        (answer.status == 200).then_some(answer)
    });
    let last = last.await;
    assert_eq!(last.txn_status(), "Successful");
    assert_eq!(bench.deliveries("late"), 1);
}

#[tokio::test]
async fn a_replay_of_what_is_still_in_progress_is_answered_when_to_retry() {
    let settings = "[payment]\nanswer_window_ms = 6000\nreplay_wait_ms = 200\n";
    let bench = bench(settings);
    let (first, second) = (bench.merchant.clone(), bench.merchant.clone());
    let order = OrderFamily::Airtime.order("slow", "0010");
    let asked = order.clone();
    let first = async move { first.post_keyed(AIRTIME, "slow", &asked).await };
    let second = async {
        let what = "the first request is stored";
        let within = std::time::Duration::from_secs(5);
        let report = OrderFamily::Airtime.report("slow");
        tests::patience::eventually(what, within, async || {
            (second.get(&report).await.status == 200).then_some(())
        })
        .await;
        second.post_keyed(AIRTIME, "slow", &order).await
    };
    let (first, second) = tokio::join!(first, second);
    let second = second.with_status(409);
    assert_eq!(second.faulty(), ["Idempotency-Key"], "{second:?}");
    let retry: u32 = second.header("retry-after").unwrap().parse().unwrap();
    assert!(retry > 0);
    assert_eq!(first.with_status(202).txn_status(), "Pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_sent_many_times_at_once_is_bought_once() {
    let bench = bench(QUICK);
    let order = top_up("race", "1000");
    let mut racing = JoinSet::new();
    for n in 0..32 {
        let (merchant, order) = (bench.merchant.clone(), order.clone());
        racing.spawn(async move {
            match n % 2 {
                0 => merchant.post_keyed(AIRTIME, "race", &order).await,
                _ => merchant.post(AIRTIME, &order).await,
            }
        });
    }
    let answers = racing.join_all().await;
    let fresh = answers
        .iter()
        .filter(|answer| answer.status == 200 && answer.header("idempotency-replayed").is_none());
    assert_eq!(fresh.count(), 1, "{answers:#?}");
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 409 | 422), "{answer:?}");
    }
    assert_eq!(bench.deliveries("race"), 1);
    let (balance, _) = bench.merchant.balance().await;
    assert_eq!(minor(&balance), 100_000_000 - 97_000);
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_naira_is_spent_once() {
    let bench = bench(QUICK);
    // Three top-ups of 970.00 are covered, the fourth is not.
    let poor = bench.folder.account("Poor", "3000.00");
    let merchant = bench.merchant.as_account(&poor);
    let mut racing = JoinSet::new();
    for n in 0..16 {
        let merchant = merchant.clone();
        racing.spawn(async move {
            let order = top_up(&format!("last-{n}"), "1000");
            merchant.post(AIRTIME, &order).await
        });
    }
    let answers = racing.join_all().await;
    let (bought, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(bought.len(), 3, "{refused:#?}");
    for answer in refused {
        assert_eq!(answer.status, 400, "{answer:?}");
        assert_eq!(answer.json()["serviceCode"], 807, "{answer:?}");
        assert!(answer.json()["errors"]["request"].is_array(), "{answer:?}");
    }
    assert_eq!(
        merchant.balance().await,
        ("90.00".to_owned(), "0.00".to_owned())
    );
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn an_idempotency_key_creates_one_endpoint_and_one_test_event() {
    let bench = bench(OPEN);
    let merchant = &bench.merchant;
    let wanted = json!({"whkUrl": "http://127.0.0.1:9/events", "whkDescription": "Till 1"});
    let create = async |key: &str, wanted: &Value| {
        merchant.post_keyed("/webhook/endpoint", key, wanted).await
    };
    let first = create("till 1", &wanted).await.with_status(201);
    assert_eq!(first.header("idempotency-replayed"), None);
    let first = first.json();
    assert!(first["whkSecret"].is_string(), "{first}");
    let again = create("till 1", &wanted).await.with_status(200);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.json()["whkIdentifier"], first["whkIdentifier"]);
    assert_eq!(again.json().get("whkSecret"), None);
    let mut other = wanted.clone();
    other["whkTokens"] = true.into();
    let refused = create("till 1", &other).await.with_status(422);
    assert_eq!(refused.faulty(), ["Idempotency-Key"], "{refused:?}");

    let endpoint = json!({"whkIdentifier": first["whkIdentifier"]});
    let sent = async |key: &str| {
        let sent = merchant.post_keyed("/webhook/test", key, &endpoint).await;
        sent.with_status(202).json()["evtIdentifier"].clone()
    };
    let event = sent("test 1").await;
    assert_eq!(sent("test 1").await, event);
    assert_ne!(sent("test 2").await, event);
    let deliveries = merchant.get("/webhook/deliveries").await.with_status(200);
    assert_eq!(deliveries.json()["query"]["total"], 2);

    let gone = merchant.post("/webhook/delete", &endpoint).await;
    gone.with_status(200);
    let refused = create("till 1", &wanted).await.with_status(422);
    assert_eq!(refused.faulty(), ["Idempotency-Key"], "{refused:?}");
    create("till 2", &wanted).await.with_status(201);
}
