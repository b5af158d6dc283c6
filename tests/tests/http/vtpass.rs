//! Purchases in the shape of VTpass's API, over real HTTPS: what they come to is what the interface
//! reports, and they are bought once whichever way they come. No answer may call one failed that is
//! not.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, OPEN, QUICK};
use tests::merchant::{TestMerchant, send};
use tests::orders::{self, AIRTIME};
use tests::patience;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal};
use tokio::task::JoinSet;

/// Most of what follows is over after a few seconds.
const SETTLED_WITHIN: Duration = Duration::from_mins(1);

struct Bench {
    folder: GatewayFolder,
    account: MerchantCredentials,
    client: VtpassClient,
    _server: GatewayProcess,
}

/// A client in VTpass's shape, and one of the interface for the same account.
#[derive(Debug, Clone)]
struct VtpassClient {
    merchant: TestMerchant,
    account: MerchantCredentials,
}

fn bench() -> Bench {
    let settings = format!("[server]\nvtpass = true\n\n{QUICK}\n{OPEN}");
    let folder = GatewayFolder::with(&settings);
    let account = folder.account("Reseller", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let client = VtpassClient {
        merchant,
        account: account.clone(),
    };
    Bench {
        folder,
        account,
        client,
        _server: server,
    }
}

impl VtpassClient {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let path = format!("/vtpass/api/{path}");
        let request = self.merchant.anonymous(method, &path);
        request.header("api-key", &self.account.identity)
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.request(Method::POST, path);
        let request = request.header("secret-key", &self.account.key);
        let request = request.header("content-type", "application/json");
        send(request.body(body.to_string()))
            .await
            .with_status(200)
            .json()
    }

    async fn get(&self, path: &str) -> HttpAnswer {
        let request = self.request(Method::GET, path);
        send(request.header("public-key", &self.account.key)).await
    }

    /// The code of a purchase or a query, beside the word of its transaction.
    async fn code(&self, path: &str, body: &Value) -> (String, Option<String>) {
        let answer = self.post(path, body).await;
        let word = answer["content"]["transactions"]["status"].as_str();
        let code = answer["code"].as_str().expect("a code");
        (code.to_owned(), word.map(ToOwned::to_owned))
    }

    async fn requery(&self, id: &str) -> (String, Option<String>) {
        self.code("requery", &json!({"request_id": id})).await
    }

    async fn status(&self, id: &str) -> String {
        let path = format!("{AIRTIME}/transaction?mrcReference={id}");
        let report = self.merchant.get(&path).await.with_status(200);
        report.txn_status()
    }
}

fn airtime(id: &str, phone: &str) -> Value {
    json!({"request_id": id, "serviceID": "mtn", "amount": 100, "phone": phone})
}

/// What a status of the interface is in VTpass's shape.
fn shape(status: &str) -> (String, Option<String>) {
    let (code, word) = match status {
        "Successful" => ("000", "delivered"),
        "Failed" => ("016", "failed"),
        "Reversed" => ("040", "reversed"),
        "Pending" => ("099", "pending"),
        other => panic!("an unknown status: {other}"),
    };
    (code.to_owned(), Some(word.to_owned()))
}

#[tokio::test]
async fn every_family_is_bought_and_reported_by_the_interface() {
    let bench = bench();
    let client = &bench.client;
    let plan = |listed: HttpAnswer| {
        let listed = listed.with_status(200).json();
        listed["content"]["variations"][0]["variation_code"].clone()
    };
    let bundle = plan(client.get("service-variations?serviceID=mtn-data").await);
    let bouquet = plan(client.get("service-variations?serviceID=startimes").await);
    let phone = "08031230000";
    for (path, order) in [
        (AIRTIME, airtime("a", phone)),
        (
            "/payment/internet",
            json!({"request_id": "b", "serviceID": "mtn-data", "billersCode": phone,
                "variation_code": bundle, "phone": phone, "amount": "ignored"}),
        ),
        (
            "/payment/cabletv",
            json!({"request_id": "c", "serviceID": "startimes", "billersCode": "0201230000",
                "variation_code": bouquet, "phone": phone}),
        ),
        (
            "/payment/cabletv",
            json!({"request_id": "d", "serviceID": "dstv", "billersCode": "0201230000",
                "subscription_type": "renew", "amount": "7000.00", "phone": phone}),
        ),
        (
            "/payment/electricity",
            json!({"request_id": "e", "serviceID": "abuja-electric", "billersCode": "04512340000",
                "variation_code": "prepaid", "amount": 5000.5, "phone": phone}),
        ),
    ] {
        let paid = client.post("pay", &order).await;
        assert_eq!(paid["code"], "000", "{paid}");
        let id = order["request_id"].as_str().unwrap();
        let path = format!("{path}/transaction?mrcReference={id}");
        let report = client.merchant.get(&path).await.with_status(200);
        assert_eq!(report.txn_status(), "Successful");
        let number = paid["content"]["transactions"]["transactionId"].as_str();
        let reported = report.json()["txnReference"].to_string();
        assert_eq!(number, Some(&*reported));
        let asked = json!({"request_id": id});
        assert_eq!(client.post("requery", &asked).await, paid);
    }
    let other = json!({"request_id": "f", "serviceID": "glo-data", "billersCode": phone,
        "variation_code": bundle, "phone": phone});
    assert_eq!(client.post("pay", &other).await["code"], "010");
    let (available, held) = client.merchant.balance().await;
    let balance = client.get("balance").await.with_status(200).json();
    let shown = balance["contents"]["balance"].as_f64().unwrap();
    assert_eq!(format!("{shown:.2}"), available.replace(',', ""));
    assert_eq!(held, "0.00");
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn no_forced_outcome_is_called_failed_that_is_not() {
    let bench = bench();
    let client = &bench.client;
    let endings = [
        "0001", "0002", "0003", "0004", "0005", "0006", "0008", "0009", "0010", "0011", "0012",
        "0014", "0018", "0020",
    ];
    let mut purchases = JoinSet::new();
    for ending in endings {
        let client = client.clone();
        purchases.spawn(async move {
            let order = airtime(ending, &format!("0803123{ending}"));
            let answered = client.code("pay", &order).await;
            let status = client.status(ending).await;
            // It may have come further since it was answered, but not from failed to anything.
            match answered.0.as_str() {
                "016" => assert_eq!(status, "Failed", "{ending}"),
                "000" => assert!(["Successful", "Reversed"].contains(&&*status), "{ending}"),
                other => assert_eq!(other, "099", "{ending}"),
            }
            assert_eq!(client.code("pay", &order).await.0, "014", "{ending}");
        });
    }
    purchases.join_all().await;
    let settled = async || {
        for ending in endings {
            let status = client.status(ending).await;
            if client.requery(ending).await != shape(&status) {
                return None;
            }
        }
        (client.status("0009").await == "Reversed").then_some(())
    };
    patience::eventually("both say the same", SETTLED_WITHIN, settled).await;
    let journal = ProviderJournal::read(&bench.folder);
    for ending in endings {
        let failed = client.status(ending).await == "Failed";
        let delivered = journal.deliveries(&bench.account.identity, ending);
        assert!(delivered <= 1 && !(failed && delivered == 1), "{ending}");
    }
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn one_reference_is_bought_once_by_both_interfaces_at_once() {
    let bench = bench();
    let client = &bench.client;
    let mut buyers = JoinSet::new();
    for buyer in 0..12 {
        let client = client.clone();
        buyers.spawn(async move {
            if buyer % 2 == 0 {
                let order = airtime("race", "08031230000");
                return client.code("pay", &order).await.0;
            }
            let order = orders::airtime("race", "2348031230000", "100");
            let answer = client.merchant.post(AIRTIME, &order).await;
            answer.status.to_string()
        });
    }
    let mut answers = BTreeMap::<String, usize>::new();
    for answer in buyers.join_all().await {
        *answers.entry(answer).or_default() += 1;
    }
    let count = |answer: &str| answers.get(answer).copied().unwrap_or_default();
    assert_eq!(count("000") + count("200"), 1, "{answers:?}");
    assert_eq!(count("014") + count("422"), 11, "{answers:?}");
    let journal = ProviderJournal::read(&bench.folder);
    assert_eq!(journal.deliveries(&bench.account.identity, "race"), 1);
    assert_eq!(client.merchant.balance().await.0, "999,903.00");
}

#[tokio::test]
async fn events_are_those_of_a_purchase_by_the_interface() {
    let bench = bench();
    let client = &bench.client;
    let endpoint = client.merchant.make_endpoint().await;
    let theirs = client.post("pay", &airtime("theirs", "08031230000")).await;
    assert_eq!(theirs["code"], "000");
    let ours = orders::airtime("ours", "2348031230000", "100");
    client.merchant.post(AIRTIME, &ours).await.with_status(200);
    let path = format!("/webhook/deliveries?whkIdentifier={endpoint}&length=100");
    let listed = client.merchant.get(&path).await.with_status(200).json();
    let events = |reference: &str| {
        let all = listed["deliveries"].as_array().expect("deliveries").iter();
        let of_it = all.filter(|delivery| delivery["mrcReference"] == reference);
        let mut kinds: Vec<_> = of_it
            .map(|delivery| delivery["evtType"].to_string())
            .collect();
        kinds.sort();
        kinds
    };
    assert!(!events("ours").is_empty(), "{listed}");
    assert_eq!(events("theirs"), events("ours"));
}
