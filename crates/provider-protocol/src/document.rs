//! Reading and writing documents within the limits of the protocol. A document that exceeds one of
//! them must be refused before it is parsed.

use domain::phone::PhoneNumber;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// Longest body in bytes: the longest order, a message of 255 parts, takes less than half of it.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// Deepest nesting of objects and arrays: a parser must not run out of stack, and no document of
/// the protocol needs more than six.
pub const NESTING_MAX: usize = 16;

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// More than [`BODY_BYTES_MAX`].
    #[error("the body must have at most {BODY_BYTES_MAX} bytes")]
    TooLarge,
    /// Deeper than [`NESTING_MAX`].
    #[error("the body must not nest deeper than {NESTING_MAX} levels")]
    TooDeep,
    /// Not JSON, or not of the shape of the document.
    #[error("the body cannot be read: {0}")]
    Shape(String),
    /// A field holds what it cannot hold.
    #[error("`{field}` {reason}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl DocumentError {
    pub(crate) fn field(field: &'static str, reason: impl fmt::Display) -> Self {
        Self::Field {
            field,
            reason: reason.to_string(),
        }
    }
}

/// Reads a document.
///
/// # Errors
/// When it is too large, nests too deep, or does not have the shape of the document.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DocumentError> {
    if bytes.len() > BODY_BYTES_MAX {
        return Err(DocumentError::TooLarge);
    }
    if !is_shallow(bytes) {
        return Err(DocumentError::TooDeep);
    }
    serde_json::from_slice(bytes)
        .map_err(|error| DocumentError::Shape(without_value(&error.to_string())))
}

/// What is wrong with a shape, without the value that is: it may be of a person, and is logged.
fn without_value(said: &str) -> String {
    let names_it = said.starts_with("invalid ") || said.starts_with("unknown ");
    let value = said.find([':', '`']).filter(|_| names_it);
    match (value, said.rfind(", expected")) {
        (Some(value), Some(expected)) if value < expected => {
            let (kind, rest) = (said.get(..value), said.get(expected..));
            let kind = kind.unwrap_or_default().trim_end();
            format!("{kind}{}", rest.unwrap_or_default())
        }
        (Some(_) | None, Some(_) | None) => said.to_owned(),
    }
}

/// Writes a document.
///
/// # Errors
/// When it is longer than a reader accepts.
pub fn write<T: Serialize>(document: &T) -> Result<Vec<u8>, DocumentError> {
    let bytes = serde_json::to_vec(document);
    let bytes = bytes.map_err(|error| DocumentError::Shape(error.to_string()))?;
    if bytes.len() > BODY_BYTES_MAX {
        return Err(DocumentError::TooLarge);
    }
    Ok(bytes)
}

/// Reads a value of the domain; its refusal names the field.
pub(crate) fn valid<T, E: fmt::Display>(
    value: Result<T, E>,
    field: &'static str,
) -> Result<T, DocumentError> {
    value.map_err(|error| DocumentError::field(field, error))
}

/// Reads the telephone of a customer, where there is one.
pub(crate) fn customer_phone(text: Option<&str>) -> Result<Option<PhoneNumber>, DocumentError> {
    let read = text.map(|text| valid(PhoneNumber::parse(text), "order.customerPhone"));
    read.transpose()
}

/// Reads a listed word.
pub(crate) fn word<T>(value: Option<T>, field: &'static str) -> Result<T, DocumentError> {
    value.ok_or_else(|| DocumentError::field(field, "is not a listed word"))
}

/// Whether no bracket outside a string opens a level too many. It need not be JSON.
fn is_shallow(bytes: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth = depth.saturating_add(1),
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > NESTING_MAX {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn a_document_nests_at_most_sixteen_levels() {
        assert!(read::<Value>(nested(NESTING_MAX).as_bytes()).is_ok());
        let deeper = read::<Value>(nested(NESTING_MAX + 1).as_bytes());
        assert_eq!(deeper, Err(DocumentError::TooDeep));
        let in_text = format!("\"\\\"{}\"", "[".repeat(40));
        assert!(read::<Value>(in_text.as_bytes()).is_ok());
    }

    #[test]
    fn a_document_has_at_most_64_kibibytes() {
        let text = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
        assert!(read::<String>(text(BODY_BYTES_MAX).as_bytes()).is_ok());
        let longer = read::<String>(text(BODY_BYTES_MAX + 1).as_bytes());
        assert_eq!(longer, Err(DocumentError::TooLarge));
        assert_eq!(
            write(&"x".repeat(BODY_BYTES_MAX)),
            Err(DocumentError::TooLarge)
        );
    }

    #[test]
    fn an_error_does_not_repeat_the_value_that_is_wrong() {
        let said = read::<u32>(br#""6.45, expected 3.38""#)
            .unwrap_err()
            .to_string();
        assert!(
            !said.contains("6.45") && said.contains("expected u32"),
            "{said}"
        );
        let said = read::<u32>(b"-645338").unwrap_err().to_string();
        assert!(
            !said.contains("645338") && said.contains("expected u32"),
            "{said}"
        );
    }
}
