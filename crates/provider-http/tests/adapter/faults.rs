//! Rule 7: only status 200, a right signature over this very exchange, a listed state and an equal
//! echo are a definite answer. Everything else is unknown, and never "not sent" or "declined".

use crate::fake::{FakeProvider, FakeReply, right};
use crate::support::{ask, sent};
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use ports::permit::Withheld;
use ports::provider::Provider;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::builders::{electricity, submission};
use testkit::permit::FixedPermit;

async fn submit(world: &FakeProvider, sent: &Submission) -> SubmitOutcome {
    let permit = FixedPermit::granted();
    world.adapter.submit(sent, &permit).await.outcome
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

#[tokio::test]
async fn a_right_answer_is_definite_and_brings_its_details() {
    let world = FakeProvider::start().await;
    world.replies(|request| FakeReply::Signed(200, bytes(&right(request, "delivered"))));
    let request = sent("right.1", "4567");
    let answer = world
        .adapter
        .submit(&request, &FixedPermit::granted())
        .await;
    assert!(
        matches!(answer.outcome, SubmitOutcome::Delivered(_)),
        "{answer:?}"
    );
    assert_eq!(answer.details.id.unwrap().as_str(), "P-1");
    assert_eq!(answer.details.cost.unwrap().minor(), 97_000);
    world.replies(|request| FakeReply::Signed(200, bytes(&right(request, "reversed"))));
    assert_eq!(submit(&world, &request).await, SubmitOutcome::Reversed);
    world.replies(|request| FakeReply::Signed(200, bytes(&right(request, "pending"))));
    assert_eq!(submit(&world, &request).await, SubmitOutcome::Pending);
}

/// Answers that must be unknown, by the rule they break.
fn faults() -> Vec<(&'static str, fn(Value) -> FakeReply)> {
    fn with(mut object: Value, field: &str, value: Value) -> FakeReply {
        object[field] = value;
        FakeReply::Signed(200, bytes(&object))
    }
    fn refused(mut object: Value, kind: &str, code: &str) -> FakeReply {
        object["state"] = json!("declined");
        object["refusal"] = json!({"kind": kind, "code": code, "reason": "no"});
        FakeReply::Signed(200, bytes(&object))
    }
    vec![
        ("7 unsigned", |it| FakeReply::Plain(200, "", bytes(&it))),
        ("7 HTML with 200", |_| {
            FakeReply::Plain(
                200,
                "Content-Type: text/html\r\n",
                b"<html>OK</html>".to_vec(),
            )
        }),
        ("7 signed text", |_| {
            FakeReply::Signed(200, b"delivered".to_vec())
        }),
        ("7 signed nothing", |_| FakeReply::Signed(200, Vec::new())),
        ("7 no content", |_| FakeReply::Plain(204, "", Vec::new())),
        ("7 signed 201", |it| FakeReply::Signed(201, bytes(&it))),
        ("7 signed 502", |it| FakeReply::Signed(502, bytes(&it))),
        ("7 signed 400", |it| FakeReply::Signed(400, bytes(&it))),
        ("7 signed 404", |it| FakeReply::Signed(404, bytes(&it))),
        ("7 a cut body", |it| FakeReply::Cut(20, bytes(&it))),
        ("7 an answer to another request", |it| {
            FakeReply::Crossed(bytes(&it))
        }),
        ("15 a clock ten minutes fast", |it| {
            FakeReply::SignedAt(600, bytes(&it))
        }),
        ("15 a clock ten minutes slow", |it| {
            FakeReply::SignedAt(-600, bytes(&it))
        }),
        ("17 a redirect", |_| {
            FakeReply::Plain(
                307,
                "Location: http://127.0.0.1:1/v1/attempts\r\n",
                Vec::new(),
            )
        }),
        ("8 another reference", |it| {
            with(it, "reference", json!("other.1"))
        }),
        ("8 another service", |it| {
            with(it, "service", json!("internet"))
        }),
        ("8 another amount", |it| {
            with(it, "amount", json!({"minor": 1, "currency": "NGN"}))
        }),
        ("8 another currency", |it| {
            let minor = it["amount"]["minor"].clone();
            with(it, "amount", json!({"minor": minor, "currency": "CRD"}))
        }),
        ("8 another beneficiary", |it| {
            with(it, "beneficiary", json!("2348030000000"))
        }),
        ("8 no echo", |it| {
            with(with_null(it, "amount"), "beneficiary", Value::Null)
        }),
        ("18 an amount in naira", |it| {
            with(it, "amount", json!({"minor": 1000.5, "currency": "NGN"}))
        }),
        ("9 a code that is not listed", |it| {
            refused(it, "order", "99")
        }),
        ("9 a code of another kind", |it| refused(it, "moment", "51")),
        ("9 a kind that is not listed", |it| {
            refused(it, "temporary", "51")
        }),
        ("9 no refusal", |it| with(it, "state", json!("declined"))),
        ("9 a seal that is the order's fault", |it| {
            refused(it, "order", "sealed")
        }),
        ("13 unknown", |it| with(it, "state", json!("unknown"))),
        ("19 a state that is not listed", |it| {
            with(it, "state", json!("completed"))
        }),
        ("2 absent in an answer to a submission", |it| {
            with(it, "state", json!("absent"))
        }),
        ("22 too large", |it| {
            with(it, "more", json!("x".repeat(64 * 1024)))
        }),
        ("22 nested too deep", |it| {
            let deep = (0..20).fold(json!(1), |inner, _| json!([inner]));
            with(it, "more", deep)
        }),
    ]
}

fn with_null(mut object: Value, field: &str) -> Value {
    object[field] = Value::Null;
    object
}

#[tokio::test]
async fn everything_else_is_unknown() {
    let world = FakeProvider::start().await;
    for (index, (rule, fault)) in faults().into_iter().enumerate() {
        world.replies(move |request| fault(right(request, "delivered")));
        let request = sent(&format!("fault-{index}.1"), "4567");
        let outcome = submit(&world, &request).await;
        assert!(
            matches!(outcome, SubmitOutcome::Unknown(_)),
            "rule {rule}: {outcome:?}"
        );
    }
}

#[tokio::test]
async fn a_question_that_is_answered_so_says_nothing_either() {
    let world = FakeProvider::start().await;
    for (index, (rule, fault)) in faults().into_iter().enumerate() {
        if rule.starts_with("2 ") {
            continue;
        }
        let request = sent(&format!("asked-{index}.1"), "4567");
        let asked = json!({
            "reference": request.reference.as_str(), "service": "airtime",
            "amount": {"minor": request.order.amount().minor(), "currency": "NGN"},
            "beneficiary": request.order.digits(), "state": "delivered",
            "at": "2026-01-15T09:00:00.000Z", "sequence": 2,
        });
        world.replies(move |_| fault(asked.clone()));
        let found = ask(&world.adapter, &request).await;
        assert_eq!(found, QueryOutcome::Unknown, "rule {rule}");
    }
}

#[tokio::test]
async fn a_listed_refusal_is_definite() {
    let world = FakeProvider::start().await;
    world.replies(|request| {
        let mut object = right(request, "declined");
        object["refusal"] = json!({
            "kind": "moment", "code": "91", "reason": "busy", "retryAfterSeconds": 30,
        });
        FakeReply::Signed(200, bytes(&object))
    });
    let outcome = submit(&world, &sent("no.1", "4567")).await;
    let SubmitOutcome::Declined(refusal) = outcome else {
        panic!("{outcome:?}");
    };
    let retry_after = Some(Duration::from_secs(30));
    assert_eq!(
        refusal.kind,
        domain::provider::RefusalKind::Moment { retry_after }
    );
}

/// Rule 14: what was bought is part of the delivery.
#[tokio::test]
async fn delivered_without_the_token_is_pending() {
    let world = FakeProvider::start().await;
    let order = electricity().to("04511124567").order();
    assert!(order.takes_token());
    let mut request = submission("token.1", order);
    request.not_after = crate::support::now().plus(Duration::from_mins(1));
    let zero = json!({"minor": 0, "currency": "NGN"});
    let receipt = json!({"receiptNumber": "R", "debt": zero, "outstanding": zero});
    for receipt in [Value::Null, receipt] {
        world.replies(move |request| {
            let mut object = right(request, "delivered");
            object["receipt"] = receipt.clone();
            FakeReply::Signed(200, bytes(&object))
        });
        assert_eq!(submit(&world, &request).await, SubmitOutcome::Pending);
    }
}

#[tokio::test]
async fn without_a_permit_nothing_is_written() {
    let world = FakeProvider::start().await;
    world.replies(|request| panic!("{request:?} was sent"));
    let permit = FixedPermit::withheld(Withheld::TakenOver);
    let outcome = world
        .adapter
        .submit(&sent("permit.1", "4567"), &permit)
        .await
        .outcome;
    assert_eq!(outcome, SubmitOutcome::NotSent);
}
