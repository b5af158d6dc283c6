//! What is watched in every exchange of a run: signatures, echoes, states and codes. Each rule is
//! judged once, at the end, and named by the first exchange that breaks it.

use crate::bench::Bench;
use crate::call_reply::word;
use crate::exchange_log::{AttemptCall, LoggedExchange};
use crate::scenario::AllowedOrder;
use crate::signing::AnswerFlaw;
use crate::wire_message::WireAnswer;
use domain::provider::Fulfilment;
use provider_protocol::{
    Amount, AttemptAnswer, AttemptState, BODY_BYTES_MAX, DocumentError, SEALED, VERSION_HEADER,
    read, read_receipt, speaks,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::PoisonError;
use std::time::Duration;

/// How much later than promised an answer may come: the time on the way.
const ON_THE_WAY: Duration = Duration::from_secs(1);

/// An exchange with what it says.
pub(crate) struct WatchedExchange<'a> {
    logged: &'a LoggedExchange,
    answer: Option<&'a WireAnswer>,
    attempt: Option<Result<AttemptAnswer, DocumentError>>,
    /// What was ordered under the reference.
    order: Option<&'a AllowedOrder>,
}

/// A watched rule: `None` where the exchange says nothing about it, else whether it was kept.
pub(crate) type Watch = fn(&Bench, &WatchedExchange<'_>) -> Option<Result<(), String>>;

/// What a watch found in a run.
pub(crate) enum Watched {
    Nothing,
    Kept,
    Broken { why: String, exchange: String },
}

/// Judges every exchange by one rule.
pub(crate) fn watched(bench: &Bench, watch: Watch) -> Watched {
    let exchanges = bench.log.all();
    let ordered = bench.ordered.lock().unwrap_or_else(PoisonError::into_inner);
    let mut found = Watched::Nothing;
    for logged in &exchanges {
        let answer = logged.answer.as_ref().ok();
        let object = answer.filter(|it| it.status == 200 && logged.asked.is_some());
        let asked = logged.asked.as_ref();
        let exchange = WatchedExchange {
            logged,
            answer,
            attempt: object.map(|answer| read(&answer.body)),
            order: asked.and_then(|(_, reference)| ordered.get(reference)),
        };
        match watch(bench, &exchange) {
            None => {}
            Some(Ok(())) => found = Watched::Kept,
            Some(Err(why)) => {
                let exchange = bench.log.shown(logged);
                return Watched::Broken { why, exchange };
            }
        }
    }
    found
}

/// The answer that must be authentic.
fn authentic<'a>(of: &WatchedExchange<'a>) -> Option<&'a WireAnswer> {
    of.answer
        .filter(|it| it.status == 200 && of.logged.rightly_signed)
}

pub(crate) fn signed(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    authentic(of)?;
    match of.logged.flaw {
        None | Some(AnswerFlaw::Unbound) => Some(Ok(())),
        Some(flaw @ (AnswerFlaw::Unsigned | AnswerFlaw::Signature(_))) => Some(Err(format!(
            "an answer with status 200 is not authentic: {flaw}"
        ))),
    }
}

pub(crate) fn bound(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    authentic(of)?;
    match of.logged.flaw {
        None | Some(AnswerFlaw::Unsigned | AnswerFlaw::Signature(_)) => Some(Ok(())),
        Some(flaw @ AnswerFlaw::Unbound) => Some(Err(format!("an answer: {flaw}"))),
    }
}

/// Other statuses of the 200s are no answers, though their bodies look like some.
pub(crate) fn status(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let answer = of.answer.filter(|_| of.logged.rightly_signed)?;
    match answer.status {
        200 => Some(Ok(())),
        300..400 => Some(Err(format!("a redirect: status {}", answer.status))),
        201..300 => Some(Err(format!("success with status {}", answer.status))),
        _ => None,
    }
}

pub(crate) fn readable(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let answer = of.answer.filter(|it| it.status == 200)?;
    if answer.body.len() > BODY_BYTES_MAX {
        return Some(Err(format!("an answer has {} bytes", answer.body.len())));
    }
    let coding = answer.header("content-encoding");
    if let Some(coding) = coding.filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        return Some(Err(format!("an answer is compressed: {coding}")));
    }
    let read = match &of.attempt {
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(_)) => Ok(()),
        None => read::<Value>(&answer.body)
            .map(drop)
            .map_err(|error| error.to_string()),
    };
    Some(read.map_err(|why| format!("an answer cannot be read: {why}")))
}

pub(crate) fn version(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let answer = of.answer.filter(|it| it.status == 200)?;
    let version = answer.header(VERSION_HEADER);
    if version.is_some_and(speaks) {
        return Some(Ok(()));
    }
    Some(Err(format!(
        "an answer names the version {}",
        version.unwrap_or("of nothing")
    )))
}

pub(crate) fn in_time(bench: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let answered = of.answer.is_some() && of.logged.rightly_signed;
    let service = of.order.filter(|_| answered)?.service;
    let (AttemptCall::Submit, _) = of.logged.asked.as_ref()? else {
        return None;
    };
    let seconds = bench.capabilities.get()?.profile(service)?.deadline_seconds;
    let promised = Duration::from_secs(seconds);
    if of.logged.took <= promised.saturating_add(ON_THE_WAY) {
        return Some(Ok(()));
    }
    let took = of.logged.took.as_millis();
    Some(Err(format!(
        "a submission took {took} ms, and {seconds} s are promised"
    )))
}

/// The object, where there is one that can be read.
fn object<'a>(of: &'a WatchedExchange<'_>) -> Option<(AttemptCall, &'a str, &'a AttemptAnswer)> {
    let (call, reference) = of.logged.asked.as_ref()?;
    let attempt = of.attempt.as_ref()?.as_ref().ok()?;
    Some((*call, reference, attempt))
}

pub(crate) fn echo(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let (_, reference, attempt) = object(of)?;
    if attempt.reference != reference {
        return Some(Err("an answer is about another reference".to_owned()));
    }
    let sealed = attempt.refusal.as_ref().is_some_and(|it| it.code == SEALED);
    let given = attempt.amount.is_some() || attempt.beneficiary.is_some();
    if attempt.state == AttemptState::Absent || (sealed && !given) {
        return Some(Ok(()));
    }
    let order = of.order?;
    let wrong = [
        (
            "service",
            attempt.service.as_deref() != Some(order.service.code()),
        ),
        ("amount", attempt.amount != Some(Amount::from(order.amount))),
        (
            "beneficiary",
            attempt.beneficiary.as_deref() != Some(order.order.digits()),
        ),
    ];
    match wrong.iter().find(|(_, wrong)| *wrong) {
        None => Some(Ok(())),
        Some((field, _)) => Some(Err(format!(
            "the `{field}` of an answer is missing, or not that of the order"
        ))),
    }
}

pub(crate) fn listed_state(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let (call, _, attempt) = object(of)?;
    match (attempt.state, call) {
        (AttemptState::Unlisted, _) => Some(Err("an answer has a state that is not listed".into())),
        (AttemptState::Absent, AttemptCall::Submit | AttemptCall::Seal) => {
            Some(Err("`absent` is an answer to queries alone".into()))
        }
        (
            AttemptState::Absent
            | AttemptState::Delivered
            | AttemptState::Declined
            | AttemptState::Pending
            | AttemptState::Reversed
            | AttemptState::Unknown,
            _,
        ) => Some(Ok(())),
    }
}

pub(crate) fn listed_code(bench: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let (_, _, attempt) = object(of)?;
    if attempt.state != AttemptState::Declined {
        return None;
    }
    let Some(document) = &attempt.refusal else {
        return Some(Err("`declined` without a `refusal`".to_owned()));
    };
    let (code, kind) = (&document.code, &document.kind);
    let listed = document.refusal().is_some_and(|refusal| {
        bench
            .capabilities
            .get()
            .is_some_and(|it| it.lists(&refusal))
    });
    if listed {
        return Some(Ok(()));
    }
    Some(Err(format!(
        "a refusal has the code {code} of the kind {kind}, which `refusalCodes` does not list"
    )))
}

pub(crate) fn whole_receipt(_: &Bench, of: &WatchedExchange<'_>) -> Option<Result<(), String>> {
    let (_, _, attempt) = object(of)?;
    let order = of
        .order
        .filter(|_| attempt.state == AttemptState::Delivered)?;
    let whole = match read_receipt(order.service, attempt.receipt.as_deref()) {
        Ok(fulfilment) => fulfilment.is_some_and(|it: Fulfilment| it.completes(&order.order)),
        Err(error) => return Some(Err(format!("a receipt cannot be read: {error}"))),
    };
    if whole {
        return Some(Ok(()));
    }
    Some(Err(
        "`delivered` without what was bought: the token, or the parts of the message".to_owned(),
    ))
}

/// Whether a state may follow another.
const fn may_follow(earlier: AttemptState, later: AttemptState) -> bool {
    match earlier {
        AttemptState::Absent
        | AttemptState::Pending
        | AttemptState::Unknown
        | AttemptState::Unlisted => true,
        AttemptState::Delivered => {
            matches!(later, AttemptState::Delivered | AttemptState::Reversed)
        }
        AttemptState::Declined => matches!(later, AttemptState::Declined),
        AttemptState::Reversed => matches!(later, AttemptState::Reversed),
    }
}

/// States only move forward, and `sequence` counts the moves.
pub(crate) fn forward(bench: &Bench) -> Watched {
    let exchanges = bench.log.all();
    let mut seen: HashMap<&str, Vec<(&LoggedExchange, AttemptState, u64)>> = HashMap::new();
    let mut found = Watched::Nothing;
    for logged in &exchanges {
        let (Some((_, reference)), Ok(answer)) = (&logged.asked, &logged.answer) else {
            continue;
        };
        let attempt = Some(answer).filter(|it| it.status == 200);
        let attempt = attempt.and_then(|it| read::<AttemptAnswer>(&it.body).ok());
        let Some(attempt) = attempt else {
            continue;
        };
        found = Watched::Kept;
        let (state, sequence) = (attempt.state, attempt.sequence);
        let others = seen.entry(reference).or_default();
        for (other, before, number) in others.iter() {
            let wrong = moved_back((other, *before, *number), (logged, state, sequence));
            if let Some(why) = wrong {
                let exchange = bench.log.shown(logged);
                return Watched::Broken { why, exchange };
            }
        }
        others.push((logged, state, sequence));
    }
    found
}

fn moved_back(
    (other, before, number): (&LoggedExchange, AttemptState, u64),
    (logged, state, sequence): (&LoggedExchange, AttemptState, u64),
) -> Option<String> {
    let found = |what: &str| {
        Some(format!(
            "{what}: `{}` with `sequence` {number}, then `{}` with {sequence}",
            word(before),
            word(state)
        ))
    };
    if number == sequence && before != state {
        return found("two states have one number");
    }
    let in_order = match number.cmp(&sequence) {
        std::cmp::Ordering::Less => may_follow(before, state),
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => may_follow(state, before),
    };
    if !in_order {
        return found("a state moved back");
    }
    // The second question was sent when the first had been answered.
    if other.ended < logged.began && number > sequence {
        return found("`sequence` went back");
    }
    None
}
