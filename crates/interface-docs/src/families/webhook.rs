//! Webhooks (interface §6). It must not document what no sample shows.

mod examples;

use self::examples::{
    EXAMPLE, EXAMPLE_EVENT, about_airtime, attempts, delivered, delivery, disabled, due, enabled,
    event_id, failing, id, parked, secret, test_event,
};
use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::statement::Sort;
use domain::webhook::{DisabledBecause, Endpoint, EndpointHealth, SecretVersion, Topic, Topics};
use std::collections::BTreeSet;
use testkit::builders::START;
use wire::attribute::{
    DELIVERY_STATUS, EVENT, REPLAY_FROM, REPLAY_UNTIL, WEBHOOK, WEBHOOK_DESCRIPTION,
    WEBHOOK_EVENTS, WEBHOOK_TOKENS, WEBHOOK_URL,
};
use wire::page::{LENGTH_MAX, Paging};
use wire::webhook::deliveries::{self, DeliveriesPart, DeliveriesQuery};
use wire::webhook::endpoints::{self, EndpointsQuery};
use wire::webhook::{endpoint, events, named, replay, rotate, test};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "webhook",
        name: "Webhooks",
        about: "Endpoints of yours that receive events: signed by Standard Webhooks, tried \
                again until they answer.",
        operations: vec![
            create(),
            list(),
            list_events(),
            list_deliveries(),
            try_it(),
            deliver_again(),
            change_secret(),
            disable(),
            enable(),
            delete(),
        ],
    }
}

fn create() -> Operation {
    let made = endpoint::created(&enabled(), &secret(), &lagos());
    let limited = Endpoint {
        description: "Till 1".into(),
        with_tokens: true,
        topics: Topics::Only(BTreeSet::from([Topic::TransactionSuccessful])),
        ..enabled()
    };
    let limited = endpoint::created(&limited, &secret(), &lagos());
    let later = endpoint::created(&disabled(), &secret(), &lagos());
    let created = |shown_as, fields| Sample {
        status: 201,
        ..sample(
            shown_as,
            "The endpoint; its secret is shown this once.",
            fields,
        )
    };
    Operation::post("/webhook/endpoint", "createWebhook", "Create an endpoint")
        .detailed(
            "The address has to be https and reachable from the internet. Without `whkEvents` the \
             endpoint receives every event. `whkSecret` is what deliveries are signed with; it \
             is shown here and by a rotation, and never again: a retry with the same \
             `Idempotency-Key` is answered 200 with the endpoint and without it.",
        )
        .takes([
            required(&WEBHOOK_URL, "https://example.com/manilla/events"),
            optional(&WEBHOOK_EVENTS)
                .one_of(&Topic::ALL.map(Topic::code))
                .such_as("transaction.successful,transaction.failed"),
            optional(&WEBHOOK_DESCRIPTION).such_as("Bookkeeping"),
            optional(&WEBHOOK_TOKENS).one_of(&["true", "false"]),
        ])
        .creates(
            "WebhookCreated",
            vec![
                created("created", made),
                created("some events", limited),
                // A new endpoint has never failed; the states it may show later have the same
                // shape.
                created("disabled", later).unseen(),
            ],
        )
        .creates(
            "Webhook",
            as_in(&enabled(), "The endpoint of the first request."),
        )
        .refused(&[409])
}

fn list() -> Operation {
    let endpoints = vec![enabled(), failing(), disabled()];
    let listing = endpoints::listing(endpoints, &lagos());
    let query = EndpointsQuery {
        only: None,
        paging: Paging {
            offset: 0,
            length: LENGTH_MAX,
            order: None,
            sort: Sort::Ascending,
        },
    };
    let all = endpoints::view(&listing, &query);
    Operation::get("/webhook/endpoint", "listWebhooks", "List your endpoints")
        .detailed("With `whkIdentifier` the answer is that one endpoint.")
        .takes([optional(&WEBHOOK)])
        .in_parts(&["whkDate"])
        .lists("Webhooks", vec![sample("all", "The endpoints.", all)])
        .answers("Webhook", as_in(&enabled(), "The endpoint."))
        .refused(&[404])
}

fn list_events() -> Operation {
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let all = events::view(&events::listing(), &paging);
    Operation::get(
        "/webhook/events",
        "listWebhookEvents",
        "List the events there are",
    )
    .detailed("What an endpoint can subscribe to; its deliveries show what happened.")
    .in_parts(&["evtType"])
    .lists(
        "WebhookEvents",
        vec![sample("events", "The events there are.", all)],
    )
}

fn list_deliveries() -> Operation {
    let deliveries = [
        (delivery(about_airtime(), parked()), attempts()),
        (delivery(test_event(), delivered()), Vec::new()),
        (delivery(test_event(), due()), Vec::new()),
    ];
    let part = DeliveriesPart {
        deliveries: &deliveries,
        total: 3,
        found: 3,
    };
    let query = DeliveriesQuery {
        endpoint: None,
        parked: false,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    let all = deliveries::view(part, &query, &lagos());
    Operation::get(
        "/webhook/deliveries",
        "listWebhookDeliveries",
        "List what was delivered, and what was not",
    )
    .detailed(
        "What was delivered is forgotten after some time; what was not is kept. `Parked` is what \
         was tried ten times and waits for you to ask for it again.",
    )
    .takes([
        optional(&WEBHOOK),
        optional(&DELIVERY_STATUS).one_of(&["Parked"]),
    ])
    .in_parts(&["evtDate"])
    .lists(
        "WebhookDeliveries",
        vec![sample("deliveries", "The deliveries.", all)],
    )
    .refused(&[404])
}

fn try_it() -> Operation {
    let fields = test::view(id(), &event_id());
    let message = "The test event will be delivered; its delivery will show the result.";
    let under_way = Sample {
        status: 202,
        ..sample("under way", message, fields)
    };
    Operation::post("/webhook/test", "testWebhook", "Send a test event")
        .detailed("`Location` leads to the deliveries of the endpoint, the newest first.")
        .takes([required(&WEBHOOK, EXAMPLE)])
        .creates("WebhookTrial", vec![under_way])
        .refused(&[404, 409])
}

fn deliver_again() -> Operation {
    let fields = replay::view(id(), 3);
    Operation::post("/webhook/replay", "replayWebhook", "Deliver again")
        .detailed(
            "The delivery of one event, or those of a time, the end not included, at most 1,000 \
             together. They keep their `evtIdentifier`, so a receiver knows them again.",
        )
        .takes_as(
            "One event",
            [required(&WEBHOOK, EXAMPLE), required(&EVENT, EXAMPLE_EVENT)],
        )
        .takes_as(
            "A time",
            [
                required(&WEBHOOK, EXAMPLE),
                required(&REPLAY_FROM, "2026-11-21T10:00:00Z"),
                required(&REPLAY_UNTIL, "2026-11-21T11:00:00Z"),
            ],
        )
        .answers(
            "WebhookReplay",
            vec![sample(
                "replayed",
                "So many deliveries are due again.",
                fields,
            )],
        )
        .refused(&[404])
}

fn change_secret() -> Operation {
    let rotated = Endpoint {
        generation: SecretVersion::FIRST.next(1),
        rotated_at: Some(START),
        ..enabled()
    };
    let shown_sample = |shown_as, endpoint: &Endpoint| {
        let fields = rotate::view(endpoint, &secret(), &lagos());
        sample(
            shown_as,
            "The endpoint; its new secret is shown this once.",
            fields,
        )
    };
    let others = [failing(), disabled()].map(|endpoint| {
        let rotated_at = Some(START);
        shown_sample(
            "other",
            &Endpoint {
                rotated_at,
                ..endpoint
            },
        )
        .unseen()
    });
    let mut samples = vec![shown_sample("rotated", &rotated)];
    samples.extend(others);
    Operation::post("/webhook/rotate", "rotateWebhook", "Change the secret")
        .detailed(
            "For a day deliveries are signed with both secrets, so that none is rejected while \
             you change it. It can be changed twice within a day.",
        )
        .takes([required(&WEBHOOK, EXAMPLE)])
        .answers("WebhookRotated", samples)
        .refused(&[404, 409])
}

fn disable() -> Operation {
    let asked = Endpoint {
        health: EndpointHealth::GOOD.disabled(DisabledBecause::ByMerchant, START),
        ..enabled()
    };
    Operation::post(
        "/webhook/disable",
        "disableWebhook",
        "Stop deliveries to an endpoint",
    )
    .detailed("Nothing new is recorded for it; what waits is kept.")
    .takes([required(&WEBHOOK, EXAMPLE)])
    .answers("Webhook", as_in(&asked, "The endpoint is disabled."))
    .refused(&[404])
}

fn enable() -> Operation {
    Operation::post(
        "/webhook/enable",
        "enableWebhook",
        "Go on with deliveries to an endpoint",
    )
    .detailed("What waited is due at once.")
    .takes([required(&WEBHOOK, EXAMPLE)])
    .answers("Webhook", as_in(&enabled(), "The endpoint is served."))
    .refused(&[404])
}

fn delete() -> Operation {
    let message = "The endpoint and its deliveries are gone.";
    let gone = sample("deleted", message, named::deleted(id()));
    Operation::post("/webhook/delete", "deleteWebhook", "Delete an endpoint")
        .takes([required(&WEBHOOK, EXAMPLE)])
        .answers("WebhookDeleted", vec![gone])
        .refused(&[404])
}

/// An endpoint as it is shown, and the other states it can be in.
fn as_in(example: &Endpoint, message: &'static str) -> Vec<Sample> {
    let shown_sample = |endpoint: &Endpoint| {
        let fields = endpoint::view(endpoint, &lagos());
        sample("endpoint", message, fields)
    };
    let others = [enabled(), failing(), disabled()];
    let others = others
        .iter()
        .map(|endpoint| shown_sample(endpoint).unseen());
    std::iter::once(shown_sample(example))
        .chain(others)
        .collect()
}
