//! What the checks share: signed calls, orders under fresh references, and questions about them. It
//! must record every exchange, and must not judge one.

use crate::call_reply::{CallReply, CheckStep, broken, not_applicable, word};
use crate::callback_listener::CallbackListener;
use crate::checked_service::CheckedService;
use crate::exchange_log::{AttemptCall, ExchangeLog, LoggedExchange};
use crate::pace::RequestPace;
use crate::purchases::{EffectCounter, Purchases};
use crate::scenario::AllowedOrder;
use crate::signing::{KitKeys, SignedRequest, Signing};
use crate::upstream::{RequestSending, Upstream};
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::clock::Clock;
use provider_protocol::{
    Amount, AttemptAnswer, AttemptState, Capabilities, Moment, ReferenceForm, ServiceProfile,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long a call may take before the capabilities say how long.
const CALL_MAX: Duration = Duration::from_secs(20);

/// Between two questions about an order that is under way: the first pause, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// For how long an order may be delivered.
const NOT_AFTER: Duration = Duration::from_mins(2);

/// The provider under check.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) upstream: Upstream,
    pub(crate) keys: KitKeys,
    pub(crate) clock: Arc<dyn Clock>,
    /// Makes references and nonces of this run unlike those of any other.
    pub(crate) run: String,
    pub(crate) counter: AtomicU64,
    pub(crate) log: ExchangeLog,
    pub(crate) capabilities: OnceLock<Capabilities>,
    /// The services of the scenario.
    pub(crate) wanted: Vec<Service>,
    pub(crate) purchases: Purchases,
    pub(crate) pace: RequestPace,
    pub(crate) settle_within: Duration,
    pub(crate) race_rounds: u32,
    pub(crate) effects: Option<Arc<dyn EffectCounter>>,
    /// What was ordered under each reference.
    pub(crate) ordered: Mutex<HashMap<String, AllowedOrder>>,
    /// References of which it is judged at the end how often they took effect.
    pub(crate) effects_at_start: OnceLock<u64>,
    /// Takes callbacks, where they are listened for.
    pub(crate) callbacks: OnceLock<Arc<CallbackListener>>,
}

impl Bench {
    fn next(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn seconds(&self) -> i64 {
        self.now().as_millis().div_euclid(1_000)
    }

    /// What the provider promised.
    pub(crate) fn promised(&self) -> CheckStep<&Capabilities> {
        self.capabilities
            .get()
            .map_or_else(|| not_applicable("the capabilities could not be read"), Ok)
    }

    /// What it promised of a service.
    pub(crate) fn profile(&self, of: &CheckedService) -> CheckStep<&ServiceProfile> {
        let profile = self.promised()?.profile(of.service);
        profile.map_or_else(|| not_applicable("the provider does not deliver this"), Ok)
    }

    /// A text that was never used before.
    pub(crate) fn nonce(&self) -> String {
        format!("{}-{}", self.run, self.next())
    }

    /// A derived reference that was never used before.
    pub(crate) fn derived(&self) -> ProviderReference {
        ProviderReference::from_echo(format!("manilla-check.{}.{}", self.run, self.next()))
    }

    /// A reference in the provider's form that was never used before.
    pub(crate) fn reference(&self) -> ProviderReference {
        let form = self
            .capabilities
            .get()
            .map_or_else(ReferenceForm::default, |it| it.reference.clone());
        form.reference(&self.derived(), self.now())
    }

    /// The document that submits an order.
    pub(crate) fn document(&self, reference: &ProviderReference, order: &AllowedOrder) -> Value {
        json!({
            "reference": reference.as_str(),
            "service": order.service.code(),
            "order": order.details,
            "amount": Amount::from(order.amount),
            "notAfter": Moment::from(self.now().plus(NOT_AFTER)),
        })
    }

    /// A signed request, ready to go.
    pub(crate) fn signed(&self, call: (&str, &str, &[u8]), signing: Signing<'_>) -> SignedRequest {
        let nonce = self.nonce();
        self.keys
            .request(&self.upstream, call, (signing, self.seconds(), &nonce))
    }

    /// Sends a request as it is, and records the exchange.
    pub(crate) async fn send(
        &self,
        request: &SignedRequest,
        asked: Option<(AttemptCall, &ProviderReference)>,
        (sending, rightly_signed): (RequestSending, bool),
    ) -> CallReply {
        let turn = self.pace.turn(self.per_second(), self.clock.uptime());
        if !turn.is_zero() {
            tokio::time::sleep(turn).await;
        }
        let began = self.log.begin();
        let from = self.clock.uptime();
        let within = self.call_max();
        let answer = self.upstream.exchange(&request.wire, (sending, within));
        let answer = answer.await;
        let took = self.clock.uptime().saturating_sub(from);
        let flaw = answer.as_ref().ok();
        let flaw = flaw.and_then(|it| self.keys.flaw(it, request, self.seconds()));
        self.log.add(LoggedExchange {
            began,
            ended: began,
            asked: asked.map(|(call, reference)| (call, reference.as_str().to_owned())),
            rightly_signed,
            request: request.wire.clone(),
            answer: answer.clone(),
            flaw,
            took,
        });
        CallReply { answer }
    }

    /// How many requests a second every service takes.
    fn per_second(&self) -> u32 {
        let promised = self.capabilities.get();
        let services = promised.into_iter().flat_map(|it| it.services.values());
        services.map(|it| it.per_second).min().unwrap_or(u32::MAX)
    }

    /// The longest time an answer is waited for: twice what the provider promised.
    fn call_max(&self) -> Duration {
        let promised = self.capabilities.get();
        let services = promised.into_iter().flat_map(|it| it.services.values());
        let slowest = services.map(|it| it.deadline_seconds).max();
        slowest.map_or(CALL_MAX, |seconds| {
            Duration::from_secs(seconds.saturating_mul(2)).clamp(CALL_MAX, CALL_MAX * 6)
        })
    }

    /// Submits a document under a reference.
    pub(crate) async fn submit(
        &self,
        reference: &ProviderReference,
        document: &Value,
    ) -> CallReply {
        self.submit_by(reference, document, RequestSending::Whole)
            .await
    }

    pub(crate) async fn submit_by(
        &self,
        reference: &ProviderReference,
        document: &Value,
        sending: RequestSending,
    ) -> CallReply {
        let body = document.to_string();
        let request = self.signed(("POST", "/attempts", body.as_bytes()), Signing::RIGHT);
        let asked = Some((AttemptCall::Submit, reference));
        self.send(&request, asked, (sending, true)).await
    }

    /// Asks about a reference; what comes must be the object of an attempt.
    pub(crate) async fn query(&self, reference: &ProviderReference) -> CheckStep<AttemptAnswer> {
        let path = format!("/attempts/{reference}");
        let request = self.signed(("GET", &path, b""), Signing::RIGHT);
        let asked = Some((AttemptCall::Query, reference));
        let reply = self
            .send(&request, asked, (RequestSending::Whole, true))
            .await;
        match reply.attempt() {
            Some(attempt) => Ok(attempt),
            None => broken(format!("a query was answered with {}", reply.said())),
        }
    }

    /// Seals a reference; what comes must be the object of an attempt.
    pub(crate) async fn seal(&self, reference: &ProviderReference) -> CheckStep<AttemptAnswer> {
        let path = format!("/attempts/{reference}/seal");
        let request = self.signed(("POST", &path, b"{}"), Signing::RIGHT);
        let asked = Some((AttemptCall::Seal, reference));
        let reply = self
            .send(&request, asked, (RequestSending::Whole, true))
            .await;
        match reply.attempt() {
            Some(attempt) => Ok(attempt),
            None => broken(format!("a seal was answered with {}", reply.said())),
        }
    }

    /// Asks until the order has ended, or takes too long.
    pub(crate) async fn settled(&self, reference: &ProviderReference) -> CheckStep<AttemptAnswer> {
        let until = self.clock.uptime().saturating_add(self.settle_within);
        let mut pause = PAUSES.0;
        loop {
            let found = self.query(reference).await?;
            let open = matches!(found.state, AttemptState::Pending | AttemptState::Unknown);
            if !open || self.clock.uptime() >= until {
                return Ok(found);
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(PAUSES.1);
        }
    }

    /// Remembers what is ordered under a reference, so that every answer about it can be compared.
    pub(crate) fn remember(&self, reference: &ProviderReference, order: &AllowedOrder) {
        let mut ordered = self.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        ordered.insert(reference.as_str().to_owned(), order.clone());
    }

    /// How many effects there were, where that is counted.
    pub(crate) async fn effects(&self) -> CheckStep<Option<u64>> {
        let Some(effects) = &self.effects else {
            return Ok(None);
        };
        match effects.count().await {
            Ok(count) => Ok(Some(count)),
            Err(why) => broken(format!("effects cannot be counted: {why}")),
        }
    }

    /// Compares the effects since a count with what they must be.
    pub(crate) async fn effects_since(&self, before: Option<u64>, expected: u64) -> CheckStep {
        let (Some(before), Some(after)) = (before, self.effects().await?) else {
            return Ok(());
        };
        let since = after.saturating_sub(before);
        if since == expected {
            return Ok(());
        }
        broken(format!(
            "there were {since} effects where there must be {expected}"
        ))
    }

    /// Whether nothing came of a request that must be refused. What came all the same is counted
    /// as spent.
    pub(crate) async fn nothing_came_of(
        &self,
        (reference, order): (&ProviderReference, &AllowedOrder),
        effects: Option<u64>,
    ) -> CheckStep {
        let found = self.settled(reference).await?;
        match found.state {
            AttemptState::Absent | AttemptState::Declined => {}
            AttemptState::Delivered
            | AttemptState::Pending
            | AttemptState::Reversed
            | AttemptState::Unknown
            | AttemptState::Unlisted => {
                self.purchases.charge(order.amount);
                return broken(format!(
                    "a request that must be refused is `{}`",
                    word(found.state)
                ));
            }
        }
        self.effects_since(effects, 0).await
    }
}
