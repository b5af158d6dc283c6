//! Calendar dates, for the names of dated rules. It must never be used for dates people are shown:
//! those need a time zone.

use crate::time::Timestamp;

const MILLIS_PER_DAY: i64 = 86_400_000;
/// Days of 400 years, after which the calendar repeats.
const DAYS_PER_CYCLE: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01. Counted from March, the leap day is a year's last.
const DAYS_BEFORE_EPOCH: i64 = 719_468;

/// Whether two of some rules, in the order of their first moments, begin on one day (UTC): rules
/// are named by their day, and a name stands for one.
pub(crate) fn share_a_day<R>(sorted: &[R], from: impl Fn(&R) -> Timestamp) -> bool {
    let same_day = |pair: &[R]| match pair {
        [earlier, later] => utc(from(earlier)) == utc(from(later)),
        _ => false,
    };
    sorted.windows(2).any(same_day)
}

/// The date of a moment in UTC, `2020-02-01` (proleptic Gregorian calendar).
#[cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        reason = "a count of days is below 2^37, and no product here is above its 400-fold"
    )
)]
pub(crate) fn utc(at: Timestamp) -> String {
    let days = at.as_millis().div_euclid(MILLIS_PER_DAY) + DAYS_BEFORE_EPOCH;
    let cycle = days.div_euclid(DAYS_PER_CYCLE);
    let day_of_cycle = days.rem_euclid(DAYS_PER_CYCLE);
    // Leap days are taken out, so that every year has 365.
    let leap_days = day_of_cycle / 1_460 - day_of_cycle / 36_524 + day_of_cycle / 146_096;
    let year_of_cycle = (day_of_cycle - leap_days) / 365;
    let first_day = 365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100;
    let day_of_year = day_of_cycle - first_day;
    // Five months from March on have 153 days: 31, 30, 31, 30, 31.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = cycle * 400 + year_of_cycle + next_year;
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_have_their_dates() {
        let known = [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (86_399_999, "1970-01-01"),
            (86_400_000, "1970-01-02"),
            (951_782_400_000, "2000-02-29"),
            (1_580_515_199_999, "2020-01-31"),
            (1_580_515_200_000, "2020-02-01"),
            (1_582_934_400_000, "2020-02-29"),
            (1_583_020_800_000, "2020-03-01"),
            (1_798_761_599_999, "2026-12-31"),
            (4_107_542_400_000, "2100-03-01"),
        ];
        for (millis, date) in known {
            assert_eq!(utc(Timestamp::from_millis(millis)), date, "{millis}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before_for_eight_centuries() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for days in -135_140..=157_053_i64 {
            let date = utc(Timestamp::from_millis(days * MILLIS_PER_DAY));
            assert_eq!(date, format!("{year}-{month:02}-{day:02}"));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!((year, month, day), (2400, 1, 1));
    }

    #[test]
    fn the_ends_of_time_have_dates_too() {
        assert_eq!(utc(Timestamp::from_millis(i64::MAX)), "292278994-08-17");
        assert_eq!(utc(Timestamp::from_millis(i64::MIN)), "-292275055-05-16");
    }
}
