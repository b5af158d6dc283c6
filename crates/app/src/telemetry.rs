//! Logging. It must go to standard error only: standard output belongs to the answers of commands.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{Directive, LevelFilter};

use crate::config::Log;

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For machines: one JSON object a line.
    Json,
}

/// The database driver tells every statement at debug level, and slow ones at warn level; the store
/// says what matters of it.
const DRIVER: &str = "sqlx=error";

/// Starts logging for the rest of the process; a second call changes nothing.
pub(crate) fn start(log: Log) {
    let filter = filter(log.level);
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second start is a mistake nobody is hurt by: the first one goes on.
    let started = match log.format {
        Format::Text => lines
            .with_ansi(std::io::stderr().is_terminal())
            .with_target(false)
            .finish(),
        Format::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true);
            return drop(tracing::subscriber::set_global_default(lines.finish()));
        }
    };
    drop(tracing::subscriber::set_global_default(started));
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
