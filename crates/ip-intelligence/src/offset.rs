//! The offset of local time from UTC. It must not read the clock.

use domain::time::Timestamp;

/// The offset of a zone at a moment, in seconds, summer time included; `None` for a zone that the
/// time zone database does not have.
pub(crate) fn seconds(zone: &str, at: Timestamp) -> Option<i32> {
    let zone = jiff::tz::db().get(zone).ok()?;
    let moment = jiff::Timestamp::from_millisecond(at.as_millis()).ok()?;
    Some(zone.to_offset(moment).seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z and 2026-07-15T12:00:00Z.
    const WINTER: Timestamp = Timestamp::from_millis(1_768_478_400_000);
    const SUMMER: Timestamp = Timestamp::from_millis(1_784_116_800_000);

    #[test]
    fn the_offset_is_that_of_the_moment() {
        let cases = [
            ("Africa/Lagos", 3_600, 3_600),
            ("Europe/Berlin", 3_600, 7_200),
            ("America/New_York", -18_000, -14_400),
            ("Asia/Kathmandu", 20_700, 20_700),
        ];
        for (zone, winter, summer) in cases {
            assert_eq!(seconds(zone, WINTER), Some(winter), "{zone}");
            assert_eq!(seconds(zone, SUMMER), Some(summer), "{zone}");
        }
    }

    #[test]
    fn an_unknown_zone_has_no_offset() {
        assert_eq!(seconds("Mars/Olympus", WINTER), None);
        assert_eq!(seconds("", WINTER), None);
    }
}
