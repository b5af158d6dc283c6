//! What is logged.

use tracing_subscriber::filter::LevelFilter;

/// What is logged, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    pub(crate) level: LevelFilter,
    pub(crate) format: LogFormat,
}

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object a line.
    Json,
}
