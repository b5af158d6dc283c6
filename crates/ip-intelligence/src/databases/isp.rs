//! Databases of providers: `GeoIP2-ISP`, `GeoLite2-ASN`, `DBIP-ASN-Lite`, `DBIP-ISP` and their
//! like. They must not take the organisation that announces a block for the provider of an address.

use std::path::Path;

use domain::geolocation::{Address, AutonomousSystem, InternetProvider};
use serde::Deserialize;

use super::{Database, DatabaseError, decoded};

const TYPES: [&str; 3] = ["ISP", "ASN", "Enterprise"];

/// How records call a cellular connection.
const CELLULAR: &str = "cellular";

/// A database of providers.
#[derive(Debug)]
pub struct Isp(Database);

/// What a database of providers says of an address.
#[derive(Debug, Default)]
pub(crate) struct FoundIsp {
    pub(crate) system: Option<AutonomousSystem>,
    pub(crate) provider: InternetProvider,
    pub(crate) mobile: Option<bool>,
}

/// A record: what is known of the address stands in it or, in enterprise databases, under `traits`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Record<'a> {
    autonomous_system_number: Option<u32>,
    autonomous_system_organization: Option<&'a str>,
    isp: Option<&'a str>,
    organization: Option<&'a str>,
    mobile_network_code: Option<&'a str>,
    connection_type: Option<&'a str>,
    #[serde(borrow)]
    traits: Option<Box<Record<'a>>>,
}

impl Isp {
    /// Opens one.
    ///
    /// # Errors
    /// When it cannot be read or is of another type.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Database::open(path, &TYPES).map(Self)
    }

    /// What the database says of an address.
    pub(crate) fn find(&self, address: Address) -> Option<FoundIsp> {
        let record: Record<'_> = self.0.record(address)?;
        let record = match record.traits {
            Some(traits) => *traits,
            None => record,
        };
        let system = record
            .autonomous_system_number
            .map(|number| AutonomousSystem {
                number,
                organisation: decoded(record.autonomous_system_organization),
                handle: None,
            });
        Some(FoundIsp {
            system,
            mobile: mobile(&record),
            provider: InternetProvider {
                name: decoded(record.isp),
                organisation: decoded(record.organization),
            },
        })
    }
}

/// Whether the connection is cellular. A type says so either way; the code of a mobile network is
/// there for mobile connections only, and that it is not there proves nothing.
fn mobile(record: &Record<'_>) -> Option<bool> {
    let kind = record
        .connection_type
        .map(|kind| kind.eq_ignore_ascii_case(CELLULAR));
    kind.or_else(|| record.mobile_network_code.map(|_| true))
}
