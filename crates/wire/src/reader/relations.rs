//! Reads attributes in relation to one another. It must not know what they mean.

use super::{FieldReader, InvalidField};
use crate::attribute::Attribute;

impl FieldReader<'_> {
    /// Refuses an attribute that has no meaning beside another one.
    pub fn excluded(&mut self, attribute: &Attribute, by: &str) -> Result<(), InvalidField> {
        self.known.push(attribute.name);
        if self.attributes.get(attribute.name).is_none() {
            return Ok(());
        }
        Err(self.fault(attribute, &format!("is not for {by}; leave it out")))
    }
}
