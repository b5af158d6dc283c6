//! One attempt from its signature to its result. It must hand every result on: what came of an
//! attempt decides when the next one is made.

use super::DispatcherParts;
use super::delivery::{AttemptOutcome, ScheduledDelivery};
use super::limits::CLAIM_FRESH;
use super::monotonic_clock::DispatchClock;
use crate::transport::DeliveryRequest;
use domain::time::Timestamp;
use domain::webhook::{Attempt, DeliveryId, EventPayload, Jitter, Secret};
use ports::webhooks::{AttemptResult, Claimed};
use std::sync::Arc;
use tokio::sync::mpsc;
use tracing::{Instrument as _, Span, field};
use wire::webhook::{self, signature, signature::Signed};
use wire::zone::Zone;

/// What attempts are made with.
#[derive(Debug)]
pub(super) struct AttemptJob {
    pub(super) parts: DispatcherParts,
    pub(super) steady: DispatchClock,
    pub(super) results: mpsc::Sender<AttemptResult>,
}

impl AttemptJob {
    /// Makes one attempt and hands its result on.
    pub(super) async fn attempt(self: Arc<Self>, scheduled: ScheduledDelivery) -> AttemptOutcome {
        let clock = &self.parts.clock;
        let Some(scheduled) = self.as_it_is_now(scheduled).await else {
            return AttemptOutcome::Skipped;
        };
        let (at, begun) = (clock.now(), clock.uptime());
        let Some(request) = self.delivery_request(&scheduled, at) else {
            return AttemptOutcome::Skipped;
        };
        let claimed = scheduled.claimed;
        let span = span_of(&claimed);
        let result = self.parts.post.send(request).instrument(span.clone()).await;
        let took = clock.uptime().saturating_sub(begun);
        let attempt = Attempt { at, took, result };
        let delivery = &claimed.delivery;
        let number = delivery.attempts.saturating_add(1);
        let id = DeliveryId {
            endpoint: claimed.endpoint.id,
            event: delivery.event.id.clone(),
        };
        let outcome = attempt.outcome(number, jitter(&claimed, number));
        report(&claimed, &attempt);
        span.record(
            "outcome",
            if outcome.success {
                "accepted"
            } else {
                "failed"
            },
        );
        drop(span);
        let age = at.since(delivery.event.at);
        let measurements = &self.parts.measurements;
        measurements.delivery_attempted(outcome.success, age);
        let leave_alone = match &attempt.result {
            Ok(answer) => answer.retry_after,
            Err(_) => None,
        };
        let ended = AttemptResult {
            account: claimed.endpoint.account,
            delivery: id,
            number,
            round: delivery.round,
            attempt,
            outcome,
            event: self.parts.ids.transaction_number(),
        };
        // The recorder is gone once the dispatcher stops; the lease brings the delivery back.
        let _ = self.results.send(ended).await;
        if outcome.success {
            AttemptOutcome::Accepted
        } else if outcome.gone {
            AttemptOutcome::Gone
        } else {
            AttemptOutcome::Failed { leave_alone }
        }
    }

    /// What was claimed a while ago, for its endpoint as it is now; nothing where it is served no
    /// longer.
    async fn as_it_is_now(&self, mut scheduled: ScheduledDelivery) -> Option<ScheduledDelivery> {
        let age = self.steady.now().since(scheduled.since);
        if age <= CLAIM_FRESH {
            return Some(scheduled);
        }
        let (account, id) = &scheduled.key;
        let endpoint = match self.parts.endpoints.endpoints(account).await {
            Ok(endpoints) => endpoints.into_iter().find(|endpoint| endpoint.id == *id),
            Err(error) => {
                tracing::warn!(%error, %account, endpoint = %id,
                    "an endpoint cannot be read again; its deliveries wait for their lease");
                None
            }
        }?;
        let served = endpoint.health.is_served();
        scheduled.claimed.endpoint = endpoint;
        served.then_some(scheduled)
    }

    /// What is sent; none where this process cannot sign it, and another instance may.
    fn delivery_request(
        &self,
        scheduled: &ScheduledDelivery,
        at: Timestamp,
    ) -> Option<DeliveryRequest> {
        let claimed = &scheduled.claimed;
        let endpoint = &claimed.endpoint;
        let secrets: Option<Vec<Secret>> = endpoint
            .generations(at)
            .map(|generation| {
                let secrets = &self.parts.secrets;
                secrets.secret(&endpoint.account, endpoint.id, generation)
            })
            .collect();
        if secrets.is_none() {
            let (account, id) = (&endpoint.account, endpoint.id);
            tracing::error!(%account, endpoint = %id,
                "the key ring lacks what a webhook secret is made from; its deliveries wait");
        }
        let secrets = secrets?;
        let zone = Zone::for_account(&claimed.account);
        let body = webhook::body(&claimed.delivery.event, endpoint.with_tokens, &zone);
        let id = claimed.delivery.event.id.as_str();
        let signed = Signed {
            id,
            at,
            body: &body,
        };
        Some(DeliveryRequest {
            target: endpoint.target.clone(),
            asker: scheduled.asker,
            id: id.to_owned(),
            at,
            signatures: signature::signatures(signed, &secrets),
            body,
        })
    }
}

/// Jitter between deliveries that failed together: every attempt of every delivery differs, and
/// each is the same in every process.
fn jitter(claimed: &Claimed, number: u16) -> Jitter {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(claimed.endpoint.account.as_str().as_bytes());
    hasher.update(&claimed.endpoint.id.get().to_be_bytes());
    hasher.update(claimed.delivery.event.id.as_str().as_bytes());
    hasher.update(&number.to_be_bytes());
    Jitter::from_random(hasher.finalize())
}

/// A delivery as a span, for builds that export traces: the filter of the log leaves it out. It
/// must not have where the event goes, nor what it says but the payment that it is about.
fn span_of(claimed: &Claimed) -> Span {
    let event = &claimed.delivery.event;
    let transaction = match &event.subject {
        EventPayload::Transaction(transaction) => Some(transaction),
        EventPayload::Credit(_)
        | EventPayload::LowBalance { .. }
        | EventPayload::Endpoint(_)
        | EventPayload::Report(_)
        | EventPayload::Incoming(_)
        | EventPayload::Ping => None,
    };
    tracing::info_span!(
        target: "manilla::trace",
        "webhook delivery",
        event = event.id.as_str(),
        endpoint = %claimed.endpoint.id,
        txnReference = transaction.map(|it| field::display(it.number)),
        mrcReference = transaction.map(|it| it.reference.as_str()),
        outcome = field::Empty,
    )
}

fn report(claimed: &Claimed, attempt: &Attempt) {
    let (status, failure) = match &attempt.result {
        Ok(answer) => (answer.status, ""),
        Err(failure) => (0, failure.code()),
    };
    tracing::debug!(
        account = %claimed.endpoint.account,
        endpoint = %claimed.endpoint.id,
        event = %claimed.delivery.event.id,
        status,
        failure,
        took_ms = u64::try_from(attempt.took.as_millis()).unwrap_or(u64::MAX),
        late_ms = u64::try_from(attempt.at.since(claimed.delivery.event.at).as_millis())
            .unwrap_or(u64::MAX),
        "an attempt ended"
    );
}
