//! Maintenance windows: when an account at a provider is given nothing new because its operator
//! announced that it will be away. They follow the wall clock, as the announcement does. It must
//! not know a time zone: which ones have which rules changes, and a window says its own offset.

use domain::order::Service;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use std::fmt;

const MINUTES_PER_DAY: i64 = 24 * 60;
const MINUTES_PER_WEEK: i64 = 7 * MINUTES_PER_DAY;

/// The days of a week, as they are written; a week begins on Monday.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// 1970-01-01 was the fourth day of its week.
const EPOCH_DAY: i64 = 3;

/// The largest offset from UTC in use is 14 hours.
const OFFSET_MAX: i64 = 14 * 60;

/// A time in which an account is given nothing new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceWindow {
    /// The account.
    pub provider: ProviderId,
    /// The only product that it is about; none where it is about all.
    pub product: Option<Service>,
    /// When.
    pub time: MaintenanceTime,
}

impl MaintenanceWindow {
    /// Whether an order of a product falls into it at a moment.
    pub fn covers(&self, provider: &ProviderId, (product, now): (Service, Timestamp)) -> bool {
        self.provider == *provider
            && self.product.is_none_or(|only| only == product)
            && self.time.contains(now)
    }
}

/// When maintenance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaintenanceTime {
    /// Once: from the first moment on, up to the second, which does not belong to it.
    Once(Timestamp, Timestamp),
    /// Every week.
    Weekly(WeeklyTime),
}

impl MaintenanceTime {
    /// Whether a moment belongs to it.
    pub fn contains(&self, now: Timestamp) -> bool {
        match self {
            Self::Once(from, until) => (*from..*until).contains(&now),
            Self::Weekly(weekly) => weekly.contains(now),
        }
    }

    /// When it ends, of a moment that belongs to it.
    pub fn end(&self, now: Timestamp) -> Timestamp {
        match self {
            Self::Once(_, until) => *until,
            Self::Weekly(weekly) => weekly.end(now),
        }
    }
}

/// A time of each week, written as `Sun 01:00-03:00 +01:00`: a day, two times of that day, and the
/// offset of that place from UTC, which is `+00:00` where it is left out. Where the second time is
/// not after the first, it is one of the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeeklyTime {
    /// The minute of the week, there, at which it begins.
    start: i64,
    /// How many minutes it lasts.
    length: i64,
    /// How many minutes the place is ahead of UTC.
    offset: i64,
}

/// The text is no time of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a day, two times and an offset from UTC such as \"Sun 01:00-03:00 +01:00\", with the \
     days Mon, Tue, Wed, Thu, Fri, Sat and Sun"
)]
pub struct InvalidWeeklyTime;

impl WeeklyTime {
    /// Reads a time of a week.
    ///
    /// # Errors
    /// Refuses everything else, also a window that lasts no time.
    pub fn parse(text: &str) -> Result<Self, InvalidWeeklyTime> {
        Self::read(text).ok_or(InvalidWeeklyTime)
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (day, times) = (words.next()?, words.next()?);
        let offset = words.next().map_or(Some(0), offset)?;
        if words.next().is_some() {
            return None;
        }
        let (_, day) = DAYS.iter().zip(0..).find(|(name, _)| **name == day)?;
        let (from, until) = times.split_once('-')?;
        let (from, until) = (time(from)?, time(until)?);
        if from == until || from == MINUTES_PER_DAY {
            return None;
        }
        let length = until - from;
        Some(Self {
            start: day * MINUTES_PER_DAY + from,
            length: if length < 0 {
                length + MINUTES_PER_DAY
            } else {
                length
            },
            offset,
        })
    }

    /// Whether a moment belongs to it; its last minute does, the moment after that does not.
    pub fn contains(&self, now: Timestamp) -> bool {
        self.minutes_in(now) < self.length
    }

    /// When it ends, of a moment that belongs to it.
    pub fn end(&self, now: Timestamp) -> Timestamp {
        let minute = now.as_millis().div_euclid(60_000);
        Timestamp::from_millis((minute + self.length - self.minutes_in(now)) * 60_000)
    }

    /// How many minutes ago it began last.
    fn minutes_in(&self, now: Timestamp) -> i64 {
        let minute = now.as_millis().div_euclid(60_000) + EPOCH_DAY * MINUTES_PER_DAY + self.offset;
        (minute - self.start).rem_euclid(MINUTES_PER_WEEK)
    }
}

impl fmt::Display for WeeklyTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = usize::try_from(self.start / MINUTES_PER_DAY).ok();
        let day = day.and_then(|day| DAYS.get(day)).unwrap_or(&"");
        let from = self.start.rem_euclid(MINUTES_PER_DAY);
        let until = (from + self.length).rem_euclid(MINUTES_PER_DAY);
        let sign = if self.offset < 0 { '-' } else { '+' };
        let clock = |minutes: i64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let (from, until, offset) = (clock(from), clock(until), clock(self.offset.abs()));
        write!(f, "{day} {from}-{until} {sign}{offset}")
    }
}

/// The minutes of a time of a day, `24:00` being its end.
fn time(text: &str) -> Option<i64> {
    let minutes = clock(text)?;
    (minutes <= MINUTES_PER_DAY).then_some(minutes)
}

fn offset(text: &str) -> Option<i64> {
    let (sign, rest) = text.split_at_checked(1)?;
    let minutes = clock(rest).filter(|it| *it <= OFFSET_MAX)?;
    match sign {
        "+" => Some(minutes),
        "-" => Some(-minutes),
        _ => None,
    }
}

/// The minutes of `HH:MM`.
fn clock(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let two_digits = |text: &str| {
        let fits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<i64>().ok()).flatten()
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    (minutes < 60).then_some(hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2026-11-22T00:00:00Z, a Sunday.
    const SUNDAY: i64 = 1_795_305_600_000;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_millis(SUNDAY + minutes * 60_000)
    }

    #[test]
    fn a_window_begins_and_ends_to_the_minute_each_week_there() {
        let window = WeeklyTime::parse("Sun 01:00-03:00 +01:00").unwrap();
        for week in [-52, 0, 1, 600] {
            let at = |minutes: i64| at(week * MINUTES_PER_WEEK + minutes);
            let inside = [-1, 0, 119, 120].map(|it| window.contains(at(it)));
            assert_eq!(inside, [false, true, true, false], "{week}");
        }
        assert!(!window.contains(at(MINUTES_PER_DAY)));
    }

    #[test]
    fn a_window_over_midnight_ends_on_the_next_day_also_from_sunday_to_monday() {
        let window = WeeklyTime::parse("Sun 23:00-01:30").unwrap();
        let inside = |minutes| window.contains(at(minutes));
        assert!(!inside(22 * 60 + 59) && inside(23 * 60));
        assert!(inside(MINUTES_PER_DAY + 89) && !inside(MINUTES_PER_DAY + 90));
        let whole = WeeklyTime::parse("Sun 00:00-24:00").unwrap();
        assert!(whole.contains(at(0)) && whole.contains(at(MINUTES_PER_DAY - 1)));
        assert!(!whole.contains(at(-1)) && !whole.contains(at(MINUTES_PER_DAY)));
    }

    #[test]
    fn what_is_no_time_of_a_week_is_refused() {
        for wrong in [
            "",
            "Sun",
            "Sunday 01:00-03:00",
            "sun 01:00-03:00",
            "Sun 1:00-3:00",
            "Sun 01:00-01:00",
            "Sun 24:00-01:00",
            "Sun 01:00-24:01",
            "Sun 01:60-02:00",
            "Sun 01:00 03:00",
            "Sun 01:00-03:00 01:00",
            "Sun 01:00-03:00 +15:00",
            "Sun 01:00-03:00 Africa/Lagos",
            "Sun  01:00-03:00",
            "Sun 01:00-03:00 +01:00 ",
            "Sun +1:00-03:00",
        ] {
            assert_eq!(WeeklyTime::parse(wrong), Err(InvalidWeeklyTime), "{wrong}");
        }
    }

    #[test]
    fn a_window_of_one_product_leaves_the_others_alone() {
        let provider = ProviderId::parse("shop").unwrap();
        let window = MaintenanceWindow {
            provider: provider.clone(),
            product: Some(Service::Sms),
            time: MaintenanceTime::Once(at(0), at(1)),
        };
        assert!(window.covers(&provider, (Service::Sms, at(0))));
        assert!(!window.covers(&provider, (Service::Sms, at(1))));
        assert!(!window.covers(&provider, (Service::Bank, at(0))));
        let other = ProviderId::parse("other").unwrap();
        assert!(!window.covers(&other, (Service::Sms, at(0))));
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back_and_covers_its_length_of_each_week(
            start in 0..MINUTES_PER_WEEK,
            length in 1..MINUTES_PER_DAY,
            offset in -OFFSET_MAX..=OFFSET_MAX,
            week in -2_000_i64..2_000,
        ) {
            let window = WeeklyTime { start, length, offset };
            prop_assert_eq!(WeeklyTime::parse(&window.to_string()), Ok(window));
            let first = at(week * MINUTES_PER_WEEK + MINUTES_PER_DAY + start - offset);
            let later = |minutes: i64| Timestamp::from_millis(first.as_millis() + minutes * 60_000);
            prop_assert!(window.contains(first));
            prop_assert!(window.contains(later(length - 1)));
            prop_assert!(!window.contains(later(length)));
            prop_assert!(!window.contains(later(-1)));
            for inside in [0, length - 1] {
                prop_assert_eq!(window.end(later(inside)), later(length));
            }
        }
    }
}
