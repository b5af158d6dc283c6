//! Rules 20 and 21: what a provider promises can be read, and its promises fit together.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, not_applicable};
use crate::signing::Signing;
use crate::upstream::RequestSending;
use domain::order::Service;
use domain::time::Timestamp;
use provider_protocol::signature::CLOCK_WINDOW;
use provider_protocol::{
    AbsenceProof, AttemptChanges, CHANGES_MAX, Capabilities, EXPIRED, Feature, SEALED, read,
};

/// The kinds of refusals.
const KINDS: [&str; 4] = ["order", "account", "moment", "lookalike"];

/// Reads the capabilities; everything else depends on it.
pub(crate) async fn readable(bench: &Bench) -> CheckStep {
    let request = bench.signed(("GET", "/capabilities", b""), Signing::RIGHT);
    let reply = bench
        .send(&request, None, (RequestSending::Whole, true))
        .await;
    let Ok(answer) = &reply.answer else {
        return broken(format!("`GET /v1/capabilities`: {}", reply.said()));
    };
    if answer.status != 200 {
        return broken(format!(
            "`GET /v1/capabilities` was answered with status {}",
            answer.status
        ));
    }
    let capabilities: Capabilities = match read(&answer.body) {
        Ok(capabilities) => capabilities,
        Err(error) => return broken(format!("the capabilities: {error}")),
    };
    // It is set once, by this check, which runs once.
    let _ = bench.capabilities.set(capabilities);
    Ok(())
}

pub(crate) fn consistent(bench: &Bench) -> CheckStep {
    let promised = bench.promised()?;
    if let Err(error) = promised.check() {
        return broken(error.to_string());
    }
    for (service, profile) in &promised.services {
        let wrong = |what: &str| broken(format!("`services.{service}.{what}`"));
        if !Service::from_code(service).is_some_and(Service::has_provider) {
            return wrong(" is no service of the protocol");
        }
        let seals = profile.absence == AbsenceProof::Sealed;
        if seals && !promised.offers(Feature::Seal) {
            return wrong("absence` is `sealed`, and `features` lacks `seal");
        }
        if profile.max_concurrent == 0 || profile.per_second == 0 || profile.deadline_seconds == 0 {
            return wrong(
                "maxConcurrent`, `perSecond` and `deadlineSeconds` must be above zero; one",
            );
        }
    }
    for service in &bench.wanted {
        if promised.profile(*service).is_none() {
            let code = service.code();
            return broken(format!(
                "the scenario orders {code}, and `services` lacks it"
            ));
        }
    }
    for listed in &promised.refusal_codes {
        let code = &listed.code;
        if !KINDS.contains(&listed.kind.as_str()) {
            let kind = &listed.kind;
            return broken(format!(
                "the code {code} has the kind {kind}, which is not listed"
            ));
        }
        if [SEALED, EXPIRED].contains(&code.as_str()) && listed.kind != "moment" {
            return broken(format!(
                "the code {code} is the protocol's; its kind is `moment`"
            ));
        }
    }
    Ok(())
}

pub(crate) fn clock(bench: &Bench) -> CheckStep {
    let theirs = Timestamp::from(bench.promised()?.now);
    let away = theirs.as_millis().abs_diff(bench.now().as_millis());
    if u128::from(away) <= CLOCK_WINDOW.as_millis() {
        return Ok(());
    }
    broken(format!(
        "its clock is {} s away from this machine's",
        away / 1_000
    ))
}

/// Changes are numbered from 0 without a gap.
pub(crate) async fn changes(bench: &Bench) -> CheckStep {
    if !bench.promised()?.offers(Feature::Changes) {
        return not_applicable("`features` lacks `changes`");
    }
    let first = page(bench, 0).await?;
    let again = page(bench, 0).await?;
    if again.next < first.next {
        return broken("changes that were there are gone");
    }
    page(bench, first.next).await.map(drop)
}

async fn page(bench: &Bench, after: u64) -> CheckStep<AttemptChanges> {
    let path = format!("/attempts?after={after}");
    let request = bench.signed(("GET", &path, b""), Signing::RIGHT);
    let reply = bench
        .send(&request, None, (RequestSending::Whole, true))
        .await;
    let body = reply.answer.as_ref().ok().filter(|it| it.status == 200);
    let Some(body) = body.map(|answer| &answer.body) else {
        return broken(format!(
            "`GET /v1{path}` was answered with {}",
            reply.said()
        ));
    };
    let changes: AttemptChanges = match read(body) {
        Ok(changes) => changes,
        Err(error) => return broken(format!("changes after {after}: {error}")),
    };
    let end = after.saturating_add(changes.attempts.len() as u64);
    if changes.next != end || changes.attempts.len() > CHANGES_MAX {
        return broken(format!(
            "after {after} there are {} changes and `next` is {}; each change has one number, and \
             one answer has at most {CHANGES_MAX}",
            changes.attempts.len(),
            changes.next
        ));
    }
    Ok(changes)
}
