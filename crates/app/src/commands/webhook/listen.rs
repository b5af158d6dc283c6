//! `manilla webhook listen`: a receiver for those who integrate. It verifies as any receiver
//! should, with the library of the standard, and must show nothing as verified that is not.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use standardwebhooks::{HEADER_WEBHOOK_ID, Webhook};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::ctrl_c;
use tokio_util::task::TaskTracker;

use crate::failure::Failure;
use crate::output;

/// Most bytes of an event: many times the longest report.
const BODY_MAX: usize = 1024 * 1024;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla webhook listen --secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  WEBHOOK_SECRET=whsec_... manilla webhook listen --at 127.0.0.1:9000 --answer 503

It answers 204 to what it verified and 400 to everything else, and ends with Ctrl-C. A sandbox
delivers to it over plain HTTP once that is allowed:
  manilla serve --set webhook.allow_loopback=true
  curl … /webhook/endpoint -d '{\"whkUrl\":\"http://127.0.0.1:9000/\"}'")]
pub(crate) struct WebhookListenOptions {
    #[arg(
        long,
        value_name = "WHSEC",
        help = "The secret the endpoint was made with [env: WEBHOOK_SECRET]"
    )]
    secret: Option<String>,
    #[arg(
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:9000",
        help = "Where to listen; port 0 takes any that is free"
    )]
    at: SocketAddr,
    #[arg(
        long,
        value_name = "STATUS",
        value_parser = clap::value_parser!(u16).range(200..=599),
        help = "Answer what was verified with this status instead of 204, to see what happens then"
    )]
    answer: Option<u16>,
}

/// What every connection needs.
#[derive(Debug)]
struct Receiver {
    verifier: Verifier,
    answer: StatusCode,
}

struct Verifier(Webhook);

impl std::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Verifier(…)")
    }
}

pub(super) async fn run(options: &WebhookListenOptions) -> Result<(), Failure> {
    let receiver = Arc::new(Receiver::new(options)?);
    let listener = TcpListener::bind(options.at)
        .await
        .with_context(|| format!("cannot listen on {}; name another with --at", options.at))?;
    let address = listener.local_addr()?;
    output::line(format!("ready http://{address}"))?;
    let connections = TaskTracker::new();
    let accept = async {
        loop {
            let (stream, _) = listener.accept().await?;
            connections.spawn(converse(stream, Arc::clone(&receiver)));
        }
    };
    tokio::select! {
        ended = accept => {
            let ended: std::io::Result<Infallible> = ended;
            ended.map(|_| ()).context("no more can be accepted").map_err(Failure::from)
        }
        stopped = ctrl_c() => Ok(stopped?),
    }
}

impl Receiver {
    fn new(options: &WebhookListenOptions) -> Result<Self, Failure> {
        let secret = options.secret.clone();
        let secret = secret.or_else(|| std::env::var("WEBHOOK_SECRET").ok());
        let secret = secret.ok_or_else(|| {
            Failure::flag(
                "--secret",
                "is missing: give the whkSecret that POST /webhook/endpoint answered",
            )
        })?;
        let verifier = Webhook::new(secret.trim())
            .map_err(|error| Failure::flag("--secret", format!("is no secret: {error}")))?;
        let answer = options.answer.unwrap_or(204);
        let answer = StatusCode::from_u16(answer);
        Ok(Self {
            verifier: Verifier(verifier),
            answer: answer.map_err(|error| Failure::flag("--answer", error))?,
        })
    }

    /// What is shown of an event, and what is answered to it.
    fn take(&self, headers: &HeaderMap, body: &[u8]) -> (String, StatusCode) {
        let id = headers.get(HEADER_WEBHOOK_ID);
        let id = id.and_then(|id| id.to_str().ok()).unwrap_or("no id");
        match self.verifier.0.verify(body, headers) {
            Ok(()) => (
                format!("verified  {id}\n{}", String::from_utf8_lossy(body)),
                self.answer,
            ),
            Err(error) => (
                format!("REFUSED   {id}: {error}; nothing in it can be trusted"),
                StatusCode::BAD_REQUEST,
            ),
        }
    }
}

async fn converse(stream: TcpStream, receiver: Arc<Receiver>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&receiver)));
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = served.await {
        tracing::debug!(%error, "a connection broke");
    }
}

async fn answer(
    request: Request<Incoming>,
    receiver: Arc<Receiver>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, BODY_MAX).collect().await;
    let (mut printed, status) = match body {
        _ if head.method != Method::POST => (
            format!("REFUSED   {} is not how events come", head.method),
            StatusCode::METHOD_NOT_ALLOWED,
        ),
        Ok(body) => receiver.take(&head.headers, &body.to_bytes()),
        Err(error) => (
            format!("REFUSED   a body that could not be read: {error}"),
            StatusCode::BAD_REQUEST,
        ),
    };
    let _ = write!(printed, "\nanswered  {}\n", status.as_u16());
    if let Err(error) = output::line(printed) {
        tracing::warn!(%error, "an event could not be shown");
    }
    let mut response = Response::new(Empty::new());
    *response.status_mut() = status;
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;
    use http::HeaderValue;
    use ports::clock::Clock as _;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    fn receiver(secret: Option<&str>, answer: Option<u16>) -> Result<Receiver, Failure> {
        Receiver::new(&WebhookListenOptions {
            secret: secret.map(str::to_owned),
            at: SocketAddr::from(([127, 0, 0, 1], 0)),
            answer,
        })
    }

    /// The headers of a body signed now.
    fn signed(body: &str) -> HeaderMap {
        let now = SystemClock.now().as_millis() / 1000;
        let signature = Webhook::new(SECRET).unwrap();
        let signature = signature.sign("evt_1_2", now, body.as_bytes()).unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("webhook-id", "evt_1_2"),
            ("webhook-timestamp", &now.to_string()),
            ("webhook-signature", &signature),
        ] {
            headers.insert(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn what_is_signed_is_shown_and_answered_as_asked() {
        let body = r#"{"type":"ping"}"#;
        for (answer, expected) in [(None, 204), (Some(503), 503)] {
            let receiver = receiver(Some(SECRET), answer).unwrap();
            let (printed, status) = receiver.take(&signed(body), body.as_bytes());
            assert!(
                printed.starts_with("verified  evt_1_2\n{\"type\":\"ping\"}"),
                "{printed}"
            );
            assert_eq!(status.as_u16(), expected);
        }
    }

    #[test]
    fn nothing_is_shown_of_what_is_not_signed() {
        let receiver = receiver(Some(SECRET), Some(503)).unwrap();
        for headers in [signed(r#"{"type":"other"}"#), HeaderMap::new()] {
            let (printed, status) = receiver.take(&headers, br#"{"type":"ping"}"#);
            assert!(
                printed.starts_with("REFUSED") && !printed.contains("ping"),
                "{printed}"
            );
            assert_eq!(status, StatusCode::BAD_REQUEST);
        }
    }

    #[test]
    fn a_secret_that_is_none_is_named() {
        let failure = receiver(Some("whsec_~"), None).unwrap_err();
        let said = failure.message().unwrap();
        assert!(said.starts_with("error: --secret is no secret"), "{said}");
    }
}
