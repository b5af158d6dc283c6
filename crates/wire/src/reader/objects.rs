//! Reads objects and lists of them. The violations of an object must be named after its attribute,
//! in a list by its place.

use super::{FieldReader, InvalidField};
use crate::attribute::Attribute;
use crate::attributes::{AttributeValue, Attributes};
use crate::violations::Violations;
use std::ops::RangeInclusive;

/// Most objects of a list whose violations an answer names: enough to see what is wrong, and an
/// answer that is read at a glance.
pub const REFUSED_OBJECTS_MAX: usize = 100;

impl FieldReader<'_> {
    /// The objects of a list, each read by `read`. The violations of each are named by its place.
    pub fn objects<T>(
        &mut self,
        attribute: &Attribute,
        read: impl Fn(&Attributes) -> Result<T, Violations>,
    ) -> Result<Vec<T>, InvalidField> {
        self.known.push(attribute.name);
        let objects = match self.attributes.get(attribute.name) {
            None => return Err(self.missing(attribute)),
            Some(AttributeValue::Objects(objects)) => objects,
            Some(AttributeValue::Texts(none)) if none.is_empty() => {
                return Err(self.fault(attribute, "must hold at least one object"));
            }
            Some(_) => return Err(self.fault(attribute, "must be an array of objects")),
        };
        let mut values = Vec::with_capacity(objects.len());
        let mut refused = Vec::new();
        for (place, object) in objects.iter().enumerate() {
            match read(object) {
                Ok(value) => values.push(value),
                Err(violations) => refused.push((place, violations)),
            }
        }
        self.refuse_objects(attribute, refused).map(|()| values)
    }

    /// Records the violations of objects of a list, by their places; no more than an answer names.
    ///
    /// # Errors
    /// Where there is one.
    pub fn refuse_objects(
        &mut self,
        list: &Attribute,
        refused: Vec<(usize, Violations)>,
    ) -> Result<(), InvalidField> {
        if refused.is_empty() {
            return Ok(());
        }
        let more = refused.len().saturating_sub(REFUSED_OBJECTS_MAX);
        for (place, violations) in refused.into_iter().take(REFUSED_OBJECTS_MAX) {
            self.violations.add_of_object(list, place, violations);
        }
        if more > 0 {
            self.object(list, &format!("has {more} more objects that are not valid"));
        }
        Err(InvalidField(()))
    }

    /// The objects of a list that may be left out or empty.
    pub fn optional_objects<T>(
        &mut self,
        attribute: &Attribute,
        most: usize,
        read: impl Fn(&Attributes) -> Result<T, Violations>,
    ) -> Result<Vec<T>, InvalidField> {
        self.known.push(attribute.name);
        match self.attributes.get(attribute.name) {
            None => Ok(Vec::new()),
            Some(AttributeValue::Texts(none)) if none.is_empty() => Ok(Vec::new()),
            Some(AttributeValue::Objects(objects)) if objects.len() > most => {
                Err(self.fault(attribute, &format!("must hold {most} objects at most")))
            }
            Some(_) => self.objects(attribute, read),
        }
    }

    /// The objects of a list that must hold as many as its range says.
    pub fn objects_within<T>(
        &mut self,
        attribute: &Attribute,
        count: &RangeInclusive<usize>,
        read: impl Fn(&Attributes) -> Result<T, Violations>,
    ) -> Result<Vec<T>, InvalidField> {
        let sent = match self.attributes.get(attribute.name) {
            Some(AttributeValue::Objects(objects)) => Some(objects.len()),
            Some(AttributeValue::Texts(none)) if none.is_empty() => Some(0),
            Some(_) | None => None,
        };
        if sent.is_some_and(|sent| !count.contains(&sent)) {
            self.known.push(attribute.name);
            let (least, most) = (count.start(), count.end());
            let message = format!("must hold {least} to {most} objects");
            return Err(self.fault(attribute, &message));
        }
        self.objects(attribute, read)
    }

    /// An object that is one attribute, read by `read`. Its violations are named after it.
    pub fn part<T>(
        &mut self,
        attribute: &Attribute,
        read: impl FnOnce(&Attributes) -> Result<T, Violations>,
    ) -> Result<T, InvalidField> {
        match self.optional_part(attribute, read)? {
            Some(value) => Ok(value),
            None => Err(self.missing(attribute)),
        }
    }

    /// The same where it may be left out.
    pub fn optional_part<T>(
        &mut self,
        attribute: &Attribute,
        read: impl FnOnce(&Attributes) -> Result<T, Violations>,
    ) -> Result<Option<T>, InvalidField> {
        self.known.push(attribute.name);
        match self.attributes.get(attribute.name) {
            None => Ok(None),
            Some(AttributeValue::Object(object)) => match read(object) {
                Ok(value) => Ok(Some(value)),
                Err(violations) => {
                    self.violations.add_of_part(attribute, violations);
                    Err(InvalidField(()))
                }
            },
            Some(_) => Err(self.fault(attribute, "must be an object")),
        }
    }

    /// Records a violation of an attribute of one object of a list.
    pub fn fault_of_object(
        &mut self,
        (list, place): (&Attribute, usize),
        attribute: &Attribute,
        message: &str,
    ) -> InvalidField {
        let violations = Violations::of(attribute, message);
        self.violations.add_of_object(list, place, violations);
        InvalidField(())
    }
}
