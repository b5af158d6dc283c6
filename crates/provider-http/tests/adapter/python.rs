//! `docs/examples/provider.py`, started with `python3`. Where there is none, the suite fails: an
//! example that nothing runs does not work for long.

use crate::support::{KEYS, adapter, ask, now, sent};
use domain::order::Service;
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use ports::provider::{AttemptQuery, Provider};
use provider_http::HttpProvider;
use provider_protocol::ProviderGrade;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use testkit::permit::FixedPermit;

const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/provider.py"
);

/// The example as a process.
struct PythonProvider {
    child: Child,
    url: String,
}

impl PythonProvider {
    fn start(folder: &Path) -> Self {
        fs::write(folder.join("keys"), KEYS).unwrap();
        let mut child = Command::new("python3")
            .arg(EXAMPLE)
            .args(["--listen", "127.0.0.1:0", "--keys"])
            .arg(folder.join("keys"))
            .arg("--store")
            .arg(folder.join("store.sqlite3"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is installed");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("ready ");
        let url = url.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self { child, url }
    }

    async fn adapter(&self) -> HttpProvider {
        let adapter = adapter(&self.url, KEYS);
        adapter.refresh().await.unwrap();
        adapter
    }
}

impl Drop for PythonProvider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn submit(provider: &HttpProvider, sent: &domain::provider::Submission) -> SubmitOutcome {
    provider.submit(sent, &FixedPermit::granted()).await.outcome
}

fn code(outcome: &QueryOutcome) -> Option<&str> {
    if let QueryOutcome::Declined(refusal) = outcome {
        Some(&refusal.code)
    } else {
        None
    }
}

#[tokio::test]
async fn a_provider_in_python_delivers_once_and_settles_silence_at_once() {
    let folder = TempDir::new().unwrap();
    let python = PythonProvider::start(folder.path());
    let provider = python.adapter().await;
    let capabilities = provider.capabilities().unwrap();
    assert_eq!(capabilities.services["airtime"].grade(), ProviderGrade::A);

    let bought = sent("python.1", "4567");
    let outcome = submit(&provider, &bought).await;
    let SubmitOutcome::Delivered(receipt) = &outcome else {
        panic!("{outcome:?}");
    };
    assert!(receipt.matches(&bought.reference, &bought.order));
    assert_eq!(submit(&provider, &bought).await, outcome, "replayed");
    let found = QueryOutcome::Delivered(receipt.clone());
    assert_eq!(ask(&provider, &bought).await, found);

    let mut other = sent("python.1", "4568");
    other.not_after = bought.not_after;
    let conflict = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
    assert_eq!(submit(&provider, &other).await, conflict);

    let refused = submit(&provider, &sent("python.2", "0001")).await;
    assert!(
        matches!(&refused, SubmitOutcome::Declined(it) if it.code == "51"),
        "{refused:?}"
    );

    let mut late = sent("python.3", "4567");
    late.not_after = now().minus(Duration::from_secs(1));
    let expired = submit(&provider, &late).await;
    assert!(matches!(&expired, SubmitOutcome::Declined(it) if it.code == "expired"));
    assert_eq!(code(&ask(&provider, &late).await), Some("expired"));

    let never = sent("python.4", "4567");
    let unasked = provider.query(&AttemptQuery::by(&never.reference)).await;
    assert_eq!(unasked.outcome, QueryOutcome::NotFound);
    assert_eq!(code(&ask(&provider, &never).await), Some("sealed"));
    let meets = submit(&provider, &never).await;
    assert!(
        matches!(&meets, SubmitOutcome::Declined(it) if it.code == "sealed"),
        "{meets:?}"
    );
}

#[tokio::test]
async fn a_provider_in_python_that_is_killed_knows_what_it_sold() {
    let folder = TempDir::new().unwrap();
    let first = PythonProvider::start(folder.path());
    let provider = first.adapter().await;
    let bought = sent("python.1", "4567");
    let outcome = submit(&provider, &bought).await;
    assert!(
        matches!(outcome, SubmitOutcome::Delivered(_)),
        "{outcome:?}"
    );
    drop(first);
    assert_eq!(ask(&provider, &bought).await, QueryOutcome::Unknown);

    let second = PythonProvider::start(folder.path());
    let provider = second.adapter().await;
    assert_eq!(submit(&provider, &bought).await, outcome);
    assert!(matches!(
        ask(&provider, &bought).await,
        QueryOutcome::Delivered(_)
    ));
}

#[tokio::test]
async fn what_a_provider_in_python_does_not_sell_is_not_sent() {
    let folder = TempDir::new().unwrap();
    let python = PythonProvider::start(folder.path());
    let provider = python.adapter().await;
    let order = testkit::builders::purchase_of(Service::Hlr).order();
    assert!(!provider.serves(&order));
    let sent = testkit::builders::submission("python.hlr.1", order);
    let permit = FixedPermit::granted();
    assert_eq!(
        provider.submit(&sent, &permit).await.outcome,
        SubmitOutcome::NotSent
    );
    assert_eq!(permit.asked(), 0);
}

#[tokio::test]
async fn with_another_secret_a_provider_in_python_answers_nothing() {
    let folder = TempDir::new().unwrap();
    let python = PythonProvider::start(folder.path());
    let stranger = adapter(
        &python.url,
        "key-1 HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    );
    assert!(stranger.refresh().await.is_err());
    assert!(stranger.capabilities().is_none());
}
