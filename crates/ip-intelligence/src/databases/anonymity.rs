//! Databases of anonymising addresses: `GeoIP2-Anonymous-IP` and similar ones. They list such
//! addresses only, so an address they do not list is not anonymising.

use std::path::Path;

use domain::geolocation::Address;
use serde::Deserialize;

use super::{Database, DatabaseError};

const TYPES: [&str; 1] = ["Anonymous"];

/// A database of proxies and data centres.
#[derive(Debug)]
pub struct Anonymity(Database);

/// The anonymity flags of an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disguise {
    /// A proxy, a VPN or an exit of Tor.
    pub(crate) proxy: bool,
    /// A data centre.
    pub(crate) hosting: bool,
}

/// A record. Its flag for all kinds at once, `is_anonymous`, is also set for data centres, so it is
/// not used here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "it has the shape of the records, and nothing else reads them"
)]
struct Record {
    is_anonymous_vpn: bool,
    is_hosting_provider: bool,
    is_public_proxy: bool,
    is_residential_proxy: bool,
    is_tor_exit_node: bool,
}

impl Anonymity {
    /// Opens a database.
    ///
    /// # Errors
    /// When it cannot be read or is of another type.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Database::open(path, &TYPES).map(Self)
    }

    /// The anonymity flags of an address.
    pub(crate) fn find(&self, address: Address) -> Disguise {
        let record: Record = self.0.record(address).unwrap_or_default();
        let proxies = [
            record.is_anonymous_vpn,
            record.is_public_proxy,
            record.is_residential_proxy,
            record.is_tor_exit_node,
        ];
        Disguise {
            proxy: proxies.contains(&true),
            hosting: record.is_hosting_provider,
        }
    }
}
