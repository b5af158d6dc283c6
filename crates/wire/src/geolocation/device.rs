//! `GET /geolocation/device` by what the device receives, and the fields of every answer. It must
//! not name what the device receives: an access point leads to the household that it stands in.

use super::circle::{self, Circle};
use crate::attribute::{CELLS, WIFI};
use crate::attributes::Attributes;
use crate::format::available;
use crate::geolocation::degrees;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::geolocation::device::{
    Cell, Containment, DeviceLocation, LocationSource, ReceivedAccessPoint,
};
use domain::money::{Currency, Money};
use domain::paid_lookup::{ConsentReference, LookupOrder};
use domain::time::Timestamp;

/// What a device receives, and the circle that it is expected in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    pub access_points: Vec<ReceivedAccessPoint>,
    pub cells: Vec<Cell>,
    pub circle: Option<Circle>,
}

/// A device that is located by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct IdentifiedDevice<'a> {
    pub(super) order: &'a LookupOrder,
    /// What became of it, in one word.
    pub(super) status: Option<&'static str>,
}

/// The fields of every answer, whichever way the device is located.
pub(super) struct DeviceView<'a> {
    pub(super) device: Option<IdentifiedDevice<'a>>,
    /// Where it is, and since when that is known.
    pub(super) location: Option<(DeviceLocation, Timestamp)>,
    pub(super) circle: Option<Circle>,
    pub(super) price: Money,
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
    let circle = circle::read(&mut reader);
    reader.finish(|| {
        Ok(DeviceRequest {
            access_points: wifi?.unwrap_or_default(),
            cells: cells?.unwrap_or_default(),
            circle: circle?,
        })
    })
}

/// Where the device is, found at a moment, and whether it is within the circle. It is free, and
/// there is no transaction.
pub fn view(
    (location, request): (&DeviceLocation, &DeviceRequest),
    (now, zone): (Timestamp, &Zone),
    currency: Currency,
) -> Object {
    let shown = DeviceView {
        device: None,
        location: Some((*location, now)),
        circle: request.circle,
        price: Money::zero(currency),
    };
    Object::new()
        .with("mrcReference", Node::Null)
        .with("txnReference", Node::Null)
        .with("txnStatus", Node::Null)
        .with("txnDate", Node::Null)
        .with("gtwStatus", Node::Null)
        .and(shown.fields(zone))
}

impl DeviceView<'_> {
    pub(super) fn fields(&self, zone: &Zone) -> Object {
        let order = self.device.map(|device| device.order);
        let country = order.map(|order| order.country);
        let name = |order: &LookupOrder| available(order.country.name().unwrap_or_default());
        Object::new()
            .with("number", order.map(|order| order.number.as_str()))
            .with("countryName", order.map_or(Node::Null, name))
            .with("countryCode", country.map(|country| country.to_string()))
            .with(
                "cnsReference",
                order
                    .and_then(|order| order.consent.as_ref())
                    .map(ConsentReference::as_str),
            )
            .with("lkpStatus", self.device.and_then(|device| device.status))
            .and(self.place(zone))
            .with("price", self.price)
            .with("currency", self.price.currency().code())
    }

    fn place(&self, zone: &Zone) -> Object {
        let location = self.location.map(|(location, _)| location);
        let accuracy = location.map(|it| Node::Integer(i64::from(it.accuracy)));
        let inside = location
            .zip(self.circle)
            .map(
                |(location, (middle, radius))| match location.within(middle, radius) {
                    Containment::Inside => "true",
                    Containment::Outside => "false",
                    Containment::Partial => "partial",
                },
            );
        let date = self.location.map(|(_, at)| zone.date_time(at));
        Object::new()
            .with(
                "locationLatitude",
                location.map_or(Node::Null, |it| degrees(it.at.latitude())),
            )
            .with(
                "locationLongitude",
                location.map_or(Node::Null, |it| degrees(it.at.longitude())),
            )
            .with("locationAccuracy", accuracy.unwrap_or(Node::Null))
            .with("locationDate", date)
            .with("locationSource", location.map(|it| source(it.source)))
            .with("isInside", inside)
    }
}

const fn source(source: LocationSource) -> &'static str {
    match source {
        LocationSource::Wifi => "wifi",
        LocationSource::Cell => "cell",
        LocationSource::Network => "network",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use domain::geolocation::device::GeoPoint;
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
