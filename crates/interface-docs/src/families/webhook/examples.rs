//! Samples of endpoints and deliveries in every state they can be in. They must be built from the
//! records of the stores, not from what is shown.

use domain::webhook::{
    Attempt, Delivery, DeliveryFailure, DeliveryState, DisabledBecause, Endpoint, EndpointAnswer,
    EndpointHealth, EndpointId, EventPayload, Secret, SecretVersion, Target, Topic, Topics,
    WebhookEvent, WebhookEventId,
};
use std::time::Duration;
use testkit::builders::{START, account_id, airtime, number};

/// The number of the endpoint in the examples. No endpoint has it: numbers are assigned, so a
/// merchant who tries an example replaces it.
pub(super) const EXAMPLE: &str = "5071922640871";
/// An event that was delivered to it.
pub(super) const EXAMPLE_EVENT: &str = "evt_7213340015_2";

pub(super) fn id() -> EndpointId {
    let number = EXAMPLE.parse().ok().and_then(EndpointId::new);
    number.expect("a number of an endpoint")
}

pub(super) fn event_id() -> WebhookEventId {
    WebhookEventId::fresh(number(7_213_340_016))
}

pub(super) const fn secret() -> Secret {
    Secret([0x5E; 32])
}

pub(super) fn enabled() -> Endpoint {
    Endpoint {
        id: id(),
        account: account_id("shop"),
        target: Target::checked("https://example.com/manilla/events"),
        topics: Topics::All,
        description: String::new(),
        with_tokens: false,
        generation: SecretVersion::FIRST,
        peppers_before: [1, 1],
        rotated_at: None,
        rotated_before: None,
        health: EndpointHealth::GOOD,
        created_at: START,
    }
}

pub(super) fn failing() -> Endpoint {
    Endpoint {
        description: "Bookkeeping".into(),
        health: EndpointHealth {
            failing_since: Some(START),
            ..EndpointHealth::GOOD
        },
        ..enabled()
    }
}

pub(super) fn disabled() -> Endpoint {
    Endpoint {
        health: failing().health.disabled(DisabledBecause::Failing, START),
        ..failing()
    }
}

pub(super) fn about_airtime() -> WebhookEvent {
    WebhookEvent {
        id: WebhookEventId::parse(EXAMPLE_EVENT).expect("the name of an event"),
        topic: Topic::TransactionPending,
        sequence: 2,
        at: START,
        subject: EventPayload::Transaction(Box::new(airtime().transaction())),
    }
}

pub(super) fn test_event() -> WebhookEvent {
    WebhookEvent {
        id: event_id(),
        topic: Topic::Ping,
        sequence: 1,
        at: START,
        subject: EventPayload::Ping,
    }
}

pub(super) const fn due() -> DeliveryState {
    DeliveryState::Due(START)
}

pub(super) const fn delivered() -> DeliveryState {
    DeliveryState::Delivered(START)
}

pub(super) const fn parked() -> DeliveryState {
    DeliveryState::Parked(START)
}

pub(super) fn delivery(event: WebhookEvent, state: DeliveryState) -> Delivery {
    Delivery {
        account: account_id("shop"),
        endpoint: id(),
        event,
        attempts: 2,
        round: 0,
        state,
    }
}

pub(super) fn attempts() -> Vec<Attempt> {
    let answer = EndpointAnswer {
        status: 503,
        retry_after: None,
        excerpt: "back soon".into(),
    };
    let results = [Err(DeliveryFailure::TimedOut), Ok(answer)];
    let attempts = results.map(|result| Attempt {
        at: START,
        took: Duration::from_millis(340),
        result,
    });
    attempts.into()
}
