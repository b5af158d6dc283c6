//! Queries in the form HTML forms use (`application/x-www-form-urlencoded`). An escape must be
//! complete and UTF-8, so that no two servers read one query differently.

use super::{ATTRIBUTES_MAX, Malformed, Value, repeated};
use std::collections::HashSet;

pub(super) fn read(query: &str) -> Result<Vec<(String, Value)>, Malformed> {
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        if values.len() == ATTRIBUTES_MAX {
            return Err(Malformed::TooMany);
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decode(name)?, decode(value)?);
        if !seen.insert(name.clone()) {
            return Err(repeated(&name));
        }
        values.push((name, Value::Text(value)));
    }
    Ok(values)
}

fn decode(text: &str) -> Result<String, Malformed> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => match (hex(bytes.next()), hex(bytes.next())) {
                (Some(high), Some(low)) => (high << 4) | low,
                (None, _) | (_, None) => return Err(Malformed::BadEscape),
            },
            other => other,
        });
    }
    String::from_utf8(decoded).map_err(|_| Malformed::QueryNotUtf8)
}

fn hex(byte: Option<u8>) -> Option<u8> {
    let digit = char::from(byte?).to_digit(16)?;
    u8::try_from(digit).ok()
}
