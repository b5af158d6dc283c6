//! `POST /provider/:id/callback`: what a provider sends by itself. It is public, because providers
//! have no account here, and must be cheap to refuse; the adapter judges whether it is authentic.

use super::table;
use crate::app::App;
use crate::error_response::later;
use crate::file::File;
use crate::layers::body::{self, Body, Unread};
use crate::reply::HttpReply;
use crate::settings::BODY_BYTES_MAX;
use application::provider_callbacks::{
    CallbackAnswer, CallbackRefused, CallbackResult, ProviderCallback,
};
use domain::provider::ProviderId;
use http::header::{ALLOW, HeaderMap};
use http::{Method, Request, StatusCode};
use std::net::IpAddr;
use std::time::Duration;

/// Largest callback in bytes: providers send one transaction, of a few kilobytes.
const CALLBACK_BYTES_MAX: usize = 64 * 1024;

/// How long the refusal of a callback is delayed: a connection that sends nothing else is refused
/// five times a second, and leaves the processor to payments.
const REFUSAL_PAUSE: Duration = Duration::from_millis(200);

/// After how many seconds a callback that was turned away should be repeated.
const REPEAT_AFTER: u16 = 5;

/// The provider whose callbacks a path takes; `None` where it is no such path, or the provider is
/// not configured or sends none. Those are answered as any unknown path.
pub(crate) fn provider_at(app: &App, path: &str) -> Option<ProviderId> {
    let id = path.strip_prefix("/provider/")?.strip_suffix("/callback")?;
    let provider = ProviderId::parse(id).ok()?;
    app.gateway.takes_callbacks(&provider).then_some(provider)
}

/// Answers a request at the path of a provider's callbacks.
pub(crate) async fn handle(
    app: &App,
    (provider, source): (&ProviderId, IpAddr),
    request: Request<Body>,
) -> HttpReply {
    let (head, body) = request.into_parts();
    if head.method != Method::POST {
        body::discard(&head.headers, body).await;
        return other_verb(&head.method);
    }
    let limits = &app.callbacks;
    let permit = limits.permit(provider, app.gateway.uptime());
    if permit.is_none() {
        body::discard(&head.headers, body).await;
        if let Some(_place) = limits.pause() {
            app.gateway.wait(REFUSAL_PAUSE).await;
        }
        return busy();
    }
    take(app, (provider, source), (&head.headers, body)).await
}

async fn take(
    app: &App,
    (provider, source): (&ProviderId, IpAddr),
    (headers, mut body): (&HeaderMap, Body),
) -> HttpReply {
    // What a provider signs is for its adapter to judge.
    let read = body::read_up_to(BODY_BYTES_MAX, headers, (&mut body, app.body_timeout));
    let bytes = match read.await {
        Ok(bytes) if bytes.len() <= CALLBACK_BYTES_MAX => bytes,
        Ok(_) | Err(Unread::TooLarge) => return too_large(),
        Err(unread @ (Unread::TooSlow | Unread::Broken | Unread::Altered)) => return late(unread),
    };
    let headers = named(headers);
    let callback = ProviderCallback {
        headers: &headers,
        body: &bytes,
        source,
        received_at: app.gateway.now(),
    };
    let taken = app.gateway.take_callback(provider, &callback).await;
    match taken {
        Some(CallbackResult::Taken(answer)) => taken_with(answer),
        Some(CallbackResult::Refused(refused)) => not_believed(provider, refused),
        Some(CallbackResult::Later) | None => busy(),
    }
}

fn other_verb(method: &Method) -> HttpReply {
    let reply = if method == Method::OPTIONS {
        HttpReply::nothing()
    } else {
        let remedy = "callbacks are posted";
        HttpReply::request(StatusCode::METHOD_NOT_ALLOWED, "Wrong verb.", remedy)
    };
    reply.with_header(ALLOW, table::allowing_post())
}

fn late(unread: Unread) -> HttpReply {
    let message = "The callback did not arrive.";
    HttpReply::request(StatusCode::REQUEST_TIMEOUT, message, unread.to_string())
}

fn named(headers: &HeaderMap) -> Vec<(&str, &[u8])> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect()
}

const fn taken_with(answer: CallbackAnswer) -> HttpReply {
    HttpReply::file(File::plain(answer.content_type, answer.body.as_bytes()))
}

fn not_believed(provider: &ProviderId, refused: CallbackRefused) -> HttpReply {
    tracing::warn!(%provider, %refused, "a callback was refused");
    let (status, remedy) = match refused {
        CallbackRefused::NotAuthentic => (
            StatusCode::UNAUTHORIZED,
            "sign the body as agreed, and send it within its time",
        ),
        CallbackRefused::Unreadable => (StatusCode::BAD_REQUEST, "send it as agreed"),
    };
    HttpReply::request(status, "The callback was refused.", remedy)
}

fn too_large() -> HttpReply {
    let remedy = format!("a callback must not be larger than {CALLBACK_BYTES_MAX} bytes");
    let message = "The callback is too large.";
    HttpReply::request(StatusCode::PAYLOAD_TOO_LARGE, message, remedy)
}

fn busy() -> HttpReply {
    let remedy = "nothing was done; send the callback again later";
    later("The gateway is busy.", remedy, REPEAT_AFTER)
}

#[cfg(test)]
mod tests;
