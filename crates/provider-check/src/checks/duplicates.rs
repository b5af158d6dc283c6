//! Rule 2: a reference is bound for ever to its request, however often and by whatever way it comes
//! again.

use crate::bench::Bench;
use crate::call_reply::{CallReply, CheckStep, broken, not_applicable, word};
use crate::checked_service::CheckedService;
use crate::exchange_log::AttemptCall;
use crate::scenario::ExpectedEnd;
use crate::signing::Signing;
use crate::upstream::RequestSending;
use domain::reference::ProviderReference;
use provider_protocol::{AttemptAnswer, AttemptState, DuplicateRule, REPLAYED_HEADER};
use serde_json::Value;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How many copies are sent at once.
const COPIES: u32 = 16;

/// Whether an answer says the same of an attempt as an earlier one.
pub(crate) fn same(earlier: &AttemptAnswer, later: &AttemptAnswer) -> CheckStep {
    let text = |answer: &AttemptAnswer| answer.receipt.as_ref().map(|it| it.get().to_owned());
    let differs = [
        ("state", earlier.state != later.state),
        ("amount", earlier.amount != later.amount),
        ("beneficiary", earlier.beneficiary != later.beneficiary),
        (
            "providerReference",
            earlier.provider_reference != later.provider_reference,
        ),
        ("sequence", earlier.sequence != later.sequence),
        ("receipt", text(earlier) != text(later)),
    ];
    match differs.iter().find(|(_, differs)| *differs) {
        None => Ok(()),
        Some((field, _)) => broken(format!("`{field}` is another than before")),
    }
}

/// Whether a copy of a settled request was answered as the profile says.
fn answered_as_promised(
    rule: DuplicateRule,
    (reply, settled): (&CallReply, &AttemptAnswer),
) -> CheckStep {
    match (rule, reply.attempt()) {
        (DuplicateRule::Replay, Some(again)) => {
            same(settled, &again)?;
            let answer = reply.answer.as_ref().ok();
            let replayed = answer.and_then(|it| it.header(REPLAYED_HEADER));
            if replayed == Some("true") {
                return Ok(());
            }
            broken("the answer to a copy lacks the header `Replayed: true`")
        }
        (DuplicateRule::Replay, None) => broken(format!(
            "a copy was answered with {}, and the profile promises `replay`",
            reply.said()
        )),
        (DuplicateRule::Error, Some(again)) if again.state != settled.state => broken(format!(
            "a copy was answered with `{}`, and the order is `{}`",
            word(again.state),
            word(settled.state)
        )),
        (DuplicateRule::Error, Some(_) | None) => Ok(()),
    }
}

pub(crate) async fn same_body(bench: &Bench, of: &CheckedService) -> CheckStep {
    let rule = bench.profile(of)?.duplicate;
    let bought = bench.bought(of).await?;
    let effects = bench.effects().await?;
    for _ in 0..2 {
        let reply = bench.submit(&bought.reference, &bought.body).await;
        answered_as_promised(rule, (&reply, &bought.settled))?;
    }
    same(&bought.settled, &bench.query(&bought.reference).await?)?;
    bench.effects_since(effects, 0).await
}

/// The reference comes again with another request.
async fn conflicts(bench: &Bench, of: &CheckedService, other: &Value) -> CheckStep {
    let rule = bench.profile(of)?.duplicate;
    let bought = bench.bought(of).await?;
    let effects = bench.effects().await?;
    let reply = bench.submit(&bought.reference, other).await;
    let is_conflict = reply.status() == Some(409);
    let refused = match rule {
        DuplicateRule::Replay => is_conflict,
        DuplicateRule::Error => reply.status() != Some(200),
    };
    same(&bought.settled, &bench.query(&bought.reference).await?)?;
    bench.effects_since(effects, 0).await?;
    if refused {
        return Ok(());
    }
    broken(format!(
        "another request under a reference was answered with {} and not 409 `reference_conflict`",
        reply.said()
    ))
}

pub(crate) async fn other_amount(bench: &Bench, of: &CheckedService) -> CheckStep {
    let bought = bench.bought(of).await?;
    let mut other = bought.body.clone();
    let more = bought.allowed.amount.minor().saturating_add(100);
    if let Some(minor) = other.pointer_mut("/amount/minor") {
        *minor = more.into();
    }
    conflicts(bench, of, &other).await
}

pub(crate) async fn other_order(bench: &Bench, of: &CheckedService) -> CheckStep {
    let bought = bench.bought(of).await?;
    let digits = bought.allowed.order.digits();
    let others = of.orders.iter();
    let Some(another) = others.clone().find(|it| it.order.digits() != digits) else {
        return not_applicable("the scenario has one beneficiary of this service alone");
    };
    let mut other = bought.body.clone();
    if let Some(order) = other.get_mut("order") {
        order.clone_from(&another.details);
    }
    conflicts(bench, of, &other).await
}

/// The very bytes of a request arrive twice, as a proxy repeats them.
pub(crate) async fn delivered_twice(bench: &Arc<Bench>, of: &CheckedService) -> CheckStep {
    let (order, reference) = bench.purchase(of).await?;
    let effects = bench.effects().await?;
    let body = bench.document(&reference, &order).to_string();
    let request = bench.signed(("POST", "/attempts", body.as_bytes()), Signing::RIGHT);
    let asked = Some((AttemptCall::Submit, &reference));
    let (first, second) = tokio::join!(
        bench.send(&request, asked, (RequestSending::Whole, false)),
        bench.send(&request, asked, (RequestSending::Whole, false)),
    );
    one_effect(bench, (&reference, &[first, second]), effects).await
}

/// Many copies at once, each signed anew.
pub(crate) async fn concurrent(bench: &Arc<Bench>, of: &CheckedService) -> CheckStep {
    let profile = bench.profile(of)?;
    let at_once = profile.max_concurrent.min(profile.per_second);
    let copies = at_once.clamp(2, COPIES);
    let (order, reference) = bench.purchase(of).await?;
    let effects = bench.effects().await?;
    let document = bench.document(&reference, &order);
    let mut sent = JoinSet::new();
    for _ in 0..copies {
        let (bench, reference) = (Arc::clone(bench), reference.clone());
        let document = document.clone();
        sent.spawn(async move { bench.submit(&reference, &document).await });
    }
    let replies = sent.join_all().await;
    one_effect(bench, (&reference, &replies), effects).await
}

/// Whether copies that came together had one effect, and none of them was refused.
async fn one_effect(
    bench: &Bench,
    (reference, replies): (&ProviderReference, &[CallReply]),
    effects: Option<u64>,
) -> CheckStep {
    let settled = bench.settled(reference).await?;
    if settled.state != AttemptState::Delivered {
        return broken(format!("of the copies came `{}`", word(settled.state)));
    }
    bench.effects_since(effects, 1).await?;
    for answer in replies.iter().filter_map(CallReply::attempt) {
        match answer.state {
            AttemptState::Pending | AttemptState::Unknown => {}
            AttemptState::Delivered => same(&answer, &settled)?,
            AttemptState::Declined
            | AttemptState::Reversed
            | AttemptState::Absent
            | AttemptState::Unlisted => {
                let state = word(answer.state);
                return broken(format!(
                    "a copy was answered with `{state}`; it was delivered"
                ));
            }
        }
    }
    Ok(())
}

/// The answer is lost on the way; the question finds what came of the order, and a copy replays it.
pub(crate) async fn answer_lost(bench: &Bench, of: &CheckedService) -> CheckStep {
    let rule = bench.profile(of)?.duplicate;
    let (order, reference) = bench.purchase(of).await?;
    let effects = bench.effects().await?;
    let document = bench.document(&reference, &order);
    let sending = RequestSending::GoneAtAnswer;
    bench.submit_by(&reference, &document, sending).await;
    let settled = bench.settled(&reference).await?;
    if settled.state != AttemptState::Delivered {
        return broken(format!(
            "after a lost answer the order is `{}`",
            word(settled.state)
        ));
    }
    let copy = bench.submit(&reference, &document).await;
    answered_as_promised(rule, (&copy, &settled))?;
    bench.effects_since(effects, 1).await
}

/// The client goes away after its request: the order ends one way or the other, for ever.
pub(crate) async fn client_gone(bench: &Bench, of: &CheckedService) -> CheckStep {
    let (order, reference) = bench.purchase(of).await?;
    let effects = bench.effects().await?;
    let document = bench.document(&reference, &order);
    let sending = RequestSending::GoneAfterRequest;
    bench.submit_by(&reference, &document, sending).await;
    let copy = bench.submit(&reference, &document).await;
    let settled = bench.settled(&reference).await?;
    match settled.state {
        AttemptState::Delivered => bench.effects_since(effects, 1).await,
        AttemptState::Declined | AttemptState::Absent | AttemptState::Reversed => {
            bench.effects_since(effects, 0).await
        }
        AttemptState::Pending | AttemptState::Unknown | AttemptState::Unlisted => broken(format!(
            "the order stays `{}`; a copy was answered with {}",
            word(settled.state),
            copy.said()
        )),
    }
}

/// Asking changes nothing: what was asked about before can be bought, and what was bought stays.
pub(crate) async fn query_without_effect(bench: &Bench, of: &CheckedService) -> CheckStep {
    let bought = bench.bought(of).await?;
    if bought.before != AttemptState::Absent {
        let state = word(bought.before);
        return broken(format!("before it was submitted, the order is `{state}`"));
    }
    let effects = bench.effects().await?;
    for _ in 0..5 {
        same(&bought.settled, &bench.query(&bought.reference).await?)?;
    }
    let unseen = bench.reference();
    bench.remember(&unseen, of.order(ExpectedEnd::Delivered)?);
    for _ in 0..3 {
        let found = bench.query(&unseen).await?.state;
        if found != AttemptState::Absent {
            let state = word(found);
            return broken(format!("a reference that was never sent is `{state}`"));
        }
    }
    bench.effects_since(effects, 0).await
}
