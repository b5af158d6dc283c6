//! One client: it takes a step after another and brings each to its end, whatever becomes of the
//! server meanwhile.

use super::MovementAccounts;
use super::expected::{AnnouncedTopUp, ExpectedBooks};
use super::steps::Step;
use crate::answer::HttpAnswer;
use crate::load::LoadPlace;
use crate::merchant::{TestMerchant, try_send};
use crate::patience;
use crate::purchases::{LastAnswer, TestPurchase};
use crate::rng::SeededRng;
use reqwest::RequestBuilder;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// One of so many requests is sent again.
const REPEATED_OF: u64 = 3;

pub(super) struct Client {
    pub(super) number: u64,
    pub(super) steps: u64,
    pub(super) accounts: Arc<MovementAccounts>,
    pub(super) place: watch::Receiver<LoadPlace>,
    pub(super) ends: watch::Receiver<bool>,
    pub(super) chance: SeededRng,
    pub(super) announced: Arc<Mutex<Vec<AnnouncedTopUp>>>,
    pub(super) expected: ExpectedBooks,
}

impl Client {
    pub(super) async fn run(mut self) -> ExpectedBooks {
        while !*self.ends.borrow() {
            let step = *self.chance.pick(&Step::ALL);
            self.steps += 1;
            step.take(&mut self).await;
            *self.expected.steps.entry(step.word()).or_default() += 1;
        }
        self.expected
    }

    /// A reference that no other step has.
    pub(super) fn reference(&self, word: &str) -> String {
        format!("{word}-{}-{}", self.number, self.steps)
    }

    /// The answer to a request, which is sent to one server after another until it is answered.
    pub(super) async fn answer(
        &mut self,
        request: impl Fn(MerchantKeys) -> RequestBuilder,
    ) -> HttpAnswer {
        loop {
            let place = self.place.wait_for(|place| *place != LoadPlace::Down).await;
            let place = place.expect("the load goes on").clone();
            let LoadPlace::Up(addresses) = &place else {
                panic!("there is always another server");
            };
            let at = MerchantKeys {
                payer: self.accounts.payer.at(addresses[0]),
                user: self.accounts.user.at(addresses[0]),
            };
            match try_send(request(at)).await {
                Ok(answer) if is_an_end(&answer) => return answer,
                Err(error) if error.0.is_connect() => {
                    // The server is gone; the address of the next one follows.
                    let moved = self.place.wait_for(|now| *now != place).await;
                    drop(moved.expect("the load goes on"));
                }
                Ok(_) | Err(_) => patience::pause().await,
            }
        }
    }

    /// The answer to a request of the payer, under a key that is its reference.
    pub(super) async fn post(&mut self, path: &str, body: &Value) -> HttpAnswer {
        self.answer_and_repeat(|at| keyed(&at.payer, path, body))
            .await
    }

    /// The same of the user, whose larger payouts wait for an approval.
    pub(super) async fn post_as_user(&mut self, path: &str, body: &Value) -> HttpAnswer {
        self.answer_and_repeat(|at| keyed(&at.user, path, body))
            .await
    }

    /// The answer to a request. Some are sent again although they were answered, by then maybe to
    /// another server: that must be answered of the same.
    pub(super) async fn answer_and_repeat(
        &mut self,
        request: impl Fn(MerchantKeys) -> RequestBuilder,
    ) -> HttpAnswer {
        let first = self.answer(&request).await;
        if self.chance.below(REPEATED_OF) == 0 {
            let again = self.answer(&request).await;
            assert!(are_alike(&first, &again), "{first:?}, and again {again:?}");
        }
        first
    }

    /// Notes a payment and what was answered to it.
    pub(super) fn paid(&mut self, purchase: TestPurchase, answer: &HttpAnswer) {
        let received = LastAnswer::from(answer);
        let is_accepted = matches!(received, LastAnswer::Accepted(_));
        assert!(is_accepted, "{answer:?}");
        self.expected.payments.push(TestPurchase {
            received,
            ..purchase
        });
    }
}

/// The clients of both keys at the server that is up.
pub(super) struct MerchantKeys {
    pub(super) payer: TestMerchant,
    pub(super) user: TestMerchant,
}

/// A request under a key that is its reference, where it has one.
fn keyed(at: &TestMerchant, path: &str, body: &Value) -> RequestBuilder {
    let request = at.posting(path, body.to_string());
    match body["mrcReference"].as_str() {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    }
}

/// What names the things that are made: once each.
const NAMES: [&str; 8] = [
    "txnReference",
    "batReference",
    "colIdentifier",
    "chkIdentifier",
    "invIdentifier",
    "subIdentifier",
    "vchIdentifier",
    "rfdIdentifier",
];

/// Whether two answers are about the same. What was pending may have ended meanwhile, and what was
/// made is answered as what there is.
fn are_alike(first: &HttpAnswer, again: &HttpAnswer) -> bool {
    let json = |answer: &HttpAnswer| serde_json::from_str(&answer.body).unwrap_or(Value::Null);
    let (before, now): (Value, Value) = (json(first), json(again));
    first.status / 100 == again.status / 100 && NAMES.iter().all(|name| before[name] == now[name])
}

/// Whether an answer says what became of a request: what is refused for the load, or by a server
/// that stops, is sent again.
fn is_an_end(answer: &HttpAnswer) -> bool {
    !matches!(answer.status, 429 | 503)
}
