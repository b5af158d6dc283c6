//! Dates as the interface writes them, in the time zone of the account. It must not read the clock,
//! nor use the zone of the machine.

use domain::account::Account;
use domain::bank::PayDay;
use domain::time::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

const DATE: &str = "%d-%m-%Y";

const DATE_TIME: &str = "%d-%m-%Y %H:%M:%S";

/// A text that is not a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day such as 27-11-2026")]
pub struct InvalidDay;

/// Why a text is not a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a moment such as 2026-11-21T10:00:00Z, or 21-11-2026 11:00:00 in the time zone of the \
     account"
)]
pub struct InvalidMoment;

/// Why a text is not an end of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a day such as 21-11-2026, or a moment such as 2026-11-21T10:00:00Z or 21-11-2026 \
     11:00:00 in the time zone of the account"
)]
pub struct InvalidPeriod;

/// The time zone an account's dates are shown in.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone for an account without a known one.
    pub const DEFAULT: &str = "Africa/Lagos";

    /// The zone of an account; [`Self::DEFAULT`] where its name is not in the time zone database.
    pub fn for_account(account: &Account) -> Self {
        Self::named(&account.time_zone)
    }

    /// The zone of a name; [`Self::DEFAULT`] where it is not in the time zone database.
    pub fn named(name: &str) -> Self {
        let zones = jiff::tz::db();
        let zone = zones.get(name).or_else(|_| zones.get(Self::DEFAULT));
        // Lagos has kept one hour ahead of UTC since 1919.
        Self(zone.unwrap_or_else(|_| TimeZone::fixed(Offset::constant(1))))
    }

    /// `DD-MM-YYYY HH:MM:SS` (interface §1, rule 8).
    pub fn date_time(&self, at: Timestamp) -> String {
        self.local(at).strftime(DATE_TIME).to_string()
    }

    /// `YYYY-MM-DD`.
    pub fn iso_date(&self, at: Timestamp) -> String {
        self.local(at).strftime("%Y-%m-%d").to_string()
    }

    /// `DD-MM-YYYY`.
    pub fn date(&self, at: Timestamp) -> String {
        self.local(at).strftime(DATE).to_string()
    }

    /// Reads a time as [`Self::date_time`] writes it, or in the form of RFC 3339 with its own
    /// offset.
    pub fn parse(&self, text: &str) -> Result<Timestamp, InvalidMoment> {
        let moment = match text.parse::<jiff::Timestamp>() {
            Ok(moment) => moment,
            Err(_) => self.shown(text).ok_or(InvalidMoment)?.timestamp(),
        };
        Ok(Timestamp::from_millis(moment.as_millisecond()))
    }

    /// Reads where a period begins: a moment, or the first one of a day.
    pub fn period_start(&self, text: &str) -> Result<Timestamp, InvalidPeriod> {
        let day = self.day(text).map(|day| day.from);
        day.or_else(|_| self.parse(text)).map_err(|_| InvalidPeriod)
    }

    /// Reads where a period ends, the end not included: a moment, or the first one after a day.
    pub fn period_end(&self, text: &str) -> Result<Timestamp, InvalidPeriod> {
        let day = self.day(text).map(|day| day.until);
        day.or_else(|_| self.parse(text)).map_err(|_| InvalidPeriod)
    }

    /// The moments at which the days after a moment begin, up to another moment, not included.
    pub fn midnights(&self, from: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let mut day = self.local(from).date();
        let mut midnights = Vec::new();
        while let Ok(next) = day.tomorrow() {
            let Some(start) = self.start_of(next).filter(|start| *start < until) else {
                break;
            };
            midnights.push(start);
            day = next;
        }
        midnights
    }

    fn start_of(&self, day: Date) -> Option<Timestamp> {
        let start = day.to_zoned(self.0.clone()).ok()?;
        Some(Timestamp::from_millis(start.timestamp().as_millisecond()))
    }

    /// Reads a day as [`Self::date`] writes it.
    pub fn day(&self, text: &str) -> Result<PayDay, InvalidDay> {
        let day = Date::strptime(DATE, text).map_err(|_| InvalidDay)?;
        if day.strftime(DATE).to_string() != text {
            return Err(InvalidDay);
        }
        let next = day.tomorrow().map_err(|_| InvalidDay)?;
        let start = |day: Date| self.start_of(day).ok_or(InvalidDay);
        Ok(PayDay {
            from: start(day)?,
            until: start(next)?,
        })
    }

    /// The time a text shows; `None` where that time would be written differently, such as
    /// `1-1-2026 …`.
    fn shown(&self, text: &str) -> Option<jiff::Zoned> {
        let civil = DateTime::strptime(DATE_TIME, text).ok()?;
        let is_shown = civil.strftime(DATE_TIME).to_string() == text;
        civil.to_zoned(self.0.clone()).ok().filter(|_| is_shown)
    }

    fn local(&self, at: Timestamp) -> jiff::Zoned {
        moment(at).to_zoned(self.0.clone())
    }
}

/// `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339): the same for every account.
pub fn utc(at: Timestamp) -> String {
    moment(at).strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A time beyond the calendar, which ends with the year 9999, shows as its last moment.
fn moment(at: Timestamp) -> jiff::Timestamp {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis());
    moment.unwrap_or(jiff::Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::account;

    /// 2026-01-15T23:30:05Z.
    const LATE: Timestamp = Timestamp::from_millis(1_768_519_805_999);

    fn zone(name: &str) -> Zone {
        let account = Account {
            time_zone: name.into(),
            ..account("shop").build()
        };
        Zone::for_account(&account)
    }

    #[test]
    fn the_same_moment_is_another_day_elsewhere() {
        assert_eq!(zone("Africa/Lagos").date_time(LATE), "16-01-2026 00:30:05");
        assert_eq!(zone("Africa/Lagos").date(LATE), "16-01-2026");
        assert_eq!(zone("UTC").date_time(LATE), "15-01-2026 23:30:05");
        assert_eq!(
            zone("America/New_York").date_time(LATE),
            "15-01-2026 18:30:05"
        );
    }

    #[test]
    fn a_period_of_days_has_the_whole_of_its_last_day() {
        let lagos = zone("Africa/Lagos");
        let (start, end) = (
            lagos.period_start("21-11-2026").unwrap(),
            lagos.period_end("21-11-2026").unwrap(),
        );
        assert_eq!(utc(start), "2026-11-20T23:00:00.000Z");
        assert_eq!(utc(end), "2026-11-21T23:00:00.000Z");
        for moment in ["2026-11-21T10:00:00Z", "21-11-2026 11:00:00"] {
            let ends = (lagos.period_start(moment), lagos.period_end(moment));
            assert_eq!(ends.0.map(utc).as_deref(), Ok("2026-11-21T10:00:00.000Z"));
            assert_eq!(ends.0, ends.1);
        }
        for text in ["", "2026-11-21", "1-1-2026", "31-02-2026", "yesterday"] {
            assert_eq!(lagos.period_start(text), Err(InvalidPeriod), "{text:?}");
            assert_eq!(lagos.period_end(text), Err(InvalidPeriod), "{text:?}");
        }
    }

    #[test]
    fn what_is_shown_is_read_back_in_the_same_zone() {
        let seconds = Timestamp::from_millis(1_768_519_805_000);
        for name in ["Africa/Lagos", "America/New_York"] {
            let zone = zone(name);
            assert_eq!(zone.parse(&zone.date_time(LATE)), Ok(seconds), "{name}");
            assert_eq!(zone.parse(&utc(LATE)), Ok(LATE), "{name}");
        }
        // The hour that summer time skips is read as the one after it.
        let skipped = zone("Europe/London").parse("29-03-2026 01:30:00").unwrap();
        assert_eq!(utc(skipped), "2026-03-29T01:30:00.000Z");
    }

    #[test]
    fn a_moment_for_machines_has_milliseconds_and_no_zone_but_utc() {
        assert_eq!(utc(LATE), "2026-01-15T23:30:05.999Z");
        assert_eq!(utc(Timestamp::from_millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(Timestamp::from_millis(-1)), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn summer_time_is_known_without_the_machine() {
        let summer = Timestamp::from_millis(1_784_116_800_000);
        assert_eq!(
            zone("Europe/London").date_time(summer),
            "15-07-2026 13:00:00"
        );
    }

    #[test]
    fn an_unknown_zone_shows_lagos_time_and_no_moment_is_beyond_showing() {
        for name in ["", "Mars/Olympus", "../etc/passwd"] {
            assert_eq!(zone(name).date_time(LATE), "16-01-2026 00:30:05", "{name}");
        }
        let end = zone("UTC").date(Timestamp::from_millis(i64::MAX));
        assert_eq!(end, "30-12-9999");
    }
}
