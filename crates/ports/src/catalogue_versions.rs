//! Published versions of the catalogue. Each is dated, numbered from 1 and never changed; every
//! instance over a store finds the same ones. An adapter must judge moments by the time of the
//! store, never by that of a caller.

use crate::PortError;
use async_trait::async_trait;
use domain::time::Timestamp;
use std::time::Duration;

/// The shortest time between publishing a version and its beginning, by the store's time. Within it
/// every instance that works has read the version several times.
pub const LEAD_MIN: Duration = Duration::from_mins(1);

/// A published version, without its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueVersion {
    /// Its number, from 1 without a gap.
    pub number: u32,
    /// From when on it is in force, by the store's time, unless a version of a greater number has
    /// begun as well.
    pub effective_from: Timestamp,
    /// When it was stored, by the store's time.
    pub published_at: Timestamp,
    /// The operator who published it.
    pub published_by: String,
    /// Why, in the operator's words.
    pub reason: String,
    /// The SHA-256 of the document.
    pub digest: [u8; 32],
    /// The products it changes, such as `cabletv.301`, beside the version before. An instance that
    /// cannot read the document sells none of them.
    pub changes: Vec<String>,
}

/// A version that is about to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCatalogueVersion {
    /// The number it must get: one more than that of the version it was compared with.
    pub number: u32,
    /// When it begins.
    pub effective_from: Timestamp,
    /// The operator who publishes it.
    pub published_by: String,
    /// Why.
    pub reason: String,
    /// The SHA-256 of the document.
    pub digest: [u8; 32],
    /// The products it changes.
    pub changes: Vec<String>,
    /// The document itself.
    pub document: String,
}

/// What became of publishing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CataloguePublication {
    /// It is stored.
    Done,
    /// Its number does not follow the last: another version was published meanwhile.
    OutOfTurn,
    /// It would begin less than [`LEAD_MIN`] after this, the store's time. Nothing was stored.
    TooSoon(Timestamp),
}

/// Versions and the time of the store at which no other one existed. A version that is published
/// later begins [`LEAD_MIN`] or more after `now`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueReading {
    /// The time of the store when it was read.
    pub now: Timestamp,
    /// The versions, by rising number.
    pub versions: Vec<CatalogueVersion>,
}

/// The versions of the catalogue in a store.
#[async_trait]
pub trait CatalogueVersions: Send + Sync + std::fmt::Debug {
    /// The versions of a number above `after`.
    ///
    /// # Errors
    /// When the store failed, or a version cannot be read.
    async fn versions(&self, after: u32) -> Result<CatalogueReading, PortError>;

    /// The document of a version, exactly as it was published; `None` where there is no such
    /// version.
    ///
    /// # Errors
    /// When the store failed.
    async fn document(&self, number: u32) -> Result<Option<String>, PortError>;

    /// Publishes a version.
    ///
    /// # Errors
    /// When the store failed: the version may have been stored.
    async fn publish(
        &self,
        version: &NewCatalogueVersion,
    ) -> Result<CataloguePublication, PortError>;
}
