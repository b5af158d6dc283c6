//! An answer before it is rendered: names, values and their order. It must not assume a format, so
//! a list carries the name of one item even though JSON has no use for it.

use domain::money::Money;
use rust_decimal::Decimal;
use std::borrow::Cow;

/// A value of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Text(String),
    Integer(i64),
    /// A number that is not money: amounts and percentages are texts.
    Float(Decimal),
    Boolean(bool),
    Null,
    Object(Object),
    List {
        /// The name of one item, such as `disco` within `discos`.
        item: &'static str,
        items: Vec<Node>,
    },
}

/// Named values in the order they are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object {
    fields: Vec<(Cow<'static, str>, Node)>,
}

impl Object {
    pub const fn new() -> Self {
        Self { fields: Vec::new() }
    }

    /// The object with one more field at its end.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Node>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// The object with the fields of another at its end.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.fields.extend(other.fields);
        self
    }

    /// The object with null for the value of a field, where it has one of this name.
    #[must_use]
    pub fn hiding(mut self, name: &str) -> Self {
        for (_, value) in self.fields.iter_mut().filter(|(known, _)| known == name) {
            *value = Node::Null;
        }
        self
    }

    /// Replaces every text in fields of these names, at any depth, by the result of `with`, where
    /// there is one.
    pub fn replace(&mut self, names: &[&str], with: &impl Fn(&str) -> Option<String>) {
        for (name, node) in &mut self.fields {
            match node {
                Node::Text(text) if names.contains(&&**name) => {
                    if let Some(other) = with(text) {
                        *text = other;
                    }
                }
                Node::Object(object) => object.replace(names, with),
                Node::List { items, .. } => {
                    for item in items {
                        if let Node::Object(object) = item {
                            object.replace(names, with);
                        }
                    }
                }
                Node::Text(_)
                | Node::Integer(_)
                | Node::Float(_)
                | Node::Boolean(_)
                | Node::Null => {}
            }
        }
    }

    pub fn fields(&self) -> impl Iterator<Item = (&str, &Node)> + Clone {
        self.fields.iter().map(|(name, node)| (&**name, node))
    }
}

impl Node {
    /// A list of texts, each named `item`.
    pub fn texts(item: &'static str, texts: impl IntoIterator<Item = String>) -> Self {
        let items = texts.into_iter().map(Self::Text).collect();
        Self::List { item, items }
    }

    /// A list of objects, each named `item`.
    pub fn objects(item: &'static str, objects: impl IntoIterator<Item = Object>) -> Self {
        let items = objects.into_iter().map(Self::Object).collect();
        Self::List { item, items }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Node {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}

impl From<i32> for Node {
    fn from(number: i32) -> Self {
        Self::Integer(i64::from(number))
    }
}

impl From<Object> for Node {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

/// Counts and numbers of the gateway stay below 2^53; a larger one shows as the largest integer.
impl From<u64> for Node {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u16> for Node {
    fn from(number: u16) -> Self {
        Self::Integer(i64::from(number))
    }
}

/// Amounts are texts with grouping and all decimals: `1,234.00` (interface §1, rule 6).
impl From<Money> for Node {
    fn from(money: Money) -> Self {
        Self::Text(money.to_string())
    }
}

/// An unknown or missing value is null.
impl<T: Into<Self>> From<Option<T>> for Node {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
