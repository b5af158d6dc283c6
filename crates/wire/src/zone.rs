//! Dates as the interface writes them, in the time zone of the account. It must not ask what time it
//! is, nor use the zone of the machine.

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

    /// `DD-MM-YYYY`.
    pub fn date(&self, at: Timestamp) -> String {
        self.local(at).strftime("%d-%m-%Y").to_string()
    }

    /// A moment beyond the calendar, which ends with the year 9999, shows as its last.
    fn local(&self, at: Timestamp) -> jiff::Zoned {
        let moment = jiff::Timestamp::from_millisecond(at.as_millis());
        let moment = moment.unwrap_or(jiff::Timestamp::MAX);
        moment.to_zoned(self.0.clone())
    }
}
