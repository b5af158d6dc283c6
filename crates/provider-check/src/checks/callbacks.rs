//! Rules 12 and 16: a provider that says so calls back, once an attempt that was pending has an
//! end. One order is bought for all of these; what came about it is judged by each, and none of it
//! may be taken for an outcome.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, not_applicable};
use crate::callback_listener::{CallbackListener, ReceivedCallback};
use crate::checked_service::CheckedService;
use domain::reference::ProviderReference;
use provider_protocol::signature::CLOCK_WINDOW;
use provider_protocol::{
    ATTEMPT_CHANGED, AttemptState, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER,
    CALLBACK_TIMESTAMP_HEADER, CallbackParts, CallbackUse, is_authentic_callback,
};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often it is looked what came.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long a callback that was answered 200 must not come again: longer than a provider takes to
/// repeat one that was refused a moment ago.
const QUIET: Duration = Duration::from_secs(2);

/// What was ordered, and the callbacks that came since.
#[derive(Debug, Clone)]
pub(crate) struct CalledOrder {
    reference: ProviderReference,
    received: Vec<ReceivedCallback>,
}

impl CalledOrder {
    /// Those about the order.
    fn about(&self) -> impl Iterator<Item = &ReceivedCallback> {
        self.received.iter().filter(|it| names(it, &self.reference))
    }
}

fn names(callback: &ReceivedCallback, reference: &ProviderReference) -> bool {
    let named = callback.named.as_ref();
    named.is_some_and(|it| it.data.reference == reference.as_str())
}

/// A callback about the order comes after it has an end.
pub(crate) async fn sent(bench: &Bench, of: &CheckedService) -> CheckStep {
    let called = called(bench, of).await?;
    if called.about().next().is_some() {
        return Ok(());
    }
    broken(format!(
        "the order ended, and no callback about it came within {} s; {} came about others",
        bench.settle_within.as_secs(),
        called.received.len()
    ))
}

/// Each is signed as Standard Webhooks has it, with the first shared key.
pub(crate) async fn signed(bench: &Bench, of: &CheckedService) -> CheckStep {
    for callback in &came(bench, of).await?.received {
        let Some(parts) = parts(callback) else {
            return broken(format!(
                "a callback lacks one of {CALLBACK_ID_HEADER}, {CALLBACK_TIMESTAMP_HEADER} and \
                 {CALLBACK_SIGNATURE_HEADER}, or has it twice"
            ));
        };
        let (id, signature) = (parts.0.id, parts.1);
        // How old it is is judged by itself.
        let sent = parts.0.timestamp.parse().unwrap_or_default();
        if !is_authentic_callback(bench.keys.shared(), parts.0, (signature, sent)) {
            return broken(format!(
                "the callback {id} is not signed with the shared key over its identity, its \
                 timestamp and its body"
            ));
        }
        if is_authentic_callback(bench.keys.wrong_secret(), parts.0, (signature, sent)) {
            return broken(format!(
                "the callback {id} is signed with a secret of the kit"
            ));
        }
    }
    Ok(())
}

/// Each is of the moment at which it was sent, repeated ones too.
pub(crate) async fn fresh(bench: &Bench, of: &CheckedService) -> CheckStep {
    for callback in &came(bench, of).await?.received {
        let sent = callback.request.header(CALLBACK_TIMESTAMP_HEADER);
        let sent = sent.and_then(|sent| sent.parse::<i64>().ok());
        let away = sent.map(|sent| sent.abs_diff(callback.at));
        if away.is_none_or(|away| away > CLOCK_WINDOW.as_secs()) {
            return broken(format!(
                "a callback has the timestamp {}, and came at {}",
                sent.map_or_else(|| "of nothing".to_owned(), |sent| sent.to_string()),
                callback.at
            ));
        }
    }
    Ok(())
}

/// Each names an attempt that was submitted, and nothing else makes it one.
pub(crate) async fn of_an_attempt(bench: &Bench, of: &CheckedService) -> CheckStep {
    for callback in &came(bench, of).await?.received {
        let Some(named) = &callback.named else {
            return broken(
                "a callback cannot be read as `{\"type\": …, \"data\": {\"reference\": …}}`",
            );
        };
        if callback.request.method != "POST" {
            return broken(format!("a callback came with {}", callback.request.method));
        }
        if named.kind != ATTEMPT_CHANGED {
            return broken(format!(
                "a callback has the type {}, and there is {ATTEMPT_CHANGED} alone",
                named.kind
            ));
        }
        let reference = &named.data.reference;
        let ordered = bench.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        if !ordered.contains_key(reference) {
            return broken(format!(
                "a callback is about {reference}, which was never submitted"
            ));
        }
    }
    Ok(())
}

/// What is not answered with 2xx comes again, under its identity, until it is.
pub(crate) async fn repeated(bench: &Bench, of: &CheckedService) -> CheckStep {
    let called = came(bench, of).await?;
    let about: Vec<_> = called.about().collect();
    let [first, second, more @ ..] = about.as_slice() else {
        return broken(format!(
            "a callback that was answered 503 did not come again within {} s",
            bench.settle_within.as_secs()
        ));
    };
    let id = |it: &ReceivedCallback| it.request.header(CALLBACK_ID_HEADER).map(str::to_owned);
    if id(first) != id(second) {
        return broken("a callback that is repeated has another `webhook-id`");
    }
    let again = more.iter().filter(|it| id(it) == id(second)).count();
    if again > 0 {
        return broken(format!(
            "a callback that was answered {} came {again} times more within {} s",
            second.answered,
            QUIET.as_secs()
        ));
    }
    Ok(())
}

/// The headers and the body that are signed, and the signature.
fn parts(callback: &ReceivedCallback) -> Option<(CallbackParts<'_>, &str)> {
    let request = &callback.request;
    let parts = CallbackParts {
        id: request.header(CALLBACK_ID_HEADER)?,
        timestamp: request.header(CALLBACK_TIMESTAMP_HEADER)?,
        body: &request.body,
    };
    Some((parts, request.header(CALLBACK_SIGNATURE_HEADER)?))
}

/// The same where something came: whether anything does is judged by itself.
async fn came<'a>(bench: &Bench, of: &'a CheckedService) -> CheckStep<&'a CalledOrder> {
    let called = called(bench, of).await?;
    if called.received.is_empty() {
        return not_applicable("no callback came");
    }
    Ok(called)
}

async fn called<'a>(bench: &Bench, of: &'a CheckedService) -> CheckStep<&'a CalledOrder> {
    let made = of.called.get_or_init(|| call(bench, of)).await;
    made.as_ref().map_err(Clone::clone)
}

/// Buys an order that is pending at first, waits for its end, and for what is sent about it.
async fn call(bench: &Bench, of: &CheckedService) -> CheckStep<CalledOrder> {
    if bench.profile(of)?.callback == CallbackUse::None {
        return not_applicable("the profile says `callback` = `none`");
    }
    let Some(listener) = bench.callbacks.get() else {
        return not_applicable("callbacks are not listened for; say where with `--callbacks`");
    };
    let Some(order) = of.orders.iter().find(|it| it.pending) else {
        return not_applicable("the scenario has no order of this service with `pending = true`");
    };
    if !bench.purchases.take(order.amount) {
        return not_applicable("what may be spent is spent");
    }
    let reference = bench.reference();
    bench.remember(&reference, order);
    let from = listener.count();
    let document = bench.document(&reference, order);
    let reply = bench.submit(&reference, &document).await;
    if reply.state() != Some(AttemptState::Pending) {
        return broken(format!(
            "an order with `pending = true` was answered with {}; give one that is pending first",
            reply.said()
        ));
    }
    let settled = bench.settled(&reference).await?;
    if settled.state != AttemptState::Delivered {
        return broken(format!(
            "an order with `pending = true` is `{}` at last; give one that is delivered, or raise \
             `settle_within_seconds`",
            crate::call_reply::word(settled.state)
        ));
    }
    let received = received(bench, (listener, from), &reference).await;
    Ok(CalledOrder {
        reference,
        received,
    })
}

/// What comes until the order was called about twice, and a while longer.
async fn received(
    bench: &Bench,
    (listener, from): (&Arc<CallbackListener>, usize),
    reference: &ProviderReference,
) -> Vec<ReceivedCallback> {
    let until = bench.clock.uptime().saturating_add(bench.settle_within);
    while bench.clock.uptime() < until {
        let since = listener.since(from);
        if since.iter().filter(|it| names(it, reference)).count() >= 2 {
            tokio::time::sleep(QUIET).await;
            break;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    listener.since(from)
}
