//! The location of an IP address (interface §4.8) or a device. It must not document what no sample
//! shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, Sample, lagos, sample};
use domain::geolocation::device::{DeviceLocation, GeoPoint, LocationSource};
use domain::geolocation::{Address, Location};
use domain::money::Currency;
use domain::paid_lookup::{LookupCategory, LookupMiss};
use testkit::builders::{self, PurchaseBuilder, START};
use testkit::geolocation::location;
use wire::attribute::{
    CELLS, CIRCLE_LATITUDE, CIRCLE_LONGITUDE, CIRCLE_RADIUS, CONSENT, COUNTRY, IP_ADDRESS, MAX_AGE,
    PHONE, REFERENCE, WIFI,
};
use wire::attributes::Attributes;
use wire::geolocation::device;
use wire::geolocation::ipaddress::{self, Resolved};
use wire::reader::Handling;

/// How a device is located.
const ABOUT_DEVICES: &str = "\
    By its number, which is charged, or by what it receives, which is free: Wi-Fi access points, \
    of which two at least have to be recorded, or cells (404 where too little is recorded). \
    Locating by number needs the consent of the person: without `cnsReference`, your reference \
    of the record that the person agreed, the answer is 403. A location by number is charged \
    once per `mrcReference`, however often it is asked for with the same attributes (the circle \
    may be another); without one, every request is a new one and is charged. A reference alone \
    asks for its report. Where the device is out of reach the answer is 200 too: `txnStatus` is \
    Failed, `lkpStatus` is `unreachable`, the place is null and `price` is 0.00. The device is \
    within `locationAccuracy` metres of the place. With a circle, `isInside` is `true` or \
    `false` where that is certain wherever within the accuracy the device is, and `partial` \
    otherwise. Nothing of what a device receives is kept. Test accounts use cells 1 to 3 of \
    network 1 of country 1, area 1, and access points 00:00:5e:00:53:01 to 03.";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "geolocation",
        name: "Geolocation",
        about: "Where an IP address is, which network it belongs to, and where a device is.",
        operations: vec![ip_address(), device()],
    }
}

fn ip_address() -> Operation {
    let path = "/geolocation/ipaddress";
    Operation::get(path, "locateIpAddress", "Locate an IP address")
        .detailed(
            "How much is known depends on the databases of the gateway. Unknown texts are \
             `Unavailable`, unknown numbers and booleans are null. Out of the box, what is \
             known comes from the Number Resource Organization (<https://www.nro.net>), Route \
             Views (<https://www.routeviews.org>) and DB-IP ([IP Geolocation by \
             DB-IP](https://db-ip.com)), under CC BY 4.0.",
        )
        .takes([required(&IP_ADDRESS, "8.8.8.8")])
        .answers(
            "IpAddress",
            vec![
                known(),
                shown(
                    "private",
                    "10.0.0.1",
                    &Location::default(),
                    Resolved::default(),
                ),
            ],
        )
}

/// A device that is located by what it receives, with a circle or without.
fn located(name: &'static str, circle: &str) -> Sample {
    let query = format!("cells=1,1,1,1{circle}");
    let read = Attributes::from_query(Some(&query)).ok();
    let asked = read.and_then(|read| device::parse(&read, Handling::Strict).ok());
    let at = GeoPoint::from_micros(6_455_027, 3_384_082);
    let fields = at.zip(asked).map(|(at, request)| {
        let found = DeviceLocation {
            at,
            accuracy: 1_500,
            source: LocationSource::Cell,
        };
        device::view((&found, &request), (START, &lagos()), Currency::Ngn)
    });
    sample(name, "The device.", fields.unwrap_or_default())
}

fn device() -> Operation {
    let circle = "&locationLatitude=6.45&locationLongitude=3.38&radius=5000";
    Operation::get("/geolocation/device", "locateDevice", "Locate a device")
        .detailed(ABOUT_DEVICES)
        .takes_as(
            "A number",
            [
                required(&COUNTRY, "566"),
                required(&PHONE, "2348031234567"),
                required(&CONSENT, "consent-2026-1"),
                optional(&MAX_AGE).such_as("60"),
                optional(&REFERENCE).such_as("device-1001"),
                optional(&CIRCLE_LATITUDE),
                optional(&CIRCLE_LONGITUDE),
                optional(&CIRCLE_RADIUS),
            ],
        )
        .takes_as(
            "Access points",
            [
                required(&WIFI, "00:00:5e:00:53:01,-40;00:00:5e:00:53:02,-60"),
                optional(&CELLS).such_as("1,1,1,1"),
                optional(&CIRCLE_LATITUDE),
                optional(&CIRCLE_LONGITUDE),
                optional(&CIRCLE_RADIUS),
            ],
        )
        .takes_as(
            "Cells",
            [
                required(&CELLS, "1,1,1,1;1,1,1,2"),
                optional(&CIRCLE_LATITUDE),
                optional(&CIRCLE_LONGITUDE),
                optional(&CIRCLE_RADIUS),
            ],
        )
        .takes_as(
            "An earlier location",
            [
                required(&REFERENCE, "device-1001"),
                optional(&CIRCLE_LATITUDE),
                optional(&CIRCLE_LONGITUDE),
                optional(&CIRCLE_RADIUS),
            ],
        )
        .pays(
            "DeviceLocation",
            super::paid_lookup::states(of_number(), LookupMiss::Unreachable),
        )
        .answers(
            "DeviceLocation",
            vec![located("located", circle), located("without a circle", "")],
        )
        .refused(&[403, 404, 409, 422])
}

fn of_number() -> PurchaseBuilder {
    builders::paid_lookup(LookupCategory::Device)
}

/// The events of locations by number.
pub(super) fn event() -> EventSchema {
    EventSchema::of("DeviceLocationEvent", "geolocation", [of_number()])
}

fn known() -> Sample {
    let location = location();
    let address = Address::parse("8.8.8.8").expect("an address");
    let dns = Resolved {
        name: Some("dns.google"),
        leads_to: Some((address, &location, &location)),
    };
    shown("known", "8.8.8.8", &location, dns)
}

fn shown(name: &'static str, address: &str, found: &Location, dns: Resolved<'_>) -> Sample {
    let address = Address::parse(address).expect("an address");
    let fields = ipaddress::view(address, found, dns);
    sample(name, "The IP address.", fields)
}
