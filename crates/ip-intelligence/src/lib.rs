//! The location of IP addresses: tables within the binary, databases supplied by the operator, and
//! the names in the DNS. It must not fill a gap with a guess: a value no source has stays unknown.

pub mod databases;
mod embedded;
mod offset;
mod resolver;

use databases::{Anonymity, City, Isp};
use domain::geolocation::{Address, AddressOrigin, Connection, GeoPlace, Location};
use domain::time::Timestamp;
use embedded::countries;
use ports::geolocation::Geolocation;

pub use resolver::{ResolverError, ReverseResolver, Servers};

/// The data about addresses that needs no network request. An operator's database takes precedence
/// over the embedded tables.
#[derive(Debug, Default)]
pub struct IpTables {
    city: Option<City>,
    isp: Option<Isp>,
    anonymity: Option<Anonymity>,
}

impl IpTables {
    /// The embedded tables alone.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// The same with a database of places.
    #[must_use]
    pub fn with_city(self, city: Option<City>) -> Self {
        Self { city, ..self }
    }

    /// The same with a database of internet providers.
    #[must_use]
    pub fn with_isp(self, isp: Option<Isp>) -> Self {
        Self { isp, ..self }
    }

    /// The same with a database of proxies and data centres.
    #[must_use]
    pub fn with_anonymity(self, anonymity: Option<Anonymity>) -> Self {
        Self { anonymity, ..self }
    }
}

impl Geolocation for IpTables {
    fn locate(&self, address: Address, at: Timestamp) -> Location {
        let found = self.city.as_ref().and_then(|city| city.find(address));
        let place = found.unwrap_or_else(|| embedded_place(address));
        let isp = self.isp.as_ref().and_then(|isp| isp.find(address));
        let isp = isp.unwrap_or_default();
        let system = isp.system.or_else(|| embedded::system(address));
        let anonymity = self.anonymity.as_ref();
        let disguise = anonymity.map(|anonymity| anonymity.find(address));
        Location {
            announced: system.map_or(AddressOrigin::NotAnnounced, AddressOrigin::AnnouncedBy),
            provider: isp.provider,
            place: with_offset(countries::complete(place), at),
            connection: Connection {
                mobile: isp.mobile,
                proxy: disguise.map(|disguise| disguise.proxy),
                hosting: disguise.map(|disguise| disguise.hosting),
            },
        }
    }
}

/// The country of the embedded table.
fn embedded_place(address: Address) -> GeoPlace {
    let code = embedded::country(address);
    GeoPlace {
        country: code.map(countries::named),
        ..GeoPlace::default()
    }
}

/// A place with the offset of its local time from UTC at a moment.
fn with_offset(place: GeoPlace, at: Timestamp) -> GeoPlace {
    let zone = place.timezone.as_deref();
    let utc_offset = zone.and_then(|zone| offset::seconds(zone, at));
    GeoPlace {
        utc_offset,
        ..place
    }
}

#[cfg(test)]
mod tests;
