//! The wall between two accounts, at every operation there is. It must go by the route table of the
//! edge itself, so that a new report is tried before anyone remembers that it needs to be.

use http_server::{RouteKind, RouteRow, Verb, endpoints};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::Value;
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, basic, send};
use tests::operators::BETA;
use tests::orders::OrderFamily;
use tests::patience::eventually;
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
        // A lookup that is charged is its own report.
        report || endpoint.kind == RouteKind::PaidLookup
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
    // What was paid in, the prices, and what the two calls did not use of their own.
    let all = OrderFamily::ALL.len() + 3;
    for merchant in [&bench.ours, &bench.theirs] {
        assert_eq!(lines(merchant, "").await["total"], all);
    }
    assert_eq!(bench.ours.balance().await, bench.theirs.balance().await);
    provider_journal::audit_is_clean(&bench.folder);
}

/// Keys of accounts open nothing of operators, and the key of an operator no account: neither its
/// money nor what it may read.
#[tokio::test]
async fn operators_and_accounts_open_nothing_of_each_other() {
    let bench = bench();
    let (name, key) = bench.folder.operator_key();
    let operator = basic(&name, &key);
    let ask = async |endpoint: &RouteRow, authorization: &str| {
        let path = endpoint.path.replace("{category}", "airtime");
        let request = bench.ours.anonymous(endpoint.verb.method(), &path);
        let request = request.header(AUTHORIZATION, authorization);
        send(match endpoint.verb {
            Verb::Get => request,
            Verb::Post => request.header(CONTENT_TYPE, "application/json").body("{}"),
        })
        .await
    };
    let refused = async |endpoint: &RouteRow, authorization: &str, why: &str| {
        let answer = ask(endpoint, authorization).await;
        assert_eq!(answer.status, 403, "{endpoint:?}: {answer:?}");
        let json = answer.json();
        let remedy = json["errors"]["request"][0].as_str().unwrap();
        assert!(remedy.starts_with(why), "{endpoint:?}: {remedy}");
    };
    let (mut of_operators, mut of_accounts) = (0, 0);
    for endpoint in endpoints().iter().filter(|it| it.scope.is_some()) {
        if endpoint.is_of_operators() {
            let ours = bench.ours.credentials();
            refused(endpoint, ours, "no key of an account opens it").await;
            let opened = ask(endpoint, &operator).await;
            // What nothing was sent to is refused for that alone.
            let expected = match endpoint.verb {
                Verb::Get => 200,
                Verb::Post => 400,
            };
            assert_eq!(opened.status, expected, "{endpoint:?}: {opened:?}");
            of_operators += 1;
        } else {
            let why = "the key of an operator opens no account";
            refused(endpoint, &operator, why).await;
            of_accounts += 1;
        }
    }
    assert!(
        of_operators > 3 && of_accounts > 50,
        "{of_operators} {of_accounts}"
    );
    let held = ("1,000,000.00".to_owned(), "0.00".to_owned());
    assert_eq!(bench.ours.balance().await, held);
}

#[tokio::test]
async fn the_key_of_an_operator_ends_with_the_next_one_and_with_the_operator() {
    const PATH: &str = "/operations/providers";
    let bench = bench();
    let status = async |name: &str, key: &str| {
        let request = bench.ours.anonymous(Verb::Get.method(), PATH);
        let answer = send(request.header(AUTHORIZATION, basic(name, key))).await;
        answer.status
    };
    let (name, first) = bench.folder.operator_key();
    assert_eq!(status(&name, &first).await, 200);
    let (_, second) = bench.folder.operator_key();
    assert_eq!(
        (status(&name, &first).await, status(&name, &second).await),
        (401, 200)
    );
    for wrong in [
        ("beta", &*second),
        ("ALPHA", &second),
        (&name, &first[..20]),
        (&name, ""),
    ] {
        assert_eq!(status(wrong.0, wrong.1).await, 401, "{wrong:?}");
    }
    let ended = bench
        .folder
        .run(&["operator", "http-key", "--revoke", &name]);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(status(&name, &second).await, 401);
    let log = bench.folder.run(&["operator", "log", "--json"]);
    let acts = log.stdout.matches("operator-http-key").count();
    assert_eq!(acts, 3, "two keys and an end: {}", log.stdout);
    assert!(!log.stdout.contains(&second), "the key stands in the log");
    assert_eq!(bench.folder.run(&["audit"]).status.code(), Some(0));
}

/// The deadline of a pause, and what a busy machine takes.
const PAUSED_WITHIN: Duration = Duration::from_secs(30);

/// Asked for by one operator, granted by another, and obeyed by the running server.
#[tokio::test]
async fn a_change_that_is_asked_for_is_made_when_another_operator_grants_it() {
    let bench = bench();
    let (name, key) = bench.folder.operator_key();
    bench.folder.has_also(&BETA);
    let post = async |path: &str, body: &str| {
        let request = bench.ours.anonymous(Verb::Post.method(), path);
        let request = request.header(AUTHORIZATION, basic(&name, &key));
        let request = request.header(CONTENT_TYPE, "application/json");
        let answer = send(request.body(body.to_owned())).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        answer.json()["aprIdentifier"].to_string()
    };
    let providers = async || {
        let request = bench
            .ours
            .anonymous(Verb::Get.method(), "/operations/providers");
        send(request.header(AUTHORIZATION, basic(&name, &key)))
            .await
            .json()
    };
    let pause = r#"{"prvIdentifier": "sandbox", "prvEnabled": false, "reason": "float"}"#;
    let number = post("/operations/providers", pause).await;
    let own = bench.folder.run(&["approve", &number]);
    assert_eq!(own.status.code(), Some(1), "{own:?}");
    assert!(own.stderr.contains("another one must grant it"), "{own:?}");
    let is_enabled = providers().await["providers"][0]["prvEnabled"].clone();
    assert_eq!(is_enabled, true, "nothing changes before it is granted");
    let granted = bench.folder.run_as(&BETA, &["approve", &number, "--json"]);
    assert_eq!(granted.status.code(), Some(0), "{granted:?}");
    eventually("the provider is paused", PAUSED_WITHIN, async || {
        let is_paused = providers().await["providers"][0]["prvEnabled"] == false;
        is_paused.then_some(())
    })
    .await;
    let waits = bench.folder.run(&["approve"]);
    assert!(waits.stdout.contains("granted by beta"), "{waits:?}");
    let resolve = r#"{"caseIdentifier": "review:a:b", "decision": "declined", "reason": "x"}"#;
    let number = post("/operations/resolve", resolve).await;
    let none = bench.folder.run_as(&BETA, &["approve", &number]);
    assert_eq!(none.status.code(), Some(1), "no such case: {none:?}");
    let refused = bench.folder.run(&["approve", &number, "--refuse"]);
    assert_eq!(refused.status.code(), Some(0), "{refused:?}");
    assert_eq!(bench.folder.run(&["audit"]).status.code(), Some(0));
}
