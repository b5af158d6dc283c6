//! The location of an IP address (interface §4.8). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{Sample, sample};
use domain::geolocation::{Address, Location};
use testkit::geolocation::location;
use wire::attribute::IP_ADDRESS;
use wire::geolocation::ipaddress::{self, Resolved};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "geolocation",
        name: "Geolocation",
        about: "Where an IP address is, and which network it belongs to.",
        operations: vec![ip_address()],
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
