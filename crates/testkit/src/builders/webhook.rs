//! Endpoints, events and attempts to deliver them. An address here must belong to no real host.

use super::{START, account_id, number};
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::webhook::{
    Attempt, Delivery, DeliveryFailure, DeliveryId, Endpoint, EndpointAnswer, EndpointHealth,
    EndpointId, EventPayload, Jitter, SecretVersion, Target, Topic, Topics, WebhookEvent,
    WebhookEventId,
};
use ports::webhooks::{AttemptResult, DeliveryClaim, DeliveryQuery};
use std::time::Duration;

/// A jitter that leaves pauses as they are.
pub const EVEN: Jitter = Jitter::from_random(200);

/// The number of an endpoint.
pub fn endpoint_id(number: u64) -> EndpointId {
    EndpointId::new(number).expect("the number of an endpoint")
}

/// An enabled endpoint subscribed to every topic, made at [`START`].
pub fn endpoint(account: &str, id: u64) -> Endpoint {
    Endpoint {
        id: endpoint_id(id),
        account: account_id(account),
        target: Target::checked(format!("https://{account}.example/events/{id}")),
        topics: Topics::All,
        description: format!("Endpoint {id} of {account}"),
        with_tokens: false,
        generation: SecretVersion::FIRST,
        peppers_before: [1, 1],
        rotated_at: None,
        rotated_before: None,
        health: EndpointHealth::GOOD,
        created_at: START,
    }
}

/// The same, hearing of some topics only.
pub fn endpoint_for(account: &str, id: u64, topics: &[Topic]) -> Endpoint {
    Endpoint {
        topics: Topics::Only(topics.iter().copied().collect()),
        ..endpoint(account, id)
    }
}

/// A trial.
pub fn ping(n: u64, at: Timestamp) -> WebhookEvent {
    WebhookEvent {
        id: WebhookEventId::fresh(number(n)),
        topic: Topic::Ping,
        sequence: 1,
        at,
        subject: EventPayload::Ping,
    }
}

/// The result that disables an endpoint.
pub fn disabled_event(n: u64, about: u64, at: Timestamp) -> WebhookEvent {
    WebhookEvent {
        topic: Topic::WebhookDisabled,
        subject: EventPayload::Endpoint(endpoint_id(about)),
        ..ping(n, at)
    }
}

/// A claim of much, whatever it is for, for a minute.
pub fn delivery_claim(now: Timestamp) -> DeliveryClaim {
    DeliveryClaim {
        now,
        lease: Duration::from_mins(1),
        limit: 100,
        per_endpoint: 100,
        except: Vec::new(),
        only_asked_for: false,
    }
}

/// The first hundred deliveries of an account, oldest first.
pub fn delivery_query() -> DeliveryQuery {
    DeliveryQuery {
        endpoint: None,
        parked: false,
        offset: 0,
        length: 100,
        sort: domain::statement::Sort::Ascending,
    }
}

/// An attempt that was answered within a tenth of a second.
pub fn answered(status: u16, at: Timestamp) -> Attempt {
    Attempt {
        at,
        took: Duration::from_millis(100),
        result: Ok(EndpointAnswer {
            status,
            retry_after: None,
            excerpt: format!("{status} \u{1F4E8}"),
        }),
    }
}

/// An attempt without an answer for fifteen seconds.
pub fn unanswered(failure: DeliveryFailure, at: Timestamp) -> Attempt {
    Attempt {
        at,
        took: Duration::from_secs(15),
        result: Err(failure),
    }
}

/// The end of the next attempt at a delivery.
pub fn ended(delivery: &Delivery, attempt: Attempt) -> AttemptResult {
    let next = delivery.attempts.saturating_add(1);
    AttemptResult {
        account: delivery.account.clone(),
        delivery: delivery_id(delivery),
        number: next,
        round: delivery.round,
        outcome: attempt.outcome(next, EVEN),
        event: event_number(&attempt),
        attempt,
    }
}

/// The number of the event of what an attempt may lead to: attempts begun at different moments
/// have different ones.
fn event_number(attempt: &Attempt) -> TransactionNumber {
    let millis = u64::try_from(attempt.at.since(START).as_millis()).expect("this century");
    number(1_000_000_000_000 + millis)
}

/// The name of a delivery.
pub fn delivery_id(delivery: &Delivery) -> DeliveryId {
    DeliveryId {
        endpoint: delivery.endpoint,
        event: delivery.event.id.clone(),
    }
}
