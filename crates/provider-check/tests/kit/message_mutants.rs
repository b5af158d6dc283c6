//! Copies of the reference, each broken in one rule about messages: signatures, documents, versions
//! and lists. Each must be found by the check of its rule.

use crate::broken_provider::{AtBroken, Broken, BrokenProvider};
use crate::mutation::{are_found, edit_answers, is_old, mutants};
use async_trait::async_trait;
use provider_check::WireAnswer;
use serde_json::json;

/// Whether the first page of a catalogue is asked for.
fn lists(at: &AtBroken<'_>) -> bool {
    let path = &at.request.path;
    path.starts_with("/v1/catalogue/airtime") && path.ends_with("after=0")
}

mutants! {
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
    // The catalogue: rules 18 and 22.
    ListsACodeTwice: "provider::catalogue::well-formed", at => {
        let answer = at.through().await;
        if lists(&at) {
            at.edited(&answer, |it| it["offers"][1]["code"] = it["offers"][0]["code"].clone())
        } else {
            answer
        }
    };
    ListsNaira: "provider::catalogue::well-formed", at => {
        let answer = at.through().await;
        if lists(&at) {
            at.edited(&answer, |it| it["offers"][0]["minimum"]["minor"] = json!(50.00))
        } else {
            answer
        }
    };
    ListsAnotherService: "provider::catalogue::well-formed", at => {
        let answer = at.through().await;
        if lists(&at) {
            at.edited(&answer, |it| it["offers"][0]["product"] = json!("internet.301"))
        } else {
            answer
        }
    };
    ListsTheSamePageForEver: "provider::catalogue::well-formed", at => {
        if at.request.path.starts_with("/v1/catalogue/airtime") {
            at.instead(|it| it.path = "/v1/catalogue/airtime?after=0".to_owned()).await
        } else {
            at.through().await
        }
    };
    ListsAPageThatIsTooLong: "provider::catalogue::well-formed", at => {
        let answer = at.through().await;
        if lists(&at) {
            at.edited(&answer, |it| {
                let more = it["offers"].as_array().unwrap().clone();
                it["offers"].as_array_mut().unwrap().extend(more);
            })
        } else {
            answer
        }
    };
    ListsAPageOfText: "provider::catalogue::well-formed", at => {
        if lists(&at) {
            at.signer.signed((200, b"<html>a portal</html>".to_vec()), at.request)
        } else {
            at.through().await
        }
    };
    // Who serves a number.
    NamesTheNetworkOfAnotherNumber: "provider::lookup::operator", at => {
        let answer = at.through().await;
        if at.request.path == "/v1/lookups/operator" {
            at.edited(&answer, |it| it["customer"]["number"] = json!("2348031234568"))
        } else {
            answer
        }
    };
    NamesNoNumber: "provider::lookup::operator", at => {
        let answer = at.through().await;
        if at.request.path == "/v1/lookups/operator" {
            at.edited(&answer, |it| it["customer"] = json!({"operator": "airtel"}))
        } else {
            answer
        }
    };
    AnswersALookupWithAWordOfItsOwn: "provider::lookup::operator", at => {
        let answer = at.through().await;
        if at.request.path == "/v1/lookups/operator" {
            at.edited(&answer, |it| it["result"] = json!("ported"))
        } else {
            answer
        }
    };
    ListsWhatItDoesNotSell: "provider::catalogue::sold-alone", at => {
        if at.request.path.starts_with("/v1/catalogue/no-such") {
            at.said(200, &json!({"service": "no-such-service", "offers": []}), false)
        } else {
            at.through().await
        }
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn each_copy_with_broken_messages_is_found_by_the_check_of_its_rule() {
    are_found(MUTANTS, started).await;
}
