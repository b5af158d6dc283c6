//! Providers that keep every rule pass, and their grade is what they promise.

use crate::reference_provider::{KEYS, PROFILE, ReferenceProvider, run, run_trusting, scenario};
use provider_check::{CheckGrade, CheckVerdict, ProviderCheckReport, listed_checks};
use provider_protocol::{AbsenceProof, DuplicateRule, ServiceProfile};
use provider_server::ServerIdentity;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

fn passes(report: &ProviderCheckReport) {
    let failed: Vec<_> = report.failed().collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

fn not_applicable(report: &ProviderCheckReport) -> Vec<&str> {
    let checks = report.checks.iter();
    let left_out = checks.filter(|it| matches!(it.verdict, CheckVerdict::NotApplicable(_)));
    left_out.map(|it| it.name.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_passes_with_grade_a() {
    let reference = ReferenceProvider::start(PROFILE).await;
    let effects = Arc::clone(&reference.provider) as _;
    let report = run(&reference.url, Some(effects), (&scenario(true), &[])).await;
    passes(&report);
    assert_eq!(report.grade, CheckGrade::A);
    let grades = ["airtime", "electricity"].map(|it| (it.to_owned(), CheckGrade::A));
    assert_eq!(report.services, grades);
    let mut left_out = not_applicable(&report);
    // It promises no callbacks, of either service.
    let before = left_out.len();
    left_out.retain(|name| !name.contains("::callback::"));
    assert_eq!(before - left_out.len(), 10);
    assert_eq!(
        left_out,
        [
            "electricity::duplicate::other-order",
            "electricity::refusal::stays"
        ]
    );
    let names: Vec<_> = report.checks.iter().map(|it| it.name.clone()).collect();
    let mut listed: Vec<_> = listed_checks(&["airtime", "electricity"])
        .into_iter()
        .map(|it| it.name)
        .collect();
    let mut run = names;
    run.sort();
    listed.sort();
    assert_eq!(run, listed);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_seals_the_grade_is_b_and_without_any_proof_of_absence_c() {
    let after = AbsenceProof::After {
        seconds: 600,
        count: 3,
        spacing: 60,
    };
    for (absence, grade) in [(after, CheckGrade::B), (AbsenceProof::Never, CheckGrade::C)] {
        let profile = ServiceProfile { absence, ..PROFILE };
        let reference = ReferenceProvider::start(profile).await;
        let effects = Arc::clone(&reference.provider) as _;
        let report = run(&reference.url, Some(effects), (&scenario(false), &[])).await;
        passes(&report);
        assert_eq!(report.grade, grade);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_the_checks_gives_no_grade() {
    let reference = ReferenceProvider::start(PROFILE).await;
    let chosen: &[&str] = &["airtime::seal", "provider::signature::unsigned"];
    let report = run(&reference.url, None, (&scenario(false), chosen)).await;
    passes(&report);
    assert_eq!(report.grade, CheckGrade::Ungraded);
    let names: Vec<_> = report.checks.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "provider::signature::unsigned",
            "airtime::seal::unseen",
            "airtime::seal::after-delivery",
            "airtime::seal::race"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promise_that_is_not_kept_gives_no_grade() {
    let profile = ServiceProfile {
        duplicate: DuplicateRule::Error,
        ..PROFILE
    };
    let reference = ReferenceProvider::start(profile).await;
    let report = run(&reference.url, None, (&scenario(false), &[])).await;
    passes(&report);
    // The promise is weaker than what is done, and counts.
    assert_eq!(report.grade, CheckGrade::B);
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_the_same_is_checked_with_an_authority_of_its_own() {
    let names = vec!["127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let identity = ServerIdentity::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
    let reference = ReferenceProvider::with(PROFILE, Some(identity)).await;
    assert!(reference.url.starts_with("https://"));
    let chosen: &[&str] = &[
        "provider::signature",
        "provider::document::half-body",
        "airtime::silence",
        "adapter::answer-lost::cut",
    ];
    let scenario = scenario(false);
    let trusted = vec![made.cert.der().clone()];
    let report = run_trusting(&reference.url, None, (trusted, (&scenario, chosen))).await;
    passes(&report);
    assert_eq!(report.spent, "3,000.00");
    let delivered = reference.provider.delivered();

    let untrusted = run(&reference.url, None, (&scenario, chosen)).await;
    assert!(untrusted.failed().count() > 0);
    assert_eq!(reference.provider.delivered(), delivered);
}

const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/provider.py"
);

struct PythonProvider(Child);

impl Drop for PythonProvider {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_in_python_passes_with_grade_a() {
    let folder = TempDir::new().unwrap();
    let keys = folder.path().join("keys");
    fs::write(&keys, KEYS).unwrap();
    let mut child = Command::new("python3")
        .arg(EXAMPLE)
        .args(["--listen", "127.0.0.1:0", "--keys"])
        .arg(&keys)
        .arg("--store")
        .arg(folder.path().join("store.sqlite3"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let python = PythonProvider(child);
    output.read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("ready ").unwrap();
    let report = run(url, None, (&scenario(false), &[])).await;
    drop(python);
    passes(&report);
    assert_eq!(report.grade, CheckGrade::A);
}
