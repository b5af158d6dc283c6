//! Logging, and traces in builds that have them. Lines must go to standard error only: standard
//! output belongs to the answers of commands. Whatever becomes of the reader of standard error, or
//! of the collector of traces, neither must stop or end the work.

mod queue;
#[cfg(feature = "opentelemetry")]
mod traces;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal as _;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use tracing::Subscriber;
use tracing_subscriber::filter::{Directive, LevelFilter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer, fmt, reload};

use self::queue::LineQueue;
pub(crate) use self::queue::Logging;
use crate::config::{Log, LogFormat, Traces};

/// The database driver logs every statement at debug level and slow ones at warn level; the store
/// logs what matters of them.
const DRIVER: &str = "sqlx=error";

/// Spans that are there for traces alone.
const STAGES: &str = "manilla::trace=off";

/// Changes the level of what is logged; the log is one for the process.
static SET_LEVEL: OnceLock<Box<dyn Fn(LevelFilter) + Send + Sync>> = OnceLock::new();

/// Where lines are put; the log is one for the process.
static QUEUE: OnceLock<LineQueue> = OnceLock::new();

/// Starts logging for the rest of the process, and exporting traces where they are asked for. Lines
/// are written until the value that is returned is dropped, which waits for those that are still
/// queued, though not for long.
#[cfg_attr(
    not(feature = "opentelemetry"),
    expect(
        clippy::unnecessary_wraps,
        reason = "only the export of traces may fail to start"
    )
)]
pub(crate) fn start(log: Log, traces: Option<&Traces>) -> anyhow::Result<Logging> {
    let (queue, logging) = LineQueue::start(queue::standard_error());
    let _ = QUEUE.set(queue.clone());
    #[cfg(feature = "opentelemetry")]
    let exported = traces.map(traces::start).transpose()?.flatten();
    #[cfg(feature = "opentelemetry")]
    if let Some(spans) = exported {
        let registry = tracing_subscriber::registry().with(spans);
        install(registry.with(lines(log, queue).with_filter(level(log))));
        return Ok(logging);
    }
    #[cfg(not(feature = "opentelemetry"))]
    let _ = traces;
    let registry = tracing_subscriber::registry().with(level(log));
    install(registry.with(lines(log, queue)));
    Ok(logging)
}

/// A second start is a mistake without consequences: the first one goes on.
fn install(subscriber: impl Subscriber + Send + Sync) {
    let _ = tracing::subscriber::set_global_default(subscriber);
    std::panic::set_hook(Box::new(log_panic));
}

/// Exports the spans that are queued, though not for long; nothing where there are no traces.
pub(crate) fn flush_traces() {
    #[cfg(feature = "opentelemetry")]
    traces::flush();
}

/// The level of the log, which can be changed.
fn level<S: 'static>(log: Log) -> reload::Layer<EnvFilter, S> {
    let (level, handle) = reload::Layer::new(filter(log.level));
    let _ = SET_LEVEL.set(Box::new(move |level| {
        // Fails only once the subscriber is gone, with all that logs.
        let _ = handle.reload(filter(level));
    }));
    level
}

/// The lines of the log.
fn lines<S>(log: Log, queue: LineQueue) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let lines = fmt::layer().log_internal_errors(false).with_writer(queue);
    match log.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            lines.with_ansi(ansi).with_target(false).boxed()
        }
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true);
            lines.boxed()
        }
    }
}

/// Lines that were dropped since the start.
pub(crate) fn dropped_lines() -> u64 {
    QUEUE.get().map_or(0, LineQueue::dropped)
}

/// Logs from another level on; nothing where logging was not started.
pub(crate) fn set_level(level: LevelFilter) {
    if let Some(set) = SET_LEVEL.get() {
        set(level);
    }
}

/// A panic is logged like anything else: the standard hook would wait for the reader of standard
/// error, in the middle of a payment.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("no message");
    let location = panic.location().map(ToString::to_string);
    let thread = std::thread::current();
    let backtrace = Backtrace::capture();
    let backtrace =
        (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string());
    tracing::error!(
        location,
        thread = thread.name(),
        backtrace,
        "panicked: {message}"
    );
}

fn filter(level: LevelFilter) -> EnvFilter {
    let mut filter = EnvFilter::default().add_directive(Directive::from(level));
    if let Ok(stages) = STAGES.parse::<Directive>() {
        filter = filter.add_directive(stages);
    }
    match DRIVER.parse::<Directive>() {
        Ok(driver) if level < LevelFilter::TRACE && level > LevelFilter::ERROR => {
            filter.add_directive(driver)
        }
        Ok(_) | Err(_) => filter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_is_quiet_unless_everything_is_asked_for() {
        assert!(filter(LevelFilter::DEBUG).to_string().contains(DRIVER));
        assert!(!filter(LevelFilter::TRACE).to_string().contains(DRIVER));
        assert!(!filter(LevelFilter::OFF).to_string().contains(DRIVER));
    }

    #[test]
    fn spans_of_traces_are_never_logged() {
        for level in [LevelFilter::ERROR, LevelFilter::INFO, LevelFilter::TRACE] {
            assert!(filter(level).to_string().contains(STAGES), "{level}");
        }
    }
}
