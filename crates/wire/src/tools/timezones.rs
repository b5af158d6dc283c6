//! `GET /tools/timezones`: the time zones that dates can be shown in, from the database of the
//! program.

use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::tree::Object;
use domain::time::Timestamp;
use jiff::tz::TimeZone;

/// A time zone at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedZone {
    name: String,
    offset: i32,
    is_daylight: bool,
}

impl ListedZone {
    /// Every zone of the database at a moment.
    pub fn all(now: Timestamp) -> Vec<Self> {
        let zones = jiff::tz::db();
        let names = zones.available().map(|name| name.to_string());
        names.filter_map(|name| Self::named(&name, now)).collect()
    }

    /// One zone at a moment; `None` where the database has none of the name.
    pub fn named(name: &str, now: Timestamp) -> Option<Self> {
        let zone: TimeZone = jiff::tz::db().get(name).ok()?;
        let at = jiff::Timestamp::from_millisecond(now.as_millis()).ok()?;
        let info = zone.to_offset_info(at);
        Some(Self {
            name: name.to_owned(),
            offset: info.offset().seconds(),
            is_daylight: info.dst().is_dst(),
        })
    }
}

const LAYOUT: Layout<ListedZone> = Layout {
    path: "/tools/timezones",
    plural: "timezones",
    singular: "timezone",
    orders: &[
        ListingOrder {
            word: "zoneName",
            compare: |one, other| one.name.cmp(&other.name),
        },
        ListingOrder {
            word: "utcOffset",
            compare: |one, other| (one.offset, &one.name).cmp(&(other.offset, &other.name)),
        },
    ],
    entry: view_one,
};

super::listed!(ListedZone);

fn view_one(zone: &ListedZone) -> Object {
    Object::new()
        .with("zoneName", zone.name.as_str())
        .with("utcOffset", zone.offset)
        .with("isDaylight", zone.is_daylight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-07-01 and 2026-01-01, at noon.
    const SUMMER: Timestamp = Timestamp::from_millis(1_782_907_200_000);
    const WINTER: Timestamp = Timestamp::from_millis(1_767_268_800_000);

    #[test]
    fn zones_are_shown_as_they_are_at_the_moment() {
        let offset = |name, at| {
            let zone = ListedZone::named(name, at).unwrap();
            (zone.offset, zone.is_daylight)
        };
        assert_eq!(offset("Europe/London", SUMMER), (3600, true));
        assert_eq!(offset("Europe/London", WINTER), (0, false));
        assert_eq!(offset("Africa/Lagos", SUMMER), (3600, false));
        assert_eq!(offset("America/St_Johns", WINTER), (-12_600, false));
        assert_eq!(ListedZone::named("Africa/Atlantis", SUMMER), None);
        let all = ListedZone::all(SUMMER);
        assert!(all.len() > 400, "{}", all.len());
        assert!(
            all.iter()
                .any(|zone| zone.name == crate::zone::Zone::DEFAULT)
        );
    }
}
