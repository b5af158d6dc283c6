//! Rules of the protocol that no contract of providers states: duplicates, `notAfter`, seals,
//! capabilities, and messages that are not authentic.

use crate::support::{PROFILE, ServedSandbox};
use domain::country::CountryCode;
use domain::provider::{QueryOutcome, Submission, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use ports::clock::Clock;
use ports::number_operators::NumberOperators;
use ports::provider::{AttemptQuery, Naming, Provider, Seals, Smartcards};
use provider_protocol::{AbsenceProof, DuplicateRule, Feature};
use std::time::Duration;
use testkit::builders::{airtime, phone, provider_code, submission};
use testkit::permit::FixedPermit;

const MINUTE: Duration = Duration::from_mins(1);

fn sent(world: &ServedSandbox, under: &str, number: &str) -> Submission {
    let mut sent = submission(under, airtime().to(number).order());
    sent.not_after = world.clock.now().plus(MINUTE);
    sent
}

async fn submit(world: &ServedSandbox, sent: &Submission) -> SubmitOutcome {
    let permit = FixedPermit::granted();
    world.adapter.submit(sent, &permit).await.outcome
}

/// Asks about one of ours, as recovery does.
async fn ask(world: &ServedSandbox, sent: &Submission) -> QueryOutcome {
    let asked = AttemptQuery {
        order: Some(&sent.order),
        started_at: Some(sent.started_at),
        ..AttemptQuery::by(&sent.reference)
    };
    world.adapter.query(&asked).await.outcome
}

fn is_refused_by(outcome: &SubmitOutcome, code: &str) -> bool {
    matches!(outcome, SubmitOutcome::Declined(refusal) if refusal.code == code)
}

#[tokio::test]
async fn the_same_request_again_is_answered_with_the_present_object() {
    let world = ServedSandbox::start().await;
    let request = sent(&world, "again.1", "2348035554567");
    let first = submit(&world, &request).await;
    assert!(matches!(first, SubmitOutcome::Delivered(_)), "{first:?}");
    assert_eq!(submit(&world, &request).await, first);
    assert_eq!(world.deliveries(&request.reference), 1);
}

#[tokio::test]
async fn another_request_under_a_reference_is_unknown_and_delivers_nothing() {
    let world = ServedSandbox::start().await;
    let request = sent(&world, "other.1", "2348035554567");
    submit(&world, &request).await;
    let other = sent(&world, "other.1", "2348035554568");
    let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
    assert_eq!(submit(&world, &other).await, duplicate);
    assert_eq!(world.deliveries(&request.reference), 1);
    // The echo is that of the first, so nothing definite is said of the second.
    assert_eq!(ask(&world, &other).await, QueryOutcome::Unknown);
}

#[tokio::test]
async fn a_request_that_comes_too_late_is_refused_and_stays_refused() {
    let world = ServedSandbox::start().await;
    let mut late = sent(&world, "late.1", "2348035554567");
    late.not_after = world.clock.now().minus(Duration::from_millis(1));
    assert!(is_refused_by(&submit(&world, &late).await, "expired"));
    assert!(is_refused_by(&submit(&world, &late).await, "expired"));
    let found = ask(&world, &late).await;
    assert!(matches!(found, QueryOutcome::Declined(it) if it.code == "expired"));
    assert_eq!(world.deliveries(&late.reference), 0);
}

#[tokio::test]
async fn silence_about_one_of_ours_is_settled_by_a_seal_and_a_late_request_meets_it() {
    let world = ServedSandbox::start().await;
    // The request is lost on its way.
    let lost = sent(&world, "lost.1", "2348035550004");
    assert!(matches!(
        submit(&world, &lost).await,
        SubmitOutcome::Unknown(_)
    ));
    let unasked = world
        .adapter
        .query(&AttemptQuery::by(&lost.reference))
        .await;
    assert_eq!(
        unasked.outcome,
        QueryOutcome::NotFound,
        "not one of ours by its record"
    );
    let found = ask(&world, &lost).await;
    assert!(
        matches!(&found, QueryOutcome::Declined(it) if it.code == "sealed"),
        "{found:?}"
    );
    let never = sent(&world, "never.1", "2348035554567");
    let found = ask(&world, &never).await;
    assert!(
        matches!(&found, QueryOutcome::Declined(it) if it.code == "sealed"),
        "{found:?}"
    );
    assert!(is_refused_by(&submit(&world, &never).await, "sealed"));
    assert_eq!(world.deliveries(&never.reference), 0);
}

#[tokio::test]
async fn a_seal_finds_what_was_delivered() {
    let world = ServedSandbox::start().await;
    let request = sent(&world, "there.1", "2348035550003");
    assert!(matches!(
        submit(&world, &request).await,
        SubmitOutcome::Unknown(_)
    ));
    let found = world.adapter.seal(&request.reference).await;
    assert!(matches!(found, QueryOutcome::Delivered(_)), "{found:?}");
    assert_eq!(ask(&world, &request).await, found);
}

#[tokio::test]
async fn without_the_promise_nothing_is_sealed() {
    let after = AbsenceProof::After {
        seconds: 60,
        count: 3,
        spacing: 60,
    };
    let profile = provider_protocol::ServiceProfile {
        absence: after,
        ..PROFILE
    };
    let world = ServedSandbox::with(profile).await;
    let never = sent(&world, "never.1", "2348035554567");
    assert_eq!(ask(&world, &never).await, QueryOutcome::NotFound);
    assert!(matches!(
        submit(&world, &never).await,
        SubmitOutcome::Delivered(_)
    ));
}

#[tokio::test]
async fn another_amount_than_ordered_is_unknown() {
    let world = ServedSandbox::start().await;
    let request = sent(&world, "amount.1", "2348035550008");
    let outcome = submit(&world, &request).await;
    assert_eq!(outcome, SubmitOutcome::Unknown(UnknownCause::Unlisted));
    assert_eq!(ask(&world, &request).await, QueryOutcome::Unknown);
}

#[tokio::test]
async fn pages_errors_and_broken_connections_are_unknown() {
    let world = ServedSandbox::start().await;
    for (ending, cause) in [
        ("0003", UnknownCause::ConnectionLost),
        ("0005", UnknownCause::ServerError),
        ("0006", UnknownCause::Unreadable),
        ("0011", UnknownCause::DuplicateReference),
    ] {
        let request = sent(
            &world,
            &format!("fault-{ending}.1"),
            &format!("234803555{ending}"),
        );
        let outcome = submit(&world, &request).await;
        assert_eq!(outcome, SubmitOutcome::Unknown(cause), "{ending}");
    }
}

#[tokio::test]
async fn with_another_key_or_a_clock_far_off_nothing_is_accepted_or_concluded() {
    let world = ServedSandbox::start().await;
    let request = sent(&world, "stranger.1", "2348035554567");
    let stranger = crate::support::adapter(
        &world.url,
        std::sync::Arc::new(testkit::clock::ManualClock::at(
            world.clock.now().plus(Duration::from_mins(10)),
        )),
    );
    assert!(stranger.refresh().await.is_err());
    let outcome = stranger
        .submit(&request, &FixedPermit::granted())
        .await
        .outcome;
    assert_eq!(
        outcome,
        SubmitOutcome::NotSent,
        "its capabilities were never read"
    );
    assert_eq!(ask(&world, &request).await, sealed());
}

fn sealed() -> QueryOutcome {
    QueryOutcome::Declined(provider_protocol::sealed())
}

#[tokio::test]
async fn references_are_prepared_in_the_form_of_the_provider() {
    let world = ServedSandbox::start().await;
    let order = airtime().order();
    let prepared = world.adapter.prepare(Naming {
        derived: ProviderReference::from_echo("shop.order-1.1"),
        order: &order,
        started_at: world.clock.now(),
    });
    assert_eq!(
        prepared.reference.as_str(),
        "dmqguf3gee5mfizwty4aq4u6f7iiphkr"
    );
    assert_eq!(prepared.provider.as_str(), "remote");
}

#[tokio::test]
async fn lookups_go_over_the_protocol() {
    let world = ServedSandbox::start().await;
    let number = domain::cabletv::SmartcardNumber::parse("70123454567").unwrap();
    let biller = provider_code("202");
    let here = world.simulator.smartcard(&biller, &number).await.unwrap();
    assert_eq!(world.adapter.smartcard(&biller, &number).await, Ok(here));
    let unknown = domain::cabletv::SmartcardNumber::parse("70123450014").unwrap();
    let failure = world.adapter.smartcard(&biller, &unknown).await;
    assert_eq!(failure, Err(ports::provider::LookupFailure::Unknown));
    let country = CountryCode::NIGERIA;
    for digits in [
        "2348035550021",
        "2348035550022",
        "2348035550014",
        "2348035551234",
    ] {
        let number = phone(digits);
        let here = world.simulator.served_number(&number, country).await;
        let there = world.adapter.served_number(&number, country).await;
        assert_eq!(there, here, "{digits}");
    }
    let capabilities = world.adapter.capabilities().unwrap();
    assert!(capabilities.offers(Feature::OperatorLookup));
    assert_eq!(
        capabilities.services["airtime"].duplicate,
        DuplicateRule::Replay
    );
}
