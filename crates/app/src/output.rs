//! Standard output: the answers of commands, for people and for scripts. Nothing else may write to
//! it.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;

/// Writes one line (or several) and makes sure that it arrived.
pub(crate) fn line(text: impl Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .context("the answer could not be written to standard output")
}

/// Writes one JSON document on one line.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(serde_json::to_string(value)?)
}

/// For how long the reader of standard error is waited for.
const COMPLAINING_MAX: Duration = Duration::from_secs(1);

/// Says on standard error why a command failed. Where even that fails, or is not read, the exit
/// status is all that is left.
pub(crate) fn complain(text: String) {
    let (written, done) = mpsc::sync_channel(1);
    let write = move || {
        let _ = writeln!(io::stderr().lock(), "{text}");
        let _ = written.send(());
    };
    if std::thread::Builder::new().spawn(write).is_ok() {
        let _ = done.recv_timeout(COMPLAINING_MAX);
    }
}

/// Lines rows up under their headings.
pub(crate) fn table<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> String {
    let headings = headings.map(str::to_owned);
    let all: Vec<_> = std::iter::once(&headings).chain(rows).cloned().collect();
    columns(&all)
}

/// Lines rows up, two spaces apart.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0_usize; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        cells.join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A time in its largest whole unit.
pub(crate) fn duration(seconds: u64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let whole = units.into_iter().find_map(|(unit, name)| {
        let count = seconds.checked_div(unit).filter(|count| *count > 0)?;
        Some(format!("{count} {name}"))
    });
    whole.unwrap_or_else(|| format!("{seconds} s"))
}

/// Shows how far a long command has come, over what was shown of that before. It goes to standard
/// error.
pub(crate) fn progress(text: &str) {
    let mut error = io::stderr().lock();
    // Where it cannot be shown, nothing is lost.
    let _ = write!(error, "\r{text}\u{1b}[K");
    let _ = error.flush();
}

/// Ends what [`progress`] showed.
pub(crate) fn progress_ended() {
    let _ = write!(io::stderr().lock(), "\r\u{1b}[K");
}

/// Bytes as they are compared by people: two digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// A size in its largest unit, with one digit after the point.
pub(crate) fn bytes(bytes: u64) -> String {
    let units = [(40_u32, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fitting = units.into_iter().find_map(|(shift, name)| {
        let tenths = (u128::from(bytes) * 10) >> shift;
        (tenths >= 10).then(|| format!("{}.{} {name}", tenths / 10, tenths % 10))
    });
    fitting.unwrap_or_else(|| format!("{bytes} B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_its_largest_whole_unit() {
        let shown = [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 1_000_000].map(duration);
        let expected = [
            "0 s", "59 s", "1 min", "59 min", "1 h", "23 h", "1 d", "11 d",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_size_is_shown_in_its_largest_unit() {
        let shown = [0, 1_023, 1_024, 1_536, 1 << 30, u64::MAX].map(bytes);
        let expected = [
            "0 B",
            "1023 B",
            "1.0 KiB",
            "1.5 KiB",
            "1.0 GiB",
            "16777215.9 TiB",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn columns_line_up() {
        let rows = [
            ["a".to_owned(), "x".to_owned()],
            ["bbb".to_owned(), "yy".to_owned()],
        ];
        assert_eq!(table(["ID", "NAME"], &rows), "ID   NAME\na    x\nbbb  yy");
    }
}
