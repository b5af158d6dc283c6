//! What stands in the places of a text: pairs of a name and a value.

use crate::attribute::{Attribute, FIELD_NAME, FIELD_VALUE};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::sms::{FIELDS_MAX, PersonalFieldName, PersonalFieldValue, PersonalFields};

/// Reads fields under the name of an attribute; none where it is left out.
pub(crate) fn read(
    reader: &mut FieldReader<'_>,
    attribute: &Attribute,
    handling: Handling,
) -> Result<PersonalFields, InvalidField> {
    let read = |field: &Attributes| read_field(field, handling);
    let pairs = reader.optional_objects(attribute, FIELDS_MAX, read)?;
    let count = pairs.len();
    let fields: PersonalFields = pairs.into_iter().collect();
    if fields.len() == count {
        return Ok(fields);
    }
    Err(reader.fault(attribute, "must name each field once"))
}

fn read_field(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(PersonalFieldName, PersonalFieldValue), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&FIELD_NAME, PersonalFieldName::parse);
    let value = reader.required(&FIELD_VALUE, PersonalFieldValue::parse);
    reader.finish(|| Ok((name?, value?)))
}
