//! Dates as the interface writes them, in the time zone of the account. It must not ask what time
//! it is, nor use the zone of the machine.

use domain::account::Account;
use domain::time::Timestamp;
use jiff::tz::{Offset, TimeZone};

/// The time zone an account's dates are shown in.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Zone {
    /// Where no zone is known.
    pub const DEFAULT: &str = "Africa/Lagos";

    /// The zone of an account; [`Self::DEFAULT`] where its name is not in the time zone database.
    pub fn for_account(account: &Account) -> Self {
        let zones = jiff::tz::db();
        let zone = zones.get(&account.time_zone);
        let zone = zone.or_else(|_| zones.get(Self::DEFAULT));
        // Lagos has kept one hour ahead of UTC since 1919.
        Self(zone.unwrap_or_else(|_| TimeZone::fixed(Offset::constant(1))))
    }

    /// `DD-MM-YYYY HH:MM:SS` (interface §1, rule 8).
    pub fn date_time(&self, at: Timestamp) -> String {
        self.local(at).strftime("%d-%m-%Y %H:%M:%S").to_string()
    }

    /// `YYYY-MM-DD`.
    pub fn iso_date(&self, at: Timestamp) -> String {
        self.local(at).strftime("%Y-%m-%d").to_string()
    }

    /// `DD-MM-YYYY`.
    pub fn date(&self, at: Timestamp) -> String {
        self.local(at).strftime("%d-%m-%Y").to_string()
    }

    fn local(&self, at: Timestamp) -> jiff::Zoned {
        moment(at).to_zoned(self.0.clone())
    }
}

/// `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339): the same wherever the account is.
pub fn utc(at: Timestamp) -> String {
    moment(at).strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A moment beyond the calendar, which ends with the year 9999, shows as its last.
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
