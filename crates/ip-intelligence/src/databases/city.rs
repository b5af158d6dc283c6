//! Databases of places: `GeoLite2-City`, `GeoIP2-City`, `GeoIP2-Enterprise`, `DBIP-City-Lite` and
//! similar ones. They must not locate an address where its block is merely registered.

use std::path::Path;

use domain::geolocation::{Address, CodedName, GeoPlace, Position};
use maxminddb::geoip2::{self, Names};
use rust_decimal::Decimal;

use super::{Database, DatabaseError, decoded};

const TYPES: [&str; 3] = ["City", "Enterprise", "Location"];

/// A database of places.
#[derive(Debug)]
pub struct City(Database);

impl City {
    /// Opens a database.
    ///
    /// # Errors
    /// When it cannot be read or is of another type.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Database::open(path, &TYPES).map(Self)
    }

    /// The place of an address; `None` where the database does not even have its country.
    pub(crate) fn find(&self, address: Address) -> Option<GeoPlace> {
        let record: geoip2::City<'_> = self.0.record(address)?;
        let country = named(&record.country.names, record.country.iso_code)?;
        let mut subdivisions = record.subdivisions.iter();
        let region = subdivisions.next();
        let location = &record.location;
        Some(GeoPlace {
            continent: named(&record.continent.names, record.continent.code),
            country: Some(country),
            currency: None,
            timezone: decoded(location.time_zone),
            utc_offset: None,
            region: region.and_then(|region| named(&region.names, region.iso_code)),
            district: subdivisions
                .next()
                .and_then(|part| decoded(part.names.english)),
            city: decoded(record.city.names.english),
            postal_code: decoded(record.postal.code),
            position: position(location.latitude, location.longitude),
        })
    }
}

fn named(names: &Names<'_>, code: Option<&str>) -> Option<CodedName> {
    let (name, code) = (decoded(names.english), decoded(code));
    (name.is_some() || code.is_some()).then_some(CodedName { name, code })
}

/// A point on the map; `None` where one coordinate is missing.
fn position(latitude: Option<f64>, longitude: Option<f64>) -> Option<Position> {
    Some(Position {
        latitude: degrees(latitude?)?,
        longitude: degrees(longitude?)?,
    })
}

/// The shortest decimal that equals the number.
fn degrees(degrees: f64) -> Option<Decimal> {
    degrees.to_string().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_written_as_the_database_has_them() {
        for (number, text) in [(6.455, "6.455"), (-122.0838, "-122.0838"), (0.0, "0")] {
            assert_eq!(degrees(number).unwrap().to_string(), text);
        }
        assert_eq!(degrees(f64::NAN), None);
        assert_eq!(degrees(f64::INFINITY), None);
        assert_eq!(position(Some(1.0), None), None);
    }
}
