//! Moments of settlement files and the period that a file is about. A day without a time must count
//! whole.

use super::columns::SettlementColumns;
use jiff::{SignedDuration, Timestamp};

/// From a moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SettlementPeriod {
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

impl SettlementPeriod {
    /// The shortest period that has both in it.
    pub(super) fn joined(self, other: Self) -> Self {
        Self {
            from: self.from.min(other.from),
            until: self.until.max(other.until),
        }
    }

    pub(crate) fn contains(&self, moment: Timestamp) -> bool {
        (self.from..self.until).contains(&moment)
    }
}

/// Reads a moment: the second, or the day, that it names.
///
/// # Errors
/// Says what is wrong with it, and what to do.
pub(super) fn parse(text: &str, columns: &SettlementColumns) -> Result<SettlementPeriod, String> {
    let format = &columns.date_format;
    let wrong = |why: &dyn std::fmt::Display| {
        format!(
            "{text:?} is no moment of the form {format}: {why}; correct it, or date_format in the \
             columns"
        )
    };
    let parsed = jiff::fmt::strtime::parse(format, text).map_err(|why| wrong(&why))?;
    let offset = match parsed.offset() {
        Some(offset) => offset,
        None => columns.offset().map_err(|why| wrong(&why))?,
    };
    let has_time = parsed.hour().is_some();
    let civil = if has_time {
        parsed.to_datetime()
    } else {
        parsed.to_date().map(|date| date.at(0, 0, 0, 0))
    };
    let civil = civil.map_err(|why| wrong(&why))?;
    let from = offset.to_timestamp(civil).map_err(|why| wrong(&why))?;
    let length = if has_time {
        SignedDuration::from_secs(1)
    } else {
        SignedDuration::from_hours(24)
    };
    let until = from.checked_add(length).map_err(|why| wrong(&why))?;
    Ok(SettlementPeriod { from, until })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, more: &str) -> Option<(String, String)> {
        let columns = format!("reference = \"r\"\namount = \"a\"\n{more}");
        let columns = SettlementColumns::parse(&columns).unwrap();
        let period = parse(text, &columns).ok()?;
        Some((period.from.to_string(), period.until.to_string()))
    }

    #[test]
    fn a_moment_is_a_second_or_a_whole_day_in_its_zone() {
        let (from, until) = read("2026-11-25 01:00:00", "utc_offset = \"+01:00\"").unwrap();
        assert_eq!(from, "2026-11-25T00:00:00Z");
        assert_eq!(until, "2026-11-25T00:00:01Z");
        let day = "date_format = \"%d/%m/%Y\"\nutc_offset = \"+01:00\"";
        let (from, until) = read("25/11/2026", day).unwrap();
        assert_eq!(from, "2026-11-24T23:00:00Z");
        assert_eq!(until, "2026-11-25T23:00:00Z");
        let zoned = "date_format = \"%Y-%m-%dT%H:%M:%S%:z\"\nutc_offset = \"+05:00\"";
        let (from, _) = read("2026-11-25T01:00:00+01:00", zoned).unwrap();
        assert_eq!(from, "2026-11-25T00:00:00Z");
        assert_eq!(read("31/02/2026", day), None);
        assert_eq!(read("yesterday", ""), None);
    }
}
