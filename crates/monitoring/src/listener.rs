//! The listener that operators' tools ask. It must answer nothing else, and neither a client that
//! is slow nor many of them may hold anything up.

use crate::exposition::{Exposition, OPEN_METRICS};
use crate::readiness::Readiness;
use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Most connections at a time: a few tools ask, each by one or two.
const CONNECTIONS_MAX: usize = 32;

/// How long a connection may take to send the head of a request, also after an answer.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long a connection is served, whatever it does: scrapes and checks are short.
const CONNECTION_MAX: Duration = Duration::from_mins(10);

/// Most bytes of a request's head.
const HEAD_BYTES_MAX: usize = 8 << 10;

/// How long accepting pauses when the system has no file descriptor for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address} for operators' tools")]
pub struct ListenError {
    /// The address.
    pub address: SocketAddr,
    /// Why.
    #[source]
    pub source: io::Error,
}

/// A listener that does not answer yet.
#[derive(Debug)]
pub struct MonitoringListener {
    listener: TcpListener,
    address: SocketAddr,
}

/// What is answered.
#[derive(Debug)]
struct Answers {
    exposition: Exposition,
    readiness: Readiness,
}

impl MonitoringListener {
    /// Listens on an address; port 0 takes any that is free.
    ///
    /// # Errors
    /// When the address is in use, not of this machine, or not permitted.
    pub async fn bind(address: SocketAddr) -> Result<Self, ListenError> {
        let failed = |source| ListenError { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    /// The address it listens on.
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is stopped.
    pub async fn run(self, exposition: Exposition, readiness: Readiness, stop: CancellationToken) {
        let answers = Arc::new(Answers {
            exposition,
            readiness,
        });
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                accepted = self.listener.accept() => accepted,
            };
            while connections.try_join_next().is_some() {}
            match accepted {
                Ok((stream, _)) => {
                    // Where every place is taken, the connection is closed: a tool tries again.
                    if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                        let answers = Arc::clone(&answers);
                        connections.spawn(async move {
                            serve(stream, answers).await;
                            drop(place);
                        });
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection for monitoring could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        connections.shutdown().await;
    }
}

async fn serve(stream: TcpStream, answers: Arc<Answers>) {
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let answers = Arc::clone(&answers);
        async move {
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            Ok::<_, Infallible>(answers.answer(&method, &path).await)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    if let Ok(Err(error)) = tokio::time::timeout(CONNECTION_MAX, connection).await {
        tracing::debug!(%error, "a connection for monitoring ended");
    }
}

impl Answers {
    async fn answer(&self, method: &Method, path: &str) -> Response<Full<Bytes>> {
        if *method != Method::GET && *method != Method::HEAD {
            let mut refused = text(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered\n");
            let allow = HeaderValue::from_static("GET, HEAD");
            refused.headers_mut().insert(ALLOW, allow);
            return refused;
        }
        match path {
            "/metrics" => {
                let metrics = self.exposition.text(&self.readiness).await;
                response(StatusCode::OK, OPEN_METRICS, metrics)
            }
            "/live" => response(StatusCode::OK, JSON, "{\"live\":true}\n".to_owned()),
            "/ready" => {
                let report = self.readiness.report().await;
                let status = if report.ready {
                    StatusCode::OK
                } else {
                    StatusCode::SERVICE_UNAVAILABLE
                };
                match serde_json::to_string_pretty(&report) {
                    Ok(json) => response(status, JSON, json + "\n"),
                    Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
                }
            }
            _ => text(
                StatusCode::NOT_FOUND,
                "there is /metrics, /live and /ready; merchants are served on another port\n",
            ),
        }
    }
}

const JSON: &str = "application/json";

fn text(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    response(status, "text/plain; charset=utf-8", text.to_owned())
}

fn response(status: StatusCode, media_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
