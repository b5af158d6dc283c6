//! The hours of a week in which a service can be booked. They are of the clock on the wall, in the
//! time zone of the service.

use std::fmt;
use std::str::FromStr;

/// Most entries of opening hours: four in each day of the week.
pub const HOURS_MAX: usize = 28;

/// The minutes of a day of the clock on the wall.
const DAY_MINUTES: u16 = 24 * 60;

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weekday {
    /// The first day (ISO 8601).
    Monday,
    /// The second.
    Tuesday,
    /// The third.
    Wednesday,
    /// The fourth.
    Thursday,
    /// The fifth.
    Friday,
    /// The sixth.
    Saturday,
    /// The seventh.
    Sunday,
}

impl Weekday {
    /// Every day, from Monday.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// Three letters of its English name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Monday => "Mon",
            Self::Tuesday => "Tue",
            Self::Wednesday => "Wed",
            Self::Thursday => "Thu",
            Self::Friday => "Fri",
            Self::Saturday => "Sat",
            Self::Sunday => "Sun",
        }
    }
}

/// A text is no opening hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day and two times of 24 hours, such as Mon 09:00-17:30; 24:00 ends a day")]
pub struct InvalidHours;

/// From when to when on a day of the week, in minutes since midnight. It closes on the same day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpenHours {
    day: Weekday,
    opens: u16,
    closes: u16,
}

impl OpenHours {
    /// The day.
    pub const fn day(self) -> Weekday {
        self.day
    }

    /// When it opens, in minutes since midnight.
    pub const fn opens(self) -> u16 {
        self.opens
    }

    /// When it closes, in minutes since midnight: 1,440 is the end of the day.
    pub const fn closes(self) -> u16 {
        self.closes
    }

    /// Whether two entries share a minute.
    pub const fn overlaps(self, other: Self) -> bool {
        self.day as u8 == other.day as u8 && self.opens < other.closes && other.opens < self.closes
    }
}

/// Reads what [`fmt::Display`] writes; the day in any case.
impl FromStr for OpenHours {
    type Err = InvalidHours;

    fn from_str(text: &str) -> Result<Self, InvalidHours> {
        let (day, times) = text.trim().split_once(' ').ok_or(InvalidHours)?;
        let (opens, closes) = times.split_once('-').ok_or(InvalidHours)?;
        let mut days = Weekday::ALL.into_iter();
        let day = days.find(|it| it.code().eq_ignore_ascii_case(day));
        let hours = Self {
            day: day.ok_or(InvalidHours)?,
            opens: minutes(opens).ok_or(InvalidHours)?,
            closes: minutes(closes).ok_or(InvalidHours)?,
        };
        (hours.opens < hours.closes)
            .then_some(hours)
            .ok_or(InvalidHours)
    }
}

/// `Mon 09:00-17:30`.
impl fmt::Display for OpenHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [opens, closes] = [self.opens, self.closes].map(|it| (it / 60, it % 60));
        let day = self.day.code();
        write!(
            f,
            "{day} {:02}:{:02}-{:02}:{:02}",
            opens.0, opens.1, closes.0, closes.1
        )
    }
}

/// The minutes since midnight of `HH:MM`.
fn minutes(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let two = |part: &str| {
        let is_number = part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| part.parse::<u16>().ok()).flatten()
    };
    let (hours, minutes) = (two(hours)?, two(minutes)?);
    let all = hours.checked_mul(60)?.checked_add(minutes)?;
    (minutes < 60 && all <= DAY_MINUTES).then_some(all)
}
