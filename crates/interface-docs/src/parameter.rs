//! The description of an attribute that an operation takes. It must hold nothing that can be
//! inferred from the code that reads it.

use std::ops::RangeInclusive;
use wire::attribute::{Accepts, Attribute};
use wire::attributes::OPERATIONS_MAX;

/// An attribute as one operation takes it.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub attribute: Attribute,
    pub need: ParameterNeed,
    /// The only valid values; empty where there are others.
    pub words: Vec<&'static str>,
    /// A value that works in the sandbox; `None` for an attribute that is best left out at first.
    pub example: Option<&'static str>,
    /// The attributes of the object, or of each object where it is an array of them.
    pub each: Vec<Self>,
    /// How many objects it may hold.
    pub count: RangeInclusive<usize>,
}

/// Whether an attribute is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterNeed {
    Required,
    Optional,
}

/// A required attribute, with a value that works in the sandbox.
pub(crate) fn required(attribute: &Attribute, example: &'static str) -> Parameter {
    Parameter {
        attribute: *attribute,
        need: ParameterNeed::Required,
        words: Vec::new(),
        example: Some(example),
        each: Vec::new(),
        count: 1..=OPERATIONS_MAX,
    }
}

/// A required array of objects with these attributes.
pub(crate) fn objects(
    attribute: &Attribute,
    each: impl IntoIterator<Item = Parameter>,
) -> Parameter {
    Parameter {
        attribute: *attribute,
        need: ParameterNeed::Required,
        words: Vec::new(),
        example: None,
        each: each.into_iter().collect(),
        count: 1..=OPERATIONS_MAX,
    }
}

/// The same with fewer objects at most than others.
pub(crate) fn few_objects(
    attribute: &Attribute,
    most: usize,
    each: impl IntoIterator<Item = Parameter>,
) -> Parameter {
    Parameter {
        count: 1..=most,
        ..objects(attribute, each)
    }
}

/// The same where the array may be left out or empty.
pub(crate) fn optional_objects(
    attribute: &Attribute,
    most: usize,
    each: impl IntoIterator<Item = Parameter>,
) -> Parameter {
    Parameter {
        need: ParameterNeed::Optional,
        count: 0..=most,
        ..objects(attribute, each)
    }
}

/// A required object with these attributes.
pub(crate) fn part(attribute: &Attribute, each: impl IntoIterator<Item = Parameter>) -> Parameter {
    Parameter {
        count: 1..=1,
        ..objects(attribute, each)
    }
}

/// The same where it may be left out.
pub(crate) fn optional_part(
    attribute: &Attribute,
    each: impl IntoIterator<Item = Parameter>,
) -> Parameter {
    Parameter {
        need: ParameterNeed::Optional,
        ..part(attribute, each)
    }
}

/// An optional attribute.
pub(crate) fn optional(attribute: &Attribute) -> Parameter {
    Parameter {
        attribute: *attribute,
        need: ParameterNeed::Optional,
        words: Vec::new(),
        example: None,
        each: Vec::new(),
        count: 1..=OPERATIONS_MAX,
    }
}

impl Parameter {
    /// Only these values are valid.
    #[must_use]
    pub fn one_of(mut self, words: &[&'static str]) -> Self {
        self.words = words.to_vec();
        self
    }

    /// It holds so many objects.
    #[must_use]
    pub(crate) const fn holding(mut self, count: RangeInclusive<usize>) -> Self {
        self.count = count;
        self
    }

    /// Whether it is one object, and no array of them.
    pub fn is_part(&self) -> bool {
        self.attribute.accepts == Accepts::Object
    }

    /// The value shown in examples.
    #[must_use]
    pub const fn such_as(mut self, example: &'static str) -> Self {
        self.example = Some(example);
        self
    }
}
