//! Each rule is needed: without it the search finds the money lost or doubled. A rule must be
//! broken in the world around the domain, never in the domain itself.

use crate::behaviour::{
    Behaviour, CORRECTING_ITSELF, DELIVERING_WHAT_IT_REFUSED, LATE, LOSING_ANSWERS, LOSING_TRACK,
    OTHER_AMOUNTS, PROMPT, REVERSING, SLOW, TOKEN_LATER,
};
use crate::checks::Violation;
use crate::sample::Product;
use crate::search::{CAUTIOUS, Restores, Setup, search};
use domain::provider::AbsencePolicy;
use std::time::Duration;

/// A rule that can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The attempt is recorded before its first byte leaves.
    RecordBeforeSending,
    /// No definite answer is no failure.
    UnknownIsNoFailure,
    /// A takeover asks; it never sends.
    TakeoverNeverSends,
    /// A further attempt begins only after the one before was disproven.
    NextOnlyAfterProof,
    /// One attempt at a time, however long its answer takes.
    OneOpenAttempt,
    /// A result is stored only on the version it was learned on.
    CompareAndSet,
    /// Accepted for processing is not delivered.
    AcceptedIsNotDelivered,
    /// What was acknowledged is never proven absent.
    AcknowledgementsCount,
    /// A receipt counts for what it echoes.
    EchoIsChecked,
    /// Age alone never fails a payment.
    AgeIsNoEvidence,
    /// A late yes is booked as a loss.
    LateYesIsBooked,
    /// The provider's reference derives from the attempt.
    ReferencesAreDerived,
    /// The age of what is in doubt grows by a bounded step, whatever the clock shows.
    AgesGrowInSteps,
    /// A question that overtakes what is being sent says nothing by silence.
    OvertakingQueriesProveNothing,
    /// The state and the money of a step are stored together, or neither is.
    MoneyMovesWithTheState,
    /// Where the provider has said two things, a person decides.
    ContradictionsStay,
}

/// Searches a provider's world with a rule broken for the damage that it is there to prevent.
fn without(rule: Rule, behaviour: Behaviour, expected: Violation) {
    let setup = Setup {
        broken: Some(rule),
        wanted: Some(expected),
        ..Setup::sound(behaviour)
    };
    expect_damage(&format!("{rule:?}"), &setup);
}

/// Looks for a payment that failed though it was delivered, with silence read by another profile.
fn reading_silence_by(profile: AbsencePolicy, behaviour: Behaviour) {
    let setup = Setup {
        profile,
        wanted: Some(Violation::FailedButDelivered),
        ..Setup::sound(behaviour)
    };
    let AbsencePolicy {
        quarantine,
        not_found_min,
        not_found_spacing,
        ..
    } = profile;
    let silence =
        format!("{not_found_min} not-found(s) {not_found_spacing:?} apart after {quarantine:?}");
    expect_damage(&format!("more than {silence}"), &setup);
}

fn expect_damage(what: &str, setup: &Setup) {
    let report = search(setup);
    let provider = setup.behaviour.name;
    let Some(finding) = report.finding else {
        panic!(
            "{provider}, without {what}: no damage in {} worlds",
            report.worlds
        );
    };
    let (violation, steps) = (finding.violation, finding.trace.len());
    let trace = finding.trace.join("\n  ");
    println!("{provider}, without {what}: {violation}, in {steps} steps\n  {trace}");
}

#[test]
fn an_attempt_must_be_recorded_before_it_is_sent() {
    without(
        Rule::RecordBeforeSending,
        PROMPT,
        Violation::DeliveredWithoutRecord,
    );
}

#[test]
fn an_answer_that_is_not_definite_must_not_fail_the_payment() {
    without(
        Rule::UnknownIsNoFailure,
        LOSING_ANSWERS,
        Violation::FailedButDelivered,
    );
}

#[test]
fn a_takeover_must_not_send_again() {
    without(Rule::TakeoverNeverSends, PROMPT, Violation::DeliveredTwice);
}

#[test]
fn not_found_must_not_count_before_the_quarantine_ends() {
    let profile = AbsencePolicy {
        quarantine: Duration::ZERO,
        ..CAUTIOUS
    };
    reading_silence_by(profile, LATE);
}

#[test]
fn one_not_found_must_not_prove_absence() {
    let profile = AbsencePolicy {
        not_found_min: 1,
        ..CAUTIOUS
    };
    reading_silence_by(profile, PROMPT);
}

#[test]
fn three_not_founds_must_not_prove_absence() {
    let profile = AbsencePolicy {
        not_found_min: 3,
        ..CAUTIOUS
    };
    reading_silence_by(profile, LATE);
}

#[test]
fn not_founds_must_lie_apart() {
    let profile = AbsencePolicy {
        not_found_spacing: Duration::ZERO,
        ..CAUTIOUS
    };
    reading_silence_by(profile, LATE);
}

#[test]
fn the_next_attempt_must_wait_for_proof_against_the_one_before() {
    without(Rule::NextOnlyAfterProof, PROMPT, Violation::DeliveredTwice);
}

#[test]
fn a_second_attempt_must_not_be_begun_while_the_first_is_open() {
    without(Rule::OneOpenAttempt, SLOW, Violation::DeliveredTwice);
}

#[test]
fn a_result_must_be_stored_only_on_the_version_it_was_learned_on() {
    without(Rule::CompareAndSet, PROMPT, Violation::WalletIsWrong);
}

#[test]
fn what_is_cancelled_must_still_be_in_the_queue() {
    let setup = Setup {
        broken: Some(Rule::CompareAndSet),
        wanted: Some(Violation::FailedButDelivered),
        is_queued: true,
        ..Setup::sound(PROMPT)
    };
    expect_damage(
        "steps that are stored on the version they were learned on",
        &setup,
    );
}

#[test]
fn what_is_queued_must_not_be_sent_before_its_attempt_is_recorded() {
    let setup = Setup {
        broken: Some(Rule::RecordBeforeSending),
        wanted: Some(Violation::DeliveredWithoutRecord),
        is_queued: true,
        ..Setup::sound(PROMPT)
    };
    expect_damage("the attempt recorded before it is sent", &setup);
}

#[test]
fn without_compare_and_set_a_late_yes_would_overturn_a_failure() {
    without(
        Rule::CompareAndSet,
        DELIVERING_WHAT_IT_REFUSED,
        Violation::FinalStateLeft,
    );
}

#[test]
fn accepted_for_processing_must_not_be_success() {
    without(
        Rule::AcceptedIsNotDelivered,
        SLOW,
        Violation::SuccessfulWithoutDelivery,
    );
}

#[test]
fn a_prepaid_vend_must_not_succeed_without_its_token() {
    without(
        Rule::AcceptedIsNotDelivered,
        TOKEN_LATER,
        Violation::SuccessfulWithoutDelivery,
    );
}

#[test]
fn an_acknowledgement_must_be_remembered() {
    without(
        Rule::AcknowledgementsCount,
        SLOW,
        Violation::FailedButDelivered,
    );
}

#[test]
fn an_echo_of_another_amount_must_go_to_a_person() {
    without(
        Rule::EchoIsChecked,
        OTHER_AMOUNTS,
        Violation::ChargedForOtherAmount,
    );
}

#[test]
fn age_alone_must_not_fail_a_payment() {
    without(Rule::AgeIsNoEvidence, SLOW, Violation::FailedButDelivered);
}

#[test]
fn a_late_yes_must_be_booked() {
    without(
        Rule::LateYesIsBooked,
        DELIVERING_WHAT_IT_REFUSED,
        Violation::NeverSettles,
    );
}

#[test]
fn a_query_must_derive_the_reference_that_was_sent() {
    without(
        Rule::ReferencesAreDerived,
        PROMPT,
        Violation::FailedButDelivered,
    );
}

#[test]
fn the_age_of_what_is_in_doubt_must_grow_in_steps() {
    let setup = Setup {
        broken: Some(Rule::AgesGrowInSteps),
        wanted: Some(Violation::FailedButDelivered),
        clock_steps: 1,
        ..Setup::sound(LATE)
    };
    expect_damage("ages that grow in steps", &setup);
}

#[test]
fn absence_must_not_end_a_payout() {
    let behaviour = Behaviour {
        product: Product::Airtime,
        ..LOSING_TRACK
    };
    let setup = Setup {
        wanted: Some(Violation::FailedButDelivered),
        ..Setup::sound(behaviour)
    };
    expect_damage("persons who decide about absent payouts", &setup);
}

#[test]
fn silence_must_not_end_what_is_being_sent() {
    without(
        Rule::OvertakingQueriesProveNothing,
        PROMPT,
        Violation::FailedButDelivered,
    );
}

#[test]
fn a_contradiction_must_stay_with_a_person() {
    without(
        Rule::ContradictionsStay,
        CORRECTING_ITSELF,
        Violation::ContradictionSettled,
    );
}

#[test]
fn another_provider_must_wait_for_proof_against_the_first() {
    let first = Behaviour {
        product: Product::Airtime,
        ..LOSING_ANSWERS
    };
    let setup = Setup {
        broken: Some(Rule::NextOnlyAfterProof),
        wanted: Some(Violation::DeliveredTwice),
        ..Setup::pair(first, PROMPT)
    };
    expect_damage("proof against the attempt at the first", &setup);
}

#[test]
fn a_step_whose_money_cannot_be_booked_must_not_be_stored() {
    let setup = Setup {
        broken: Some(Rule::MoneyMovesWithTheState),
        wanted: Some(Violation::WalletIsWrong),
        wallet_fills: true,
        ..Setup::sound(REVERSING)
    };
    expect_damage("money that moves with the state", &setup);
}

#[test]
fn what_a_restored_store_reopens_must_not_be_sent_again() {
    let setup = Setup {
        broken: Some(Rule::TakeoverNeverSends),
        wanted: Some(Violation::DeliveredTwice),
        restores: Restores::Once,
        ..Setup::sound(PROMPT)
    };
    expect_damage("takeovers after a restore that only ask", &setup);
}
