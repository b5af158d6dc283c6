//! The tables of cases, asked of one server each. It must show after every bad request that nothing
//! was stored and no money moved.

use crate::case::{BAD, Case, Expect, Input, Shows};
use crate::cases;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, OPEN, PAID_TO, QUICK};
use tests::merchant::{TestMerchant, basic, send};
use tests::orders::{self, AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal;
use tests::shape;

/// What the account of the tables begins with; a line of its statement shows it.
const BALANCE: &str = "1000000.00";

/// A server with one account.
struct Bench {
    folder: GatewayFolder,
    account: MerchantCredentials,
    merchant: TestMerchant,
    _server: GatewayProcess,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(&[QUICK, OPEN, PAID_TO].concat());
    let account = folder.account("Tables", BALANCE);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account).beside_operator(&folder);
    Bench {
        folder,
        account,
        merchant,
        _server: server,
    }
}

async fn ask(case: &Case, merchant: &TestMerchant) -> HttpAnswer {
    let answer = if case.needs_endpoint() {
        let endpoint = merchant.make_endpoint().await;
        let answer = send(case.at_endpoint(&endpoint).request(merchant)).await;
        merchant.delete_endpoint(&endpoint).await;
        answer
    } else if case.needs_group() {
        let group = merchant.make_group().await;
        send(case.at_group(&group).request(merchant)).await
    } else if case.needs_library() {
        let (placed, _) = case.at_library(merchant).await;
        send(placed.request(merchant)).await
    } else if case.needs_access() {
        let (placed, key) = case.at_access(merchant).await;
        let answer = send(placed.request(merchant)).await;
        forget_keys(merchant, &key, &answer).await;
        answer
    } else if case.needs_approval() {
        send(case.at_approval(merchant).await.request(merchant)).await
    } else if case.needs_coupon() {
        send(case.at_coupon(merchant).await.request(merchant)).await
    } else if case.needs_collection() {
        send(case.at_collection(merchant).await.request(merchant)).await
    } else if case.needs_invoice() {
        send(case.at_invoice(merchant).await.request(merchant)).await
    } else if case.needs_booking() {
        send(case.at_booking(merchant).await.request(merchant)).await
    } else if case.needs_run() {
        let run = merchant.make_report().await;
        send(case.at_run(&run).request(merchant)).await
    } else {
        send(case.request(merchant)).await
    };
    let Some((status, template)) = case.expect.template() else {
        return answer;
    };
    assert_eq!(
        answer.status, status,
        "{}: {answer:?}\n{:?}",
        case.rule, case.input
    );
    shape::check(&template, &answer.body);
    check_headers(&answer, &case.rule);
    answer
}

/// Revokes the keys of a case, so that there is room for those of the next.
pub(crate) async fn forget_keys(merchant: &TestMerchant, placed: &str, answer: &HttpAnswer) {
    merchant.revoke_key(placed).await;
    if answer.status == 201 && answer.body.contains("keySecret") {
        let made = between(&answer.body, "keyIdentifier").expect("a number");
        merchant.revoke_key(&made).await;
    }
}

/// The value of a field of an answer in either format.
pub(crate) fn between(body: &str, field: &str) -> Option<String> {
    let (_, rest) = body.split_once(field)?;
    let value = rest.trim_start_matches(['"', ':', '>']);
    let end = value.find(['"', '<', ',', '}'])?;
    Some(value[..end].to_owned())
}

/// What is on every answer.
fn check_headers(answer: &HttpAnswer, rule: &str) {
    assert_eq!(
        answer.header("content-type"),
        Some("application/json"),
        "{rule}: {answer:?}"
    );
    assert_eq!(
        answer.header("api-version"),
        Some("2026-11-01"),
        "{rule}: {answer:?}"
    );
    // What may be kept is asked for again by its tag; nothing else is kept.
    match answer.header("cache-control") {
        Some("private, max-age=3600" | "private, no-cache") => {
            assert!(answer.header("etag").is_some(), "{rule}: {answer:?}");
        }
        control => assert_eq!(control, Some("no-store"), "{rule}: {answer:?}"),
    }
    assert_eq!(
        answer.header("x-content-type-options"),
        Some("nosniff"),
        "{rule}: {answer:?}"
    );
    let id = answer
        .header("x-request-id")
        .expect("every answer has an id");
    let reported = answer.json();
    let reported = reported["requestId"].as_str();
    assert!(
        reported.is_none_or(|reported| reported == id),
        "{rule}: {answer:?}"
    );
}

#[tokio::test]
async fn good_requests_are_answered_with_every_field_in_its_order_and_type() {
    let bench = bench();
    for case in of_kind(Shows::Contract) {
        ask(&case, &bench.merchant).await;
    }
    provider_journal::audit_is_clean(&bench.folder);
}

#[tokio::test]
async fn bad_requests_name_every_attribute_at_fault_and_leave_nothing_behind() {
    let bench = bench();
    let merchant = &bench.merchant;
    let purchase = orders::airtime("good-airtime", "2348031230000", "1000");
    let bought = merchant.post(AIRTIME, &purchase).await.with_status(200);
    assert_eq!(bought.txn_status(), "Successful");
    let before = merchant.balance().await;
    for case in of_kind(Shows::Error) {
        ask(&case, merchant).await;
        if matches!(case.input, Input::Body(_)) {
            assert_eq!(merchant.balance().await, before, "{}", case.rule);
            for family in OrderFamily::ALL {
                let report = merchant.get(&family.report(BAD)).await;
                assert_eq!(report.status, 404, "{}: {report:?}", case.rule);
            }
        }
    }
    let lines = merchant.get("/account/statement").await.json();
    assert_eq!(lines["query"]["total"], 2, "the funding and one purchase");
    assert_eq!(bench.folder.run(&["audit"]).status.code(), Some(0));
}

#[tokio::test]
async fn no_operation_opens_without_the_credentials_of_an_account() {
    let bench = bench();
    let other = bench.folder.account("Other", "1.00");
    let refused = denied(&bench.account, &other);
    for case in of_kind(Shows::Authentication) {
        for (what, authorization) in &refused {
            let request = case.request_with(&bench.merchant, authorization.as_deref());
            let answer = send(request).await;
            let reported = format!("{} with {what}: {answer:?}", case.rule);
            check_headers(&answer, &reported);
            if matches!(case.expect, Expect::Anyone) {
                assert_eq!(answer.status, 200, "{reported}");
            } else {
                check_denied(&answer, &reported);
            }
        }
    }
    let (balance, held) = bench.merchant.balance().await;
    assert_eq!((&*balance, &*held), ("1,000,000.00", "0.00"));
}

fn check_denied(answer: &HttpAnswer, reported: &str) {
    assert_eq!(answer.status, 401, "{reported}");
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    assert!(challenge.starts_with("Basic "), "{reported}");
    assert!(
        answer.json()["errors"]["request"][0].is_string(),
        "{reported}"
    );
}

/// Every way not to have credentials.
fn denied(
    ours: &MerchantCredentials,
    other: &MerchantCredentials,
) -> Vec<(&'static str, Option<String>)> {
    let MerchantCredentials { identity, key, .. } = ours;
    let changed = format!("{}x", &key[..key.len() - 1]);
    let valid = basic(identity, key);
    let encoded = valid.trim_start_matches("Basic ");
    vec![
        ("no header", None),
        ("an empty header", Some(String::new())),
        ("another scheme", Some(format!("Bearer {encoded}"))),
        ("no scheme", Some(encoded.to_owned())),
        ("broken Base64", Some("Basic !!!not-base64!!!".to_owned())),
        ("cut Base64", Some(valid[..valid.len() - 5].to_owned())),
        ("no colon", Some("Basic bm9jb2xvbg==".to_owned())),
        ("no UTF-8", Some("Basic /////w==".to_owned())),
        ("no key", Some(basic(identity, ""))),
        ("no identity", Some(basic("", key))),
        (
            "a key with its last character changed",
            Some(basic(identity, &changed)),
        ),
        ("another account's key", Some(basic(identity, &other.key))),
        ("an unknown account", Some(basic("nobody", key))),
        (
            "another account's identity",
            Some(basic(&other.identity, key)),
        ),
        (
            "credentials beyond any length",
            Some(basic(&"x".repeat(4_000), key)),
        ),
    ]
}

#[tokio::test]
async fn an_unknown_account_is_answered_as_a_wrong_key() {
    let bench = bench();
    let wrong = basic(&bench.account.identity, "wrong");
    let unknown = basic("nobody", &bench.account.key);
    let mut answers = Vec::new();
    for authorization in [&wrong, &unknown] {
        let request = bench
            .merchant
            .anonymous(reqwest::Method::GET, "/account/balance");
        answers.push(send(request.header("authorization", authorization)).await);
    }
    assert_eq!(answers[0].body_without_id(), answers[1].body_without_id());
}

fn of_kind(shows: Shows) -> Vec<Case> {
    let mut cases = cases::all();
    cases.retain(|case| case.shows() == shows);
    assert!(!cases.is_empty());
    cases
}
