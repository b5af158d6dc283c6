//! Copies of the reference, each broken in one rule about attempts. Each must be found by the check
//! of its rule, and a copy that breaks nothing must not be.

use crate::broken_provider::{AtBroken, Broken, BrokenProvider};
use crate::mutation::{CHECKED, are_found, edit_answers, is_old, mutants};
use crate::reference_provider::{run, scenario};
use async_trait::async_trait;
use provider_check::WireAnswer;
use serde_json::{Value, json};

mutants! {
    // Rule 1.
    TakesPut: "provider::document::only-post", at => {
        if at.request.method == "PUT" {
            at.instead(|it| it.method = "POST".to_owned()).await
        } else {
            at.through().await
        }
    };
    // Rule 2.
    SellsDuplicatesAgain: "airtime::duplicate::same-body", at => {
        if at.submits() && at.times_before() > 0 {
            let first = at.through().await;
            if first.status == 200 {
                let body = at.first_body();
                at.sold_again(&body).await;
            }
            first
        } else {
            at.through().await
        }
    };
    AnswersDuplicatesWithAnError: "airtime::duplicate::same-body", at => {
        let answer = at.through().await;
        if answer.header("replayed").is_some() {
            let error = json!({"error": {"code": "reference_conflict", "message": "seen"}});
            at.said(409, &error, false)
        } else {
            answer
        }
    };
    RefusesDuplicates: "airtime::duplicate::concurrent", at => {
        let answer = at.through().await;
        if answer.header("replayed").is_some() {
            at.edited(&answer, |it| {
                it["state"] = json!("declined");
                it["refusal"] = json!({"kind": "order", "code": "51", "reason": "seen"});
            })
        } else {
            answer
        }
    };
    AnswersAnotherAmountWithTheFirst: "airtime::duplicate::other-amount", at => {
        let answer = at.through().await;
        if at.submits() && answer.status == 409 {
            let path = format!("/v1/attempts/{}", at.reference());
            at.instead(|it| {
                it.method = "GET".to_owned();
                it.path = path;
                it.body.clear();
            }).await
        } else {
            answer
        }
    };
    SellsAnotherAmountToo: "airtime::duplicate::other-amount", at => {
        let answer = at.through().await;
        if at.submits() && answer.status == 409 {
            let body = String::from_utf8_lossy(&at.request.body).into_owned();
            at.sold_again(&body).await;
        }
        answer
    };
    SellsConcurrentCopies: "airtime::duplicate::concurrent", at => {
        let reference = at.reference();
        let alone = !at.submits() || at.memory.under_way.lock().unwrap().insert(reference.clone());
        let answer = at.through().await;
        if !alone && answer.status == 200 {
            let body = String::from_utf8_lossy(&at.request.body).into_owned();
            at.sold_again(&body).await;
        }
        if at.submits() && alone {
            at.memory.under_way.lock().unwrap().remove(&reference);
        }
        answer
    };
    // Rule 4.
    IgnoresNotAfter: "airtime::expiry::first-seen-late", at => {
        let mut document = at.document();
        let late = document["notAfter"].as_str().unwrap_or_default().to_owned();
        let now = json!(provider_protocol::Moment::from(
            crate::reference_provider::MachineClock::shared().now()
        ));
        if at.submits() && at.input().contains("key-1") && !late.is_empty()
            && late.as_str() < now.as_str().unwrap() && at.has_digest() && !is_old(&at)
        {
            document["notAfter"] = json!("2999-01-01T00:00:00.000Z");
            at.instead(|it| it.body = document.to_string().into_bytes()).await
        } else {
            at.through().await
        }
    };
    ForgetsWhatExpired: "airtime::expiry::stays", at => {
        let answer = at.through().await;
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        if at.queries() && body.contains("\"expired\"") {
            let absent = json!({
                "reference": at.reference(), "state": "absent", "sequence": 0,
                "at": "2026-01-15T09:00:00.000Z",
            });
            at.said(200, &absent, false)
        } else {
            answer
        }
    };
    // Rule 5.
    ForgetsSeals: "airtime::seal::unseen", at => {
        if at.seals() && at.has_digest() && !at.request.body.is_empty() {
            at.said(200, &at.declined("sealed", "moment"), false)
        } else {
            at.through().await
        }
    };
    SealsWhatWasDelivered: "airtime::seal::after-delivery", at => {
        let answer = at.through().await;
        if at.seals() && answer.status == 200 {
            at.said(200, &at.declined("sealed", "moment"), false)
        } else {
            answer
        }
    };
    ChecksBeforeItSeals: "airtime::seal::race", at => {
        let reference = at.reference();
        if at.submits() && at.memory.sealed.lock().unwrap().contains(&reference) {
            return at.said(200, &at.declined("sealed", "moment"), false);
        }
        if at.seals() && !at.request.body.is_empty() {
            let path = format!("/v1/attempts/{reference}");
            let found = at.instead(|it| {
                it.method = "GET".to_owned();
                it.path = path;
                it.body.clear();
            }).await;
            let found: Value = serde_json::from_slice(&found.body).unwrap();
            if ["absent", "pending"].contains(&found["state"].as_str().unwrap()) {
                at.memory.sealed.lock().unwrap().insert(reference);
                return at.said(200, &at.declined("sealed", "moment"), false);
            }
        }
        let answer = at.through().await;
        let absent = String::from_utf8_lossy(&answer.body).contains("\"absent\"");
        let sealed = at.memory.sealed.lock().unwrap().contains(&at.reference());
        if at.queries() && absent && sealed {
            return at.said(200, &at.declined("sealed", "moment"), false);
        }
        answer
    };
    // Rule 7.
    AnswersCreated: "provider::answer::status", at => {
        let answer = at.through().await;
        if at.submits() && answer.status == 200 && answer.header("replayed").is_none() {
            let document: Value = serde_json::from_slice(&answer.body).unwrap();
            at.said(201, &document, false)
        } else {
            answer
        }
    };
    // Rule 8.
    EchoesMajorUnits: "provider::answer::echo", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            if let Some(minor) = it["amount"]["minor"].as_i64() {
                it["amount"]["minor"] = json!(minor / 100);
            }
        })
    };
    EchoesNoBeneficiary: "provider::answer::echo", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            it.as_object_mut().unwrap().remove("beneficiary");
        })
    };
    // Rule 9.
    InventsCodes: "provider::refusal::listed", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            if it["refusal"]["code"] == "51" {
                it["refusal"]["code"] = json!("99");
            }
        })
    };
    CallsItTheMomentsFault: "provider::refusal::listed", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            if it["refusal"]["code"] == "51" {
                it["refusal"]["kind"] = json!("moment");
            }
        })
    };
    // Rule 10.
    DeliversWhatItDeclined: "provider::states::forward", at => {
        let answer = at.through().await;
        if at.queries() && String::from_utf8_lossy(&answer.body).contains("\"51\"") {
            at.edited(&answer, |it| {
                it["state"] = json!("delivered");
                it["sequence"] = json!(3);
                it.as_object_mut().unwrap().remove("refusal");
            })
        } else {
            answer
        }
    };
    CountsNoMoves: "provider::states::forward", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| it["sequence"] = json!(1))
    };
    // Rule 11.
    SellsWithEachQuery: "airtime::query::no-effect", at => {
        let answer = at.through().await;
        if at.submits() && answer.status == 200 {
            at.times_before();
        }
        if at.queries() && String::from_utf8_lossy(&answer.body).contains("\"delivered\"") {
            let body = at.memory.seen.lock().unwrap().get(&at.reference()).map(|it| it.0.clone());
            if let Some(body) = body {
                at.sold_again(&body).await;
            }
        }
        answer
    };
    // Rule 14.
    DeliversWithoutTheToken: "provider::receipt::complete", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            if let Some(receipt) = it["receipt"].as_object_mut() {
                receipt.remove("token");
            }
        })
    };
}

/// A copy that breaks nothing.
struct Whole;

#[async_trait]
impl Broken for Whole {
    async fn answer(&self, at: AtBroken<'_>) -> WireAnswer {
        at.through().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_breaks_nothing_is_not_found() {
    let copy = BrokenProvider::start(Whole).await;
    let effects = Some(copy.effects());
    let report = run(copy.relay.url(), effects, (&scenario(true), CHECKED)).await;
    let failed: Vec<_> = report.failed().collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_broken_copy_is_found_by_the_check_of_its_rule() {
    assert!(MUTANTS.len() >= 20);
    are_found(MUTANTS, started).await;
}
