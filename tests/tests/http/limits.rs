//! Limits as they are configured, over real connections. It must not wait for a budget to refill:
//! how time counts is proven where a test can move the clock.

use crate::case::error;
use reqwest::Method;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::http_line::Dialler;
use tests::merchant::{TestMerchant, basic, send};
use tests::orders::OrderFamily;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal;
use tests::shape;

const BALANCE: &str = "/account/balance";

fn started(
    environment: &[(&'static str, &str)],
) -> (
    GatewayFolder,
    GatewayProcess,
    MerchantCredentials,
    TestMerchant,
) {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Limited", "10000.00");
    let environment = environment.iter();
    let launch = Launch {
        environment: environment
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect(),
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &launch);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    (folder, server, account, merchant)
}

fn number(answer: &HttpAnswer, header: &str) -> u64 {
    let text = answer.header(header);
    let text = text.unwrap_or_else(|| panic!("no {header} in {answer:?}"));
    text.parse().expect("a whole number")
}

fn refused(answer: &HttpAnswer) {
    let expected = error(429, None, "{\"request\":[\"<text>\"]}");
    shape::check(&expected, &answer.body);
    assert!(number(answer, "retry-after") > 0, "{answer:?}");
}

#[tokio::test]
async fn payments_over_the_configured_limit_are_refused_and_cost_nothing() {
    let (folder, _server, _, merchant) = started(&[
        ("MANILLA_LIMITS_PAYMENTS_PER_MINUTE", "2"),
        ("MANILLA_LIMITS_PAYMENTS_AT_ONCE", "2"),
    ]);
    let family = OrderFamily::Airtime;
    let pay = async |reference: &str| {
        let order = family.order(reference, "0000");
        merchant.post(family.path(), &order).await
    };
    for (reference, left) in [("first", 1), ("second", 0)] {
        let paid = pay(reference).await.with_status(200);
        assert_eq!(number(&paid, "ratelimit-limit"), 2);
        assert_eq!(number(&paid, "ratelimit-remaining"), left);
    }
    let third = pay("third").await.with_status(429);
    refused(&third);
    assert!(number(&third, "ratelimit-reset") > 30, "{third:?}");
    let report = merchant.get(&family.report("third")).await;
    assert_eq!(report.status, 404, "reading is not limited: {report:?}");
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn failed_logins_are_limited_and_another_account_is_not() {
    let (folder, _server, account, merchant) =
        started(&[("MANILLA_LIMITS_FAILED_LOGINS_PER_MINUTE", "3")]);
    let other = folder.account("Other", "1.00");
    for attempt in 0..5 {
        let wrong = merchant.as_account(&MerchantCredentials {
            key: format!("{attempt}"),
            ..account.clone()
        });
        let answer = wrong.get(BALANCE).await;
        if attempt < 3 {
            assert_eq!(answer.status, 401, "{attempt}");
        } else {
            refused(&answer.with_status(429));
        }
    }
    let right = merchant.get(BALANCE).await.with_status(429);
    assert_eq!(right.header("ratelimit-limit"), None);
    let other = merchant.as_account(&other);
    other.get(BALANCE).await.with_status(200);
}

#[tokio::test]
async fn a_configured_proxy_may_forward_in_the_clear_what_came_encrypted() {
    let (folder, server, account, merchant) =
        started(&[("MANILLA_TRUSTED_PROXIES", "127.0.0.0/8")]);
    let request = merchant.request(Method::GET, BALANCE);
    let over_https = request.header("x-forwarded-proto", "http");
    send(over_https).await.with_status(403);
    let dialler = Dialler::new(&folder, server.address());
    let authorization = basic(&account.identity, &account.key);
    for (scheme, status) in [("https", 200), ("http", 403)] {
        let mut line = dialler.plain().await;
        let request = format!(
            "GET {BALANCE} HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\
             x-forwarded-proto: {scheme}\r\nx-forwarded-for: 192.0.2.7\r\n\r\n"
        );
        line.send(request).await;
        line.answer().await.with_status(status);
    }
}
