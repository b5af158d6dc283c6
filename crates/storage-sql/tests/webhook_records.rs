//! Records of endpoints, deliveries and attempts read back as what they were written from, or not
//! at all.
#![cfg(test)]

use domain::webhook::{DeliveryFailure, Topic, Topics, WebhookEventId};
use key_ring::KeyRing;
use std::collections::BTreeSet;
use std::error::Error;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::record::{
    AttemptRecord, DeliveryRow, EndpointRow, EventKey, TransactionRow, log, moments, target, topics,
};
use testkit::builders::{account_id, answered, at, ended, unanswered};

fn cipher() -> FieldCipher {
    FieldCipher::new(&KeyRing::generate([7; 32], ""), [1; 16])
}

fn endpoint() -> EndpointRow {
    EndpointRow {
        account: "shop".into(),
        id: 7,
        target: "https://shop.example/".into(),
        generation: 1,
        peppers: "2,1,1".into(),
        ..EndpointRow::default()
    }
}

fn trial() -> DeliveryRow {
    DeliveryRow {
        account: "shop".into(),
        endpoint: 7,
        number: 11,
        topic: "ping".into(),
        due_at: Some(5),
        ..DeliveryRow::default()
    }
}

/// The error of a row that must not be read, whole.
fn reported<T: std::fmt::Debug>(read: Result<T, ports::PortError>) -> String {
    let error = read.unwrap_err();
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error}: {cause}")
}

#[test]
fn the_identifier_of_an_event_is_its_numbers_and_nothing_else_is() {
    for (name, number, sequence) in [("evt_7", 7, 0), ("evt_7_12", 7, 12)] {
        let id = WebhookEventId::parse(name).unwrap();
        let key = EventKey {
            number,
            sequence,
            currency: None,
        };
        assert_eq!(EventKey::of(&id), Some(key));
        assert_eq!(key.id(at(1)), Some(id));
    }
    let longest = format!("evt_{}", "9".repeat(44));
    for name in [
        "evt_07",
        "evt_7_0",
        "evt_7_01",
        "evt_7_2147483648",
        &longest,
    ] {
        assert_eq!(
            EventKey::of(&WebhookEventId::parse(name).unwrap()),
            None,
            "{name}"
        );
    }
}

#[test]
fn the_topics_of_an_endpoint_read_back() {
    let some = |topics: &[Topic]| Topics::Only(topics.iter().copied().collect::<BTreeSet<_>>());
    for received in [
        Topics::All,
        some(&[]),
        some(&[Topic::Ping]),
        some(&Topic::ALL),
    ] {
        let row = EndpointRow {
            topics: topics(&received),
            ..endpoint()
        };
        assert_eq!(row.restore(&cipher()).unwrap().topics, received);
    }
}

/// A newer version may run beside this one, or have run before it.
#[test]
fn a_topic_that_only_a_newer_version_knows_is_passed_over() {
    let row = EndpointRow {
        topics: Some("account.closed ping".into()),
        ..endpoint()
    };
    let received = Topics::Only(BTreeSet::from([Topic::Ping]));
    assert_eq!(row.restore(&cipher()).unwrap().topics, received);
}

#[test]
fn an_endpoint_that_breaks_a_rule_is_refused_by_name_and_field() {
    let check = |change: fn(&mut EndpointRow), field: &str| {
        let mut broken = endpoint();
        change(&mut broken);
        let error = reported(broken.restore(&cipher()));
        assert!(error.contains("endpoint"), "{error}");
        assert!(error.contains(field), "{error} does not name {field}");
    };
    check(|row| row.account = "no account".into(), "account");
    check(|row| row.id = 0, "endpoint");
    check(|row| row.generation = -1, "secret_version");
    check(|row| row.peppers = "1,1".into(), "secret_peppers");
    check(|row| row.peppers = "1,1,-1".into(), "secret_peppers");
    check(|row| row.health.disabled_at = Some(1), "disabled_at");
    check(
        |row| row.health.disabled_reason = Some("gone".into()),
        "disabled_at",
    );
}

#[test]
fn a_delivery_that_breaks_a_rule_is_refused_by_name_and_field() {
    trial().restore().unwrap();
    let check = |change: fn(&mut DeliveryRow), field: &str| {
        let mut broken = trial();
        change(&mut broken);
        let error = reported(broken.restore());
        assert!(error.contains("to endpoint"), "{error}");
        assert!(error.contains(field), "{error} does not name {field}");
    };
    check(|row| row.topic = "account.closed".into(), "topic");
    check(|row| row.sequence = 2, "transaction");
    check(|row| row.about = Some(-1), "endpoint");
    check(|row| row.number = -1, "number");
    check(|row| row.attempts = -1, "attempts");
    check(|row| row.round = -1, "replay_count");
    check(|row| row.due_at = None, "due_at");
    check(|row| row.parked_at = Some(1), "due_at");
    check(
        |row| row.transaction = Some(TransactionRow::default()),
        "sequence",
    );
}

#[test]
fn attempts_read_back_and_what_was_answered_is_sealed() {
    let mut foreign = answered(500, at(1));
    if let Ok(answer) = &mut foreign.result {
        answer.excerpt = "a\0 7035-8522".into();
    }
    let mut attempts = vec![answered(200, at(1)), answered(503, at(2)), foreign];
    attempts.extend(DeliveryFailure::ALL.map(|failure| unanswered(failure, at(3))));
    let delivery = trial().restore().unwrap();
    let ended = attempts.iter().map(|it| ended(&delivery, it.clone()));
    let ended: Vec<_> = ended.collect();
    let records = ended
        .iter()
        .map(|it| AttemptRecord::of(it, &cipher()).unwrap());
    let text = serde_json::to_string(&records.collect::<Vec<_>>()).unwrap();
    assert!(!text.contains("7035"), "{text}");
    assert_eq!(log(&text, &delivery, &cipher()).unwrap(), attempts);

    let mut another = delivery.clone();
    another.account = account_id("thief");
    assert!(reported(log(&text, &another, &cipher())).contains("excerpt"));
    assert!(reported(log("[{}]", &delivery, &cipher())).contains("attempts"));
    let broken = text.replace("\"status\":500", "\"status\":null");
    assert!(reported(log(&broken, &delivery, &cipher())).contains("status"));
}

#[test]
fn the_address_of_an_endpoint_is_sealed_in_its_row() {
    let endpoint = EndpointRow {
        target: "https://shop.example/hook?key=s3cret".into(),
        ..endpoint()
    };
    let endpoint = endpoint.restore(&cipher()).unwrap();
    let stored = target(&endpoint, &cipher()).unwrap();
    assert!(stored.starts_with("sealed:1:") && !stored.contains("s3cret"));
    let row = |account: &str| EndpointRow {
        account: account.into(),
        target: stored.clone(),
        ..self::endpoint()
    };
    assert_eq!(row("shop").restore(&cipher()).unwrap(), endpoint);
    assert!(reported(row("thief").restore(&cipher())).contains("target is sealed"));
}

#[test]
fn a_state_is_one_moment() {
    for state in [
        domain::webhook::DeliveryState::Due(at(1)),
        domain::webhook::DeliveryState::Delivered(at(2)),
        domain::webhook::DeliveryState::Parked(at(3)),
    ] {
        let [due_at, delivered_at, parked_at] = moments(state);
        let row = DeliveryRow {
            due_at,
            delivered_at,
            parked_at,
            ..trial()
        };
        assert_eq!(row.restore().unwrap().state, state);
    }
}
