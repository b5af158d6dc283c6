//! Queries in the form HTML forms use (`application/x-www-form-urlencoded`). An escape must be
//! complete and UTF-8, so that no two servers read one query differently.

use super::{ATTRIBUTES_MAX, AttributeValue, Malformed, repeated};
use std::collections::HashSet;

pub(super) fn read(query: &str) -> Result<Vec<(String, AttributeValue)>, Malformed> {
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
        values.push((name, AttributeValue::Text(value)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(query: &str, expected: &[(&str, &str)]) {
        let pair = |(name, value): &(&str, &str)| {
            (
                (*name).to_owned(),
                AttributeValue::Text((*value).to_owned()),
            )
        };
        let expected = expected.iter().map(pair).collect();
        assert_eq!(read(query), Ok(expected), "{query:?}");
    }

    #[test]
    fn values_are_decoded_and_leading_zeros_kept() {
        check("", &[]);
        check(
            "number=0412&a%62=x%40y",
            &[("number", "0412"), ("ab", "x@y")],
        );
        check("a=1+2%2B3", &[("a", "1 2+3")]);
        check("a=b=c", &[("a", "b=c")]);
        check("a&b=&=c&&", &[("a", ""), ("b", ""), ("", "c")]);
        check("a=%E2%82%A6", &[("a", "₦")]);
    }

    #[test]
    fn half_an_escape_other_encodings_and_repeated_names_are_refused() {
        for query in ["a=%", "a=%4", "a=%zz", "%=a", "a=%+1", "a=%4%31"] {
            assert_eq!(read(query), Err(Malformed::BadEscape), "{query}");
        }
        for query in ["a=%ff", "a=%C0%80", "a=%ED%A0%80", "%80=a"] {
            assert_eq!(read(query), Err(Malformed::QueryNotUtf8), "{query}");
        }
        for query in ["a=1&a=1", "a=1&%61=2", "a&a"] {
            assert_eq!(read(query), Err(Malformed::Repeated("a".into())), "{query}");
        }
        let many: Vec<_> = (0..=ATTRIBUTES_MAX).map(|n| format!("a{n}=1")).collect();
        assert_eq!(read(&many.join("&")), Err(Malformed::TooMany));
        assert!(read(&many[1..].join("&")).is_ok());
    }

    proptest! {
        #[test]
        fn no_query_makes_it_panic(query in any::<String>()) {
            let _ = read(&query);
        }

        #[test]
        fn every_value_survives_its_encoding(value in any::<String>()) {
            let encoded: Vec<_> = value.bytes().map(|b| format!("%{b:02X}")).collect();
            let expected = vec![("v".to_owned(), AttributeValue::Text(value))];
            prop_assert_eq!(read(&format!("v={}", encoded.concat())), Ok(expected));
        }
    }
}
