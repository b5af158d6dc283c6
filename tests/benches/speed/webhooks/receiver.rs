//! Where events arrive: an HTTPS server within the benchmark, which notes each and answers at once,
//! and one path that is never answered. It must know an event that came before, however long
//! ago that was.

use crate::bare;
use anyhow::{Context, Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as Place, State};
use axum::http::StatusCode;
use axum::routing::post;
use domain::time::Timestamp;
use reqwest::Certificate;
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tests::patience::{self, Stopwatch};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// How long the path that hangs hangs: longer than any sender waits.
const HANGS: Duration = Duration::from_mins(2);

/// What has not come after so long without anything new never will: a delivery that failed twice
/// comes again after six minutes at most.
const QUIET_MAX: Duration = Duration::from_mins(7);

/// An event at an endpoint: the place of this, and the two numbers in the name of that.
type Name = (usize, u64, u32);

/// What arrived.
#[derive(Debug, Default)]
struct Noted {
    /// Everything that ever came: what comes twice counts once.
    seen: HashSet<Name>,
    /// What came for the first time since the last beginning, and how late each was.
    waits: Vec<Duration>,
    /// How many came again since then.
    again: usize,
    first: Option<Instant>,
    last: Option<Instant>,
}

/// What it came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrived {
    pub(super) per_second: f64,
    pub(super) p50: Duration,
    pub(super) p99: Duration,
    /// How many were waited for.
    pub(super) count: usize,
    /// How many of them never came.
    pub(super) missing: usize,
    /// How many came once more.
    pub(super) again: usize,
}

impl Arrived {
    /// Fails unless all of them have.
    pub(super) fn all(&self) -> Result<()> {
        let Self { count, missing, .. } = self;
        if self.missing > 0 {
            bail!("{missing} of {count} events never arrived");
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct BenchReceiver {
    address: SocketAddr,
    authority: PathBuf,
    noted: Arc<Mutex<Noted>>,
    hangs: AtomicBool,
    _serving: JoinSet<()>,
}

impl BenchReceiver {
    /// Starts one with the certificate of a gateway.
    #[expect(
        clippy::disallowed_methods,
        reason = "nothing waits for this server's connections: it ends with the benchmark"
    )]
    pub(super) async fn start(data: &Path) -> Result<Self> {
        let noted = Arc::new(Mutex::new(Noted::default()));
        let router = Router::new()
            .route("/to/{place}", post(note))
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
        Ok(Self {
            address,
            authority: data.join("ca.pem"),
            noted,
            hangs: AtomicBool::new(false),
            _serving: serving,
        })
    }

    pub(super) fn url(&self, place: usize) -> String {
        format!("https://localhost:{}/to/{place}", self.address.port())
    }

    /// What clients have to trust.
    pub(super) fn authority(&self) -> Result<Certificate> {
        let pem = std::fs::read(&self.authority)?;
        Certificate::from_pem(&pem).context("the authority is no PEM")
    }

    /// The address that is never answered, from now on one of the endpoints.
    pub(super) fn hanging(&self) -> String {
        self.hangs.store(true, Ordering::Relaxed);
        format!("https://localhost:{}/hangs", self.address.port())
    }

    /// Counts from the beginning, and still knows what came before.
    pub(super) fn begin(&self) -> Result<()> {
        let mut noted = self.noted()?;
        let seen = std::mem::take(&mut noted.seen);
        *noted = Noted {
            seen,
            ..Noted::default()
        };
        Ok(())
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

    /// Waits until so many have arrived, or it is plain that they never will; how many have.
    pub(super) async fn until(&self, count: usize) -> Result<usize> {
        let (mut before, mut quiet) = (0, Stopwatch::start());
        loop {
            let came = self.noted()?.waits.len();
            if came != before {
                (before, quiet) = (came, Stopwatch::start());
            }
            if came >= count || quiet.elapsed() > QUIET_MAX {
                return Ok(came);
            }
            patience::pause().await;
        }
    }

    /// What has come of so many, once they have arrived or never will.
    pub(super) async fn arrived(&self, count: usize) -> Result<Arrived> {
        self.until(count).await?;
        self.noted()?.arrived(count)
    }

    fn noted(&self) -> Result<MutexGuard<'_, Noted>> {
        let noted = self.noted.lock();
        noted.map_err(|_| anyhow::anyhow!("a delivery broke"))
    }
}

impl Noted {
    fn arrived(&mut self, count: usize) -> Result<Arrived> {
        self.waits.sort_unstable();
        let came = self.waits.len();
        let at = |share: usize| self.waits.get(came * share / 100).copied();
        let span = self.last.zip(self.first).map(|(last, first)| last - first);
        let span = span.context("nothing arrived")?;
        Ok(Arrived {
            per_second: came as f64 / span.as_secs_f64(),
            p50: at(50).unwrap_or_default(),
            p99: at(99).unwrap_or_default(),
            count,
            missing: count.saturating_sub(came),
            again: self.again,
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn note(
    State(noted): State<Arc<Mutex<Noted>>>,
    Place(place): Place<usize>,
    body: Bytes,
) -> StatusCode {
    let (now, today) = (Instant::now(), patience::time_of_day());
    let Some((number, sequence, at)) = read(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let Ok(mut noted) = noted.lock() else {
        return StatusCode::INTERNAL_SERVER_ERROR;
    };
    if noted.seen.insert((place, number, sequence)) {
        noted.waits.push(today.since(at));
        noted.first.get_or_insert(now);
        noted.last = Some(now);
    } else {
        noted.again += 1;
    }
    StatusCode::NO_CONTENT
}

/// The numbers in the name of an event, and when it was.
fn read(body: &[u8]) -> Option<(u64, u32, Timestamp)> {
    let event: serde_json::Value = serde_json::from_slice(body).ok()?;
    let name = event.get("data")?.get("evtIdentifier")?.as_str()?;
    let (number, sequence) = name.strip_prefix("evt_")?.split_once('_')?;
    let at: jiff::Timestamp = event.get("timestamp")?.as_str()?.parse().ok()?;
    let at = Timestamp::from_millis(at.as_millisecond());
    Some((number.parse().ok()?, sequence.parse().ok()?, at))
}
