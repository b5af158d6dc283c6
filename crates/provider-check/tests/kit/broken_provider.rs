//! A relay in front of the reference that breaks one rule. What it does not break must pass through
//! byte for byte.

use crate::reference_provider::{KEYS, MachineClock, PROFILE, ReferenceProvider};
use async_trait::async_trait;
use provider_check::{
    RelayAnswer, RelayHandler, RelaySigner, SignedRelay, WireAnswer, WireRequest,
};
use provider_protocol::signature::content_digest;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// What a broken provider remembers.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Bodies of the submissions that were seen, and how often, by reference.
    pub(crate) seen: Mutex<HashMap<String, (String, u32)>>,
    pub(crate) sealed: Mutex<HashSet<String>>,
    pub(crate) under_way: Mutex<HashSet<String>>,
    pub(crate) signatures: Mutex<HashSet<String>>,
    pub(crate) counter: Mutex<u64>,
}

/// One request at a broken provider.
pub(crate) struct AtBroken<'a> {
    pub(crate) request: &'a WireRequest,
    pub(crate) signer: &'a RelaySigner,
    pub(crate) memory: &'a Memory,
}

impl AtBroken<'_> {
    pub(crate) fn submits(&self) -> bool {
        self.request.method == "POST" && self.request.path == "/v1/attempts"
    }

    pub(crate) fn seals(&self) -> bool {
        self.request.path.ends_with("/seal")
    }

    pub(crate) fn queries(&self) -> bool {
        self.request.method == "GET" && self.request.path.starts_with("/v1/attempts/")
    }

    pub(crate) fn document(&self) -> Value {
        serde_json::from_slice(&self.request.body).unwrap_or_default()
    }

    /// The reference in the path or the body.
    pub(crate) fn reference(&self) -> String {
        let in_path = self.request.path.strip_prefix("/v1/attempts/");
        let in_path = in_path.map(|rest| rest.trim_end_matches("/seal").to_owned());
        let document = self.document();
        let in_body = document["reference"].as_str().map(str::to_owned);
        in_path.or(in_body).unwrap_or_default()
    }

    /// How often this submission was seen before with a right signature.
    pub(crate) fn times_before(&self) -> u32 {
        let body = String::from_utf8_lossy(&self.request.body).into_owned();
        let mut seen = self.memory.seen.lock().unwrap();
        let entry = seen.entry(self.reference()).or_insert((body, 0));
        entry.1 += 1;
        entry.1 - 1
    }

    pub(crate) fn first_body(&self) -> String {
        let seen = self.memory.seen.lock().unwrap();
        seen.get(&self.reference()).unwrap().0.clone()
    }

    pub(crate) fn has_digest(&self) -> bool {
        let digest = self.request.header("content-digest");
        digest == Some(&content_digest(&self.request.body))
    }

    pub(crate) fn input(&self) -> &str {
        self.request.header("signature-input").unwrap_or_default()
    }

    /// What the reference says to the very same bytes.
    pub(crate) async fn through(&self) -> WireAnswer {
        let answer = self.signer.forward_untouched(self.request).await;
        answer.unwrap_or_else(|| WireAnswer::new(500, Vec::new(), Vec::new()))
    }

    /// What the reference says to a changed request, signed for the one that came.
    pub(crate) async fn instead(&self, change: impl FnOnce(&mut WireRequest)) -> WireAnswer {
        let mut request = self.request.clone();
        change(&mut request);
        let answer = self.signer.forward(&request).await;
        let answer = answer.unwrap_or_else(|| WireAnswer::new(500, Vec::new(), Vec::new()));
        self.edited(&answer, |_| {})
    }

    /// The request is accepted, whatever its signature.
    pub(crate) async fn accepted(&self) -> WireAnswer {
        self.instead(|_| {}).await
    }

    /// An answer with a changed document, signed anew.
    pub(crate) fn edited(&self, answer: &WireAnswer, edit: impl FnOnce(&mut Value)) -> WireAnswer {
        let Ok(mut document) = serde_json::from_slice::<Value>(&answer.body) else {
            return answer.clone();
        };
        edit(&mut document);
        self.said(
            answer.status,
            &document,
            answer.header("replayed").is_some(),
        )
    }

    pub(crate) fn said(&self, status: u16, document: &Value, replayed: bool) -> WireAnswer {
        let body = document.to_string().into_bytes();
        let mut answer = self.signer.signed((status, body), self.request);
        if replayed {
            answer
                .headers
                .push(("Replayed".to_owned(), "true".to_owned()));
        }
        answer
    }

    /// The order is sold once more under another reference; the answer hides it.
    pub(crate) async fn sold_again(&self, body: &str) -> WireAnswer {
        let number = {
            let mut counter = self.memory.counter.lock().unwrap();
            *counter += 1;
            *counter
        };
        let reference = self.reference();
        let other = format!("again-{number}-{reference}");
        let mut document: Value = serde_json::from_str(body).unwrap();
        document["reference"] = json!(other);
        let answer = self
            .instead(|request| {
                request.method = "POST".to_owned();
                request.path = "/v1/attempts".to_owned();
                request.body = document.to_string().into_bytes();
            })
            .await;
        self.edited(&answer, |document| document["reference"] = json!(reference))
    }

    /// A refusal by these words.
    pub(crate) fn declined(&self, code: &str, kind: &str) -> Value {
        json!({
            "reference": self.reference(), "state": "declined", "sequence": 2,
            "at": "2026-01-15T09:00:00.000Z",
            "refusal": {"kind": kind, "code": code, "reason": "no"},
        })
    }
}

/// A broken copy of the reference.
#[async_trait]
pub(crate) trait Broken: Send + Sync + 'static {
    async fn answer(&self, at: AtBroken<'_>) -> WireAnswer;
}

struct BrokenHandler<B> {
    broken: B,
    memory: Memory,
}

#[async_trait]
impl<B: Broken> RelayHandler for BrokenHandler<B> {
    async fn handle(&self, request: WireRequest, signer: &RelaySigner) -> RelayAnswer {
        let at = AtBroken {
            request: &request,
            signer,
            memory: &self.memory,
        };
        RelayAnswer::Answer(self.broken.answer(at).await)
    }
}

/// A broken copy as it listens.
pub(crate) struct BrokenProvider {
    pub(crate) relay: SignedRelay,
    pub(crate) reference: ReferenceProvider,
}

impl BrokenProvider {
    pub(crate) async fn start(broken: impl Broken) -> Self {
        let reference = ReferenceProvider::start(PROFILE).await;
        let signer = RelaySigner::to_loopback(&reference.url, KEYS, MachineClock::shared());
        let handler = BrokenHandler {
            broken,
            memory: Memory::default(),
        };
        let relay = SignedRelay::start(signer.unwrap(), handler).await.unwrap();
        Self { relay, reference }
    }

    pub(crate) fn effects(&self) -> Arc<dyn provider_check::EffectCounter> {
        Arc::clone(&self.reference.provider) as _
    }
}
