//! Every order and everything that is handed over must come through the protocol unchanged, and
//! what a reader does not know must never be read as something definite.
#![cfg(test)]

use domain::order::{Order, Service};
use domain::provider::{Fulfilment, RefusalKind};
use domain::reference::ProviderReference;
use domain::sms::FieldNaming;
use domain::time::Timestamp;
use proptest::prelude::*;
use provider_protocol::{
    AttemptAnswer, AttemptRequest, AttemptState, Capabilities, read, read_receipt, write,
    write_receipt,
};
use serde_json::Value;
use testkit::builders::{fulfilment, purchase_of};
use testkit::strategies::{delivered_orders, hlr_reports};

const NOT_AFTER: Timestamp = Timestamp::from_millis(1_768_467_660_000);

fn reference() -> ProviderReference {
    ProviderReference::from_echo("dmqguf3gee5mfizwty4aq4u6f7iiphkr")
}

/// How a merchant names its fields does not go to a provider.
fn as_a_provider_sees_it(mut order: Order) -> Order {
    if let Order::Sms(message) = &mut order {
        message.variant = FieldNaming::A;
    }
    order
}

/// What the document looks like to a program that knows nothing but JSON.
fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn check_names(value: &Value, path: &str) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let camel = name.chars().all(|c| c.is_ascii_alphanumeric());
                assert!(
                    camel && !name.starts_with(char::is_uppercase),
                    "{path}.{name}"
                );
                check_names(value, &format!("{path}.{name}"));
            }
        }
        Value::Array(values) => values.iter().for_each(|value| check_names(value, path)),
        Value::Number(number) => assert!(number.is_i64() || number.is_u64(), "{path}: {number}"),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

proptest! {
    #[test]
    fn every_order_comes_through_unchanged(order in delivered_orders()) {
        let order = as_a_provider_sees_it(order);
        let request = AttemptRequest::new(&reference(), &order, NOT_AFTER).unwrap();
        let bytes = write(&request).unwrap();
        let read: AttemptRequest = read(&bytes).unwrap();
        prop_assert_eq!(read.order(), Ok(order.clone()));
        prop_assert_eq!(read.reference(), Ok(reference()));
        prop_assert_eq!(Timestamp::from(read.not_after), NOT_AFTER);
        let value = json(&bytes);
        check_names(&value, "");
        prop_assert_eq!(&value["order"]["number"], order.digits());
        prop_assert_eq!(value["amount"]["minor"].as_i64(), Some(order.amount().minor()));
    }

    #[test]
    fn everything_that_is_handed_over_comes_through_unchanged(order in delivered_orders()) {
        let handed_over = fulfilment(&order);
        let document = write_receipt(&handed_over).unwrap();
        let read = read_receipt(order.service(), document.as_deref());
        prop_assert_eq!(read, Ok(Some(handed_over)));
        if let Some(document) = document {
            check_names(&json(document.get().as_bytes()), "receipt");
        }
    }

    #[test]
    fn every_answer_of_a_register_comes_through_unchanged(report in hlr_reports()) {
        let handed_over = Fulfilment::Hlr(report);
        let document = write_receipt(&handed_over).unwrap();
        prop_assert_eq!(read_receipt(Service::Hlr, document.as_deref()), Ok(Some(handed_over)));
    }

    #[test]
    fn no_body_makes_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read::<AttemptRequest>(&bytes).map(|request| request.order());
        let _ = read::<AttemptAnswer>(&bytes);
        let _ = read::<Capabilities>(&bytes);
    }
}

#[test]
fn details_that_must_be_there_are_missed_where_they_are_not() {
    for service in Service::delivered() {
        let order = purchase_of(service).order();
        let has_details = write_receipt(&fulfilment(&order)).unwrap().is_some();
        let without = read_receipt(service, None).unwrap();
        assert_eq!(without.is_none(), has_details, "{}", service.code());
    }
}

fn answer(text: &str) -> AttemptAnswer {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn fields_that_are_not_known_are_ignored_and_states_that_are_not_say_nothing() {
    let known = answer(
        r#"{"reference":"r","state":"delivered","at":"2026-01-15T09:00:00Z","sequence":2,
            "mood":"sunny","later":{"a":[1.5]}}"#,
    );
    assert_eq!(known.state, AttemptState::Delivered);
    for word in ["settled", "Delivered", "DELIVERED", "", "success"] {
        let text = format!(
            r#"{{"reference":"r","state":"{word}","at":"2026-01-15T09:00:00Z","sequence":2}}"#
        );
        assert_eq!(answer(&text).state, AttemptState::Unlisted, "{word}");
    }
    for text in [
        r#"{"state":"delivered","at":"2026-01-15T09:00:00Z","sequence":2}"#,
        r#"{"reference":"r","at":"2026-01-15T09:00:00Z","sequence":2}"#,
        r#"{"reference":"r","state":"delivered","state":"declined",
            "at":"2026-01-15T09:00:00Z","sequence":2}"#,
        r#"{"reference":"r","state":"delivered","at":"yesterday","sequence":2}"#,
        r#"{"reference":"r","state":"delivered","at":"2026-01-15T09:00:00Z","sequence":2} {}"#,
        "<html>delivered</html>",
        "",
    ] {
        assert!(read::<AttemptAnswer>(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn a_refusal_of_a_kind_that_is_not_listed_is_none() {
    let refused = |kind: &str| {
        let text = format!(
            r#"{{"reference":"r","state":"declined","at":"2026-01-15T09:00:00Z","sequence":2,
                "refusal":{{"kind":"{kind}","code":"91","reason":"busy","retryAfterSeconds":30}}}}"#
        );
        answer(&text).refusal().map(|refusal| refusal.kind)
    };
    let retry_after = Some(std::time::Duration::from_secs(30));
    assert_eq!(refused("moment"), Some(RefusalKind::Moment { retry_after }));
    assert_eq!(refused("lookalike"), Some(RefusalKind::Lookalike));
    assert_eq!(refused("temporary"), None);
}

#[test]
fn what_cannot_be_ordered_is_refused_with_the_name_of_the_field() {
    let good = write(
        &AttemptRequest::new(
            &reference(),
            &purchase_of(Service::Airtime).order(),
            NOT_AFTER,
        )
        .unwrap(),
    );
    let good = String::from_utf8(good.unwrap()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from} is not in {good}");
        let request: AttemptRequest = read(good.replacen(from, to, 1).as_bytes()).unwrap();
        request.order().unwrap_err().to_string()
    };
    assert!(refused("\"service\":\"airtime\"", "\"service\":\"air\"").starts_with("`service`"));
    assert!(refused("\"number\":\"", "\"number\":\"x").starts_with("`order.number`"));
    assert!(refused("\"minor\":", "\"minor\":-").starts_with("`amount` must be above zero"));
    assert!(
        refused("\"billing\":\"prepaid\"", "\"billing\":\"both\"").starts_with("`order.billing`")
    );
    assert!(refused("\"operatorName\"", "\"operatorNames\"").contains("operatorName"));
}

#[test]
fn capabilities_that_cannot_be_worked_with_are_refused_with_the_way_out() {
    let text = include_str!("vectors/capabilities.json");
    let check = |from: &str, to: &str| {
        let capabilities: Capabilities = read(text.replace(from, to).as_bytes()).unwrap();
        capabilities.check().map_err(|error| error.to_string())
    };
    assert_eq!(check("1.0", "1.7"), Ok(()));
    let versions = check("1.0", "2.0").unwrap_err();
    assert!(
        versions.contains("speaks 2.0") && versions.contains("gateway 1.0"),
        "{versions}"
    );
    assert!(
        check("\"retentionDays\": 400", "\"retentionDays\": 90")
            .unwrap_err()
            .contains("airtime")
    );
    assert!(
        check("\"length\": 32", "\"length\": 8")
            .unwrap_err()
            .contains("96 bits")
    );
    assert!(check("\"91\"", "\"51\"").unwrap_err().contains("51 twice"));
}

/// Golden documents: a published form never changes.
#[test]
fn the_documents_are_the_published_ones() {
    for service in Service::delivered() {
        let order = purchase_of(service).order();
        let request = AttemptRequest::new(&reference(), &order, NOT_AFTER).unwrap();
        let mut answer = AttemptAnswer::new(&reference(), AttemptState::Delivered, NOT_AFTER);
        answer.service = Some(service.code().to_owned());
        answer.amount = Some(order.amount().into());
        answer.beneficiary = Some(order.digits().to_owned());
        answer.receipt = write_receipt(&fulfilment(&order)).unwrap();
        let made = serde_json::json!({
            "request": json(&write(&request).unwrap()),
            "answer": json(&write(&answer).unwrap()),
        });
        let made = format!("{made:#}\n");
        let code = service.code();
        let path = format!("{}/tests/vectors/{code}.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let published = std::fs::read_to_string(&path);
        let published = published.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(made, published, "{path}; to publish a new form: BLESS=1");
    }
}
