//! When runs are due: days, weeks and months from the first run on, in the time zone that the
//! subscription began in. Every moment is counted from the first run, so that none drifts.

use domain::recurring::{RecurringInterval, RecurringSchedule, RecurringTerms, RunCalendar};
use domain::time::Timestamp;
use jiff::Span;
use jiff::tz::TimeZone;

/// The zone of an account whose own is not known, as for everything that it is shown.
const DEFAULT_ZONE: &str = "Africa/Lagos";

/// The name of a time zone, or that of the default where it is not known.
pub(super) fn known_zone(name: &str) -> &str {
    if TimeZone::get(name).is_ok() {
        name
    } else {
        DEFAULT_ZONE
    }
}

/// The runs of a subscription.
#[derive(Debug, Clone)]
pub struct ZonedCalendar {
    schedule: RecurringSchedule,
    zone: TimeZone,
}

impl ZonedCalendar {
    /// That of a subscription.
    pub fn of(terms: &RecurringTerms) -> Self {
        Self::in_zone(terms.schedule, &terms.time_zone)
    }

    fn in_zone(schedule: RecurringSchedule, zone: &str) -> Self {
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        Self { schedule, zone }
    }

    fn due(&self, run: u32) -> Option<Timestamp> {
        let intervals = i64::from(run.saturating_sub(1));
        if intervals == 0 {
            return Some(self.schedule.start);
        }
        let start = self.schedule.start.as_millis();
        let first = jiff::Timestamp::from_millisecond(start).ok()?;
        let first = first.to_zoned(self.zone.clone()).datetime();
        let span = match self.schedule.interval {
            RecurringInterval::Day => Span::new().try_days(intervals),
            RecurringInterval::Week => Span::new().try_weeks(intervals),
            RecurringInterval::Month => Span::new().try_months(intervals),
        };
        // A day that a month lacks is its last one; an hour that a day lacks is the one after it.
        let local = first.checked_add(span.ok()?).ok()?;
        let moment = local.to_zoned(self.zone.clone()).ok()?.timestamp();
        Some(Timestamp::from_millis(moment.as_millisecond()))
    }
}

impl RunCalendar for ZonedCalendar {
    /// Beyond the calendar, which ends with the year 9999, nothing is ever due.
    fn due_at(&self, run: u32) -> Timestamp {
        self.due(run).unwrap_or(Timestamp::from_millis(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn calendar(interval: RecurringInterval, (zone, start): (&str, &str)) -> ZonedCalendar {
        let start: jiff::Timestamp = start.parse().unwrap();
        let schedule = RecurringSchedule {
            interval,
            start: Timestamp::from_millis(start.as_millisecond()),
            count: None,
        };
        ZonedCalendar::in_zone(schedule, zone)
    }

    fn due(calendar: &ZonedCalendar, runs: impl IntoIterator<Item = u32>) -> Vec<String> {
        let moments = runs.into_iter().map(|run| calendar.due_at(run));
        let shown = moments.map(|at| {
            let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap();
            at.to_zoned(calendar.zone.clone())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        });
        shown.collect()
    }

    #[test]
    fn a_month_without_the_day_has_its_last_one_and_the_day_comes_back() {
        let lagos = ("Africa/Lagos", "2026-01-31T08:30:00Z");
        let months = calendar(RecurringInterval::Month, lagos);
        assert_eq!(
            due(&months, [1, 2, 3, 4, 14, 26]),
            [
                "2026-01-31 09:30",
                "2026-02-28 09:30",
                "2026-03-31 09:30",
                "2026-04-30 09:30",
                "2027-02-28 09:30",
                "2028-02-29 09:30",
            ]
        );
    }

    #[test]
    fn days_keep_their_hour_where_the_clocks_change() {
        let berlin = ("Europe/Berlin", "2026-03-27T01:30:00Z");
        let days = calendar(RecurringInterval::Day, berlin);
        let shown = due(&days, 1..=4);
        // The hour of 02:30 is left out on the 29th.
        assert_eq!(
            shown,
            [
                "2026-03-27 02:30",
                "2026-03-28 02:30",
                "2026-03-29 03:30",
                "2026-03-30 02:30",
            ]
        );
        let autumn = calendar(
            RecurringInterval::Day,
            ("Europe/Berlin", "2026-10-24T00:30:00Z"),
        );
        // That of 02:30 comes twice on the 25th, and is kept once.
        assert_eq!(
            due(&autumn, 1..=3),
            ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"]
        );
    }

    #[test]
    fn weeks_are_seven_days_and_what_is_beyond_the_calendar_is_never_due() {
        let start = ("Nowhere/Else", "2026-01-01T00:00:00Z");
        let weeks = calendar(RecurringInterval::Week, start);
        assert_eq!(
            due(&weeks, [2, 53]),
            ["2026-01-08 00:00", "2026-12-31 00:00"]
        );
        let never = Timestamp::from_millis(i64::MAX);
        for interval in RecurringInterval::ALL {
            assert_eq!(calendar(interval, start).due_at(u32::MAX), never);
        }
        assert_eq!(known_zone("Nowhere/Else"), "Africa/Lagos");
        assert_eq!(known_zone("Europe/Berlin"), "Europe/Berlin");
    }

    proptest! {
        /// Runs come one after the other, a day at least and a month at most apart, and the hour
        /// does not drift.
        #[test]
        fn runs_are_monotone_and_keep_their_hour(
            start in 1_700_000_000_000_i64..1_900_000_000_000,
            run in 1_u32..2_000,
            interval in prop::sample::select(RecurringInterval::ALL.to_vec()),
            zone in prop::sample::select(vec![
                "Africa/Lagos", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC",
            ]),
        ) {
            let schedule = RecurringSchedule {
                interval,
                start: Timestamp::from_millis(start),
                count: None,
            };
            let calendar = ZonedCalendar::in_zone(schedule, zone);
            let (this, next) = (calendar.due_at(run), calendar.due_at(run + 1));
            let hours = next.since(this).as_secs() / 3_600;
            let (least, most) = match interval {
                RecurringInterval::Day => (22, 26),
                RecurringInterval::Week => (166, 170),
                RecurringInterval::Month => (28 * 24 - 2, 31 * 24 + 2),
            };
            prop_assert!((least..=most).contains(&hours), "{hours}");
            let local = |at: Timestamp| {
                let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap();
                at.to_zoned(calendar.zone.clone())
            };
            let (first, then) = (local(calendar.due_at(1)), local(this));
            let moved = (i64::from(first.hour()) - i64::from(then.hour())).abs();
            prop_assert!(moved <= 1 && first.second() == then.second());
        }
    }
}
