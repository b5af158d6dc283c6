//! Rules 20 and 21: nothing is submitted before the capabilities were read, and nothing while they
//! promise less than they did.

use crate::fake::{FakeProvider, FakeReply, capabilities, right};
use crate::support::{KEYS, adapter, ask, sent};
use domain::family::AbsenceEnds;
use domain::float::StatementPeriod;
use domain::order::Service;
use domain::provider::{QueryOutcome, SubmitOutcome};
use ports::provider::Provider;
use provider_http::CapabilitiesError;
use serde_json::json;
use std::time::Duration;
use testkit::builders::START;
use testkit::permit::FixedPermit;

async fn submitted(world: &FakeProvider, under: &str) -> SubmitOutcome {
    let permit = FixedPermit::granted();
    world
        .adapter
        .submit(&sent(under, "4567"), &permit)
        .await
        .outcome
}

#[tokio::test]
async fn before_capabilities_were_read_nothing_is_submitted_or_concluded() {
    let unread = adapter("http://127.0.0.1:1", KEYS);
    let request = sent("unread.1", "4567");
    assert!(!unread.serves(&request.order));
    let permit = FixedPermit::granted();
    assert_eq!(
        unread.submit(&request, &permit).await.outcome,
        SubmitOutcome::NotSent
    );
    assert_eq!(permit.asked(), 0);
    assert_eq!(ask(&unread, &request).await, QueryOutcome::Unknown);
    let policy = unread.absence_policy(Service::Airtime);
    assert_eq!(
        (policy.not_found_min, policy.ends),
        (u32::MAX, AbsenceEnds::Search)
    );
}

#[tokio::test]
async fn a_weaker_promise_stops_submissions_until_it_is_kept_again() {
    let world = FakeProvider::start().await;
    world.replies(|request| {
        FakeReply::Signed(200, right(request, "delivered").to_string().into_bytes())
    });
    assert!(matches!(
        submitted(&world, "kept.1").await,
        SubmitOutcome::Delivered(_)
    ));

    world.capabilities.lock().unwrap()["services"]["airtime"]["duplicate"] = json!("error");
    let refused = world.adapter.refresh().await.unwrap_err();
    assert!(matches!(refused, CapabilitiesError::Weaker(_)), "{refused}");
    assert!(
        refused.to_string().contains("services.airtime.duplicate"),
        "{refused}"
    );
    assert_eq!(submitted(&world, "kept.2").await, SubmitOutcome::NotSent);
    assert!(!world.adapter.serves(&sent("kept.2", "4567").order));

    *world.capabilities.lock().unwrap() = capabilities();
    world.adapter.refresh().await.unwrap();
    assert!(matches!(
        submitted(&world, "kept.3").await,
        SubmitOutcome::Delivered(_)
    ));
}

/// Where only a person can settle silence, no money moves.
#[tokio::test]
async fn what_is_of_grade_c_is_not_sold_where_money_moves() {
    let world = FakeProvider::start().await;
    world.replies(|request| panic!("{request:?} was sent"));
    let mut promised = capabilities();
    promised["services"]["airtime"]["absence"] = json!({"kind": "never"});
    promised["services"]["hlr"] = promised["services"]["airtime"].clone();
    *world.capabilities.lock().unwrap() = promised;
    let adapter = adapter(world.adapter_url(), KEYS);
    adapter.refresh().await.unwrap();
    let request = sent("grade.1", "4567");
    assert!(!adapter.serves(&request.order));
    let permit = FixedPermit::granted();
    let outcome = adapter.submit(&request, &permit).await.outcome;
    assert_eq!((outcome, permit.asked()), (SubmitOutcome::NotSent, 0));
    let lookup = testkit::builders::purchase_of(Service::Hlr).order();
    assert!(adapter.serves(&lookup));
}

#[tokio::test]
async fn without_a_common_version_nothing_is_submitted_and_both_lists_are_named() {
    let world = FakeProvider::start().await;
    world.capabilities.lock().unwrap()["versions"] = json!(["2.0", "3.1"]);
    let refused = world.adapter.refresh().await.unwrap_err().to_string();
    assert!(
        refused.contains("2.0, 3.1") && refused.contains("1.0"),
        "{refused}"
    );
    assert_eq!(
        submitted(&world, "versions.1").await,
        SubmitOutcome::NotSent
    );
}

/// What a provider does not offer is not asked for, so that what cannot be compared says so.
#[tokio::test]
async fn a_provider_without_a_statement_or_balances_is_not_asked_for_them() {
    let world = FakeProvider::start().await;
    assert_eq!(capabilities()["features"], json!(["seal"]));
    let period = StatementPeriod {
        from: START,
        to: START.plus(Duration::from_hours(1)),
    };
    let page = world.adapter.statement(period, None).await;
    assert!(matches!(page, Ok(None)), "{page:?}");
    let balance = world.adapter.balance().await;
    assert!(matches!(balance, Ok(None)), "{balance:?}");
}
