//! Rows of the versions of the catalogue. What cannot be read must never be taken for something
//! else.

use crate::PART;
use domain::time::Timestamp;
use ports::catalogue_versions::CatalogueVersion;
use ports::{PortError, PortErrorKind};

/// Number, beginning, publication, operator, reason, digest and changed products, as stored.
pub type CatalogueVersionColumns = (i64, i64, i64, String, String, Vec<u8>, String);

/// Changed products as they are stored: one a line.
pub fn change_lines(changes: &[String]) -> String {
    changes.join("\n")
}

/// The version in a row.
///
/// # Errors
/// When a column holds what no version has.
pub fn catalogue_version(columns: CatalogueVersionColumns) -> Result<CatalogueVersion, PortError> {
    let (number, from, at, published_by, reason, digest, changes) = columns;
    let read = || {
        Some(CatalogueVersion {
            number: u32::try_from(number).ok()?,
            effective_from: Timestamp::from_millis(from),
            published_at: Timestamp::from_millis(at),
            published_by,
            reason,
            digest: digest.try_into().ok()?,
            changes: changes.lines().map(str::to_owned).collect(),
        })
    };
    read().ok_or_else(|| {
        PortError::new(
            PART,
            format!("version {number} of the catalogue cannot be read"),
        )
        .with_trouble(PortErrorKind::Record)
    })
}
