//! Databases an operator brings, in the `MaxMind` DB format with the records of `GeoIP2`,
//! `GeoLite2` and DB-IP. They must say which of them is wrong before the gateway answers anybody.

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
    /// It is a database of something else.
    #[error(
        "{} is a database of the type `{found}`; one whose type names {expected} is needed",
        path.display()
    )]
    OtherType {
        /// The file.
        path: PathBuf,
        /// What it says it is.
        found: String,
        /// What it should say.
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
    /// Opens a database whose type names one of a few words. It is read into memory whole: a file
    /// that is replaced while the gateway runs changes nothing until it starts again.
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

    /// The record of an address. A record that cannot be read is told in the log and is none: what
    /// else is known of the address still answers.
    fn record<'a, T: Deserialize<'a>>(&'a self, address: Address) -> Option<T> {
        let found = self.reader.lookup(address.get());
        let record = found.and_then(|found| found.decode::<T>());
        record.unwrap_or_else(|error| {
            // A database of IPv4 alone refuses every other address, which is nothing to mend.
            if !matches!(error, MaxMindDbError::InvalidInput { .. }) {
                let path = self.path.display();
                tracing::warn!(%path, %error, "a record cannot be read");
            }
            None
        })
    }
}

/// A text that says something.
fn decoded(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}
