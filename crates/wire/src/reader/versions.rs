//! Reads the versions of objects. It must not know what they are versions of.

use super::{FieldReader, InvalidField};
use crate::attribute;

/// The highest version that may be sent: a thousand million changes are more than any object sees.
const VERSION_MAX: u64 = 999_999_999;

impl FieldReader<'_> {
    /// The version of an object that its merchant has seen, where it was sent.
    pub fn version(&mut self) -> Result<Option<u32>, InvalidField> {
        let version = self.integer(&attribute::VERSION, 1..=VERSION_MAX)?;
        Ok(version.and_then(|version| u32::try_from(version).ok()))
    }
}
