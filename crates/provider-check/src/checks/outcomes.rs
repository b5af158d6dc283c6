//! Rules 4, 8, 10 and 11: what became of an order, and that it stays so.

use super::duplicates::same;
use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, word};
use crate::checked_service::CheckedService;
use crate::json_edit::set;
use crate::scenario::ExpectedEnd;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use provider_protocol::{AttemptAnswer, AttemptState, EXPIRED, Moment};
use serde_json::{Value, json};
use std::sync::PoisonError;
use std::time::Duration;

/// How long ago the last moment for a delivery was: longer than clocks may be apart.
const LATE: Duration = Duration::from_secs(400);

/// What is submitted is what is found.
pub(crate) async fn same_object(bench: &Bench, of: &CheckedService) -> CheckStep {
    let bought = bench.bought(of).await?;
    match bought.submitted {
        AttemptState::Delivered | AttemptState::Pending | AttemptState::Unknown => {}
        AttemptState::Declined
        | AttemptState::Reversed
        | AttemptState::Absent
        | AttemptState::Unlisted => {
            let state = word(bought.submitted);
            return broken(format!(
                "the submission says `{state}`, and it was delivered"
            ));
        }
    }
    same(&bought.settled, &bench.query(&bought.reference).await?)?;
    bench.effects_since(bought.effects, 1).await
}

/// An order that is refused, stays so, and may be asked for again.
pub(crate) async fn refused_for_ever(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Declined)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let document = bench.document(&reference, order);
    let reply = bench.submit(&reference, &document).await;
    if reply.attempt().is_none() {
        return broken(format!("a refusal was answered with {}", reply.said()));
    }
    let settled = bench.settled(&reference).await?;
    if settled.state != AttemptState::Declined {
        let state = word(settled.state);
        return broken(format!("an order that must be refused is `{state}`"));
    }
    bench.submit(&reference, &document).await;
    same(&settled, &bench.query(&reference).await?)?;
    bench.effects_since(effects, 0).await
}

/// The document of a request that comes too late.
fn late(bench: &Bench, of: &CheckedService) -> CheckStep<(ProviderReference, Value)> {
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let mut document = bench.document(&reference, order);
    let moment = Moment::from(Timestamp::minus(bench.now(), LATE));
    set(&mut document, "/notAfter", json!(moment));
    Ok((reference, document))
}

fn expired(answer: &AttemptAnswer) -> bool {
    let code = answer.refusal.as_ref().map(|refusal| refusal.code.as_str());
    answer.state == AttemptState::Declined && code == Some(EXPIRED)
}

pub(crate) async fn first_seen_late(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let (reference, document) = late(bench, of)?;
    let effects = bench.effects().await?;
    let reply = bench.submit(&reference, &document).await;
    if !reply.attempt().is_some_and(|answer| expired(&answer)) {
        if reply.state() == Some(AttemptState::Delivered) {
            bench
                .purchases
                .charge(of.order(ExpectedEnd::Delivered)?.amount);
        }
        return broken(format!(
            "a request that came after its `notAfter` was answered with {} instead of `declined` \
             with the code `{EXPIRED}`",
            reply.said()
        ));
    }
    bench.effects_since(effects, 0).await
}

pub(crate) async fn expiry_stays(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let (reference, mut document) = late(bench, of)?;
    let effects = bench.effects().await?;
    bench.submit(&reference, &document).await;
    if !expired(&bench.query(&reference).await?) {
        return broken("an expired request is not found as `declined` with its code");
    }
    bench.submit(&reference, &document).await;
    set(
        &mut document,
        "/notAfter",
        json!(Moment::from(bench.now().plus(LATE))),
    );
    bench.submit(&reference, &document).await;
    if !expired(&bench.query(&reference).await?) {
        return broken("an expired request was revived by a later one");
    }
    bench.effects_since(effects, 0).await
}

/// At the end of a run: every delivery that is known had one effect, and nothing else had any.
pub(crate) async fn effects_counted(bench: &Bench) -> CheckStep {
    let Some(before) = bench.effects_at_start.get().copied() else {
        return crate::call_reply::not_applicable("the scenario has no `effects_command`");
    };
    let references: Vec<String> = {
        let ordered = bench.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        ordered.keys().cloned().collect()
    };
    let mut delivered = 0_u64;
    for reference in references {
        let reference = ProviderReference::from_echo(reference);
        match bench.query(&reference).await?.state {
            AttemptState::Delivered | AttemptState::Reversed => {
                delivered = delivered.saturating_add(1);
            }
            AttemptState::Declined
            | AttemptState::Absent
            | AttemptState::Pending
            | AttemptState::Unknown
            | AttemptState::Unlisted => {}
        }
    }
    bench.effects_since(Some(before), delivered).await
}
