//! What a collector of traces receives of a payment, and what becomes of payments where it is away
//! or never answers. Only a program with traces has these tests.
#![cfg(test)]
#![cfg(feature = "opentelemetry")]

mod collector;
mod gateway;

use std::time::Duration;

use collector::{Collector, Received};
use gateway::{PHONE, TracedGateway};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// All that may be known of a span.
const LISTED: [&str; 11] = [
    "request_id",
    "mrcReference",
    "txnReference",
    "provider",
    "call",
    "outcome",
    "event",
    "endpoint",
    "http.request.method",
    "http.route",
    "http.response.status_code",
];

fn traceparent() -> String {
    format!("00-{TRACE}-{CALLER}-01")
}

fn is_of_payment(received: &Received) -> bool {
    let spans = &received.spans;
    let commits = spans.iter().filter(|span| span.name == "commit").count();
    commits >= 2
        && spans
            .iter()
            .any(|span| span.name == "POST /payment/airtime")
}

#[test]
fn a_payment_is_one_trace_of_its_caller_with_its_stages() {
    let collector = Collector::answering();
    // No trace is chosen here: what arrives was decided on by the caller.
    let gateway = TracedGateway::start(&collector.url(), "0");
    assert_eq!(gateway.pay("untraced", &[]).0, 200);
    let (status, answer) = gateway.pay("traced", &[("traceparent", traceparent())]);
    assert_eq!(status, 200, "{answer}");
    let received = collector.wait_for(is_of_payment);

    let request = received.span("POST /payment/airtime");
    assert_eq!(request.kind, i32::from(SpanKind::Server));
    assert_eq!(request.hex_parent(), CALLER);
    assert_eq!(request.text("http.route"), "/payment/airtime");
    assert_eq!(request.text("http.request.method"), "POST");
    assert_eq!(request.text("http.response.status_code"), "200");
    assert_eq!(request.text("mrcReference"), "traced");
    assert_eq!(
        request.text("txnReference"),
        answer["txnReference"].to_string()
    );
    assert!(!request.text("request_id").is_empty());

    let call = received.span("provider call");
    assert_eq!(call.kind, i32::from(SpanKind::Client));
    assert_eq!(call.parent_span_id, request.span_id);
    assert_eq!(call.text("provider"), "sandbox");
    assert_eq!(call.text("call"), "submit");
    assert_eq!(call.text("outcome"), "delivered");
    assert_eq!(
        call.text("txnReference"),
        answer["txnReference"].to_string()
    );
    for commit in received.spans.iter().filter(|span| span.name == "commit") {
        assert_eq!(commit.parent_span_id, request.span_id);
        assert_eq!(commit.text("outcome"), "done");
        assert_eq!(commit.text("mrcReference"), "traced");
    }

    for span in &received.spans {
        assert_eq!(span.hex_trace(), TRACE, "{span:?}");
        for attribute in &span.attributes {
            assert!(LISTED.contains(&attribute.key.as_str()), "{attribute:?}");
        }
    }
    for secret in [PHONE, gateway.key()] {
        assert!(!received.contain(secret), "{secret}");
    }
    assert_eq!(received.service(), "manilla");
    assert!(gateway.stop().status.success());
}

#[test]
fn what_no_caller_decided_on_is_chosen_here_and_a_delivery_is_a_trace_of_its_own() {
    let collector = Collector::answering();
    let gateway = TracedGateway::start(&collector.url(), "1000");
    let endpoint = format!("{{\"whkUrl\":\"{}/events\"}}", collector.url());
    let (status, answer) = gateway.post("/webhook/endpoint", (endpoint, &[]));
    assert_eq!(status, 201, "{answer}");
    let secret = answer["whkSecret"].as_str().unwrap();
    let (status, answer) = gateway.pay("own", &[]);
    assert_eq!(status, 200, "{answer}");
    let is_delivered = |received: &Received| {
        let mut spans = received.spans.iter();
        spans.any(|span| span.name == "webhook delivery") && is_of_payment(received)
    };
    let received = collector.wait_for(is_delivered);
    let delivery = received.span("webhook delivery");
    assert_eq!(
        delivery.text("txnReference"),
        answer["txnReference"].to_string()
    );
    assert_eq!(delivery.text("mrcReference"), "own");
    assert_eq!(delivery.text("outcome"), "accepted");
    assert!(delivery.parent_span_id.is_empty());
    let request = received.span("POST /payment/airtime");
    assert!(request.parent_span_id.is_empty());
    assert_ne!(request.trace_id, delivery.trace_id);
    assert!(!received.contain(secret) && !received.contain("/events"));
    assert!(gateway.stop().status.success());
}

#[test]
fn where_the_collector_is_gone_payments_are_answered_and_it_is_said_once() {
    let gateway = TracedGateway::start(&Collector::gone(), "1000");
    for reference in ["one", "two", "three"] {
        assert_eq!(gateway.pay(reference, &[]).0, 200);
        // Longer than spans are collected, so that an export fails each time.
        gateway.wait(Duration::from_millis(1_200));
    }
    let stopped = gateway.stop();
    assert!(stopped.status.success(), "{stopped:?}");
    let said = |what: &str| stopped.log.matches(what).count();
    assert_eq!(said("spans of traces are lost"), 1, "{}", stopped.log);
    assert_eq!(
        said("spans of traces were lost since"),
        1,
        "{}",
        stopped.log
    );
}

#[test]
fn a_collector_that_never_answers_delays_the_end_by_five_seconds_at_most() {
    let collector = Collector::silent();
    let gateway = TracedGateway::start(&collector.url(), "1000");
    assert_eq!(gateway.pay("one", &[]).0, 200);
    // Its export is under way by then.
    collector.wait_for(|received| received.requests > 0);
    for reference in ["two", "three"] {
        assert_eq!(gateway.pay(reference, &[]).0, 200);
    }
    let stopped = gateway.stop();
    assert!(stopped.status.success(), "{stopped:?}");
    assert!(stopped.after_drain < Duration::from_secs(8), "{stopped:?}");
}
