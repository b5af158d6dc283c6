//! What is sent, and what is not.

use crate::bench::{abroad, bench, open, plan_for};
use crate::fake::{FIXED, RANGED, TransactionFate};
use domain::billing::Billing;
use domain::order::{Order, Service};
use domain::provider::SubmitOutcome;
use ports::provider::Provider;
use serde_json::{Value, json};
use testkit::attempt::of_submit;
use testkit::builders::{airtime, internet, naira};
use testkit::http_server::ServedAnswer;
use testkit::permit::FixedPermit;

const CALLBACK: &str = "https://gateway.example/provider/dtone/callback";
const REFERENCE: &str = "tejhlv4b6oorh4mth5ehd4c6loedhbbg";

/// What arrives for an order.
async fn sent(order: Order) -> Value {
    let bench = bench().await;
    assert!(bench.provider.serves(&order), "{order:?}");
    let sent = bench.attempt("shop.order-7.1", order);
    let permit = FixedPermit::granted();
    let outcome = bench.provider.submit(&sent, &permit).await.outcome;
    let SubmitOutcome::Delivered(receipt) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(receipt.matches(&sent.reference, &sent.order));
    assert_eq!(permit.asked(), 1);
    let book = bench.fake.book();
    let transaction = &book.transactions[sent.reference.as_str()];
    assert!(transaction.goes_to(&format!("+{}", sent.order.digits())));
    drop(book);
    let seen = bench.fake.book().seen.clone();
    let [seen] = seen.as_slice() else {
        panic!("sent more than once: {seen:?}");
    };
    assert_eq!(seen.path, "/v1/async/transactions");
    serde_json::from_slice(&seen.body).unwrap()
}

#[tokio::test]
async fn a_number_in_nigeria_is_credited_with_the_amount() {
    let body = sent(airtime().to("2348031234567").order()).await;
    let expected = json!({
        "external_id": REFERENCE, "product_id": RANGED, "auto_confirm": true,
        "credit_party_identifier": {"mobile_number": "+2348031234567"},
        "calculation_mode": "DESTINATION_AMOUNT",
        "destination": {"unit_type": "CURRENCY", "unit": "NGN", "amount": 1_000.00},
        "callback_url": CALLBACK,
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn for_a_number_abroad_the_amount_is_paid() {
    let body = sent(abroad()).await;
    let expected = json!({
        "external_id": REFERENCE, "product_id": RANGED, "auto_confirm": true,
        "credit_party_identifier": {"mobile_number": "+233241234567"},
        "calculation_mode": "SOURCE_AMOUNT",
        "source": {"unit_type": "CURRENCY", "unit": "NGN", "amount": 1_000.00},
        "callback_url": CALLBACK,
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_plan_is_a_product_of_one_value() {
    let body = sent(plan_for("2348031234567")).await;
    let expected = json!({
        "external_id": REFERENCE, "product_id": FIXED, "auto_confirm": true,
        "credit_party_identifier": {"mobile_number": "+2348031234567"},
        "callback_url": CALLBACK,
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn what_is_not_mapped_is_not_sent() {
    let bench = bench().await;
    let mut unmapped = airtime().order();
    let mut postpaid = airtime().order();
    if let (Order::Airtime(unmapped), Order::Airtime(postpaid)) = (&mut unmapped, &mut postpaid) {
        unmapped.network_code = "airtel".into();
        postpaid.billing = Billing::Postpaid;
    }
    for order in [unmapped, postpaid, internet().order()] {
        assert!(!bench.provider.serves(&order), "{order:?}");
        let sent = bench.attempt("shop.order-7.1", order);
        assert_eq!(bench.submit(&sent).await.outcome, SubmitOutcome::NotSent);
    }
    assert!(bench.fake.book().seen.is_empty());
}

#[tokio::test]
async fn a_product_that_is_not_in_the_account_is_the_accounts_fault() {
    let bench = bench().await;
    let mut order = airtime().order();
    if let Order::Airtime(order) = &mut order {
        order.network_code = "glo".into();
    }
    let sent = bench.attempt("shop.order-7.1", order);
    let submitted = bench.submit(&sent).await.outcome;
    assert_eq!(of_submit(&submitted), "declined Account");
}

#[tokio::test]
async fn wrong_keys_are_the_accounts_fault_and_are_not_shown() {
    let bench = bench().await;
    let stranger = open(bench.fake.port, "another-secret");
    assert!(!format!("{stranger:?}").contains("another-secret"));
    let order = bench.order_with(Service::Airtime, TransactionFate::Completed);
    let sent = bench.attempt("shop.order-7.1", order);
    let submitted = stranger.submit(&sent, &FixedPermit::granted()).await;
    assert_eq!(of_submit(&submitted.outcome), "declined Account");
    assert!(stranger.balance().await.is_err());
    let balance = bench.provider.balance().await.unwrap().unwrap();
    let expected = (naira("15,000.50"), Some(naira("0.00")));
    assert_eq!((balance.available, balance.held), expected);
    for (body, expected) in [
        (r#"[{"unit":"EUR","available":1}]"#, Some(None)),
        ("[]", Some(None)),
        (r#"[{"unit":"NGN","available":"x"}]"#, None),
        ("{}", None),
    ] {
        let answer = ServedAnswer::Json(200, body.into());
        bench.fake.replace("GET /balances", answer);
        assert_eq!(bench.provider.balance().await.ok(), expected, "{body}");
    }
}
