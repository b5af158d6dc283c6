//! The wall between two accounts, at every operation there is. It must go by the route table of the
//! edge itself, so that a new report is tried before anyone remembers that it needs to be.

use http_server::{RouteKind, Verb, endpoints};
use serde_json::Value;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{HLR, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal;

/// What a transaction is asked for by.
const ASKED_BY: &str = "mrcReference";

/// An unused reference.
const UNKNOWN: &str = "nobody-s";

struct Bench {
    folder: GatewayFolder,
    ours: TestMerchant,
    theirs: TestMerchant,
    _server: GatewayProcess,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(QUICK);
    let accounts = ["Ours", "Theirs"].map(|name| folder.account(name, "1000000.00"));
    let server = GatewayProcess::start(&folder);
    let client = |account| TestMerchant::new(&folder, server.address(), account);
    let [ours, theirs] = accounts.each_ref().map(client);
    Bench {
        folder,
        ours,
        theirs,
        _server: server,
    }
}

fn reference(family: OrderFamily) -> String {
    format!("ours-{}", family.word())
}

/// Buys one of everything.
async fn buy_all(merchant: &TestMerchant) {
    for family in OrderFamily::ALL {
        let order = family.order(&reference(family), "0000");
        let answer = merchant.buy(family, &order).await;
        answer.with_status(200);
    }
}

/// Every path that reports transactions by their reference.
fn reports() -> Vec<&'static str> {
    let reading = |endpoint: &&http_server::RouteRow| {
        let report = (endpoint.verb, endpoint.kind) == (Verb::Get, RouteKind::Read)
            && endpoint.path.ends_with("/transaction");
        // The lookup of a number is its own report.
        report || endpoint.path == HLR
    };
    let paths = endpoints().iter().filter(reading);
    paths.map(|endpoint| endpoint.path).collect()
}

/// What an answer says, its own id aside, and the names of its headers.
fn shown(answer: &HttpAnswer) -> (u16, String, Vec<String>) {
    let mut names: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
    names.sort();
    (answer.status, answer.body_without_id(), names)
}

fn number(answer: &HttpAnswer) -> u64 {
    let number = answer.json()["txnReference"].as_u64();
    number.expect("a transaction has a number")
}

#[tokio::test]
async fn every_report_answers_anothers_transaction_as_one_that_does_not_exist() {
    let bench = bench();
    buy_all(&bench.ours).await;
    let mut reported = Vec::new();
    for path in reports() {
        let ask = async |merchant: &TestMerchant, reference: &str| {
            let target = format!("{path}?{ASKED_BY}={reference}");
            merchant.get(&target).await
        };
        let unknown = ask(&bench.theirs, UNKNOWN).await.with_status(404);
        for family in OrderFamily::ALL {
            let reference = reference(family);
            let foreign = ask(&bench.theirs, &reference).await;
            assert_eq!(shown(&foreign), shown(&unknown), "{path} of {family:?}");
            let own = ask(&bench.ours, &reference).await;
            if own.status == 200 {
                assert_eq!(own.text(ASKED_BY), reference);
                reported.push((path, family));
            } else {
                // Another family's is no more there than anyone's.
                assert_eq!(shown(&own), shown(&unknown), "{path} of {family:?}");
            }
        }
    }
    let mut own = OrderFamily::ALL
        .map(|family| (family.reports(), family))
        .to_vec();
    own.sort_by_key(|(path, _)| *path);
    reported.sort_by_key(|(path, _)| *path);
    assert_eq!(reported, own, "each is reported at one place, its own");
}

#[tokio::test]
async fn an_account_sees_and_takes_nothing_of_the_other_by_its_references() {
    let bench = bench();
    buy_all(&bench.ours).await;
    let lines = async |merchant: &TestMerchant, filter: &str| -> Value {
        let target = format!("/account/statement{filter}");
        merchant.get(&target).await.with_status(200).json()["query"].clone()
    };
    for family in OrderFamily::ALL {
        let reference = reference(family);
        let found = lines(&bench.theirs, &format!("?{ASKED_BY}={reference}")).await;
        assert_eq!(found["found"], 0, "{family:?}");
        // The reference is free in the other account.
        let order = family.order(&reference, "0000");
        let bought = bench.theirs.buy(family, &order).await;
        let bought = bought.with_status(200);
        let own = bench.ours.get(&family.report(&reference)).await;
        assert_ne!(number(&bought), number(&own), "{family:?}");
    }
    let all = OrderFamily::ALL.len() + 1;
    for merchant in [&bench.ours, &bench.theirs] {
        assert_eq!(lines(merchant, "").await["total"], all);
    }
    assert_eq!(bench.ours.balance().await, bench.theirs.balance().await);
    provider_journal::audit_is_clean(&bench.folder);
}
