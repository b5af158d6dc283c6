//! Logging. It must go to standard error only: standard output belongs to the answers of commands.
//! Whatever becomes of the reader of standard error, logging must neither stop nor end the work.

mod queue;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal as _;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use tracing_subscriber::filter::{Directive, LevelFilter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt, reload};

use self::queue::LineQueue;
pub(crate) use self::queue::Logging;
use crate::config::{Log, LogFormat};

/// The database driver logs every statement at debug level and slow ones at warn level; the store
/// logs what matters of them.
const DRIVER: &str = "sqlx=error";

/// Changes the level of what is logged; the log is one for the process.
static SET_LEVEL: OnceLock<Box<dyn Fn(LevelFilter) + Send + Sync>> = OnceLock::new();

/// Where lines are put; the log is one for the process.
static QUEUE: OnceLock<LineQueue> = OnceLock::new();

/// Starts logging for the rest of the process. Lines are written until the value that is returned
/// is dropped, which waits for those that are still queued, though not for long.
pub(crate) fn start(log: Log) -> Logging {
    let (queue, logging) = LineQueue::start(queue::standard_error());
    let _ = QUEUE.set(queue.clone());
    let (level, handle) = reload::Layer::new(filter(log.level));
    // A second start is a mistake without consequences: the first one goes on.
    let _ = SET_LEVEL.set(Box::new(move |level| {
        // Fails only once the subscriber is gone, with all that logs.
        let _ = handle.reload(filter(level));
    }));
    let lines = fmt::layer().log_internal_errors(false).with_writer(queue);
    let lines = match log.format {
        LogFormat::Text => {
            let ansi = std::io::stderr().is_terminal();
            lines.with_ansi(ansi).with_target(false).boxed()
        }
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true);
            lines.boxed()
        }
    };
    let subscriber = tracing_subscriber::registry().with(level).with(lines);
    let _ = tracing::subscriber::set_global_default(subscriber);
    std::panic::set_hook(Box::new(log_panic));
    logging
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
    let filter = EnvFilter::default().add_directive(Directive::from(level));
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
}
