//! Reads the quote that a purchase may name. It must not know what it is a quote of.

use super::{FieldReader, Handling};
use crate::attribute;
use crate::attributes::{AttributeValue, Attributes};
use domain::quote_identifier::QuoteIdentifier;

/// The quote that a purchase names; `None` of a request that names none.
pub fn quote_of(attributes: &Attributes) -> Option<QuoteIdentifier> {
    match attributes.get(attribute::QUOTE.name) {
        Some(AttributeValue::Text(text)) => QuoteIdentifier::parse(text).ok(),
        Some(
            AttributeValue::Number(_)
            | AttributeValue::Truth(_)
            | AttributeValue::Texts(_)
            | AttributeValue::Objects(_)
            | AttributeValue::Object(_)
            | AttributeValue::Other(_),
        )
        | None => None,
    }
}

impl<'a> FieldReader<'a> {
    /// Reads a request that buys something, which may name a quote of its price.
    pub fn of_purchase(attributes: &'a Attributes, handling: Handling) -> Self {
        let mut reader = Self::new(attributes, handling);
        // What is wrong with it is recorded; the quote itself is read by `quote_of`.
        let _ = reader.optional(&attribute::QUOTE, QuoteIdentifier::parse);
        reader
    }
}
