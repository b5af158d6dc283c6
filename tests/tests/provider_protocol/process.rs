//! The sandbox as a process of its own, killed and started again over its files.

use crate::support::adapter;
use domain::provider::{QueryOutcome, Submission, SubmitOutcome};
use domain::time::Timestamp;
use ports::clock::Clock;
use ports::provider::{AttemptQuery, Provider};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;
use testkit::builders::{airtime, submission};
use testkit::clock::ManualClock;
use testkit::permit::FixedPermit;
use tests::sandbox_process::SandboxProcess;

#[expect(
    clippy::disallowed_methods,
    reason = "the other side is a process with the clock of the machine"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap())
}

fn sent(under: &str, ending: &str) -> Submission {
    let mut sent = submission(under, airtime().to(&format!("234803555{ending}")).order());
    sent.not_after = now().plus(Duration::from_mins(1));
    sent
}

async fn ask(provider: &dyn Provider, sent: &Submission) -> QueryOutcome {
    let asked = AttemptQuery {
        order: Some(&sent.order),
        started_at: Some(sent.started_at),
        ..AttemptQuery::by(&sent.reference)
    };
    provider.query(&asked).await.outcome
}

#[tokio::test]
async fn what_a_process_sold_is_known_to_the_next_and_never_sold_again() {
    let folder = TempDir::new().unwrap();
    tests::secret::write(folder.path().join("keys"), crate::support::KEYS);
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(now()));
    let first = SandboxProcess::start(folder.path());
    let provider = adapter(&first.url, Arc::clone(&clock));
    provider.refresh().await.unwrap();
    let bought = sent("kill.1", "4567");
    let outcome = provider
        .submit(&bought, &FixedPermit::granted())
        .await
        .outcome;
    let SubmitOutcome::Delivered(receipt) = outcome else {
        panic!("{outcome:?}");
    };
    // Delivered, and the answer is lost.
    let unanswered = sent("kill.2", "0003");
    let outcome = provider
        .submit(&unanswered, &FixedPermit::granted())
        .await
        .outcome;
    assert!(matches!(outcome, SubmitOutcome::Unknown(_)), "{outcome:?}");
    first.kill();
    let refused = provider
        .submit(&sent("kill.3", "4567"), &FixedPermit::granted())
        .await;
    assert_eq!(refused.outcome, SubmitOutcome::NotSent, "nothing listens");

    let second = SandboxProcess::start(folder.path());
    let provider = adapter(&second.url, clock);
    provider.refresh().await.unwrap();
    assert_eq!(
        ask(&*provider, &bought).await,
        QueryOutcome::Delivered(receipt.clone())
    );
    let again = provider
        .submit(&bought, &FixedPermit::granted())
        .await
        .outcome;
    assert_eq!(again, SubmitOutcome::Delivered(receipt));
    assert!(matches!(
        ask(&*provider, &unanswered).await,
        QueryOutcome::Delivered(_)
    ));
    let never = sent("kill.3", "4567");
    let QueryOutcome::Declined(refusal) = ask(&*provider, &never).await else {
        panic!("nothing was sold under it");
    };
    assert_eq!(refusal.code, "sealed");
    let entries = provider_sim::journal::read(&folder.path().join("sandbox/sandbox.journal"));
    assert_eq!(entries.unwrap().len(), 2);
}
