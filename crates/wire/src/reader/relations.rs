//! Reads attributes in relation to one another. It must not know what they mean.

use super::{FieldReader, InvalidField};
use crate::attribute::Attribute;

impl FieldReader<'_> {
    /// Refuses an attribute that has no meaning beside another one.
    pub fn excluded(&mut self, attribute: &Attribute, by: &str) -> Result<(), InvalidField> {
        self.refuse_sent(attribute, &format!("is not for {by}; leave it out"))
    }

    /// Refuses an attribute where it was sent, whatever its value.
    pub fn refuse_sent(
        &mut self,
        attribute: &Attribute,
        message: &str,
    ) -> Result<(), InvalidField> {
        self.known.push(attribute.name);
        if self.attributes.get(attribute.name).is_none() {
            return Ok(());
        }
        Err(self.fault(attribute, message))
    }
}
