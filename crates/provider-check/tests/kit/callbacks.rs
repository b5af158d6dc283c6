//! Providers that call back: one that keeps the rules passes, and each broken one is found by the
//! check of the rule it breaks.

use crate::reference_provider::{
    KEYS, MachineClock, PROFILE, ReferenceProvider, Unwatched, called_scenario,
};
use provider_check::{
    CheckGrade, CheckTarget, CheckVerdict, ProviderCheckPlan, ProviderCheckReport,
};
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{
    AttemptCallback, CallbackParts, CallbackUse, ServiceProfile, sign_callback,
};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const STRANGER: &str = "key-1 HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

/// Between two tries of a callback.
const AGAIN_AFTER: Duration = Duration::from_millis(150);

/// What a provider does wrong with its callbacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// Nothing is wrong.
    Rightly,
    Never,
    WithAnotherSecret,
    WithoutASignature,
    WithTheTimestampOfTheOrder,
    AboutAnotherReference,
    OfAnotherType,
    AsText,
    Once,
    UnderNewIdentities,
    ForEver,
}

/// Each fault, and the check that must find it.
const MUTANTS: [(Calls, &str); 10] = [
    (Calls::Never, "airtime::callback::sent"),
    (Calls::WithAnotherSecret, "airtime::callback::signed"),
    (Calls::WithoutASignature, "airtime::callback::signed"),
    (
        Calls::WithTheTimestampOfTheOrder,
        "airtime::callback::fresh",
    ),
    (
        Calls::AboutAnotherReference,
        "airtime::callback::of-an-attempt",
    ),
    (Calls::OfAnotherType, "airtime::callback::of-an-attempt"),
    (Calls::AsText, "airtime::callback::of-an-attempt"),
    (Calls::Once, "airtime::callback::repeated"),
    (Calls::UnderNewIdentities, "airtime::callback::repeated"),
    (Calls::ForEver, "airtime::callback::repeated"),
];

fn seconds() -> i64 {
    MachineClock::shared().now().as_millis() / 1_000
}

/// Posts one callback; whether it was answered with 2xx.
async fn post(url: &str, calls: Calls, (reference, number): (&str, u32)) -> bool {
    let named = if calls == Calls::AboutAnotherReference {
        "someone-elses"
    } else {
        reference
    };
    let mut sent = AttemptCallback::changed(named);
    if calls == Calls::OfAnotherType {
        "attempt.delivered".clone_into(&mut sent.kind);
    }
    let body = if calls == Calls::AsText {
        format!("{reference} was delivered").into_bytes()
    } else {
        serde_json::to_vec(&sent).unwrap()
    };
    let again = if calls == Calls::UnderNewIdentities {
        number
    } else {
        0
    };
    let id = format!("cb_{reference}_{again}");
    let late = if calls == Calls::WithTheTimestampOfTheOrder {
        900
    } else {
        0
    };
    let timestamp = (seconds() - late).to_string();
    let parts = CallbackParts {
        id: &id,
        timestamp: &timestamp,
        body: &body,
    };
    let keys = if calls == Calls::WithAnotherSecret {
        STRANGER
    } else {
        KEYS
    };
    let signature = sign_callback(&SignatureKeys::parse(keys).unwrap(), parts);
    let signature = if calls == Calls::WithoutASignature {
        String::new()
    } else {
        format!("webhook-signature: {signature}\r\n")
    };
    let (host, path) = url
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let head = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\nwebhook-id: {id}\r\n\
         webhook-timestamp: {timestamp}\r\n{signature}\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream
        .write_all(&[head.as_bytes(), &body].concat())
        .await
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.starts_with("HTTP/1.1 2")
}

/// Calls about everything that was pending, as long as the provider lives.
async fn call(reference: &mut ReferenceProvider, url: &str, calls: Calls) {
    let mut calling = JoinSet::new();
    while let Some(undecided) = reference.undecided.recv().await {
        let url = url.to_owned();
        calling.spawn(async move {
            if calls == Calls::Never {
                return;
            }
            for number in 0..20 {
                let taken = post(&url, calls, (undecided.as_str(), number)).await;
                if (taken && calls != Calls::ForEver) || calls == Calls::Once {
                    return;
                }
                tokio::time::sleep(AGAIN_AFTER).await;
            }
        });
    }
}

/// Runs a part of the kit against a provider that calls back.
async fn checked(calls: Calls, profile: ServiceProfile, only: &[&str]) -> ProviderCheckReport {
    let mut reference = ReferenceProvider::start(profile).await;
    let target = CheckTarget {
        url: reference.url.clone(),
        keys: KEYS.to_owned(),
        authorities: Vec::new(),
        clock: MachineClock::shared(),
        run: "called".to_owned(),
        effects: Some(std::sync::Arc::clone(&reference.provider) as _),
        callbacks: Some("127.0.0.1:0".parse().unwrap()),
    };
    let only: Vec<String> = only.iter().map(|it| (*it).to_owned()).collect();
    let plan = ProviderCheckPlan::new(target, &called_scenario(), &only).unwrap();
    let url = plan.callback_url().unwrap().to_owned();
    tokio::select! {
        report = plan.run(&Unwatched) => report,
        () = call(&mut reference, &url, calls) => panic!("the provider ended"),
    }
}

const CALLING: ServiceProfile = ServiceProfile {
    callback: CallbackUse::Hint,
    ..PROFILE
};

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_calls_back_rightly_passes_with_grade_a() {
    let report = checked(Calls::Rightly, CALLING, &[]).await;
    let failed: Vec<_> = report.failed().collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(report.grade, CheckGrade::A);
    let judged = report
        .checks
        .iter()
        .filter(|it| it.name.contains("callback") && matches!(it.verdict, CheckVerdict::Ok));
    assert_eq!(judged.count(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_provider_that_calls_back_wrongly_is_found_by_the_check_of_its_rule() {
    let mut checking = JoinSet::new();
    for (calls, check) in MUTANTS {
        checking.spawn(async move {
            let report = checked(calls, CALLING, &["airtime::callback"]).await;
            let failed: Vec<String> = report.failed().map(|it| it.name.clone()).collect();
            (calls, check, failed)
        });
    }
    let results = checking.join_all().await;
    let is_missed =
        |(_, check, failed): &&(Calls, &str, Vec<String>)| !failed.iter().any(|name| name == check);
    let survivors: Vec<_> = results.iter().filter(is_missed).collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_promises_no_callbacks_owes_none() {
    let report = checked(Calls::Never, PROFILE, &["airtime::callback"]).await;
    assert_eq!(report.spent, "0.00");
    for check in &report.checks {
        let left_out = matches!(check.verdict, CheckVerdict::NotApplicable(_));
        assert!(left_out, "{check:#?}");
    }
}

#[tokio::test]
async fn callbacks_are_taken_on_this_machine_alone() {
    let target = CheckTarget {
        url: "http://127.0.0.1:9".to_owned(),
        keys: KEYS.to_owned(),
        authorities: Vec::new(),
        clock: MachineClock::shared(),
        run: "called".to_owned(),
        effects: None,
        callbacks: Some("0.0.0.0:0".parse().unwrap()),
    };
    let refused = ProviderCheckPlan::new(target, &called_scenario(), &[]).unwrap_err();
    let cause = std::error::Error::source(&refused).unwrap().to_string();
    assert!(cause.contains("on this machine alone"), "{cause}");
}
