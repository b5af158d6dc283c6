//! Answers that are about something else, incomplete, or no answers at all: nothing definite.

use crate::bench::VtpassBench;
use crate::fake_record::Fate;
use domain::order::{Order, Service};
use domain::provider::{AttemptDetails, QueryOutcome, Submission, SubmitOutcome, UnknownCause};
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use provider_vtpass::ConfirmRefusals;
use serde_json::{Value, json};
use testkit::attempt::{self, of_query, of_submit};
use testkit::builders::naira;
use testkit::permit::FixedPermit;

const TOKEN: &str = "26362054405982757802";

async fn bench() -> VtpassBench {
    VtpassBench::with(ConfirmRefusals::Yes).await
}

/// What a delivery looks like; a test changes what it is about.
fn delivered(sent: &Submission) -> Value {
    let digits = sent.order.digits();
    let credited = digits.strip_prefix("234").map(|rest| format!("0{rest}"));
    let amount = sent.order.amount().to_string().replace(',', "");
    json!({
        "code": "000", "requestId": sent.reference.as_str(), "amount": amount,
        "purchased_code": format!("Token : {TOKEN}"), "units": "23.8", "tokenAmount": 4651.16,
        "content": {"transactions": {
            "status": "delivered", "unique_element": credited.as_deref().unwrap_or(digits),
            "transactionId": 17_325, "total_amount": "970.00", "commission": "30.00",
        }},
    })
}

async fn attempt(bench: &VtpassBench, service: Service) -> Submission {
    let order = bench.order_with(service, Fate::Delivered).await;
    bench.attempt("shop.order-7.1", order)
}

async fn answered(
    bench: &VtpassBench,
    sent: &Submission,
    (status, body): (u16, String),
) -> (ProviderAnswer<SubmitOutcome>, ProviderAnswer<QueryOutcome>) {
    for path in ["pay", "requery"] {
        bench.fake.replace(path, status, body.clone());
    }
    let provider = &*bench.provider;
    let submitted = attempt::submit(provider, sent).await;
    (submitted, attempt::query(provider, sent).await)
}

async fn outcomes(bench: &VtpassBench, sent: &Submission, body: &Value) -> (String, String) {
    let (submitted, found) = answered(bench, sent, (200, body.to_string())).await;
    (of_submit(&submitted.outcome), of_query(&found.outcome))
}

fn unknown(cause: UnknownCause) -> (String, String) {
    (format!("unknown {cause:?}"), "unknown".to_owned())
}

#[tokio::test]
async fn an_answer_that_names_another_attempt_or_customer_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    let as_it_should_be = delivered(&sent);
    let both = ("delivered".to_owned(), "delivered".to_owned());
    assert_eq!(outcomes(&bench, &sent, &as_it_should_be).await, both);
    for word in ["delivered", "failed", "reversed", "pending"] {
        for (pointer, other) in [
            ("/requestId", json!("202611241015aaaaaaaaaaaaaaaaaaaa")),
            ("/requestId", json!(sent.reference.as_str().to_uppercase())),
            ("/content/transactions/unique_element", json!("08039999999")),
        ] {
            let mut answer = as_it_should_be.clone();
            answer["content"]["transactions"]["status"] = json!(word);
            *answer.pointer_mut(pointer).unwrap() = other;
            let read = outcomes(&bench, &sent, &answer).await;
            assert_eq!(read, unknown(UnknownCause::Unreadable), "{pointer} {word}");
        }
    }
    let mut answer = as_it_should_be.clone();
    answer["requestId"] = json!("202611241015aaaaaaaaaaaaaaaaaaaa");
    let (submitted, _) = answered(&bench, &sent, (200, answer.to_string())).await;
    assert!(submitted.details.is_empty(), "details of another attempt");
}

#[tokio::test]
async fn a_definite_answer_needs_what_it_is_about() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    for missing in ["requestId", "amount"] {
        let mut answer = delivered(&sent);
        answer.as_object_mut().unwrap().remove(missing);
        let read = outcomes(&bench, &sent, &answer).await;
        assert_eq!(read, unknown(UnknownCause::Unreadable), "{missing}");
    }
    for amount in [
        json!("x"),
        json!(-1000),
        json!("1000.001"),
        json!({}),
        json!(null),
    ] {
        let mut answer = delivered(&sent);
        answer["amount"] = amount;
        let read = outcomes(&bench, &sent, &answer).await;
        assert_eq!(
            read,
            unknown(UnknownCause::Unreadable),
            "{}",
            answer["amount"]
        );
    }
    for code in ["016", "000"] {
        let mut answer = delivered(&sent);
        answer["code"] = json!(code);
        answer["content"]["transactions"]["status"] = json!("failed");
        answer.as_object_mut().unwrap().remove("requestId");
        let read = outcomes(&bench, &sent, &answer).await;
        assert_eq!(read, unknown(UnknownCause::Unreadable), "{code}");
    }
}

#[tokio::test]
async fn another_amount_is_handed_on_for_the_core_to_review() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    for (written, kobo) in [(json!(100), 10_000), (json!("999.99"), 99_999)] {
        let mut answer = delivered(&sent);
        answer["amount"] = written;
        let (submitted, found) = answered(&bench, &sent, (200, answer.to_string())).await;
        let (SubmitOutcome::Delivered(said), QueryOutcome::Delivered(asked)) =
            (submitted.outcome, found.outcome)
        else {
            panic!("{answer}");
        };
        assert_eq!(said.amount.minor(), kobo);
        assert!(!said.matches(&sent.reference, &sent.order));
        assert_eq!(said, asked);
    }
}

#[tokio::test]
async fn details_come_with_answers_that_are_not_definite_too() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    for word in ["delivered", "pending", "resolved"] {
        let mut answer = delivered(&sent);
        answer["content"]["transactions"]["status"] = json!(word);
        let (submitted, found) = answered(&bench, &sent, (200, answer.to_string())).await;
        let AttemptDetails {
            id,
            cost,
            commission,
        } = submitted.details.clone();
        assert_eq!(id.unwrap().as_str(), "17325", "{word}");
        assert_eq!((cost, commission), (Some(naira("970.00")), None), "{word}");
        assert_eq!(found.details, submitted.details, "{word}");
    }
}

#[tokio::test]
async fn what_is_no_answer_of_the_interface_is_unknown() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    let yes = delivered(&sent).to_string();
    let cut = yes[..yes.len() - 2].to_owned();
    let twice = yes.replacen('{', r#"{"code":"016","#, 1);
    for body in [
        "<html>502</html>",
        "upstream connect error",
        "",
        "[]",
        "null",
        "{}",
        r#"{"response_description":"TRANSACTION FAILED"}"#,
        &cut,
        &twice,
        &format!("{yes}{yes}"),
    ] {
        let (submitted, found) = answered(&bench, &sent, (200, body.to_owned())).await;
        let read = (of_submit(&submitted.outcome), of_query(&found.outcome));
        assert_eq!(read, unknown(UnknownCause::Unreadable), "{body}");
    }
    // The status counts before the body is looked at, whatever that says.
    let no = json!({"code": "016", "requestId": sent.reference.as_str()}).to_string();
    for (status, cause) in [
        (500, UnknownCause::ServerError),
        (502, UnknownCause::ServerError),
        (504, UnknownCause::ServerError),
        (301, UnknownCause::Unlisted),
        (400, UnknownCause::Unlisted),
        (401, UnknownCause::Unlisted),
        (404, UnknownCause::Unlisted),
        (429, UnknownCause::Unlisted),
    ] {
        for body in [&no, &yes] {
            let (submitted, found) = answered(&bench, &sent, (status, body.clone())).await;
            let read = (of_submit(&submitted.outcome), of_query(&found.outcome));
            assert_eq!(read, unknown(cause), "{status}");
        }
    }
}

#[tokio::test]
async fn a_prepaid_meter_without_a_whole_token_is_pending() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Electricity).await;
    for code in [
        json!(""),
        json!(null),
        json!("Token : 1234"),
        json!("PENDING"),
    ] {
        let mut answer = delivered(&sent);
        answer["purchased_code"] = code;
        let pending = ("pending".to_owned(), "pending".to_owned());
        assert_eq!(outcomes(&bench, &sent, &answer).await, pending, "{answer}");
    }
    let mut without_units = delivered(&sent);
    for name in ["units", "tokenAmount"] {
        without_units.as_object_mut().unwrap().remove(name);
    }
    let (submitted, _) = answered(&bench, &sent, (200, without_units.to_string())).await;
    let SubmitOutcome::Delivered(receipt) = submitted.outcome else {
        panic!("the token is there: {submitted:?}");
    };
    assert!(receipt.fulfilment.completes(&sent.order));
    let token = receipt
        .fulfilment
        .vend()
        .and_then(|vend| vend.token.as_ref());
    let token = token.unwrap();
    assert_eq!(
        (token.cost, token.units),
        (None, None),
        "nothing is made up"
    );
}

#[tokio::test]
async fn of_an_attempt_without_its_order_the_amount_is_known() {
    let bench = bench().await;
    let sent = attempt(&bench, Service::Airtime).await;
    let answer = delivered(&sent);
    bench.fake.replace("requery", 200, answer.to_string());
    let found = bench
        .provider
        .query(&AttemptQuery::by(&sent.reference))
        .await;
    let QueryOutcome::Delivered(receipt) = found.outcome else {
        panic!("{found:?}");
    };
    assert_eq!(receipt.reference, sent.reference);
    assert_eq!(receipt.amount, sent.order.amount());
    let failed = answer.to_string().replace("delivered", "failed");
    bench.fake.replace("requery", 200, failed);
    let found = bench
        .provider
        .query(&AttemptQuery::by(&sent.reference))
        .await;
    assert_eq!(of_query(&found.outcome), "declined Order");
}

/// The published sandbox: one number that delivers, and any other that fails.
#[tokio::test]
async fn a_failed_transaction_is_refused_by_the_query_that_confirms_it() {
    let bench = bench().await;
    let order = bench.order_with(Service::Airtime, Fate::Failed).await;
    let sent = bench.attempt("shop.order-7.1", order);
    let submitted = bench.provider.submit(&sent, &FixedPermit::granted()).await;
    assert_eq!(submitted.outcome, SubmitOutcome::Pending);
    let asked = AttemptQuery {
        order: Some(&sent.order),
        ..AttemptQuery::by(&sent.reference)
    };
    let found = bench.provider.query(&asked).await;
    assert_eq!(of_query(&found.outcome), "declined Order");
    let airtime = testkit::builders::airtime().to("2348011111111").order();
    let sent = bench.attempt("shop.order-8.1", airtime);
    let submitted = bench.provider.submit(&sent, &FixedPermit::granted()).await;
    assert_eq!(of_submit(&submitted.outcome), "delivered");
    assert_eq!(bench.fake.deliveries(sent.reference.as_str()), 1);
}

#[tokio::test]
async fn a_postpaid_meter_needs_no_token() {
    let bench = bench().await;
    let mut sent = attempt(&bench, Service::Electricity).await;
    if let Order::Electricity(order) = &mut sent.order {
        order.meter.billing = domain::billing::Billing::Postpaid;
        order.meter.debt = None;
    }
    let mut answer = delivered(&sent);
    answer["purchased_code"] = json!("");
    let both = ("delivered".to_owned(), "delivered".to_owned());
    assert_eq!(outcomes(&bench, &sent, &answer).await, both);
}
