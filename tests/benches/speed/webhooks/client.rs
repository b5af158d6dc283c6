//! What the client of the gateway does by itself, with events that are ready: nothing is recorded,
//! claimed, rendered or signed. It must post where the gateway posts, and never the same event
//! twice, so that the receiver has the same work.

use super::receiver::BenchReceiver;
use anyhow::Result;
use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// Loops at a time: as many posts as the gateway has under way.
pub(super) const LOOPS: usize = 256;

/// One that posts events by itself.
#[derive(Debug, Clone)]
pub(super) struct BareClient {
    client: Client,
    /// The addresses of the endpoints, which take turns.
    urls: Arc<[String]>,
    numbers: Arc<AtomicU64>,
}

impl BareClient {
    /// One that posts to so many endpoints of a receiver.
    pub(super) fn new(receiver: &BenchReceiver, endpoints: usize) -> Result<Self> {
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .tls_certs_only([receiver.authority()?])
            .no_proxy()
            .http1_only()
            .default_headers(headers())
            .build()?;
        Ok(Self {
            client,
            urls: (0..endpoints).map(|place| receiver.url(place)).collect(),
            numbers: Arc::new(AtomicU64::new(1)),
        })
    }

    /// Posts that are answered per second, in so many loops, each one post after the other. Each
    /// has a connection before any of them counts.
    pub(super) async fn per_second(&self, loops: usize, time: Duration) -> Result<f64> {
        let connected = Arc::new(Barrier::new(loops));
        let mut posting = JoinSet::new();
        for _ in 0..loops {
            posting.spawn(self.clone().keep_posting(Arc::clone(&connected), time));
        }
        let (mut count, mut longest) = (0, Duration::ZERO);
        while let Some(posted) = posting.join_next().await {
            let (posted, took) = posted??;
            count += posted;
            longest = longest.max(took);
        }
        Ok(count as f64 / longest.as_secs_f64())
    }

    /// How many it posted, and in which time.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    async fn keep_posting(
        self,
        connected: Arc<Barrier>,
        time: Duration,
    ) -> Result<(u64, Duration)> {
        self.post().await?;
        connected.wait().await;
        let (mut count, started) = (0, Instant::now());
        while started.elapsed() < time {
            self.post().await?;
            count += 1;
        }
        Ok((count, started.elapsed()))
    }

    async fn post(&self) -> Result<()> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let turn = usize::try_from(number)?.checked_rem(self.urls.len());
        if let Some(url) = turn.and_then(|turn| self.urls.get(turn)) {
            let posted = self.client.post(url).body(event(number)).send().await?;
            posted.error_for_status()?;
        }
        Ok(())
    }
}

/// As long as those of a delivery.
fn headers() -> HeaderMap {
    let json = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let mut headers = HeaderMap::from_iter([json]);
    for (name, value) in [
        ("webhook-id", "evt_224700000000000_2"),
        ("webhook-timestamp", "1795255200"),
        (
            "webhook-signature",
            "v1,mUqkPcAWkzBbCrjSPqYD4xaO0eo4XTVo0V+OBhVdrZI=",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// An event as long as that of a payment; its number is far below those of real ones.
fn event(number: u64) -> String {
    format!(
        concat!(
            r#"{{"type":"transaction.successful","timestamp":"2026-11-21T10:00:00.000Z","data":{{"#,
            r#""evtIdentifier":"evt_{number:015}_2","evtSequence":2,"#,
            r#""mrcReference":"bench-100000","txnReference":224700000000000,"#,
            r#""txnStatus":"Successful","countryCode":566,"#,
            r#""number":"2348031239100","network":"MTN","billing":"prepaid","amount":"100.00","#,
            r#""price":"97.00","currency":"NGN","txnDate":"2026-11-21T11:00:00+01:00","#,
            r#""retrieve":null}}}}"#
        ),
        number = number
    )
}
