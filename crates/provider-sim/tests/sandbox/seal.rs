//! Seals: a reference that was never seen is refused for ever, and what had arrived stays as it is.

use crate::support::{Restless, SandboxWorld, airtime_to, runtime};
use domain::provider::{QueryOutcome, RefusalKind, SubmitOutcome};
use domain::reference::ProviderReference;
use ports::provider::{AttemptQuery, Provider, Seals};
use provider_sim::{SimSettings, Simulator, journal};
use std::sync::{Arc, Barrier};
use std::thread;
use tempfile::TempDir;
use testkit::builders::submission;
use testkit::permit::FixedPermit;

fn reference(under: &str) -> ProviderReference {
    ProviderReference::from_echo(under)
}

fn is_seal(finding: &QueryOutcome) -> bool {
    let QueryOutcome::Declined(refusal) = finding else {
        return false;
    };
    refusal.code == "sealed" && refusal.kind == RefusalKind::Moment { retry_after: None }
}

#[tokio::test]
async fn a_late_request_meets_the_seal_and_delivers_nothing() {
    let mut bench = SandboxWorld::new();
    let under = reference("shop.sealed.1");
    assert!(is_seal(&bench.simulator().seal(&under).await));
    for _ in 0..2 {
        let late = bench.submit("shop.sealed.1", airtime_to("4567")).await;
        assert!(
            matches!(&late, SubmitOutcome::Declined(it) if it.code == "sealed"),
            "{late:?}"
        );
        assert!(is_seal(&bench.query("shop.sealed.1").await));
        assert!(is_seal(&bench.simulator().seal(&under).await));
        bench.restart();
    }
    assert_eq!(bench.entries(), []);
    assert!(
        bench
            .simulator()
            .changes_since(0)
            .await
            .unwrap()
            .findings
            .is_empty()
    );
}

#[tokio::test]
async fn a_seal_changes_nothing_about_what_had_arrived() {
    let bench = SandboxWorld::new();
    let delivered = bench.submit("shop.there.1", airtime_to("4567")).await;
    let SubmitOutcome::Delivered(receipt) = delivered else {
        panic!("{delivered:?}");
    };
    let sealed = bench.another().seal(&reference("shop.there.1")).await;
    assert_eq!(sealed, QueryOutcome::Delivered(receipt));
    bench.submit("shop.later.1", airtime_to("0002")).await;
    let sealed = bench.simulator().seal(&reference("shop.later.1")).await;
    assert_eq!(sealed, QueryOutcome::Pending);
    assert_eq!(bench.entries().len(), 2);
}

/// Two processes, one seals and one sends: either the seal is first and nothing is delivered, or
/// the request is first and the seal finds it. Both agree, each time.
#[test]
fn a_seal_that_races_a_request_agrees_with_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sandbox.journal");
    let open = || Simulator::open(&path, SimSettings::default(), Arc::new(Restless)).unwrap();
    let (sender, sealer) = (Arc::new(open()), Arc::new(open()));
    let (mut refused, mut delivered) = (0, 0);
    for n in 0..1_000 {
        let under = format!("shop.race-{n}.1");
        let (barrier, both) = (Arc::new(Barrier::new(2)), sender.clone());
        let (sends_from, seals_from) = (sender.clone(), sealer.clone());
        let sends = {
            let (under, barrier) = (under.clone(), barrier.clone());
            thread::spawn(move || {
                let sent = submission(&under, airtime_to("4567"));
                barrier.wait();
                let permit = FixedPermit::granted();
                let answer = sends_from.submit(&sent, &permit);
                runtime().block_on(answer).outcome
            })
        };
        let seals = {
            let under = reference(&under);
            thread::spawn(move || {
                barrier.wait();
                runtime().block_on(seals_from.seal(&under))
            })
        };
        let (outcome, finding) = (sends.join().unwrap(), seals.join().unwrap());
        match (&outcome, &finding) {
            (SubmitOutcome::Delivered(one), QueryOutcome::Delivered(other)) => {
                assert_eq!(one, other);
                delivered += 1;
            }
            (SubmitOutcome::Declined(refusal), it) if is_seal(it) => {
                assert_eq!(refusal.code, "sealed");
                refused += 1;
            }
            _ => panic!("{outcome:?} and {finding:?}"),
        }
        let found = runtime().block_on(async {
            let reference = reference(&under);
            both.query(&AttemptQuery::by(&reference)).await.outcome
        });
        assert_eq!(found, finding);
    }
    assert_eq!(refused + delivered, 1_000);
    assert_eq!(journal::read(&path).unwrap().len(), delivered);
}
