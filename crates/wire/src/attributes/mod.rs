//! The attributes of a request as they were sent, from a JSON body or from a query. It must not
//! validate their values: a number stays the text it was written as.

mod json;
mod query;

use domain::card::may_hold_card_number;

/// Attributes of one request; many times what any operation takes, so that only abuse reaches it.
pub const ATTRIBUTES_MAX: usize = 1000;

/// How deep objects and arrays may nest, the body itself counted. No operation nests deeper than 5.
pub const DEPTH_MAX: usize = 32;

/// Most objects in an array: the operations that one request may ask for (interface §8,
/// maxOperations).
pub const OPERATIONS_MAX: usize = 1000;

/// The attributes of a request, each name once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    source: AttributeSource,
    values: Vec<(String, AttributeValue)>,
}

/// The source of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeSource {
    Body,
    Query,
}

/// One value as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    Text(String),
    /// A JSON number, exactly as written.
    Number(String),
    Truth(bool),
    /// An array of nothing but texts.
    Texts(Vec<String>),
    /// An array of nothing but objects, at least one.
    Objects(Vec<Attributes>),
    Object(Attributes),
    /// Null or any other array: no operation takes one. As it was sent.
    Other(String),
}

/// Why the attributes of a request cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("the body is not UTF-8; encode it as UTF-8")]
    BodyNotUtf8,
    #[error("the body begins with a byte order mark; send it without")]
    ByteOrderMark,
    #[error("the body must be a JSON object of attribute names and values")]
    NotAnObject,
    #[error("the body is not valid JSON: {0}")]
    Syntax(String),
    #[error(
        "the attribute {0:?} cannot be read: it has half of a surrogate pair or a number out of \
         range"
    )]
    Unreadable(String),
    #[error("the body nests deeper than {DEPTH_MAX} levels; send a flatter one")]
    TooDeep,
    #[error("the attribute {0:?} appears more than once; send it once")]
    Repeated(String),
    #[error("the request has more than {ATTRIBUTES_MAX} attributes; send fewer")]
    TooMany,
    #[error(
        "the request asks for more than {OPERATIONS_MAX} operations; send them in several requests"
    )]
    TooManyOperations,
    #[error("the query has a percent sign without two hexadecimal digits; encode it as %25")]
    BadEscape,
    #[error("the query is not UTF-8; percent-encode its values as UTF-8")]
    QueryNotUtf8,
}

impl Attributes {
    /// Reads a body: one JSON object in UTF-8, no name twice at any depth, nothing after it.
    pub fn from_json(body: &[u8]) -> Result<Self, Malformed> {
        let values = json::read(body)?;
        let source = AttributeSource::Body;
        Ok(Self { source, values })
    }

    /// Reads the query of an address; without a query there are no attributes.
    pub fn from_query(query: Option<&str>) -> Result<Self, Malformed> {
        let values = query::read(query.unwrap_or_default())?;
        let source = AttributeSource::Query;
        Ok(Self { source, values })
    }

    /// The attributes of a body in another form than ours, once they have our names.
    pub const fn of_body(values: Vec<(String, AttributeValue)>) -> Self {
        let source = AttributeSource::Body;
        Self { source, values }
    }

    pub const fn source(&self) -> AttributeSource {
        self.source
    }

    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// Those whose names satisfy a condition, as they were sent.
    #[must_use]
    pub(crate) fn with_names(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let wanted = self.values.iter().filter(|(name, _)| is_wanted(name));
        Self {
            source: self.source,
            values: wanted.cloned().collect(),
        }
    }

    /// Whether a text that was sent satisfies a condition, for each attribute: its name, its value
    /// and what is within it.
    pub(crate) fn texts_that(&self, is_it: &impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let found = move |(name, value): &&(String, AttributeValue)| {
            is_it(name) || value.holds_text_that(is_it)
        };
        self.values
            .iter()
            .filter(found)
            .map(|(name, _)| name.as_str())
    }

    /// The names in the order they were sent.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| name.as_str())
    }
}

impl AttributeValue {
    fn holds_text_that(&self, is_it: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Text(text) | Self::Number(text) => is_it(text),
            Self::Texts(texts) => texts.iter().any(|text| is_it(text)),
            Self::Objects(objects) => {
                let mut objects = objects.iter();
                objects.any(|object| object.texts_that(is_it).next().is_some())
            }
            Self::Object(object) => object.texts_that(is_it).next().is_some(),
            Self::Other(raw) => {
                // Without escapes that need not be; what has no value, such as `1e999`, as it is.
                let json = serde_json::from_str::<serde_json::Value>(raw);
                is_it(&json.map_or_else(|_| raw.clone(), |json| json.to_string()))
            }
            Self::Truth(_) => false,
        }
    }
}

fn repeated(name: &str) -> Malformed {
    Malformed::Repeated(shown(name))
}

/// A name in an error, cut so that an answer is never as long as an abusive request. One that may
/// hold the number of a card is not repeated.
pub(crate) fn shown(name: &str) -> String {
    const SHOWN_MAX: usize = 64;
    const HIDDEN: &str = "hidden";
    if may_hold_card_number(name) {
        return HIDDEN.to_owned();
    }
    name.chars().take(SHOWN_MAX).collect()
}
