//! The version of something that a merchant has seen when it asks for a change.

/// What a request for a change says of the version that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedVersion {
    /// The one that the body names.
    pub stated: u32,
    /// Those that `If-Match` names.
    pub only_in: Option<Vec<u32>>,
}

impl ExpectedVersion {
    /// Whether `If-Match` takes a version, where the request has one.
    pub fn is_matched_by(&self, version: u32) -> bool {
        let all = self.only_in.as_ref();
        all.is_none_or(|all| all.contains(&version))
    }
}
