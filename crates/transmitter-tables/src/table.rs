//! A sorted table of transmitters, read from a file of comma-separated values.

use csv::{ReaderBuilder, StringRecord, Trim};
use domain::geolocation::device::{GeoPoint, Transmitter};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Most rows of a table: about 200 MiB of memory, and several times the cells of Nigeria.
pub const ROWS_MAX: usize = 5_000_000;

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TransmitterFileError {
    /// The file cannot be read, or a row of it is no row of such a table.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: csv::Error,
    },
    /// A row has a value that is none.
    #[error("line {line} of {} has no valid {column}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The column.
        column: &'static str,
    },
    /// It has too many rows.
    #[error("{} has more than {ROWS_MAX} rows", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
}

/// Transmitters by a key.
#[derive(Debug)]
pub(crate) struct Table<K>(Vec<(K, Transmitter)>);

impl<K> Default for Table<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// One row of a file.
pub(crate) trait Row: DeserializeOwned {
    /// What its transmitter is found by.
    type Key: Ord + Copy;

    /// The transmitter and its key, or the column that is wrong.
    fn read(&self) -> Result<(Self::Key, Transmitter), &'static str>;
}

impl<K: Ord + Copy> Table<K> {
    /// Reads a file whose first row names its columns, or which has columns of a known order. Of
    /// several rows of one key the last one counts: files are appended to.
    pub(crate) fn read<R: Row<Key = K>>(
        path: &Path,
        columns: &[&str],
    ) -> Result<Self, TransmitterFileError> {
        let unreadable = |source| TransmitterFileError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let mut builder = ReaderBuilder::new();
        let builder = builder.has_headers(false).trim(Trim::All).flexible(true);
        let mut reader = builder.from_path(path).map_err(unreadable)?;
        let mut headers: StringRecord = columns.iter().collect();
        let mut rows = Vec::new();
        let mut record = StringRecord::new();
        let mut is_first = true;
        while reader.read_record(&mut record).map_err(unreadable)? {
            let names = record.iter().any(|value| columns.contains(&value));
            if std::mem::take(&mut is_first) && names {
                headers = record.clone();
                continue;
            }
            if rows.len() == ROWS_MAX {
                let path = path.to_owned();
                return Err(TransmitterFileError::TooLarge { path });
            }
            let row: R = record.deserialize(Some(&headers)).map_err(unreadable)?;
            let read = row.read().map_err(|column| TransmitterFileError::Invalid {
                path: path.to_owned(),
                line: record.position().map_or(0, csv::Position::line),
                column,
            })?;
            rows.push(read);
        }
        // Stable, so that of equal keys the last one stays the last.
        rows.sort_by_key(|(key, _)| *key);
        rows.reverse();
        rows.dedup_by_key(|(key, _)| *key);
        rows.reverse();
        rows.shrink_to_fit();
        Ok(Self(rows))
    }

    pub(crate) fn find(&self, key: &K) -> Option<Transmitter> {
        let found = self.0.binary_search_by_key(key, |(key, _)| *key);
        let (_, transmitter) = self.0.get(found.ok()?)?;
        Some(*transmitter)
    }
}

/// A transmitter at degrees as they are written.
pub(crate) fn transmitter(
    (latitude, longitude): (&str, &str),
    range: u32,
) -> Result<Transmitter, &'static str> {
    let latitude = GeoPoint::parse_latitude(latitude).map_err(|_| "lat")?;
    let longitude = GeoPoint::parse_longitude(longitude).map_err(|_| "lon")?;
    let at = GeoPoint::from_micros(latitude, longitude).ok_or("lat")?;
    Ok(Transmitter { at, range })
}
