//! What the network reports of a message after it was sent, delivered to the merchant. It must
//! compare each event with the report as it was then, not as it is in the end.

use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::shop::WebhookShop;
use std::time::Duration;
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily, SMS};
use tests::patience::{self, Deadline};
use tokio::task::JoinSet;

/// How long a message is watched: twice `pending_delay_ms`, until the network has reported
/// everything for the second time and what failed has come again, and a margin.
const WATCHED: Duration = Duration::from_secs(8);

/// What is reported is stored at once, so that each step is seen in the report for a while.
const SETTINGS: &str = "\
[recovery]
changes_interval_ms = 50

[sandbox]
pending_delay_ms = 3000

[webhook]
allow_loopback = true
";

/// What numbers end in, and the last word on the message.
const ENDINGS: [(&str, &str); 4] = [
    ("0000", "Delivered"),
    ("0015", "Undelivered"),
    ("0016", "Expired"),
    ("0017", "Buffered"),
];

/// How many deliveries fail: as many as there are messages.
const FAILED: u32 = 4;

/// In how many parts each is sent. The network reports on them in an order of its own, and a report
/// on all of them makes the others old: with so many, all four messages get only one report in less
/// than one of 4,000 runs.
const PARTS: usize = 8;

/// A message and every report of it that was another than the one before.
struct Watched {
    reference: String,
    last: &'static str,
    reports: Vec<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_report_of_the_network_is_delivered_as_the_report_shows_it() {
    let (shop, receiver) = (WebhookShop::with(SETTINGS), WebhookReceiver::start().await);
    shop.tells(&receiver).await;
    // The first ones come again after five seconds, when much more has happened.
    receiver.fail(FAILED);
    let mut watching = JoinSet::new();
    for ending in ENDINGS {
        watching.spawn(watch(shop.merchant.clone(), ending));
    }
    let mut steps = 0;
    for watched in watching.join_all().await {
        let events = arrived(&receiver, &watched.reference).await;
        check(&watched, &events);
        steps += events.iter().filter(|it| is_about_delivery(it)).count();
    }
    // Events arrived on its way, not only at its end.
    assert!(steps > ENDINGS.len(), "{steps} were delivered");
    assert_eq!(receiver.refused(), 0);
    tests::provider_journal::audit_is_clean(&shop.account.folder);
}

async fn watch(merchant: TestMerchant, (ending, last): (&str, &'static str)) -> Watched {
    let reference = format!("reported-{ending}");
    let (number, text) = (format!("234803123{ending}"), "a".repeat(153 * PARTS));
    let order = orders::message(&reference, &number, &text);
    merchant.post(SMS, &order).await.with_status(200);
    let path = OrderFamily::Sms.report(&reference);
    let (mut reports, deadline) = (Vec::<String>::new(), Deadline::after(WATCHED));
    while !deadline.is_over() {
        let report = merchant.get(&path).await.with_status(200);
        if reports.last() != Some(&report.body) {
            reports.push(report.body);
        }
        patience::pause().await;
    }
    Watched {
        reference,
        last,
        reports,
    }
}

/// The events of a message once the first of them has arrived, which failed at first.
async fn arrived(receiver: &WebhookReceiver, reference: &str) -> Vec<ReceivedEvent> {
    let what = format!("the first event of {reference}");
    patience::eventually(&what, Duration::from_secs(30), async || {
        let events = of(receiver, reference);
        let is_first = |event: &ReceivedEvent| event.topic() == "transaction.successful";
        events.first().is_some_and(is_first).then_some(events)
    })
    .await
}

/// The events of a message, in the order they happened.
fn of(receiver: &WebhookReceiver, reference: &str) -> Vec<ReceivedEvent> {
    let events = receiver.events().into_iter();
    let of = |event: &ReceivedEvent| event.json()["data"]["mrcReference"] == reference;
    let mut events: Vec<_> = events.filter(of).collect();
    events.sort_by_key(ReceivedEvent::sequence);
    // Whatever comes again is the same.
    events.dedup_by(|again, first| (&again.id, &again.body) == (&first.id, &first.body));
    events
}

fn is_about_delivery(event: &ReceivedEvent) -> bool {
    event.topic() == "message.status"
}

fn check(watched: &Watched, events: &[ReceivedEvent]) {
    let (reference, reports) = (&watched.reference, &watched.reports);
    let (sent, reported) = events.split_first().unwrap();
    assert_eq!(sent.topic(), "transaction.successful", "{events:#?}");
    assert!(!reported.is_empty(), "{reference}: {reports:#?}");
    assert!(reported.iter().all(is_about_delivery), "{events:#?}");
    // Each is the same to the byte as one of the reports, in the order of these. A report that was
    // replaced before it was read again was not seen; then its event is like none of those seen.
    let sequences: Vec<_> = events.iter().map(ReceivedEvent::sequence).collect();
    assert!(sequences.is_sorted_by(|a, b| a < b), "{events:#?}");
    let place = |event: &ReceivedEvent| {
        let shown = event.report();
        reports.iter().position(|report| report.contains(&shown))
    };
    let mut places: Vec<_> = events.iter().filter_map(place).collect();
    // What became of one part may leave the report as it is.
    places.dedup();
    let every = (0..reports.len()).collect::<Vec<_>>();
    assert_eq!(places, every, "{reference}: {events:#?}\n{reports:#?}");
    let last = events.last().unwrap().json()["data"]["dlvStatus"].clone();
    assert_eq!(last, watched.last, "{reference}");
}
