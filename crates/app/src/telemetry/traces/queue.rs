//! The spans that wait for their export, and the thread that exports them. Where spans end must
//! never wait: the queue is bounded, and what finds no room is lost. (The SDK has such a queue. It
//! does not say how many spans it lost, and logs each batch that a collector does not take.)

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self as std_mpsc, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::sync::CancellationToken;

/// Most spans that wait: some seconds of a busy gateway, in a few megabytes.
const WAITING_MAX: usize = 4096;

/// Most spans of one export.
const BATCH_MAX: usize = 512;

/// How long spans are collected after an export that took all there were.
const PAUSE: Duration = Duration::from_secs(1);

/// For how long spans that still wait are exported at the end.
const CLOSING_MAX: Duration = Duration::from_secs(5);

/// Where ended spans are put.
#[derive(Debug)]
pub(super) struct SpanQueue {
    spans: Sender<SpanData>,
    lost: Arc<AtomicU64>,
}

/// The thread that exports.
#[derive(Debug)]
pub(super) struct Exporting {
    stop: CancellationToken,
    done: Mutex<std_mpsc::Receiver<()>>,
}

impl Exporting {
    /// Exports what waits, for as long as may be.
    pub(super) fn flush(&self) {
        self.stop.cancel();
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if done.recv_timeout(CLOSING_MAX).is_err() {
            tracing::warn!("the last spans of traces were not exported in time");
        }
    }
}

/// Starts a thread that exports what is put into the queue.
pub(super) fn start(
    exporter: impl SpanExporter + 'static,
) -> anyhow::Result<(SpanQueue, Exporting)> {
    let (spans, waiting) = mpsc::channel(WAITING_MAX);
    let (ended, done) = std_mpsc::sync_channel(1);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("traces cannot be exported")?;
    let (stop, lost) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
    let export = Export {
        exporter,
        waiting,
        lost: Arc::clone(&lost),
        stop: stop.clone(),
        is_reported: false,
    };
    std::thread::Builder::new()
        .name("traces".to_owned())
        .spawn(move || run(&runtime, export, &ended))
        .context("traces cannot be exported")?;
    let done = Mutex::new(done);
    Ok((SpanQueue { spans, lost }, Exporting { stop, done }))
}

fn run<E: SpanExporter>(runtime: &Runtime, export: Export<E>, ended: &SyncSender<()>) {
    runtime.block_on(export.run());
    let _ = ended.send(());
}

/// The work of the thread.
struct Export<E> {
    exporter: E,
    waiting: Receiver<SpanData>,
    lost: Arc<AtomicU64>,
    stop: CancellationToken,
    is_reported: bool,
}

impl<E: SpanExporter> Export<E> {
    /// Exports until the end, and then what still waits.
    async fn run(mut self) {
        loop {
            let mut batch = Vec::new();
            let taken = tokio::select! {
                biased;
                () = self.stop.cancelled(), if !self.waiting.is_closed() => {
                    self.waiting.close();
                    continue;
                }
                taken = self.waiting.recv_many(&mut batch, BATCH_MAX) => taken,
            };
            if taken == 0 {
                break;
            }
            if self.exporter.export(batch).await.is_err() {
                let taken = u64::try_from(taken).unwrap_or(u64::MAX);
                self.lost.fetch_add(taken, Ordering::Relaxed);
            }
            self.report_once();
            if taken < BATCH_MAX {
                let pause = tokio::time::sleep(PAUSE);
                self.stop.run_until_cancelled(pause).await;
            }
        }
        let spans = self.lost.load(Ordering::Relaxed);
        if spans > 0 {
            tracing::warn!(spans, "spans of traces were lost since the start");
        }
    }

    /// Says once that spans are lost: an export that fails may be one of thousands.
    fn report_once(&mut self) {
        let spans = self.lost.load(Ordering::Relaxed);
        if spans > 0 && !self.is_reported {
            self.is_reported = true;
            tracing::warn!(
                spans,
                "spans of traces are lost: the collector of `telemetry.traces` does not take them, \
                 or not fast enough; how many were lost is said at the end"
            );
        }
    }
}

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.spans.try_send(span).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}
