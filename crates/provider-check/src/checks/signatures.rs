//! Rule 15: nothing is done for a request that is not authentic, fresh, and seen for the first
//! time.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken};
use crate::checked_service::CheckedService;
use crate::exchange_log::AttemptCall;
use crate::scenario::ExpectedEnd;
use crate::signing::{SignerKey, Signing};
use crate::upstream::RequestSending;

/// Ten minutes, twice the window of the clocks.
const FAR_AWAY: i64 = 600;

/// Submits an order with a signature that must be refused.
async fn refused(bench: &Bench, of: &CheckedService, signing: Signing<'_>) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let body = bench.document(&reference, order).to_string();
    let request = bench.signed(("POST", "/attempts", body.as_bytes()), signing);
    let asked = Some((AttemptCall::Submit, &reference));
    let reply = bench
        .send(&request, asked, (RequestSending::Whole, false))
        .await;
    let came = bench.nothing_came_of((&reference, order), effects).await;
    if reply.status() == Some(200) {
        return broken(format!("the request was accepted: {}", reply.said()));
    }
    came
}

pub(crate) async fn unsigned(bench: &Bench, of: &CheckedService) -> CheckStep {
    let signing = Signing {
        left_out: true,
        ..Signing::RIGHT
    };
    refused(bench, of, signing).await
}

pub(crate) async fn wrong_secret(bench: &Bench, of: &CheckedService) -> CheckStep {
    let key = SignerKey::WrongSecret;
    refused(
        bench,
        of,
        Signing {
            key,
            ..Signing::RIGHT
        },
    )
    .await
}

pub(crate) async fn unknown_key(bench: &Bench, of: &CheckedService) -> CheckStep {
    let key = SignerKey::UnknownId;
    refused(
        bench,
        of,
        Signing {
            key,
            ..Signing::RIGHT
        },
    )
    .await
}

pub(crate) async fn clock_behind(bench: &Bench, of: &CheckedService) -> CheckStep {
    let skew = -FAR_AWAY;
    refused(
        bench,
        of,
        Signing {
            skew,
            ..Signing::RIGHT
        },
    )
    .await
}

pub(crate) async fn clock_ahead(bench: &Bench, of: &CheckedService) -> CheckStep {
    let skew = FAR_AWAY;
    refused(
        bench,
        of,
        Signing {
            skew,
            ..Signing::RIGHT
        },
    )
    .await
}

/// The amount is another than the one that was signed.
pub(crate) async fn altered_body(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let reference = bench.reference();
    bench.remember(&reference, order);
    let effects = bench.effects().await?;
    let signed = bench.document(&reference, order);
    let mut sent = signed.clone();
    if let Some(minor) = sent.pointer_mut("/amount/minor") {
        *minor = order.amount.minor().saturating_add(1).into();
    }
    let (signed, sent) = (signed.to_string(), sent.to_string());
    let signing = Signing {
        altered: Some(sent.as_bytes()),
        ..Signing::RIGHT
    };
    let request = bench.signed(("POST", "/attempts", signed.as_bytes()), signing);
    let asked = Some((AttemptCall::Submit, &reference));
    let reply = bench
        .send(&request, asked, (RequestSending::Whole, false))
        .await;
    let came = bench.nothing_came_of((&reference, order), effects).await;
    if reply.status() == Some(200) {
        return broken(format!(
            "the altered request was accepted: {}",
            reply.said()
        ));
    }
    came
}

/// A question about one reference is signed, and one about another is sent.
pub(crate) async fn other_path(bench: &Bench, _: &CheckedService) -> CheckStep {
    let (signed, sent) = (bench.reference(), bench.reference());
    let (signed, path) = (format!("/attempts/{signed}"), format!("/attempts/{sent}"));
    let signing = Signing {
        instead_of: Some(("GET", &signed)),
        ..Signing::RIGHT
    };
    accepted(bench, ("GET", &path), signing).await
}

/// A question is signed, and a seal is sent.
pub(crate) async fn other_method(bench: &Bench, _: &CheckedService) -> CheckStep {
    let path = format!("/attempts/{}/seal", bench.reference());
    let signing = Signing {
        instead_of: Some(("GET", &path)),
        ..Signing::RIGHT
    };
    accepted(bench, ("POST", &path), signing).await
}

async fn accepted(bench: &Bench, (method, path): (&str, &str), signing: Signing<'_>) -> CheckStep {
    let request = bench.signed((method, path, b""), signing);
    let reply = bench
        .send(&request, None, (RequestSending::Whole, false))
        .await;
    if reply.status() == Some(200) {
        return broken("a request was accepted whose signature is of another method or address");
    }
    Ok(())
}

/// The very bytes of a question are sent twice.
pub(crate) async fn replayed(bench: &Bench, _: &CheckedService) -> CheckStep {
    let reference = bench.reference();
    let path = format!("/attempts/{reference}");
    let request = bench.signed(("GET", &path, b""), Signing::RIGHT);
    let asked = Some((AttemptCall::Query, &reference));
    let first = bench
        .send(&request, asked, (RequestSending::Whole, true))
        .await;
    if first.status() != Some(200) {
        return broken(format!("a query was answered with {}", first.said()));
    }
    let second = bench
        .send(&request, asked, (RequestSending::Whole, false))
        .await;
    if second.status() == Some(200) {
        return broken("a request was accepted whose nonce was used before");
    }
    Ok(())
}
