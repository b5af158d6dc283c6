//! The version of the interface, returned with every answer and pinned by clients that want an
//! error when it changes. It must never appear in a path.

use http::header::{HeaderMap, HeaderName, HeaderValue};

/// The header of requests and answers.
pub(crate) const API_VERSION: HeaderName = HeaderName::from_static("api-version");

/// The day this version of the interface was fixed.
pub const CURRENT: &str = "2026-11-01";

/// The request asks for a version that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Api-Version must be {CURRENT}, the only version there is, or be left out")]
pub(crate) struct UnknownVersion;

/// Accepts requests that pin no version or this one.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), UnknownVersion> {
    let mut pinned = headers.get_all(API_VERSION).iter();
    pinned
        .all(|version| version == CURRENT)
        .then_some(())
        .ok_or(UnknownVersion)
}

pub(crate) fn apply(headers: &mut HeaderMap) {
    headers.insert(API_VERSION, HeaderValue::from_static(CURRENT));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_current_date_can_be_pinned() {
        let pinning = |version: &'static str| {
            HeaderMap::from_iter([(API_VERSION, HeaderValue::from_static(version))])
        };
        assert_eq!(check(&HeaderMap::new()), Ok(()));
        assert_eq!(check(&pinning("2026-11-01")), Ok(()));
        for unknown in ["2026-11-02", "", "v1", "2026-11-01, 2026-11-01"] {
            assert_eq!(check(&pinning(unknown)), Err(UnknownVersion), "{unknown:?}");
        }
    }
}
