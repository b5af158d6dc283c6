//! Reads what is so or is not. It must not know what about.

use super::{FieldReader, InvalidField};
use crate::attribute::Attribute;

const TRUTHS: [(&str, bool); 2] = [("true", true), ("false", false)];

impl FieldReader<'_> {
    /// Whether something is so, where it was sent.
    pub fn truth(&mut self, attribute: &Attribute) -> Result<Option<bool>, InvalidField> {
        self.choice(attribute, &TRUTHS)
    }
}
