//! What is sent, and what is not: tokens and top-ups.

use crate::bench::{bench, open};
use crate::fake::{CLIENT, MTN, TopupFate};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::order::Order;
use domain::provider::SubmitOutcome;
use ports::provider::Provider;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::attempt::of_submit;
use testkit::builders::{airtime, naira};
use testkit::http_server::{ServedAnswer, ServedRequest};
use testkit::permit::FixedPermit;

fn body(request: &ServedRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

#[tokio::test]
async fn a_top_up_is_a_token_and_one_request() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", airtime().to("2348031234567").order());
    let permit = FixedPermit::granted();
    let outcome = bench.provider.submit(&sent, &permit).await.outcome;
    assert_eq!(
        (of_submit(&outcome).as_str(), permit.asked()),
        ("delivered", 1)
    );
    let seen = bench.fake.book().seen.clone();
    let [token, topup] = seen.as_slice() else {
        panic!("two requests: {seen:?}");
    };
    assert_eq!(token.path, "/oauth/token");
    assert_eq!(
        body(token),
        json!({"client_id": CLIENT.0, "client_secret": CLIENT.1,
               "grant_type": "client_credentials", "audience": "https://topups.reloadly.com"})
    );
    assert_eq!(topup.path, "/topups");
    let accepted = topup.header("accept");
    assert_eq!(accepted, Some("application/com.reloadly.topups-v1+json"));
    assert_eq!(
        body(topup),
        json!({"operatorId": MTN, "amount": 1_000.00, "useLocalAmount": true,
               "customIdentifier": "tejhlv4b6oorh4mth5ehd4c6loedhbbg",
               "recipientPhone": {"countryCode": "NG", "number": "2348031234567"}})
    );
}

#[tokio::test]
async fn a_token_is_used_until_it_ends_or_is_refused() {
    let bench = bench().await;
    let tokens = || {
        let seen = bench.fake.book().seen.clone();
        seen.iter().filter(|it| it.path == "/oauth/token").count()
    };
    let buy = async |name: &str| {
        let sent = bench.attempt(name, bench.order_with(TopupFate::Credited));
        of_submit(&bench.submit(&sent).await.outcome)
    };
    assert_eq!(buy("shop.one.1").await, "delivered");
    assert_eq!(
        (buy("shop.two.1").await.as_str(), tokens()),
        ("delivered", 1)
    );
    bench.clock.advance(Duration::from_hours(13)).await;
    assert_eq!(
        (buy("shop.three.1").await.as_str(), tokens()),
        ("delivered", 2)
    );
    // What was refused for its token was not processed, and is not sent again by the adapter.
    bench.fake.expire_tokens();
    assert_eq!(buy("shop.four.1").await, "declined Moment");
    assert_eq!(
        (buy("shop.five.1").await.as_str(), tokens()),
        ("delivered", 3)
    );
    assert_eq!(bench.fake.book().topups.len(), 4);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent() {
    let bench = bench().await;
    let stranger = open(bench.fake.port, "another-secret", &bench.clock);
    assert!(!format!("{stranger:?}").contains("another-secret"));
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TopupFate::Credited));
    let permit = FixedPermit::granted();
    let submitted = stranger.submit(&sent, &permit).await.outcome;
    assert_eq!((submitted, permit.asked()), (SubmitOutcome::NotSent, 0));
    assert!(stranger.balance().await.is_err());
    for answer in [
        ServedAnswer::Broken,
        ServedAnswer::Json(500, "{}".into()),
        ServedAnswer::Json(200, "{}".into()),
        ServedAnswer::Json(
            200,
            json!({"access_token": "a\nb", "expires_in": 9}).to_string(),
        ),
    ] {
        bench.fake.replace("POST /oauth/token", answer.clone());
        let submitted = bench.submit(&sent).await.outcome;
        assert_eq!(submitted, SubmitOutcome::NotSent, "{answer:?}");
    }
    assert!(bench.fake.book().topups.is_empty());
}

#[tokio::test]
async fn what_is_not_served_is_not_sent() {
    let bench = bench().await;
    let changed = |change: fn(&mut domain::airtime::AirtimeOrder)| {
        let mut order = airtime().order();
        if let Order::Airtime(order) = &mut order {
            change(order);
        }
        order
    };
    for order in [
        changed(|order| order.network_code = "airtel".into()),
        changed(|order| order.billing = Billing::Postpaid),
        changed(|order| order.country = CountryCode::parse("288").unwrap()),
    ] {
        assert!(!bench.provider.serves(&order), "{order:?}");
        let sent = bench.attempt("shop.order-7.1", order);
        assert_eq!(bench.submit(&sent).await.outcome, SubmitOutcome::NotSent);
    }
    assert!(bench.fake.book().seen.is_empty());
    let unknown = changed(|order| order.network_code = "glo".into());
    let sent = bench.attempt("shop.order-7.1", unknown);
    assert_eq!(
        of_submit(&bench.submit(&sent).await.outcome),
        "declined Account"
    );
}

#[tokio::test]
async fn the_balance_is_known_in_naira_alone() {
    let bench = bench().await;
    let balance = bench.provider.balance().await.unwrap().unwrap();
    assert_eq!((balance.available, balance.held), (naira("5,000.50"), None));
    let other = json!({"balance": 1, "currencyCode": "USD"}).to_string();
    bench
        .fake
        .replace("GET /accounts/balance", ServedAnswer::Json(200, other));
    assert_eq!(bench.provider.balance().await.unwrap(), None);
    let unusable = json!({"balance": "x", "currencyCode": "NGN"}).to_string();
    bench
        .fake
        .replace("GET /accounts/balance", ServedAnswer::Json(200, unusable));
    assert!(bench.provider.balance().await.is_err());
}
