//! Where events arrive: an HTTPS server within the benchmark, which notes each and answers at once,
//! and one path at which nobody ever answers.

use crate::bare;
use anyhow::{Context, Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as Place, State};
use axum::http::StatusCode;
use axum::routing::post;
use reqwest::{Certificate, Client};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tests::patience;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// Posts under way at a time: as many as the gateway has.
const UNDER_WAY: usize = 256;

/// How long the path that hangs hangs: longer than any sender waits.
const HANGS: Duration = Duration::from_mins(2);

/// What arrived since the last beginning.
#[derive(Debug, Default)]
struct Noted {
    /// By endpoint and identifier: what comes twice counts once.
    seen: HashSet<(usize, String)>,
    waits: Vec<Duration>,
    first: Option<Instant>,
    last: Option<Instant>,
}

/// What it came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrived {
    pub(super) per_second: f64,
    pub(super) p99: Duration,
}

#[derive(Debug)]
pub(super) struct Receiver {
    address: SocketAddr,
    noted: Arc<Mutex<Noted>>,
    client: Client,
    hangs: AtomicBool,
    _serving: JoinSet<()>,
}

impl Receiver {
    /// Starts one with the certificate of a gateway.
    #[expect(
        clippy::disallowed_methods,
        reason = "nothing waits for this server's connections: it ends with the benchmark"
    )]
    pub(super) async fn start(data: &Path) -> Result<Self> {
        let noted = Arc::new(Mutex::new(Noted::default()));
        let router = Router::new()
            .route("/to/{place}", post(note))
            .route("/bare", post(|_: Bytes| async { StatusCode::NO_CONTENT }))
            .route("/hangs", post(|| tokio::time::sleep(HANGS)))
            .with_state(Arc::clone(&noted));
        let acceptor = bare::acceptor(&data.join("tls"))?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(bare::converse(stream, acceptor.clone(), router.clone()));
            }
        });
        let authority = Certificate::from_pem(&std::fs::read(data.join("ca.pem"))?)?;
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .tls_certs_only([authority])
            .no_proxy()
            .http1_only()
            .build()?;
        Ok(Self {
            address,
            noted,
            client,
            hangs: AtomicBool::new(false),
            _serving: serving,
        })
    }

    pub(super) fn url(&self, place: usize) -> String {
        format!("https://localhost:{}/to/{place}", self.address.port())
    }

    /// The address at which nobody answers, from now on one of the endpoints.
    pub(super) fn hanging(&self) -> String {
        self.hangs.store(true, Ordering::Relaxed);
        format!("https://localhost:{}/hangs", self.address.port())
    }

    /// Forgets what arrived.
    pub(super) fn begin(&self) {
        if let Ok(mut noted) = self.noted.lock() {
            *noted = Noted::default();
        }
    }

    /// How many deliveries so many payments make at endpoints that answer, where accounts take
    /// turns and the first of them may have one that does not. It answers again afterwards.
    pub(super) fn healthy_of(&self, payments: u64, accounts: usize, each: usize) -> usize {
        let payments = usize::try_from(payments).unwrap_or(usize::MAX);
        let lost = if self.hangs.swap(false, Ordering::Relaxed) {
            payments.div_ceil(accounts)
        } else {
            0
        };
        payments.saturating_mul(each).saturating_sub(lost)
    }

    /// Waits until so many have arrived.
    pub(super) async fn arrived(&self, count: usize, within: Duration) -> Result<Arrived> {
        let deadline = patience::Deadline::after(within);
        loop {
            {
                let noted = self.noted.lock();
                let mut noted = noted.map_err(|_| anyhow::anyhow!("a delivery broke"))?;
                if noted.seen.len() >= count {
                    noted.waits.sort_unstable();
                    let place = noted.waits.len() * 99 / 100;
                    let p99 = noted.waits.get(place).copied();
                    let (first, last) = (noted.first, noted.last);
                    let span = last.zip(first).map(|(last, first)| last - first);
                    let span = span.context("nothing arrived")?;
                    return Ok(Arrived {
                        per_second: count as f64 / span.as_secs_f64(),
                        p99: p99.unwrap_or_default(),
                    });
                }
                if deadline.is_over() {
                    bail!("{} of {count} events arrived", noted.seen.len());
                }
            }
            patience::pause().await;
        }
    }

    /// What the client of the gateway does by itself: posts of the same size per second.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(super) async fn bare(&self, time: Duration) -> Result<f64> {
        let url = format!("https://localhost:{}/bare", self.address.port());
        let started = Instant::now();
        let mut posting = JoinSet::new();
        for _ in 0..UNDER_WAY {
            let (client, url) = (self.client.clone(), url.clone());
            posting.spawn(async move {
                let mut count = 0_u64;
                while started.elapsed() < time {
                    let posted = client.post(&url).body(BODY).send().await?;
                    posted.error_for_status()?;
                    count += 1;
                }
                anyhow::Ok(count)
            });
        }
        let mut count = 0;
        while let Some(posted) = posting.join_next().await {
            count += posted??;
        }
        Ok(count as f64 / started.elapsed().as_secs_f64())
    }
}

/// As long as the event of a payment.
const BODY: &str = concat!(
    r#"{"type":"transaction.successful","timestamp":"2026-11-21T10:00:00.000Z","data":{"#,
    r#""evtIdentifier":"evt_224700000000000_2","evtSequence":2,"mrcReference":"bench-100000","#,
    r#""txnReference":224700000000000,"txnStatus":"Successful","countryCode":566,"#,
    r#""number":"2348031239100","network":"MTN","billing":"prepaid","amount":"100.00","#,
    r#""price":"97.00","currency":"NGN","txnDate":"2026-11-21T11:00:00+01:00","retrieve":null}}"#
);

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn note(
    State(noted): State<Arc<Mutex<Noted>>>,
    Place(place): Place<usize>,
    body: Bytes,
) -> StatusCode {
    let (now, today) = (Instant::now(), patience::time_of_day());
    let Some((id, at)) = read(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let Ok(mut noted) = noted.lock() else {
        return StatusCode::INTERNAL_SERVER_ERROR;
    };
    if noted.seen.insert((place, id)) {
        noted.waits.push(today.since(at));
        noted.first.get_or_insert(now);
        noted.last = Some(now);
    }
    StatusCode::NO_CONTENT
}

/// The identifier of an event, and when it was.
fn read(body: &[u8]) -> Option<(String, domain::time::Timestamp)> {
    let event: serde_json::Value = serde_json::from_slice(body).ok()?;
    let id = event
        .get("data")?
        .get("evtIdentifier")?
        .as_str()?
        .to_owned();
    let at: jiff::Timestamp = event.get("timestamp")?.as_str()?.parse().ok()?;
    let at = domain::time::Timestamp::from_millis(at.as_millisecond());
    Some((id, at))
}
