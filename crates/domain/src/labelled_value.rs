//! A value with its name for programs and its name for people. It must not know what the name
//! means: the list that the name is from says so.

use std::fmt;

/// A value of a list that is data, such as the fields of a category of bills. It may be what is
/// known of a person, so it is not shown in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct LabelledValue {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// The value.
    pub value: String,
}

impl fmt::Debug for LabelledValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LabelledValue({})", self.name)
    }
}
