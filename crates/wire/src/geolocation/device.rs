//! `GET /geolocation/device`. It must not name what the device receives: an access point leads to
//! the household that it stands in.

use crate::attribute::{CELLS, CIRCLE_LATITUDE, CIRCLE_LONGITUDE, CIRCLE_RADIUS, WIFI};
use crate::attributes::Attributes;
use crate::geolocation::degrees;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::geolocation::device::{
    Cell, Containment, DeviceLocation, GeoPoint, LocationSource, ReceivedAccessPoint,
};
use domain::money::{Currency, Money};
use domain::time::Timestamp;

/// The largest circle that is verified, in metres: half the way around the earth.
pub const RADIUS_MAX: u64 = 20_000_000;

/// The message for what a circle lacks.
const ALL_OF_A_CIRCLE: &str =
    "is missing; send locationLatitude, locationLongitude and radius together, or none of them";

/// What a device receives, and the circle that it is expected in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    pub access_points: Vec<ReceivedAccessPoint>,
    pub cells: Vec<Cell>,
    /// The middle of the circle, and its radius in metres.
    pub circle: Option<(GeoPoint, u32)>,
}

/// Reads what a device receives.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<DeviceRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let has = |name| attributes.get(name).is_some();
    let wifi = reader.optional(&WIFI, ReceivedAccessPoint::parse_all);
    let cells = if has(WIFI.name) {
        reader.optional(&CELLS, Cell::parse_all)
    } else {
        reader.required(&CELLS, Cell::parse_all).map(Some)
    };
    let circle = read_circle(&mut reader);
    reader.finish(|| {
        Ok(DeviceRequest {
            access_points: wifi?.unwrap_or_default(),
            cells: cells?.unwrap_or_default(),
            circle: circle?,
        })
    })
}

/// A circle has all of its three attributes or none.
fn read_circle(reader: &mut FieldReader<'_>) -> Result<Option<(GeoPoint, u32)>, InvalidField> {
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

/// Where the device is, found at a moment, and whether it is within the circle. It is free.
pub fn view(
    (location, request): (&DeviceLocation, &DeviceRequest),
    (now, zone): (Timestamp, &Zone),
    currency: Currency,
) -> Object {
    let source = match location.source {
        LocationSource::Wifi => "wifi",
        LocationSource::Cell => "cell",
    };
    let inside = request
        .circle
        .map(|(middle, radius)| match location.within(middle, radius) {
            Containment::Inside => "true",
            Containment::Outside => "false",
            Containment::Partial => "partial",
        });
    Object::new()
        .with("locationLatitude", degrees(location.at.latitude()))
        .with("locationLongitude", degrees(location.at.longitude()))
        .with(
            "locationAccuracy",
            Node::Integer(i64::from(location.accuracy)),
        )
        .with("locationDate", zone.date_time(now))
        .with("locationSource", source)
        .with("isInside", inside)
        .with("price", Money::zero(currency))
        .with("currency", currency.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::START;

    #[test]
    fn a_location_is_shown_with_the_circle_that_was_asked_about() {
        let request = parse(
            &query("cells=1,1,1,1&locationLatitude=6.5&locationLongitude=3.4&radius=100"),
            Handling::Strict,
        );
        let location = DeviceLocation {
            at: GeoPoint::from_micros(6_455_027, 3_384_000).unwrap(),
            accuracy: 1_500,
            source: LocationSource::Cell,
        };
        let shown = view(
            (&location, &request.unwrap()),
            (START, &lagos()),
            Currency::Ngn,
        );
        insta::assert_snapshot!(pretty(&shown.into()));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        for wrong in [
            "",
            "wifi=00:00:5e:00:53:01&cells=1&radius=0",
            "cells=1,1,1,1&locationLatitude=91&locationLongitude=east",
        ] {
            insta::assert_snapshot!(faults(parse(&query(wrong), Handling::Lenient)));
        }
    }
}
