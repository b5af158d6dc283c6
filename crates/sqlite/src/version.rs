//! Which `SQLite` may keep money. It must refuse what is known to lose it.

use crate::error::PART;
use ports::PortError;

/// Before 3.51.3 a checkpoint that reset the write-ahead log could corrupt the database.
pub(crate) const OLDEST: [u32; 3] = [3, 51, 3];

/// Refuses a library that is too old, or whose version cannot be read.
pub(crate) fn check(version: &str) -> Result<(), PortError> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    if parts.is_some_and(|parts| parts.as_slice() >= OLDEST.as_slice()) {
        return Ok(());
    }
    let [major, minor, patch] = OLDEST;
    Err(PortError::new(
        PART,
        format!("SQLite {version} is too old to keep money; {major}.{minor}.{patch} is needed"),
    ))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_library_that_can_corrupt_the_log_is_refused() {
        for version in [
            "3.51.2", "3.50.9", "3.9.100", "2.99.99", "3.51", "3.x.4", "",
        ] {
            let error = check(version).unwrap_err();
            assert!(error.to_string().contains("3.51.3 is needed"), "{error}");
        }
        for version in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            check(version).unwrap();
        }
    }
}
