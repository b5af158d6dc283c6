//! The times at which a service can be booked. Hours are of the clock on the wall where the service
//! is, so that a change of that clock moves them and shortens or lengthens a day.

use domain::booking::{CivilDay, OpenHours, ServiceTerms, Weekday};
use domain::time::Timestamp;
use jiff::Span;
use jiff::civil::{self, Date, Time};
use jiff::tz::TimeZone;
use std::time::Duration;

/// When an appointment may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beginning {
    pub(crate) starts_at: Timestamp,
    pub(crate) ends_at: Timestamp,
    pub(crate) busy_until: Timestamp,
}

/// Every beginning in a period, in order: those from `from`, and before `until`.
pub(crate) fn beginnings(
    terms: &ServiceTerms,
    (from, until): (Timestamp, Timestamp),
) -> Vec<Beginning> {
    let Ok(zone) = TimeZone::get(&terms.zone) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut day = local_day(&zone, from);
    let last = local_day(&zone, until);
    while day <= last {
        found.extend(of_day(terms, &zone, day));
        let Ok(next) = day.tomorrow() else {
            break;
        };
        day = next;
    }
    found.retain(|it| it.starts_at >= from && it.starts_at < until);
    found.sort_by_key(|it| it.starts_at);
    found.dedup();
    found
}

fn of_day(terms: &ServiceTerms, zone: &TimeZone, day: Date) -> Vec<Beginning> {
    if terms.closed.iter().any(|closed| is_day(*closed, day)) {
        return Vec::new();
    }
    let hours = terms
        .hours
        .iter()
        .filter(|hours| weekday(hours.day()) == day.weekday());
    hours
        .flat_map(|hours| of_hours(terms, zone, (day, *hours)))
        .collect()
}

fn of_hours(
    terms: &ServiceTerms,
    zone: &TimeZone,
    (day, hours): (Date, OpenHours),
) -> Vec<Beginning> {
    let (Some(opens), Some(closes)) = (
        moment(zone, day, hours.opens()),
        moment(zone, day, hours.closes()),
    ) else {
        return Vec::new();
    };
    let minutes = |count: u16| Duration::from_mins(count.into());
    let mut found = Vec::new();
    let mut starts_at = opens;
    loop {
        let ends_at = starts_at.plus(minutes(terms.minutes.length));
        if ends_at > closes {
            return found;
        }
        found.push(Beginning {
            starts_at,
            ends_at,
            busy_until: ends_at.plus(minutes(terms.minutes.buffer)),
        });
        let next = starts_at.plus(minutes(terms.minutes.step));
        if next <= starts_at {
            return found;
        }
        starts_at = next;
    }
}

/// The moment of a minute of a day. One that the clock skips is the moment after, and one that it
/// shows twice is the first.
fn moment(zone: &TimeZone, day: Date, minutes: u16) -> Option<Timestamp> {
    let midnight = day.to_datetime(Time::midnight());
    let shown = midnight
        .checked_add(Span::new().minutes(i64::from(minutes)))
        .ok()?;
    let at = zone.to_ambiguous_zoned(shown).compatible().ok()?;
    Some(Timestamp::from_millis(at.timestamp().as_millisecond()))
}

fn local_day(zone: &TimeZone, at: Timestamp) -> Date {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or(jiff::Timestamp::MAX);
    at.to_zoned(zone.clone()).date()
}

fn is_day(closed: CivilDay, day: Date) -> bool {
    let same = |it: i8, other: u8| u8::try_from(it) == Ok(other);
    u16::try_from(day.year()) == Ok(closed.year)
        && same(day.month(), closed.month)
        && same(day.day(), closed.day)
}

const fn weekday(day: Weekday) -> civil::Weekday {
    match day {
        Weekday::Monday => civil::Weekday::Monday,
        Weekday::Tuesday => civil::Weekday::Tuesday,
        Weekday::Wednesday => civil::Weekday::Wednesday,
        Weekday::Thursday => civil::Weekday::Thursday,
        Weekday::Friday => civil::Weekday::Friday,
        Weekday::Saturday => civil::Weekday::Saturday,
        Weekday::Sunday => civil::Weekday::Sunday,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::bookable_service;

    fn terms(zone: &str, hours: &[&str]) -> ServiceTerms {
        let hours = hours.iter().map(|it| it.parse().unwrap());
        ServiceTerms {
            zone: zone.to_owned(),
            hours: hours.collect(),
            ..bookable_service("shop", 1).terms
        }
    }

    fn at(text: &str) -> Timestamp {
        let at: jiff::Timestamp = text.parse().unwrap();
        Timestamp::from_millis(at.as_millisecond())
    }

    fn starts(terms: &ServiceTerms, from: &str, until: &str) -> Vec<String> {
        let found = beginnings(terms, (at(from), at(until)));
        let shown = found.iter().map(|it| {
            let at = jiff::Timestamp::from_millisecond(it.starts_at.as_millis()).unwrap();
            at.strftime("%dT%H:%M").to_string()
        });
        shown.collect()
    }

    #[test]
    fn a_day_is_divided_from_its_opening_to_its_closing() {
        let mut day = terms("Africa/Lagos", &["Mon 09:00-10:45", "Mon 23:30-24:00"]);
        let monday = ("2026-01-19T00:00:00Z", "2026-01-20T00:00:00Z");
        assert_eq!(
            starts(&day, monday.0, monday.1),
            ["19T08:00", "19T08:30", "19T09:00", "19T22:30"]
        );
        day.minutes.step = 15;
        day.minutes.buffer = 10;
        let found = beginnings(
            &day,
            (at("2026-01-19T08:10:00Z"), at("2026-01-19T08:31:00Z")),
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].starts_at, at("2026-01-19T08:15:00Z"));
        assert_eq!(found[0].ends_at, at("2026-01-19T08:45:00Z"));
        assert_eq!(found[0].busy_until, at("2026-01-19T08:55:00Z"));
    }

    #[test]
    fn a_closed_day_and_another_day_of_the_week_have_none() {
        let day = terms("Africa/Lagos", &["Mon 09:00-10:00"]);
        assert_eq!(
            starts(&day, "2026-01-18T00:00:00Z", "2026-02-03T00:00:00Z"),
            ["19T08:00", "19T08:30", "02T08:00", "02T08:30"]
        );
        let unknown = terms("Africa/Nowhere", &["Mon 09:00-10:00"]);
        assert!(starts(&unknown, "2026-01-18T00:00:00Z", "2026-02-03T00:00:00Z").is_empty());
    }

    /// London changes its clock on 29 March 2026 at 01:00 to 02:00, and on 25 October at 02:00 back
    /// to 01:00.
    #[test]
    fn the_clock_on_the_wall_says_when_it_opens() {
        let mornings = terms("Europe/London", &["Sat 09:00-10:00", "Mon 09:00-10:00"]);
        assert_eq!(
            starts(&mornings, "2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z"),
            ["28T09:00", "28T09:30", "30T08:00", "30T08:30"]
        );
        let night = terms("Europe/London", &["Sun 00:00-03:00"]);
        // Two hours pass on that night between midnight and three.
        assert_eq!(
            starts(&night, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"),
            ["29T00:00", "29T00:30", "29T01:00", "29T01:30"]
        );
        // Four hours pass on that one; midnight is 23:00 the day before in UTC.
        assert_eq!(
            starts(&night, "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z"),
            [
                "24T23:00", "24T23:30", "25T00:00", "25T00:30", "25T01:00", "25T01:30", "25T02:00",
                "25T02:30"
            ]
        );
        let skipped = terms("Europe/London", &["Sun 01:30-03:00"]);
        assert_eq!(
            starts(&skipped, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"),
            ["29T01:30"],
            "01:30 is shown as 02:30"
        );
    }
}
