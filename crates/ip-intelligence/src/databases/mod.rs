//! Databases supplied by the operator, in the `MaxMind` DB format with the records of `GeoIP2`,
//! `GeoLite2` and DB-IP. An invalid one must be reported before the gateway answers its first
//! request.

mod anonymity;
mod city;
mod isp;

use std::path::{Path, PathBuf};

use domain::geolocation::Address;
use maxminddb::{MaxMindDbError, Reader};
use serde::Deserialize;

pub use self::anonymity::Anonymity;
pub use self::city::City;
pub use self::isp::Isp;

/// A database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be read, or is no database.
    #[error("{} is not a database in the MaxMind DB format that can be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: MaxMindDbError,
    },
    /// It is a database of another type.
    #[error(
        "{} is a database of the type `{found}`; one whose type names {expected} is needed",
        path.display()
    )]
    OtherType {
        /// The file.
        path: PathBuf,
        /// The type it has.
        found: String,
        /// The type it should have.
        expected: String,
    },
}

/// An open database of one kind.
#[derive(Debug)]
struct Database {
    reader: Reader<Vec<u8>>,
    path: PathBuf,
}

impl Database {
    /// Opens a database whose type contains one of a few words. It is read into memory whole: a
    /// file that is replaced while the gateway runs has no effect until a restart.
    fn open(path: &Path, types: &[&str]) -> Result<Self, DatabaseError> {
        let opened = Reader::open_readfile(path);
        let reader = opened.map_err(|source| DatabaseError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let found = &reader.metadata().database_type;
        if types.iter().any(|name| found.contains(name)) {
            let path = path.to_owned();
            return Ok(Self { reader, path });
        }
        Err(DatabaseError::OtherType {
            path: path.to_owned(),
            found: found.clone(),
            expected: types.join(" or "),
        })
    }

    /// The record of an address. An unreadable record is logged and treated as missing: the other
    /// data about the address is still returned.
    fn record<'a, T: Deserialize<'a>>(&'a self, address: Address) -> Option<T> {
        let found = self.reader.lookup(address.get());
        let record = found.and_then(|found| found.decode::<T>());
        record.unwrap_or_else(|error| {
            // A database of IPv4 alone refuses every other address, which needs no remedy.
            if !matches!(error, MaxMindDbError::InvalidInput { .. }) {
                let path = self.path.display();
                tracing::warn!(%path, %error, "a record cannot be read");
            }
            None
        })
    }
}

/// A text that is not empty.
fn decoded(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}
