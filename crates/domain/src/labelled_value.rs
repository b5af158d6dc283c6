//! A value with its name for programs and its name for people. It must not know what the name means:
//! the list that the name is from says so.

/// A value of a list that is data, such as the fields of a category of bills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledValue {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// The value.
    pub value: String,
}
