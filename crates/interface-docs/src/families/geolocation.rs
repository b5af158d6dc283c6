//! The location of an IP address (interface §4.8) or a device. It must not document what no sample
//! shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::geolocation::device::{DeviceLocation, GeoPoint, LocationSource};
use domain::geolocation::{Address, Location};
use domain::money::Currency;
use testkit::builders::START;
use testkit::geolocation::location;
use wire::attribute::{CELLS, CIRCLE_LATITUDE, CIRCLE_LONGITUDE, CIRCLE_RADIUS, IP_ADDRESS, WIFI};
use wire::attributes::Attributes;
use wire::geolocation::device;
use wire::geolocation::ipaddress::{self, Resolved};
use wire::reader::Handling;

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

fn device() -> Operation {
    let asked = |circle: &str| {
        let query = format!("cells=1,1,1,1{circle}");
        let read = Attributes::from_query(Some(&query)).ok();
        read.and_then(|read| device::parse(&read, Handling::Strict).ok())
    };
    let located = |name, circle: &str| {
        let at = GeoPoint::from_micros(6_455_027, 3_384_082);
        let fields = at.zip(asked(circle)).map(|(at, request)| {
            let found = DeviceLocation {
                at,
                accuracy: 1_500,
                source: LocationSource::Cell,
            };
            device::view((&found, &request), (START, &lagos()), Currency::Ngn)
        });
        sample(name, "The device.", fields.unwrap_or_default())
    };
    let circle = "&locationLatitude=6.45&locationLongitude=3.38&radius=5000";
    Operation::get("/geolocation/device", "locateDevice", "Locate a device")
        .detailed(
            "By what the device receives: Wi-Fi access points, of which two at least have to be \
             recorded, or cells. The device is within `locationAccuracy` metres of the place. \
             With a circle, `isInside` is `true` or `false` where that is certain wherever \
             within the accuracy the device is, and `partial` otherwise. Nothing of a request \
             is kept. Test accounts use cells 1 to 3 of network 1 of country 1, area 1, and \
             access points 00:00:5e:00:53:01 to 03. It is free.",
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
        .answers(
            "DeviceLocation",
            vec![located("located", circle), located("without a circle", "")],
        )
        .refused(&[404])
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
