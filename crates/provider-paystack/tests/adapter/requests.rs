//! What is sent, and what is not.

use crate::bench::{GTBANK, bench, open, payout_to};
use crate::fake::TransferFate;
use domain::provider::SubmitOutcome;
use ports::provider::Provider;
use serde_json::{Value, json};
use testkit::attempt::of_submit;
use testkit::http_server::ServedAnswer;
use testkit::permit::FixedPermit;

fn body(request: &testkit::http_server::ServedRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

#[tokio::test]
async fn a_payout_is_a_recipient_and_one_transfer() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", payout_to(GTBANK, "0123456789"));
    let permit = FixedPermit::granted();
    let outcome = bench.provider.submit(&sent, &permit).await.outcome;
    assert_eq!(
        (of_submit(&outcome).as_str(), permit.asked()),
        ("delivered", 1)
    );
    let seen = bench.fake.book().seen.clone();
    let [recipient, transfer] = seen.as_slice() else {
        panic!("two requests: {seen:?}");
    };
    assert_eq!(recipient.path, "/transferrecipient");
    assert_eq!(
        body(recipient),
        json!({"type": "nuban", "name": "FUNMILAYO ADEYEMI", "account_number": "0123456789",
               "bank_code": "058", "currency": "NGN"})
    );
    assert_eq!(transfer.path, "/transfer");
    assert_eq!(
        body(transfer),
        json!({"source": "balance", "amount": 2_000_000, "recipient": "RCP_000000000900000",
               "reference": "mnl-tejhlv4b6oorh4mth5ehd4c6loedhbbg", "reason": "Rent of June",
               "currency": "NGN"})
    );
}

#[tokio::test]
async fn a_code_of_paystack_differs_from_the_central_bank_where_the_table_says_so() {
    let bench = bench().await;
    let sent = bench.attempt("shop.order-7.1", payout_to("NGNIP000027", "0123456789"));
    assert_eq!(of_submit(&bench.submit(&sent).await.outcome), "delivered");
    assert_eq!(body(&bench.fake.book().seen[0])["bank_code"], "00103");
}

#[tokio::test]
async fn a_bank_that_is_not_mapped_is_not_served() {
    let bench = bench().await;
    let order = payout_to("NGNIP999999", "0123456789");
    assert!(!bench.provider.serves(&order));
    let sent = bench.attempt("shop.order-7.1", order);
    assert_eq!(bench.submit(&sent).await.outcome, SubmitOutcome::NotSent);
    assert!(bench.fake.book().seen.is_empty());
}

/// Without the recipient nothing was paid, whatever its request came to; and a recipient of another
/// account is none.
#[tokio::test]
async fn without_its_recipient_a_transfer_is_not_sent() {
    let bench = bench().await;
    let good = json!({"status": true, "data": {"recipient_code": "RCP_1", "details":
        {"account_number": "0100000000", "bank_code": "058"}}});
    let but = |pointer: &str, other: Value| {
        let mut answer = good.clone();
        *answer.pointer_mut(pointer).unwrap() = other;
        ServedAnswer::Json(201, answer.to_string())
    };
    for answer in [
        ServedAnswer::Broken,
        ServedAnswer::Page(502, "<html></html>".into()),
        ServedAnswer::Json(500, good.to_string()),
        ServedAnswer::Json(429, good.to_string()),
        ServedAnswer::Json(
            400,
            json!({"status": false, "message": "Not today"}).to_string(),
        ),
        but("/status", json!(false)),
        but("/data", json!({})),
        but("/data/recipient_code", json!("1")),
        but("/data/details/account_number", json!("0100000001")),
        but("/data/details/account_number", Value::Null),
        but("/data/details/bank_code", json!("044")),
    ] {
        bench
            .fake
            .book()
            .replaced
            .insert("/transferrecipient".into(), answer.clone());
        let sent = bench.attempt("shop.order-7.1", payout_to(GTBANK, "0100000000"));
        let permit = FixedPermit::granted();
        let outcome = bench.provider.submit(&sent, &permit).await.outcome;
        assert_eq!(outcome, SubmitOutcome::NotSent, "{answer:?}");
        assert_eq!(permit.asked(), 0, "{answer:?}");
    }
    let seen = bench.fake.book().seen.clone();
    assert!(seen.iter().all(|it| it.path == "/transferrecipient"));
}

#[tokio::test]
async fn a_wrong_key_is_the_accounts_fault_and_is_not_shown() {
    let bench = bench().await;
    let stranger = open(bench.fake.port, "sk_test_another");
    assert!(!format!("{stranger:?}").contains("sk_test_another"));
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Paid));
    let submitted = stranger.submit(&sent, &FixedPermit::granted()).await;
    assert_eq!(of_submit(&submitted.outcome), "declined Account");
    assert!(stranger.balance().await.is_err());
}

#[tokio::test]
async fn where_the_provider_is_not_there_nothing_was_sent() {
    let bench = bench().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let away = open(port, "sk_test_1");
    let sent = bench.attempt("shop.order-7.1", bench.order_with(TransferFate::Paid));
    let permit = FixedPermit::granted();
    let submitted = away.submit(&sent, &permit).await;
    assert_eq!(
        (submitted.outcome, permit.asked()),
        (SubmitOutcome::NotSent, 0)
    );
}
