//! Rule 5: a seal turns "not found" into a fact, and changes nothing else.

use super::duplicates::same;
use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, not_applicable, word};
use crate::checked_service::CheckedService;
use crate::scenario::ExpectedEnd;
use provider_protocol::{AbsenceProof, AttemptAnswer, AttemptState, Feature, SEALED};
use std::sync::Arc;
use std::time::Duration;

/// How much later one side of a race starts, at the most, in milliseconds.
const STAGGER_MAX: u64 = 3;

/// Seals must be offered where the profile promises them; elsewhere there is nothing to check.
fn offered(bench: &Bench, of: &CheckedService) -> CheckStep {
    let seals = bench.profile(of)?.absence == AbsenceProof::Sealed;
    if seals || bench.promised()?.offers(Feature::Seal) {
        return Ok(());
    }
    not_applicable("the profile promises no seals")
}

fn is_sealed(answer: &AttemptAnswer) -> bool {
    let code = answer.refusal.as_ref().map(|refusal| refusal.code.as_str());
    answer.state == AttemptState::Declined && code == Some(SEALED)
}

pub(crate) async fn unseen(bench: &Bench, of: &CheckedService) -> CheckStep {
    offered(bench, of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let sealed = bench.seal(&reference).await?;
    if !is_sealed(&sealed) {
        return broken(format!(
            "a seal of a reference that was never sent says `{}` and not `declined` with the code \
             `{SEALED}`",
            word(sealed.state)
        ));
    }
    let document = bench.document(&reference, order);
    let late = bench.submit(&reference, &document).await;
    let meets = late.attempt().is_some_and(|answer| is_sealed(&answer));
    if late.status() == Some(200) && !meets {
        if late.state() == Some(AttemptState::Delivered) {
            bench.purchases.charge(order.amount);
        }
        return broken(format!(
            "a sealed request was answered with {}",
            late.said()
        ));
    }
    for found in [
        bench.query(&reference).await?,
        bench.seal(&reference).await?,
    ] {
        if !is_sealed(&found) {
            return broken(format!(
                "a sealed reference is `{}` later",
                word(found.state)
            ));
        }
    }
    bench.effects_since(effects, 0).await
}

pub(crate) async fn after_delivery(bench: &Bench, of: &CheckedService) -> CheckStep {
    offered(bench, of)?;
    let bought = bench.bought(of).await?;
    let effects = bench.effects().await?;
    for _ in 0..2 {
        same(&bought.settled, &bench.seal(&bought.reference).await?)?;
    }
    same(&bought.settled, &bench.query(&bought.reference).await?)?;
    bench.effects_since(effects, 0).await
}

/// Seals race submissions, each a little earlier or later than the other.
pub(crate) async fn race(bench: &Arc<Bench>, of: &CheckedService) -> CheckStep {
    offered(bench, of)?;
    for round in 0..bench.race_rounds {
        let (order, reference) = bench.purchase(of).await?;
        let effects = bench.effects().await?;
        let document = bench.document(&reference, &order);
        let later = Duration::from_millis(u64::from(round / 2) % (STAGGER_MAX + 1));
        let (submit_after, seal_after) = if round % 2 == 0 {
            (Duration::ZERO, later)
        } else {
            (later, Duration::ZERO)
        };
        let (submitted, sealed) = tokio::join!(
            async {
                pause(submit_after).await;
                bench.submit(&reference, &document).await
            },
            async {
                pause(seal_after).await;
                bench.seal(&reference).await
            },
        );
        let sealed = sealed?;
        let settled = bench.settled(&reference).await?;
        let refused =
            [Some(sealed.state), submitted.state()].contains(&Some(AttemptState::Declined));
        let round = round.saturating_add(1);
        match settled.state {
            AttemptState::Delivered if refused => {
                return broken(format!("round {round}: refused to one side, and delivered"));
            }
            AttemptState::Delivered => bench.effects_since(effects, 1).await?,
            AttemptState::Declined => bench.effects_since(effects, 0).await?,
            AttemptState::Absent
            | AttemptState::Pending
            | AttemptState::Reversed
            | AttemptState::Unknown
            | AttemptState::Unlisted => {
                let state = word(settled.state);
                return broken(format!("round {round}: a sealed reference is `{state}`"));
            }
        }
    }
    Ok(())
}

async fn pause(length: Duration) {
    if !length.is_zero() {
        tokio::time::sleep(length).await;
    }
}
