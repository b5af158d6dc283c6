//! Waiting for the journal's lock while another process holds it. No other task may be blocked by
//! that, and nothing may be recorded for a request whose wait was cancelled.

use crate::support::{LATER, SandboxWorld, airtime_to, delivered};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use ports::provider::{AttemptQuery, Provider};
use std::fs::{self, File};
use std::time::Duration;
use testkit::builders::submission;
use testkit::clock::settle;
use testkit::permit::FixedPermit;
use tokio::task::JoinSet;

const DEADLINE: Duration = Duration::from_secs(30);

/// A process that took the lock and was stopped.
fn stopped_holder(bench: &SandboxWorld) -> File {
    let file = File::open(bench.path()).unwrap();
    file.lock().unwrap();
    file
}

#[tokio::test]
async fn an_order_waits_for_its_turn_and_blocks_no_other_task() {
    let bench = SandboxWorld::new();
    let held = stopped_holder(&bench);
    let before = fs::read(bench.path()).unwrap();
    let mut tasks = JoinSet::new();
    for n in 0..20 {
        let simulator = bench.simulator();
        let mut request = submission(&format!("a.{n}.1"), airtime_to("4567"));
        request.deadline = DEADLINE;
        tasks.spawn(async move {
            simulator
                .submit(&request, &FixedPermit::granted())
                .await
                .outcome
        });
    }
    // There is one thread: were it stopped, this would never be reached.
    bench.clock.advance(Duration::from_secs(1)).await;
    assert_eq!(fs::read(bench.path()).unwrap(), before);
    drop(held);
    bench.clock.advance(Duration::from_millis(8)).await;
    for outcome in tasks.join_all().await {
        delivered(outcome);
    }
    assert_eq!(bench.entries().len(), 20);
}

#[tokio::test]
async fn an_order_whose_turn_does_not_come_by_its_deadline_is_never_recorded() {
    let bench = SandboxWorld::new();
    let held = stopped_holder(&bench);
    let before = fs::read(bench.path()).unwrap();
    let mut tasks = JoinSet::new();
    let simulator = bench.simulator();
    let mut request = submission("a.1.1", airtime_to("4567"));
    request.deadline = DEADLINE;
    tasks.spawn(async move {
        simulator
            .submit(&request, &FixedPermit::granted())
            .await
            .outcome
    });
    bench.clock.advance(DEADLINE).await;
    let outcome = tasks.join_next().await.unwrap().unwrap();
    assert_eq!(outcome, SubmitOutcome::Unknown(UnknownCause::Timeout));
    drop(held);
    bench.clock.advance(LATER).await;
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::NotFound);
    assert_eq!(fs::read(bench.path()).unwrap(), before);
    delivered(bench.submit("a.1.1", airtime_to("4567")).await);
}

#[tokio::test]
async fn an_order_that_is_given_up_while_it_waits_is_never_recorded() {
    let bench = SandboxWorld::new();
    let held = stopped_holder(&bench);
    let mut tasks = JoinSet::new();
    let simulator = bench.simulator();
    let request = submission("a.1.1", airtime_to("4567"));
    tasks.spawn(async move {
        simulator
            .submit(&request, &FixedPermit::granted())
            .await
            .outcome
    });
    settle().await;
    tasks.shutdown().await;
    drop(held);
    bench.clock.advance(DEADLINE).await;
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::NotFound);
}

#[tokio::test]
async fn while_the_journal_is_locked_no_query_answers_not_found() {
    let bench = SandboxWorld::new();
    let receipt = delivered(bench.submit("a.1.1", airtime_to("4567")).await);
    let held = stopped_holder(&bench);
    let mut tasks = JoinSet::new();
    let simulator = bench.simulator();
    tasks.spawn(async move {
        let found = simulator
            .query(&AttemptQuery::by(&ProviderReference::from_echo("a.2.1")))
            .await
            .outcome;
        (found, simulator.changes_since(0).await.is_err())
    });
    // An entry that was read before needs no read of the journal.
    assert_eq!(bench.query("a.1.1").await, QueryOutcome::Delivered(receipt));
    bench.clock.advance(Duration::from_secs(10)).await;
    let answers = tasks.join_next().await.unwrap().unwrap();
    assert_eq!(answers, (QueryOutcome::Unknown, true));
    drop(held);
    assert_eq!(bench.query("a.2.1").await, QueryOutcome::NotFound);
    assert!(bench.simulator().changes_since(0).await.is_ok());
}
