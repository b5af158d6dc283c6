//! Databases of addresses that stand for somebody else: `GeoIP2-Anonymous-IP` and its like. They
//! list such addresses only, so one they do not list is none.

use std::path::Path;

use domain::geolocation::Address;
use serde::Deserialize;

use super::{Database, DatabaseError};

const TYPES: [&str; 1] = ["Anonymous"];

/// A database of proxies and data centres.
#[derive(Debug)]
pub struct Anonymity(Database);

/// What an address hides behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disguise {
    /// A proxy, a VPN or an exit of Tor.
    pub(crate) proxy: bool,
    /// A data centre.
    pub(crate) hosting: bool,
}

/// A record. Its word for all kinds at once, `is_anonymous`, is true of data centres as well, so it
/// tells nothing here.
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
    /// Opens one.
    ///
    /// # Errors
    /// When it cannot be read or is of another type.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        Database::open(path, &TYPES).map(Self)
    }

    /// What an address hides behind.
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
