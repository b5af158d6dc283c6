//! Receipts: found by what the SMSC calls a part, and acknowledged once they are stored.

use crate::bench::{SmppBench, started};
use crate::fake::{Reply, receipt, reply};
use domain::provider::SubmitOutcome;
use domain::sms::DeliveryStatus;
use ports::provider::{AttemptQuery, Provider as _};
use provider_smpp::MessageIdForm;
use rusmpp_core::pdus::owned::Pdu;
use rusmpp_core::types::owned::OctetString;
use testkit::builders::submission;

fn received(bench: &SmppBench) -> Vec<(String, DeliveryStatus)> {
    let received = bench.book.received.lock().unwrap();
    let pairs = received.iter();
    pairs
        .map(|it| (it.id.as_str().to_owned(), it.status))
        .collect()
}

#[tokio::test]
async fn a_receipt_is_acknowledged_once_it_is_stored() {
    let bench = started().await;
    let order = bench.order("Hi", &[]);
    bench.submit("one", &order).await;
    *bench.book.fails.lock().unwrap() = true;
    assert_eq!(bench.fake.receipt("msg-1", "DELIVRD").await, 0x64);
    *bench.book.fails.lock().unwrap() = false;
    assert_eq!(bench.fake.receipt("msg-1", "DELIVRD").await, 0);
    let expected = [("msg-1".to_owned(), DeliveryStatus::Delivered)];
    assert_eq!(received(&bench), expected);
}

#[tokio::test]
async fn a_receipt_that_overtakes_the_answer_finds_its_message() {
    let bench = started().await;
    let order = bench.order("Hi", &[Reply::ReceiptFirst("DELIVRD")]);
    let answer = bench.submit("early", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
    bench.eventually(|it| !received(it).is_empty()).await;
    let expected = [("msg-1".to_owned(), DeliveryStatus::Delivered)];
    assert_eq!(received(&bench), expected);
}

#[tokio::test]
async fn a_receipt_of_an_unknown_message_is_asked_for_again_and_given_up_at_last() {
    let bench =
        SmppBench::with(|it| it.timers.receipt = std::time::Duration::from_millis(10)).await;
    for _ in 0..19 {
        assert_eq!(bench.fake.receipt("msg-9", "DELIVRD").await, 0x64);
    }
    assert_eq!(bench.fake.receipt("msg-9", "DELIVRD").await, 0);
    assert!(received(&bench).is_empty());
}

#[tokio::test]
async fn identities_in_another_base_are_the_same() {
    let bench = SmppBench::with(|it| it.message_ids = MessageIdForm::HexThenDecimal).await;
    let order = bench.order("Hi", &[Reply::TakesAs("1A2B3C4D".to_owned())]);
    bench.submit("hex", &order).await;
    assert_eq!(bench.fake.receipt("0439041101", "UNDELIV").await, 0);
    let expected = [("439041101".to_owned(), DeliveryStatus::Undelivered)];
    assert_eq!(received(&bench), expected);
}

#[tokio::test]
async fn what_is_no_receipt_and_what_cannot_be_read_is_answered_and_dropped() {
    let bench = started().await;
    let order = bench.order("Hi", &[]);
    bench.submit("one", &order).await;
    // What says the same as a receipt: a message to no sender, and two that a handset makes.
    let message = reply("2348031234567", "4711", b"id:msg-1 stat:DELIVRD");
    for class in [0x00, 0x08, 0x10] {
        let mut message = message.clone();
        message.esm_class = class.into();
        assert_eq!(bench.fake.deliver(Pdu::DeliverSm(message)).await, 0);
    }
    let mut nameless = receipt("", "DELIVRD");
    nameless.set_short_message(OctetString::from_vec(b"stat:DELIVRD".to_vec()).unwrap());
    assert_eq!(bench.fake.deliver(Pdu::DeliverSm(nameless)).await, 0);
    // A delivery whose body ends too soon.
    let mut cut = Vec::new();
    for number in [18_u32, 0x05, 0, 77] {
        cut.extend(number.to_be_bytes());
    }
    cut.extend([0x41, 0x41]);
    let answer = bench.fake.exchange(&cut).await;
    assert_eq!(u32::from(answer.id()), 0x8000_0005);
    assert_eq!(u32::from(answer.status()), 0x65);
    assert!(received(&bench).is_empty());
}

/// What was stored when the SMSC had taken the message over is the answer after a crash.
#[tokio::test]
async fn a_message_that_was_stored_as_accepted_is_found_without_asking_the_smsc() {
    let bench = started().await;
    let order = bench.order("Hi", &[]);
    let SubmitOutcome::Delivered(first) = bench.submit("known", &order).await.outcome else {
        panic!("not delivered");
    };
    let reference = submission("shop.known.1", order.clone()).reference;
    let asked = AttemptQuery {
        order: Some(&order),
        ..AttemptQuery::by(&reference)
    };
    let found = bench.provider.query(&asked).await.outcome;
    assert_eq!(found, domain::provider::QueryOutcome::Delivered(first));
    assert_eq!(bench.fake.record().submitted.len(), 1);
}
