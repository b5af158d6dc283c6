//! The circle that a device is expected in.

use crate::attribute::{CIRCLE_LATITUDE, CIRCLE_LONGITUDE, CIRCLE_RADIUS};
use crate::reader::{FieldReader, InvalidField};
use domain::geolocation::device::GeoPoint;

/// The largest circle that is verified, in metres: half the way around the earth.
const RADIUS_MAX: u64 = 20_000_000;

/// The message for what a circle lacks.
const ALL_OF_A_CIRCLE: &str =
    "is missing; send locationLatitude, locationLongitude and radius together, or none of them";

/// The middle of a circle, and its radius in metres.
pub type Circle = (GeoPoint, u32);

/// A circle has all of its three attributes or none.
pub(super) fn read(reader: &mut FieldReader<'_>) -> Result<Option<Circle>, InvalidField> {
    let latitude = reader.optional(&CIRCLE_LATITUDE, GeoPoint::parse_latitude);
    let longitude = reader.optional(&CIRCLE_LONGITUDE, GeoPoint::parse_longitude);
    let radius = reader.optional(&CIRCLE_RADIUS, radius);
    let missing = [
        (&CIRCLE_LATITUDE, matches!(latitude, Ok(None))),
        (&CIRCLE_LONGITUDE, matches!(longitude, Ok(None))),
        (&CIRCLE_RADIUS, matches!(radius, Ok(None))),
    ];
    if missing.iter().any(|(_, is_missing)| !is_missing) {
        for (attribute, _) in missing.iter().filter(|(_, is_missing)| *is_missing) {
            reader.object(attribute, ALL_OF_A_CIRCLE);
        }
    }
    let (latitude, longitude, radius) = (latitude?, longitude?, radius?);
    let middle = latitude.zip(longitude);
    let middle =
        middle.and_then(|(latitude, longitude)| GeoPoint::from_micros(latitude, longitude));
    Ok(middle.zip(radius))
}

fn radius(text: &str) -> Result<u32, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let radius = text.parse::<u32>().ok().filter(|_| digits);
    let radius = radius.filter(|radius| (1..=RADIUS_MAX).contains(&u64::from(*radius)));
    radius.ok_or_else(|| format!("must be whole metres, 1 to {RADIUS_MAX}"))
}
