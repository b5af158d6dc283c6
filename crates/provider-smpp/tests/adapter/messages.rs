//! What is sent of a message, how often, and what its answers come to.

use crate::bench::{SmppBench, started, three_parts};
use crate::fake::Reply;
use domain::family::AbsenceEnds;
use domain::order::{Order, Service};
use domain::provider::{Fulfilment, SubmitOutcome, UnknownCause};
use domain::sms::{DeliveryStatus, MessageKind};
use ports::permit::Withheld;
use ports::provider::{AttemptQuery, Provider as _};
use ports::receipts::{Acceptance, MessageExtent};
use provider_smpp::LongMessages;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::submission;
use testkit::permit::FixedPermit;
use tokio::sync::Semaphore;

fn unknown(cause: UnknownCause) -> SubmitOutcome {
    SubmitOutcome::Unknown(cause)
}

#[tokio::test]
async fn a_message_of_three_parts_is_taken_over_with_an_identity_for_each() {
    let bench = started().await;
    let order = bench.order(&three_parts(), &[]);
    let answer = bench.submit("three", &order).await;
    let SubmitOutcome::Delivered(receipt) = answer.outcome else {
        panic!("{:?}", answer.outcome);
    };
    assert_eq!(receipt.reference.as_str(), "shop.three.1");
    assert_eq!(receipt.amount, order.amount());
    let Fulfilment::Sms(dispatch) = receipt.fulfilment else {
        panic!("no message");
    };
    assert_eq!(dispatch.parts(), [DeliveryStatus::Submitted; 3]);
    assert_eq!(answer.details.id.unwrap().as_str(), "msg-1,msg-2,msg-3");
    let remembered = bench.book.remembered.lock().unwrap().clone();
    assert_eq!(remembered.len(), 1);
    assert_eq!(remembered[0].acceptance, Acceptance::Whole);
    let parts: Vec<_> = remembered[0]
        .accepted
        .iter()
        .map(|part| (part.id.as_str().to_owned(), part.extent))
        .collect();
    let expected = [1, 2, 3].map(|at| (format!("msg-{at}"), MessageExtent::Part(at - 1)));
    assert_eq!(parts, expected);
    let record = bench.fake.record();
    let orders: Vec<_> = record
        .submitted
        .iter()
        .map(|pdu| pdu.short_message()[5])
        .collect();
    assert_eq!(orders, [1, 2, 3]);
}

#[tokio::test]
async fn a_payload_is_one_message_that_stands_for_every_part() {
    let bench = SmppBench::with(|it| it.long_messages = LongMessages::Payload).await;
    let order = bench.order(&three_parts(), &[]);
    let answer = bench.submit("payload", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
    let remembered = bench.book.remembered.lock().unwrap().clone();
    assert_eq!(remembered[0].parts, 3);
    assert_eq!(remembered[0].accepted.len(), 1);
    assert_eq!(remembered[0].accepted[0].extent, MessageExtent::All);
    assert_eq!(bench.fake.record().submitted.len(), 1);
}

#[tokio::test]
async fn a_first_part_that_is_refused_refuses_the_message_and_nothing_follows() {
    let bench = started().await;
    let order = bench.order(&three_parts(), &[Reply::Status(0x58)]);
    let answer = bench.submit("refused", &order).await;
    assert!(
        matches!(answer.outcome, SubmitOutcome::Declined(_)),
        "{:?}",
        answer.outcome
    );
    assert_eq!(bench.fake.parts_for(order.digits()), 1);
    assert!(bench.book.remembered.lock().unwrap().is_empty());
}

/// A part that was taken cannot be recalled, so the message is neither refused nor sent again.
#[tokio::test]
async fn a_message_that_is_taken_in_part_is_unknown_whatever_became_of_the_rest() {
    let bench = SmppBench::with(|it| it.timers.answer = Duration::from_millis(300)).await;
    for (name, second, cause) in [
        ("throttled", Reply::Status(0x58), UnknownCause::Unlisted),
        ("full", Reply::Status(0x14), UnknownCause::Unlisted),
        ("error", Reply::Status(0x08), UnknownCause::ServerError),
        ("silent", Reply::Silence, UnknownCause::Timeout),
        ("cut", Reply::Cut, UnknownCause::ConnectionLost),
        ("nack", Reply::Nack, UnknownCause::Unreadable),
    ] {
        bench.book.remembered.lock().unwrap().clear();
        let order = bench.order(&three_parts(), &[Reply::Takes, second]);
        let answer = bench.submit(name, &order).await;
        assert_eq!(answer.outcome, unknown(cause), "{name}");
        assert!(answer.details.id.is_some(), "{name}");
        let remembered = bench.book.remembered.lock().unwrap().clone();
        assert_eq!(remembered[0].acceptance, Acceptance::Partial, "{name}");
        assert!(remembered[0].accepted.len() < 3, "{name}");
        assert!(bench.fake.parts_for(order.digits()) <= 3, "{name}");
        let reference = submission(&format!("shop.{name}.1"), order.clone()).reference;
        let asked = AttemptQuery {
            order: Some(&order),
            ..AttemptQuery::by(&reference)
        };
        let found = bench.provider.query(&asked).await.outcome;
        assert_eq!(found, domain::provider::QueryOutcome::Unknown, "{name}");
    }
}

#[tokio::test]
async fn what_has_no_answer_that_can_be_read_is_unknown_and_written_once() {
    let bench = SmppBench::with(|it| it.timers.answer = Duration::from_millis(300)).await;
    for (name, reply, cause) in [
        ("silent", Reply::Silence, UnknownCause::Timeout),
        ("cut", Reply::Cut, UnknownCause::ConnectionLost),
        ("nack", Reply::Nack, UnknownCause::Unreadable),
        (
            "unnamed",
            Reply::TakesAs(String::new()),
            UnknownCause::Unreadable,
        ),
        ("bare", Reply::Status(0), UnknownCause::Unreadable),
    ] {
        let order = bench.order("Hi", &[reply]);
        let answer = bench.submit(name, &order).await;
        assert_eq!(answer.outcome, unknown(cause), "{name}");
        assert_eq!(bench.fake.parts_for(order.digits()), 1, "{name}");
    }
}

#[tokio::test]
async fn without_a_permit_nothing_is_written() {
    let bench = started().await;
    let refusals: [fn() -> FixedPermit; 4] = [
        || FixedPermit::withheld(Withheld::BudgetSpent),
        || FixedPermit::withheld(Withheld::TakenOver),
        || FixedPermit::withheld(Withheld::Unconfirmed),
        FixedPermit::granted_too_late,
    ];
    for (number, permit) in refusals.into_iter().enumerate() {
        let permit = permit();
        let order = bench.order(&three_parts(), &[]);
        let name = format!("permit-{number}");
        let answer = bench.submit_permitted(&name, &order, &permit).await;
        assert_eq!(answer.outcome, SubmitOutcome::NotSent);
        assert_eq!(permit.asked(), 1);
    }
    assert!(bench.fake.record().submitted.is_empty());
    // The session is as good as before.
    let order = bench.order("Hi", &[]);
    let answer = bench.submit("after", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
    assert_eq!(bench.fake.record().binds.len(), 1);
}

#[tokio::test]
async fn no_more_is_outstanding_than_the_window_allows() {
    let bench = SmppBench::with(|it| it.window = 2).await;
    let held = Arc::new(Semaphore::new(0));
    bench.fake.record().held = Some(Arc::clone(&held));
    let orders: Vec<_> = (0..4).map(|_| bench.order("Hi", &[])).collect();
    let [first, second, third, last] = [0, 1, 2, 3].map(|at| {
        let (bench, order) = (&bench, &orders[at]);
        async move { bench.submit(&format!("w-{at}"), order).await }
    });
    let sending = async { tokio::join!(first, second, third, last) };
    let releasing = async {
        bench
            .eventually(|it| it.fake.record().outstanding == 2)
            .await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(bench.fake.record().submitted.len(), 2);
        held.add_permits(10);
    };
    let (answers, ()) = tokio::join!(sending, releasing);
    for answer in [answers.0, answers.1, answers.2, answers.3] {
        assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
    }
    assert_eq!(bench.fake.record().outstanding_max, 2);
    // A message of more parts than the window has places goes through it all the same.
    let order = bench.order(&three_parts(), &[]);
    let answer = bench.submit("long", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
    assert_eq!(bench.fake.record().outstanding_max, 2);
}

#[tokio::test]
async fn what_finds_no_place_in_the_window_is_not_sent() {
    let bench = SmppBench::with(|it| {
        it.window = 1;
        it.timers.room = Duration::from_millis(200);
    })
    .await;
    bench.fake.record().held = Some(Arc::new(Semaphore::new(0)));
    let first = bench.order("Hi", &[]);
    let second = bench.order("Hi", &[]);
    let waiting = tokio::time::timeout(Duration::from_millis(800), bench.submit("first", &first));
    let late = async {
        bench
            .eventually(|it| it.fake.record().outstanding == 1)
            .await;
        bench.submit("second", &second).await
    };
    let (first, second) = tokio::join!(waiting, late);
    assert!(first.is_err(), "it was answered");
    assert_eq!(second.outcome, SubmitOutcome::NotSent);
    assert_eq!(bench.fake.record().submitted.len(), 1);
}

#[tokio::test]
async fn parts_are_spaced_by_what_was_agreed() {
    let bench = SmppBench::with(|it| it.throughput = 20).await;
    let sending = async {
        for at in 0..6 {
            let order = bench.order("Hi", &[]);
            let answer = bench.submit(&format!("paced-{at}"), &order).await;
            assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
        }
    };
    // Six parts at twenty a second take a quarter of a second.
    let ended = tokio::time::timeout(Duration::from_millis(200), sending).await;
    assert!(ended.is_err(), "they were sent faster than agreed");
    assert!(bench.fake.record().submitted.len() >= 2);
}

#[tokio::test]
async fn silence_leads_to_a_person_and_a_wap_push_is_not_served() {
    let bench = started().await;
    let policy = bench.provider.absence_policy(Service::Sms);
    assert_eq!(policy.ends, AbsenceEnds::Search);
    let Order::Sms(mut order) = bench.order("https://example.com", &[]) else {
        panic!("no message");
    };
    order.kind = MessageKind::Wap;
    let order = Order::Sms(order);
    assert!(!bench.provider.serves(&order));
    let answer = bench.submit("wap", &order).await;
    assert_eq!(answer.outcome, SubmitOutcome::NotSent);
}
