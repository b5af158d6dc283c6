//! Rules 1, 18, 19 and 22: what is not a whole request of the protocol is refused, and what is
//! unknown in one is ignored.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, word};
use crate::checked_service::CheckedService;
use crate::exchange_log::AttemptCall;
use crate::json_edit::set;
use crate::scenario::ExpectedEnd;
use crate::signing::Signing;
use crate::upstream::RequestSending;
use provider_protocol::{AttemptState, BODY_BYTES_MAX};
use serde_json::{Value, json};

/// Submits a body that must be refused.
async fn refused(
    bench: &Bench,
    of: &CheckedService,
    (method, edit): (&str, impl FnOnce(&mut Value) -> Option<String>),
) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let mut document = bench.document(&reference, order);
    let body = edit(&mut document).unwrap_or_else(|| document.to_string());
    let request = bench.signed((method, "/attempts", body.as_bytes()), Signing::RIGHT);
    let asked = Some((AttemptCall::Submit, &reference));
    let reply = bench
        .send(&request, asked, (RequestSending::Whole, false))
        .await;
    let came = bench.nothing_came_of((&reference, order), effects).await;
    if reply.status() == Some(200) && reply.state() != Some(AttemptState::Declined) {
        return broken(format!("the request was accepted: {}", reply.said()));
    }
    came
}

/// One byte more than the protocol allows.
pub(crate) async fn too_large(bench: &Bench, of: &CheckedService) -> CheckStep {
    let pad = |document: &mut Value| {
        set(document, "/more", json!(""));
        let missing = (BODY_BYTES_MAX + 1).saturating_sub(document.to_string().len());
        set(document, "/more", json!("x".repeat(missing)));
        None
    };
    refused(bench, of, ("POST", pad)).await
}

/// Amounts are whole minor units above zero, and nothing else is read as one.
pub(crate) async fn amounts(bench: &Bench, of: &CheckedService) -> CheckStep {
    let minor = of.order(ExpectedEnd::Delivered)?.amount.minor();
    for (what, amount) in [
        ("a fraction", format!("{minor}.5")),
        ("a text", format!("\"{minor}\"")),
        ("zero", "0".to_owned()),
        ("below zero", format!("-{minor}")),
    ] {
        let put = |document: &mut Value| {
            set(document, "/amount/minor", json!("here"));
            Some(document.to_string().replacen("\"here\"", &amount, 1))
        };
        let refused = refused(bench, of, ("POST", put)).await;
        refused.map_err(|stop| stop.about(&format!("an amount that is {what}")))?;
    }
    let put = |document: &mut Value| {
        set(document, "/amount/currency", json!("ZZZ"));
        None
    };
    let refused = refused(bench, of, ("POST", put)).await;
    refused.map_err(|stop| stop.about("an amount in a currency that is not known"))
}

/// Text that ends within the document.
pub(crate) async fn cut(bench: &Bench, of: &CheckedService) -> CheckStep {
    let cut = |document: &mut Value| {
        let text = document.to_string();
        Some(text.chars().take(text.len().saturating_sub(2)).collect())
    };
    refused(bench, of, ("POST", cut)).await
}

/// Proxies and clients repeat PUT by themselves.
pub(crate) async fn put(bench: &Bench, of: &CheckedService) -> CheckStep {
    refused(bench, of, ("PUT", |_: &mut Value| None)).await
}

/// Half a body, then the end of the connection.
pub(crate) async fn half_body(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let document = bench.document(&reference, order);
    let sending = RequestSending::HalfBody;
    bench.submit_by(&reference, &document, sending).await;
    bench.nothing_came_of((&reference, order), effects).await
}

/// A question that comes in small pieces.
pub(crate) async fn slow(bench: &Bench, _: &CheckedService) -> CheckStep {
    let reference = bench.reference();
    let path = format!("/attempts/{reference}");
    let request = bench.signed(("GET", &path, b""), Signing::RIGHT);
    let asked = Some((AttemptCall::Query, &reference));
    let reply = bench
        .send(&request, asked, (RequestSending::Slow, true))
        .await;
    match reply.state() {
        Some(AttemptState::Absent) => Ok(()),
        Some(_) | None => broken(format!("a slow query was answered with {}", reply.said())),
    }
}

/// Fields that this version of the protocol does not know.
pub(crate) async fn unknown_fields(bench: &Bench, of: &CheckedService) -> CheckStep {
    let (order, reference) = bench.purchase(of).await?;
    let effects = bench.effects().await?;
    let mut document = bench.document(&reference, &order);
    set(&mut document, "/fromTheFuture", json!({"a": [1, null]}));
    set(&mut document, "/order/fromTheFuture", json!(true));
    let reply = bench.submit(&reference, &document).await;
    if reply.state().is_none() {
        return broken(format!(
            "unknown fields were answered with {}",
            reply.said()
        ));
    }
    let settled = bench.settled(&reference).await?;
    if settled.state != AttemptState::Delivered {
        return broken(format!(
            "with unknown fields the order is `{}`",
            word(settled.state)
        ));
    }
    bench.effects_since(effects, 1).await
}
