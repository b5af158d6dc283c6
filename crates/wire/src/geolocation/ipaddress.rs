//! `GET /geolocation/ipaddress`. It must distinguish a block that is not announced from an unknown
//! value: one is an empty text, the other the placeholder.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::geolocation::degrees;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::geolocation::{Address, AddressOrigin, AutonomousSystem, CodedName, Location};

/// Reads which address is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Address, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let address = reader.required(&attribute::IP_ADDRESS, Address::parse);
    reader.finish(|| address)
}

/// An address and the data known about it (interface §2.10). Unknown texts are the placeholder;
/// unknown numbers and booleans are null.
pub fn view(address: Address, location: &Location, dns: Resolved<'_>) -> Object {
    let place = &location.place;
    let (registry, registry_code) = registry(&location.announced);
    let position = place.position;
    Object::new()
        .with("ipAddress", address.to_string())
        .with("registryName", registry)
        .with("registryCode", registry_code)
        .with("ispName", known(location.provider.name.as_deref()))
        .with(
            "ispCompany",
            known(location.provider.organisation.as_deref()),
        )
        .with("continentName", known(name_of(place.continent.as_ref())))
        .with("continentCode", known(code_of(place.continent.as_ref())))
        .with("countryName", known(name_of(place.country.as_ref())))
        .with("countryCode", known(code_of(place.country.as_ref())))
        .with("countryCurrency", known(place.currency.as_deref()))
        .with("countryTimezone", known(place.timezone.as_deref()))
        .with("utcOffset", place.utc_offset)
        .with("regionName", known(name_of(place.region.as_ref())))
        .with("regionCode", known(code_of(place.region.as_ref())))
        .with("cityName", known(place.city.as_deref()))
        .with("cityZipcode", known(place.postal_code.as_deref()))
        .with("districtName", known(place.district.as_deref()))
        .with("locationLatitude", position.map(|at| degrees(at.latitude)))
        .with(
            "locationLongitude",
            position.map(|at| degrees(at.longitude)),
        )
        .and(resolver(dns))
        .with("isMobile", location.connection.mobile)
        .with("isProxy", location.connection.proxy)
        .with("isHosting", location.connection.hosting)
}

/// The DNS records of an address.
#[derive(Debug, Clone, Copy, Default)]
pub struct Resolved<'a> {
    /// Its name.
    pub name: Option<&'a str>,
    /// The address the name resolves to, its location, and the location of its EDNS client subnet.
    pub leads_to: Option<(Address, &'a Location, &'a Location)>,
}

fn resolver(dns: Resolved<'_>) -> Object {
    let fields = Object::new().with("dnsReserve", known(dns.name));
    let Some((address, location, subnet)) = dns.leads_to else {
        return fields
            .with("dnsIPaddress", known(None))
            .with("dnsProvider", known(None))
            .with("ednsIPaddress", known(None))
            .with("ednsProvider", known(None));
    };
    let (network, bits) = address.client_subnet();
    fields
        .with("dnsIPaddress", address.to_string())
        .with("dnsProvider", format::available(&provider(location)))
        .with("ednsIPaddress", format!("{network}/{bits}"))
        .with("ednsProvider", format::available(&provider(subnet)))
}

/// The country of an address and the name of its internet provider, as far as they are known.
fn provider(location: &Location) -> String {
    let announcer = match &location.announced {
        AddressOrigin::NotAnnounced => None,
        AddressOrigin::AnnouncedBy(system) => system.organisation.as_deref(),
    };
    let connects = location.provider.name.as_deref().or(announcer);
    let parts = [name_of(location.place.country.as_ref()), connects];
    let known: Vec<_> = parts.into_iter().flatten().collect();
    known.join(" - ")
}

/// `registryName` and `registryCode`, both empty for a block that is not announced.
fn registry(announced: &AddressOrigin) -> (Node, Node) {
    match announced {
        AddressOrigin::NotAnnounced => (Node::from(""), Node::from("")),
        AddressOrigin::AnnouncedBy(system) => {
            (Node::from(title(system)), known(system.handle.as_deref()))
        }
    }
}

fn title(system: &AutonomousSystem) -> String {
    match &system.organisation {
        Some(organisation) => format!("AS{} {organisation}", system.number),
        None => format!("AS{}", system.number),
    }
}

fn name_of(named: Option<&CodedName>) -> Option<&str> {
    named.and_then(|named| named.name.as_deref())
}

fn code_of(named: Option<&CodedName>) -> Option<&str> {
    named.and_then(|named| named.code.as_deref())
}

fn known(text: Option<&str>) -> Node {
    format::available(text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use rust_decimal::Decimal;
    use testkit::geolocation::location;

    fn lenient(text: &str) -> Result<Address, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn an_address_is_asked_for_in_either_version() {
        assert_eq!(lenient("ipAddress=8.8.8.8").unwrap(), address("8.8.8.8"));
        let mapped = lenient("ipAddress=%3A%3Affff%3A8.8.8.8").unwrap();
        assert_eq!(mapped, address("8.8.8.8"));
    }

    #[test]
    fn a_missing_filter_is_distinguished_from_a_bad_address() {
        insta::assert_snapshot!(faults(lenient("")), @r"
        405 859
        ipAddress: is required; add it to the query of the address
        ");
        insta::assert_snapshot!(faults(lenient("ipAddress=fe80::1%25eth0")), @r"
        400 859
        ipAddress: must be an IP address such as 8.8.8.8 or 2001:db8::1; no port, prefix or zone
        ");
    }

    #[test]
    fn everything_that_is_known_is_shown_in_the_order_of_the_interface() {
        let (place, elsewhere) = (location(), Location::default());
        let dns = Resolved {
            name: Some("dns.example"),
            leads_to: Some((address("8.8.4.4"), &place, &elsewhere)),
        };
        let node = view(address("8.8.8.8"), &place, dns).into();
        insta::assert_snapshot!("known", pretty(&node));
    }

    #[test]
    fn what_is_unknown_is_a_placeholder_or_null_and_an_unannounced_block_has_no_registry() {
        let node = view(
            address("2001:db8::1"),
            &Location::default(),
            Resolved::default(),
        )
        .into();
        insta::assert_snapshot!("unknown", pretty(&node));
    }

    #[test]
    fn degrees_are_shown_as_floats() {
        for (number, scale, expected) in [(6, 0, "6.0"), (-64_550, 4, "-6.455"), (0, 0, "0.0")] {
            let node = degrees(Decimal::new(number, scale));
            assert_eq!(pretty(&node), expected);
        }
    }

    #[test]
    fn a_system_without_a_name_is_its_number() {
        let nameless = AutonomousSystem {
            number: 219_474,
            organisation: None,
            handle: None,
        };
        let location = Location {
            announced: AddressOrigin::AnnouncedBy(nameless),
            ..Location::default()
        };
        let shown = view(address("8.8.8.8"), &location, Resolved::default());
        let fields: Vec<_> = shown.fields().skip(1).take(2).collect();
        let expected = [Node::from("AS219474"), Node::from("Unavailable")];
        assert_eq!(
            fields,
            [
                ("registryName", &expected[0]),
                ("registryCode", &expected[1])
            ]
        );
    }
}
