//! Skips rows that cannot be read. One of them must not withhold all others, and must not go
//! unseen.

use ports::PortError;

/// Those of some rows that can be read; `what` says for each other what becomes of it.
pub fn readable<T>(
    rows: impl IntoIterator<Item = Result<T, PortError>>,
    what: &'static str,
) -> impl Iterator<Item = T> {
    let report = move |error: &PortError| {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(%error, cause, "{what}");
    };
    rows.into_iter()
        .filter_map(move |row| row.inspect_err(report).ok())
}
