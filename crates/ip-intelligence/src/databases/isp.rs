//! Databases of internet providers: `GeoIP2-ISP`, `GeoLite2-ASN`, `DBIP-ASN-Lite`, `DBIP-ISP` and
//! similar ones. The organisation that announces a block must not be taken for the internet
//! provider of an address.

use std::path::Path;

use domain::geolocation::{Address, AutonomousSystem, InternetProvider};
use serde::Deserialize;

use super::{Database, DatabaseError, decoded};

const TYPES: [&str; 3] = ["ISP", "ASN", "Enterprise"];

/// The value of a cellular connection in records.
const CELLULAR: &str = "cellular";

/// A database of internet providers.
#[derive(Debug)]
pub struct Isp(Database);

/// The data of a database of internet providers about an address.
#[derive(Debug, Default)]
pub(crate) struct FoundIsp {
    pub(crate) system: Option<AutonomousSystem>,
    pub(crate) provider: InternetProvider,
    pub(crate) mobile: Option<bool>,
}

/// A record: the data about the address is in it or, in enterprise databases, under `traits`.
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
    /// Opens a database.
    ///
    /// # Errors
    /// When it cannot be read or is of another type.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Database::open(path, &TYPES).map(Self)
    }

    /// The data of the database about an address.
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

/// Whether the connection is cellular. A connection type decides it either way; the code of a
/// mobile network exists for mobile connections only, and its absence proves nothing.
fn mobile(record: &Record<'_>) -> Option<bool> {
    let kind = record
        .connection_type
        .map(|kind| kind.eq_ignore_ascii_case(CELLULAR));
    kind.or_else(|| record.mobile_network_code.map(|_| true))
}
