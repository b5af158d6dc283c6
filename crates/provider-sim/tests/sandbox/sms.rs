//! Messages: the status of their parts, and receipts that arrive late, twice and out of order. No
//! receipt may be lost behind a cursor, whatever else is reported meanwhile.

use crate::support::{LATER, SandboxWorld, airtime_to, delivered, message_to};
use domain::provider::{Fulfilment, QueryOutcome, Receipt};
use domain::sms::{DeliveryStatus, Dispatch};
use ports::provider::{Changes, Provider};
use provider_sim::SimSettings;
use provider_sim::journal::EntryEffect;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use testkit::builders::submission;
use testkit::permit::FixedPermit;
use tokio::task::JoinSet;

fn dispatch(receipt: Receipt) -> Dispatch {
    let Fulfilment::Sms(dispatch) = receipt.fulfilment else {
        panic!("not a message");
    };
    dispatch
}

async fn found(bench: &SandboxWorld, under: &str) -> Dispatch {
    let QueryOutcome::Delivered(receipt) = bench.query(under).await else {
        panic!("{under} is not with the network");
    };
    dispatch(receipt)
}

async fn changes(bench: &SandboxWorld, cursor: u64) -> Changes {
    bench.simulator().changes_since(cursor).await.unwrap()
}

/// The receipts reported for a reference, in the order they are reported.
fn reports_for(changes: &Changes, under: &str) -> Vec<Dispatch> {
    let findings = changes.findings.iter();
    let ours = findings.filter(|(reference, _)| reference.as_str() == under);
    ours.map(|(_, finding)| {
        let QueryOutcome::Delivered(receipt) = finding else {
            panic!("not a receipt: {finding:?}");
        };
        dispatch(receipt.clone())
    })
    .collect()
}

#[tokio::test]
async fn a_message_is_submitted_at_once_and_its_parts_arrive_later() {
    let bench = SandboxWorld::new();
    let outcome = bench.submit("a.1.1", message_to("4567", 3)).await;
    assert_eq!(dispatch(delivered(outcome)), Dispatch::new(3));
    assert_eq!(found(&bench, "a.1.1").await, Dispatch::new(3));
    assert_eq!(changes(&bench, 0).await.findings, []);
    bench.clock.advance(LATER).await;
    let parts = found(&bench, "a.1.1").await;
    assert_eq!(parts.parts(), [DeliveryStatus::Delivered; 3]);
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn some_numbers_are_never_reached() {
    for (ending, status) in [
        ("4567", DeliveryStatus::Delivered),
        ("0015", DeliveryStatus::Undelivered),
        ("0016", DeliveryStatus::Expired),
        ("0017", DeliveryStatus::Buffered),
    ] {
        for parts in [1, 3] {
            let bench = SandboxWorld::new();
            bench.submit("a.1.1", message_to(ending, parts)).await;
            bench.clock.advance(LATER * 2).await;
            assert_eq!(found(&bench, "a.1.1").await.overall(), status, "{ending}");
            let mut known = Dispatch::new(parts);
            for received in reports_for(&changes(&bench, 0).await, "a.1.1") {
                known = known.after(&received).unwrap_or(known);
            }
            assert_eq!(known.overall(), status, "{ending}, reported unasked");
            // The sender pays for every message that the network took over.
            assert_eq!(bench.effects(), [EntryEffect::Delivered]);
        }
    }
}

#[tokio::test]
async fn receipts_come_twice_and_old_ones_after_newer_ones() {
    let bench = SandboxWorld::new();
    bench.submit("a.1.1", message_to("4567", 4)).await;
    bench.clock.advance(LATER).await;
    let once = reports_for(&changes(&bench, 0).await, "a.1.1");
    assert!(once.len() >= 4, "one for each part at least");
    bench.clock.advance(LATER).await;
    let all = reports_for(&changes(&bench, 0).await, "a.1.1");
    let mut again = all[once.len()..].to_vec();
    again.reverse();
    assert_eq!(again, once);
    // Some receipt says less than one that came before it, and nothing becomes of it.
    let mut known = Dispatch::new(4);
    let mut stale = 0;
    for received in &all {
        match known.after(received) {
            Some(more) => known = more,
            None => stale += 1,
        }
    }
    assert!(stale >= once.len(), "{stale}");
    assert_eq!(known.overall(), DeliveryStatus::Delivered);
}

#[tokio::test]
async fn a_message_whose_answer_was_lost_is_reported_unasked() {
    for ending in ["0002", "0003", "0005", "0011"] {
        let bench = SandboxWorld::new();
        bench.submit("a.1.1", message_to(ending, 1)).await;
        bench.clock.advance(LATER * 2).await;
        let reported = reports_for(&changes(&bench, 0).await, "a.1.1");
        let last = reported.last().expect("a receipt");
        assert_eq!(last.overall(), DeliveryStatus::Delivered, "{ending}");
    }
    for ending in ["0001", "0004", "0006", "0010", "0012", "0014"] {
        let bench = SandboxWorld::new();
        bench.submit("a.1.1", message_to(ending, 1)).await;
        bench.clock.advance(LATER * 10).await;
        assert_eq!(changes(&bench, 0).await.findings, [], "{ending}");
    }
}

#[tokio::test]
async fn receipts_echo_what_the_answer_said() {
    let bench = SandboxWorld::new();
    for (under, ending) in [("a.1.1", "4567"), ("a.2.1", "0008")] {
        let answer = delivered(bench.submit(under, message_to(ending, 2)).await);
        bench.clock.advance(LATER * 2).await;
        for (reference, finding) in changes(&bench, 0).await.findings {
            let QueryOutcome::Delivered(receipt) = finding else {
                panic!("not a receipt");
            };
            assert_eq!(receipt.reference, reference);
            if reference == answer.reference {
                assert_eq!(receipt.amount, answer.amount);
            }
        }
    }
}

#[tokio::test]
async fn a_promise_made_does_not_change_with_the_settings_of_another_run() {
    let mut bench = SandboxWorld::new();
    bench.submit("a.1.1", message_to("4567", 5)).await;
    let mut other = SandboxWorld::new();
    other.submit("a.1.1", message_to("4567", 5)).await;
    other.settings.seed = 99;
    other.settings.later = LATER * 50;
    other.restart();
    for _ in 0..20 {
        bench.clock.advance(LATER / 10).await;
        other.clock.advance(LATER / 10).await;
        bench.restart();
        assert_eq!(found(&bench, "a.1.1").await, found(&other, "a.1.1").await);
        assert_eq!(changes(&bench, 0).await, changes(&other, 0).await);
    }
}

/// What is recorded first may be reported last: reversals of a slow run, receipts of a fast one,
/// requests that arrive late. A reader that continues from its cursor, over restarts, must receive
/// exactly what a reader of the whole sequence receives at the end.
#[tokio::test]
async fn nothing_is_lost_or_repeated_behind_a_cursor_whatever_becomes_due_when() {
    let mut bench = SandboxWorld::new();
    let (mut cursor, mut received) = (0, Vec::new());
    for n in 0_u64..120 {
        // Each run has another idea of "later", so what is recorded later is often due sooner.
        bench.settings.later = Duration::from_millis((n * 7_919) % 3_000);
        bench.settings.latency.max = Duration::from_millis((n * 31) % 400);
        bench.restart();
        let simulator = bench.simulator();
        for (kind, order) in [
            ("message", message_to("4567", 3)),
            ("held", message_to("0017", 1)),
            ("reversal", airtime_to("0009")),
        ] {
            let mut request = submission(&format!("{kind}.{n}.1"), order);
            request.deadline = Duration::ZERO;
            simulator.submit(&request, &FixedPermit::granted()).await;
        }
        let reported = changes(&bench, cursor).await;
        cursor = reported.next;
        received.extend(reported.findings);
        bench
            .clock
            .advance(Duration::from_millis(n * 13 % 170))
            .await;
    }
    bench.clock.advance(Duration::from_secs(10)).await;
    loop {
        let reported = changes(&bench, cursor).await;
        if reported.findings.is_empty() {
            break;
        }
        cursor = reported.next;
        received.extend(reported.findings);
    }
    bench.restart();
    let (mut from, mut all) = (0, Vec::new());
    while from < cursor {
        let reported = changes(&bench, from).await;
        from = reported.next;
        all.extend(reported.findings);
    }
    assert_eq!(received.len(), all.len());
    assert!(
        received == all,
        "received in another order than that of the journal"
    );
    let mut times: BTreeMap<_, u32> = BTreeMap::new();
    for (reference, finding) in &all {
        let what = if *finding == QueryOutcome::Reversed {
            "reversed"
        } else {
            "receipt"
        };
        *times.entry((reference.to_string(), what)).or_default() += 1;
    }
    assert_eq!(times.len(), 360);
    for ((reference, what), times) in times {
        match what {
            "reversed" => assert_eq!(times, 1, "{reference}"),
            _ => assert!(times >= 2 && times.is_multiple_of(2), "{reference}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_among_many_writers_receives_everything_once() {
    const WRITERS: usize = 4;
    const EACH: usize = 300;
    let settings = SimSettings {
        later: Duration::ZERO,
        ..SimSettings::default()
    };
    let bench = SandboxWorld::with(settings);
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let (simulator, clock) = (bench.simulator(), bench.clock.clone());
        writers.spawn(async move {
            for n in 0..EACH {
                let under = format!("shop.{writer}-{n}.1");
                simulator
                    .submit(
                        &submission(&under, airtime_to("0009")),
                        &FixedPermit::granted(),
                    )
                    .await;
                clock.advance(Duration::from_millis(1)).await;
            }
        });
    }
    let (mut cursor, mut received) = (0, BTreeSet::new());
    while received.len() < WRITERS * EACH {
        let writing = !writers.is_empty();
        while writers.try_join_next().is_some() {}
        let reported = changes(&bench, cursor).await;
        assert!(
            writing || !reported.findings.is_empty(),
            "some are never reported"
        );
        cursor = reported.next;
        for (reference, _) in reported.findings {
            assert!(received.insert(reference.to_string()), "{reference} again");
        }
    }
}
