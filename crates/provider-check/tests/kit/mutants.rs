//! Copies of the reference, each broken in one rule. Each must be found by the check of its rule,
//! and a copy that breaks nothing must not be.

use crate::broken_provider::{AtBroken, Broken, BrokenProvider};
use crate::reference_provider::{run, scenario};
use async_trait::async_trait;
use provider_check::{CheckGrade, WireAnswer};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// How many copies are checked at once.
const AT_ONCE: usize = 6;

macro_rules! mutants {
    ($($Name:ident: $check:literal, $at:ident => $answer:expr;)*) => {
        $(struct $Name;

        #[async_trait]
        impl Broken for $Name {
            async fn answer(&self, $at: AtBroken<'_>) -> WireAnswer {
                $answer
            }
        })*

        /// Every broken copy: its name, and the check that must find it.
        const MUTANTS: &[(&str, &str)] = &[$((stringify!($Name), $check),)*];

        async fn started(name: &str) -> BrokenProvider {
            match name {
                $(stringify!($Name) => BrokenProvider::start($Name).await,)*
                _ => panic!("{name}"),
            }
        }
    };
}

fn edit_answers(
    at: &AtBroken<'_>,
    answer: WireAnswer,
    edit: impl FnOnce(&mut Value),
) -> WireAnswer {
    let of_attempt = at.submits() || at.queries() || at.seals();
    if of_attempt && answer.status == 200 {
        return at.edited(&answer, edit);
    }
    answer
}

fn created(input: &str) -> i64 {
    let after = input.split("created=").nth(1).unwrap_or("0");
    after.split(';').next().unwrap().parse().unwrap()
}

fn is_old(at: &AtBroken<'_>) -> bool {
    let now = crate::reference_provider::MachineClock::shared().now();
    (created(at.input()) - now.as_millis() / 1_000).abs() > 300
}

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
    // Rule 15.
    NeedsNoSignature: "provider::signature::unsigned", at => {
        if at.input().is_empty() { at.accepted().await } else { at.through().await }
    };
    VerifiesNoSecret: "provider::signature::wrong-secret", at => {
        let answer = at.through().await;
        if answer.status == 401 && at.has_digest() && !is_old(&at) {
            at.accepted().await
        } else {
            answer
        }
    };
    TakesAnyKey: "provider::signature::unknown-key", at => {
        if at.input().contains("no-such-key") { at.accepted().await } else { at.through().await }
    };
    VerifiesNoDigest: "provider::signature::altered-body", at => {
        if at.input().is_empty() || at.has_digest() {
            at.through().await
        } else {
            at.accepted().await
        }
    };
    TakesOldRequests: "provider::signature::clock-behind", at => {
        if !at.input().is_empty() && is_old(&at) {
            at.accepted().await
        } else {
            at.through().await
        }
    };
    TakesNoncesTwice: "provider::signature::replayed", at => {
        let signature = at.request.header("signature").unwrap_or_default().to_owned();
        let is_new = at.memory.signatures.lock().unwrap().insert(signature);
        if is_new { at.through().await } else { at.accepted().await }
    };
    VerifiesNoPath: "provider::signature::other-path", at => {
        let answer = at.through().await;
        let known = at.input().contains("key-1") && at.has_digest() && !is_old(&at);
        if answer.status == 401 && known && at.queries() { at.accepted().await } else { answer }
    };
    VerifiesNoMethod: "provider::signature::other-method", at => {
        let answer = at.through().await;
        if answer.status == 401 && at.seals() { at.accepted().await } else { answer }
    };
    SignsNothing: "provider::answer::signed", at => {
        let mut answer = at.through().await;
        answer.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("signature"));
        answer
    };
    BindsNoAnswer: "provider::answer::bound", at => {
        let answer = at.through().await;
        let replayed = answer.header("replayed").is_some();
        let mut crossed = at.signer.crossed((answer.status, answer.body), at.request);
        if replayed {
            crossed.headers.push(("Replayed".to_owned(), "true".to_owned()));
        }
        crossed
    };
    // Rule 18.
    RoundsAmounts: "airtime::document::amounts", at => {
        let mut document = at.document();
        if at.submits() && document["amount"]["minor"].is_f64() {
            let amount = document["amount"]["minor"].to_string();
            let whole: i64 = amount.split('.').next().unwrap().parse().unwrap();
            document["amount"]["minor"] = json!(whole);
            at.instead(|it| it.body = document.to_string().into_bytes()).await
        } else {
            at.through().await
        }
    };
    // Rule 19.
    RefusesUnknownFields: "airtime::document::unknown-fields", at => {
        if at.submits() && at.document().get("fromTheFuture").is_some() {
            let error = json!({"error": {"code": "invalid_request", "message": "unknown field"}});
            at.said(400, &error, false)
        } else {
            at.through().await
        }
    };
    InventsStates: "provider::answer::listed-state", at => {
        let answer = at.through().await;
        edit_answers(&at, answer, |it| {
            if it["state"] == "delivered" {
                it["state"] = json!("completed");
            }
        })
    };
    // Rule 20.
    NamesNoVersion: "provider::answer::version", at => {
        let mut answer = at.through().await;
        answer.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("manilla-protocol"));
        answer
    };
    PromisesSealsItDoesNotOffer: "provider::capabilities::consistent", at => {
        let answer = at.through().await;
        if at.request.path == "/v1/capabilities" {
            at.edited(&answer, |it| it["features"] = json!(["changes"]))
        } else {
            answer
        }
    };
    SkipsChanges: "provider::changes::numbered", at => {
        let answer = at.through().await;
        if at.request.path.starts_with("/v1/attempts?after=") {
            at.edited(&answer, |it| it["next"] = json!(it["next"].as_u64().unwrap() + 1))
        } else {
            answer
        }
    };
    // Rule 22.
    TakesAnySize: "provider::document::too-large", at => {
        if at.request.body.len() > 64 * 1024 {
            let mut document = at.document();
            document.as_object_mut().unwrap().remove("more");
            at.instead(|it| it.body = document.to_string().into_bytes()).await
        } else {
            at.through().await
        }
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

const CHECKED: &[&str] = &["provider", "airtime", "electricity"];

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
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut checked = JoinSet::new();
    for (name, check) in MUTANTS {
        let places = Arc::clone(&places);
        checked.spawn(async move {
            let _place = places.acquire().await.unwrap();
            let copy = started(name).await;
            let effects = Some(copy.effects());
            // A meter gives a token; the other rules are the same for every service.
            let with_meter = *check == "provider::receipt::complete";
            let checked = if with_meter { CHECKED } else { &CHECKED[..2] };
            let report = run(copy.relay.url(), effects, (&scenario(with_meter), checked)).await;
            assert_eq!(report.grade, CheckGrade::Ungraded);
            let failed: Vec<String> = report.failed().map(|it| it.name.clone()).collect();
            let found = report.failed().find(|it| it.name == *check);
            let shown = found.is_some_and(|it| !it.remedy.is_empty());
            (*name, *check, shown, failed)
        });
    }
    let results = checked.join_all().await;
    assert!(results.len() >= 20);
    for (name, check, _, failed) in &results {
        println!("{name}: {check}: {}", failed.join(" "));
    }
    let survivors: Vec<_> = results.iter().filter(|(_, _, found, _)| !found).collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}
