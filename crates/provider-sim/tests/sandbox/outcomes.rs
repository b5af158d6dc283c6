//! Every outcome a number can force: the answer, what a query says over time, and what the journal
//! says was really delivered. A test must set the time, never wait for it.

use crate::support::{
    A_MILLISECOND, JUST_BEFORE_LATER, JUST_BEFORE_SLOW, LATER, SandboxWorld, airtime_to, bill_of,
    delivered, vend_for,
};
use domain::provider::{Fulfilment, QueryOutcome, RefusalKind, SubmitOutcome, UnknownCause};
use ports::provider::{LookupFailure, Meters, Provider};
use provider_sim::SimSettings;
use provider_sim::journal::EntryEffect;
use std::time::Duration;
use testkit::builders::submission;
use testkit::permit::FixedPermit;
use tokio::task::JoinSet;

#[tokio::test]
async fn a_number_that_forces_nothing_is_delivered_at_once() {
    let bench = SandboxWorld::new();
    for (under, order) in [
        ("a.1.1", airtime_to("4567")),
        ("a.2.1", vend_for("4567")),
        ("a.3.1", bill_of("4567")),
        ("a.4.1", airtime_to("0013")),
        ("a.5.1", bill_of("0013")),
    ] {
        let receipt = delivered(bench.submit(under, order.clone()).await);
        assert_eq!(receipt.reference.as_str(), under);
        assert_eq!(receipt.amount, order.amount());
        assert!(receipt.fulfilment.completes(&order), "{under}");
        assert_eq!(bench.query(under).await, QueryOutcome::Delivered(receipt));
    }
    assert_eq!(bench.effects(), [EntryEffect::Delivered; 5]);
}

#[tokio::test]
async fn number_0001_is_refused_for_good() {
    let bench = SandboxWorld::new();
    for (under, order) in [("a.1.1", airtime_to("0001")), ("a.2.1", vend_for("0001"))] {
        let SubmitOutcome::Declined(refusal) = bench.submit(under, order).await else {
            panic!("not refused");
        };
        bench.clock.advance(LATER * 100).await;
        assert_eq!(bench.query(under).await, QueryOutcome::Declined(refusal));
    }
    assert_eq!(bench.effects(), [EntryEffect::Refused; 2]);
}

#[tokio::test]
async fn number_0002_is_pending_and_delivered_later() {
    let bench = SandboxWorld::new();
    let order = vend_for("0002");
    assert_eq!(
        bench.submit("a.1.1", order.clone()).await,
        SubmitOutcome::Pending
    );
    bench.clock.advance(JUST_BEFORE_LATER).await;
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Pending);
    assert_eq!(bench.effects(), [EntryEffect::Awaited]);
    bench.clock.advance(A_MILLISECOND).await;
    let QueryOutcome::Delivered(receipt) = bench.query("a.1.1").await else {
        panic!("not delivered in time");
    };
    assert!(receipt.fulfilment.completes(&order));
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn numbers_0003_0005_and_0011_are_delivered_though_the_answer_does_not_say_so() {
    let bench = SandboxWorld::new();
    for (ending, cause) in [
        ("0003", UnknownCause::ConnectionLost),
        ("0005", UnknownCause::ServerError),
        ("0011", UnknownCause::DuplicateReference),
    ] {
        let order = airtime_to(ending);
        let outcome = bench.submit(ending, order.clone()).await;
        assert_eq!(outcome, SubmitOutcome::Unknown(cause));
        let QueryOutcome::Delivered(receipt) = bench.query(ending).await else {
            panic!("{ending} is not found delivered");
        };
        assert!(receipt.matches(&receipt.reference, &order));
    }
    assert_eq!(bench.effects(), [EntryEffect::Delivered; 3]);
}

#[tokio::test]
async fn numbers_0004_0006_and_0012_leave_no_trace() {
    let bench = SandboxWorld::new();
    for (ending, outcome) in [
        ("0004", SubmitOutcome::Unknown(UnknownCause::Timeout)),
        ("0006", SubmitOutcome::Unknown(UnknownCause::Unreadable)),
        ("0012", SubmitOutcome::NotSent),
    ] {
        assert_eq!(bench.submit(ending, vend_for(ending)).await, outcome);
        bench.clock.advance(LATER * 100).await;
        assert_eq!(bench.query(ending).await, QueryOutcome::NotFound);
    }
    assert_eq!(bench.effects(), []);
    assert_eq!(bench.clock.sleepers(), 0);
}

#[tokio::test]
async fn number_0007_answers_when_it_delivers_and_not_before() {
    let bench = SandboxWorld::new();
    let simulator = bench.simulator();
    let request = submission("a.1.1", airtime_to("0007"));
    let mut answer = JoinSet::new();
    answer.spawn(async move {
        simulator
            .submit(&request, &FixedPermit::granted())
            .await
            .outcome
    });
    bench.clock.advance(JUST_BEFORE_SLOW).await;
    assert!(answer.try_join_next().is_none());
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Pending);
    assert_eq!(bench.effects(), [EntryEffect::Awaited]);
    bench.clock.advance(A_MILLISECOND).await;
    let receipt = delivered(answer.join_next().await.unwrap().unwrap());
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Delivered(receipt));
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn a_slow_delivery_happens_even_after_the_gateway_stopped_waiting() {
    let bench = SandboxWorld::new();
    let simulator = bench.simulator();
    let mut request = submission("a.1.1", airtime_to("0007"));
    request.deadline = Duration::from_secs(20);
    let mut answer = JoinSet::new();
    answer.spawn(async move {
        simulator
            .submit(&request, &FixedPermit::granted())
            .await
            .outcome
    });
    bench.clock.advance(Duration::from_secs(20)).await;
    let outcome = answer.join_next().await.unwrap().unwrap();
    assert_eq!(outcome, SubmitOutcome::Unknown(UnknownCause::Timeout));
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Pending);
    bench.clock.advance(Duration::from_secs(5)).await;
    assert!(matches!(
        bench.query("a.1.1").await,
        QueryOutcome::Delivered(_)
    ));
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn number_0008_delivers_and_echoes_another_amount() {
    let bench = SandboxWorld::new();
    for (under, order) in [("a.1.1", airtime_to("0008")), ("a.2.1", vend_for("0008"))] {
        let receipt = delivered(bench.submit(under, order.clone()).await);
        assert_eq!(receipt.reference.as_str(), under);
        assert_ne!(receipt.amount, order.amount());
        assert_eq!(
            bench.query(under).await,
            QueryOutcome::Delivered(receipt.clone())
        );
        let entry = bench.entries().pop().unwrap();
        assert_eq!(
            (entry.ordered, entry.amount),
            (order.amount(), receipt.amount)
        );
    }
}

#[tokio::test]
async fn number_0009_is_reversed_later_and_reported_unasked() {
    let bench = SandboxWorld::new();
    let receipt = delivered(bench.submit("a.1.1", airtime_to("0009")).await);
    bench.clock.advance(JUST_BEFORE_LATER).await;
    assert_eq!(
        bench.query("a.1.1").await,
        QueryOutcome::Delivered(receipt.clone())
    );
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
    let changes = bench.simulator().changes_since(0).await.unwrap();
    assert_eq!((changes.findings, changes.next), (vec![], 0));

    bench.clock.advance(A_MILLISECOND).await;
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Reversed);
    assert_eq!(bench.effects(), [EntryEffect::Reversed]);
    let changes = bench.simulator().changes_since(0).await.unwrap();
    assert_eq!(
        changes.findings,
        [(receipt.reference, QueryOutcome::Reversed)]
    );
    let changes = bench.simulator().changes_since(changes.next).await.unwrap();
    assert_eq!((changes.findings, changes.next), (vec![], 1));
}

#[tokio::test]
async fn number_0010_is_pending_for_ever() {
    let bench = SandboxWorld::new();
    assert_eq!(
        bench.submit("a.1.1", airtime_to("0010")).await,
        SubmitOutcome::Pending
    );
    bench.clock.advance(Duration::from_hours(24 * 365)).await;
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Pending);
    assert_eq!(bench.effects(), [EntryEffect::Awaited]);
}

#[tokio::test]
async fn meter_0013_gets_its_token_later() {
    let bench = SandboxWorld::new();
    let order = vend_for("0013");
    let first = delivered(bench.submit("a.1.1", order.clone()).await);
    assert!(!first.fulfilment.completes(&order));
    bench.clock.advance(JUST_BEFORE_LATER).await;
    assert_eq!(
        bench.query("a.1.1").await,
        QueryOutcome::Delivered(first.clone())
    );
    assert_eq!(bench.effects(), [EntryEffect::Awaited]);
    bench.clock.advance(A_MILLISECOND).await;
    let QueryOutcome::Delivered(last) = bench.query("a.1.1").await else {
        panic!("not delivered in time");
    };
    assert!(last.fulfilment.completes(&order));
    let (Fulfilment::Electricity(before), Fulfilment::Electricity(mut after)) =
        (first.fulfilment, last.fulfilment)
    else {
        panic!("not electricity");
    };
    after.token = None;
    assert_eq!(before, after, "the token is all that was missing");
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn number_0014_is_unknown_to_the_biller() {
    let bench = SandboxWorld::new();
    for (under, order) in [("a.1.1", airtime_to("0014")), ("a.2.1", vend_for("0014"))] {
        assert!(matches!(
            bench.submit(under, order).await,
            SubmitOutcome::Declined(_)
        ));
        assert!(matches!(
            bench.query(under).await,
            QueryOutcome::Declined(_)
        ));
    }
    assert_eq!(bench.effects(), [EntryEffect::Refused; 2]);
}

#[tokio::test]
async fn numbers_0018_to_0020_are_refused_for_their_own_reasons() {
    let bench = SandboxWorld::new();
    let moment = RefusalKind::Moment {
        retry_after: Some(Duration::from_secs(30)),
    };
    for (ending, kind) in [
        ("0001", RefusalKind::Order),
        ("0018", RefusalKind::Account),
        ("0019", moment),
        ("0020", RefusalKind::Lookalike),
    ] {
        let SubmitOutcome::Declined(answered) = bench.submit(ending, airtime_to(ending)).await
        else {
            panic!("{ending} was not refused");
        };
        assert_eq!(answered.kind, kind);
        assert_eq!(bench.query(ending).await, QueryOutcome::Declined(answered));
    }
    assert_eq!(bench.effects(), [EntryEffect::Refused; 4]);
}

#[tokio::test]
async fn a_meter_of_an_unknown_company_is_refused() {
    let bench = SandboxWorld::new();
    let mut order = vend_for("4567");
    if let domain::order::Order::Electricity(order) = &mut order {
        order.meter.disco = domain::electricity::DiscoCode::parse("999").unwrap();
    }
    assert!(matches!(
        bench.submit("a.1.1", order).await,
        SubmitOutcome::Declined(_)
    ));
    assert_eq!(bench.effects(), [EntryEffect::Refused]);
}

#[tokio::test]
async fn lookups_of_0012_and_0014_fail_and_all_others_answer() {
    use domain::billing::Billing;
    use domain::electricity::{DiscoCode, MeterNumber};
    let bench = SandboxWorld::new();
    let simulator = bench.simulator();
    let look_up = async |disco: &str, number: &str| {
        let disco = DiscoCode::parse(disco).unwrap();
        let number = MeterNumber::parse(number).unwrap();
        simulator.meter(&disco, &number, Billing::Prepaid).await
    };
    assert_eq!(
        look_up("106", "04511120012").await,
        Err(LookupFailure::Unreachable)
    );
    assert_eq!(
        look_up("106", "04511120014").await,
        Err(LookupFailure::Unknown)
    );
    assert_eq!(
        look_up("999", "04511124567").await,
        Err(LookupFailure::Unknown)
    );
    for ending in ["0001", "0002", "0013", "4567"] {
        let number = format!("0451112{ending}");
        let meter = look_up("106", &number).await.unwrap();
        assert_eq!(meter.number.digits(), number);
    }
}

#[tokio::test]
async fn a_request_under_way_is_unknown_until_it_arrives_and_late_answers_do_not_count() {
    let mut settings = SimSettings::default();
    settings.latency.min = Duration::from_secs(40);
    settings.latency.max = Duration::from_secs(40);
    let mut bench = SandboxWorld::with(settings);
    let simulator = bench.simulator();
    let mut request = submission("a.1.1", airtime_to("4567"));
    request.deadline = Duration::from_secs(10);
    let mut answer = JoinSet::new();
    answer.spawn(async move {
        simulator
            .submit(&request, &FixedPermit::granted())
            .await
            .outcome
    });
    bench.clock.advance(Duration::from_secs(10)).await;
    let outcome = answer.join_next().await.unwrap().unwrap();
    assert_eq!(outcome, SubmitOutcome::Unknown(UnknownCause::Timeout));
    // A query without latency overtakes the request.
    bench.settings = SimSettings::default();
    bench.restart();
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::NotFound);
    assert_eq!(bench.effects(), [EntryEffect::Awaited]);
    bench.clock.advance(Duration::from_secs(10)).await;
    assert!(matches!(
        bench.query("a.1.1").await,
        QueryOutcome::Delivered(_)
    ));
    assert_eq!(bench.effects(), [EntryEffect::Delivered]);
}

#[tokio::test]
async fn fault_rates_strike_as_often_as_they_say_and_leave_forced_outcomes_alone() {
    let mut settings = SimSettings::default();
    settings.faults.answer_lost_per_mille = 200;
    settings.faults.request_lost_per_mille = 100;
    settings.faults.not_sent_per_mille = 100;
    let bench = SandboxWorld::with(settings);
    let (mut good, mut not_sent, mut unanswered, mut lost) = (0, 0, 0, 0);
    for n in 0..2000 {
        let under = format!("a.{n}.1");
        let outcome = bench.submit(&under, airtime_to("4567")).await;
        match (outcome, bench.query(&under).await) {
            (SubmitOutcome::Delivered(_), QueryOutcome::Delivered(_)) => good += 1,
            (SubmitOutcome::NotSent, QueryOutcome::NotFound) => not_sent += 1,
            (SubmitOutcome::Unknown(_), QueryOutcome::Delivered(_)) => unanswered += 1,
            (SubmitOutcome::Unknown(UnknownCause::Timeout), QueryOutcome::NotFound) => lost += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!((1100..1300).contains(&good), "{good}");
    assert!((150..250).contains(&not_sent), "{not_sent}");
    assert!((330..470).contains(&unanswered), "{unanswered}");
    assert!((150..250).contains(&lost), "{lost}");
    for n in 0..50 {
        let outcome = bench.submit(&format!("b.{n}.1"), airtime_to("0010")).await;
        assert_eq!(outcome, SubmitOutcome::Pending);
    }
}

#[tokio::test]
async fn a_reference_the_journal_cannot_hold_is_refused_and_not_delivered() {
    let bench = SandboxWorld::new();
    let outcome = bench.submit("a\tb", airtime_to("4567")).await;
    assert!(matches!(outcome, SubmitOutcome::Declined(_)));
    assert_eq!(bench.effects(), []);
}
