//! Messages of several parts, for keyed hashes. Each part must stand after its length, so that no
//! two lists of parts are one message.

/// The parts of a message, each after its length.
#[derive(Debug, Default)]
pub(crate) struct PrefixedParts(Vec<u8>);

impl PrefixedParts {
    /// A message whose beginning no other kind of message has.
    pub(crate) fn after(beginning: &[u8]) -> Self {
        Self(beginning.to_vec())
    }

    /// The same with one part more.
    pub(crate) fn with(mut self, part: &[u8]) -> Self {
        self.0.extend_from_slice(&(part.len() as u64).to_be_bytes());
        self.0.extend_from_slice(part);
        self
    }

    /// The same with each of several parts more.
    pub(crate) fn with_each<P: AsRef<[u8]>>(self, parts: impl IntoIterator<Item = P>) -> Self {
        parts
            .into_iter()
            .fold(self, |message, part| message.with(part.as_ref()))
    }

    /// The message.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}
