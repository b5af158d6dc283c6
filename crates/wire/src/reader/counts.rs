//! Whole numbers of a type of their own.

use super::{FieldReader, InvalidField};
use crate::attribute::Attribute;

impl FieldReader<'_> {
    /// A whole number within a range that has a name, where the attribute was sent.
    pub(crate) fn count<T: TryFrom<u64>>(
        &mut self,
        attribute: &Attribute,
        (least, most): (u64, u64),
    ) -> Result<Option<T>, InvalidField> {
        let read = self.integer(attribute, least..=most)?;
        Ok(read.and_then(|it| T::try_from(it).ok()))
    }
}
