//! The fields of an answer, whose names and types differ from company to company. A number must
//! never pass through floating point, and a document that says one thing twice says nothing.

use domain::money::{Currency, Money};
use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The fields of one object, in their order.
#[derive(Debug, Default)]
pub(crate) struct AnswerFields(Vec<(String, Box<RawValue>)>);

impl AnswerFields {
    /// Reads an object; `None` for anything else and where a name stands twice.
    pub(crate) fn read(document: &[u8]) -> Option<Self> {
        serde_json::from_slice(document).ok()
    }

    /// The object in a field.
    pub(crate) fn object(&self, name: &str) -> Option<Self> {
        serde_json::from_str(self.raw(name)?.get()).ok()
    }

    /// A text, or a number or truth as it is written; `None` where it is absent, null or empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let raw = self.raw(name)?.get();
        let text = if raw.starts_with('"') {
            serde_json::from_str::<String>(raw).ok()?
        } else if raw.starts_with(['{', '[']) || raw == "null" {
            return None;
        } else {
            raw.to_owned()
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The first of these that is there.
    pub(crate) fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.text(name))
    }

    /// An amount of naira.
    pub(crate) fn naira(&self, names: &[&str]) -> Option<Money> {
        names
            .iter()
            .find_map(|name| self.text(name).and_then(|text| naira(&text)))
    }

    /// An amount of naira that may be below zero, such as a balance.
    pub(crate) fn signed_naira(&self, name: &str) -> Option<Money> {
        let text = self.text(name)?;
        match text.strip_prefix('-') {
            None => naira(&text),
            Some(owed) => Money::zero(Currency::Ngn).checked_sub(naira(owed)?),
        }
    }

    /// A quantity, such as kilowatt-hours.
    pub(crate) fn quantity(&self, names: &[&str]) -> Option<Decimal> {
        names.iter().find_map(|name| {
            let text = self.text(name)?;
            // Some companies write the unit behind it.
            let number = text.split_whitespace().next()?;
            let quantity: Decimal = number.replace(',', "").parse().ok()?;
            (!quantity.is_sign_negative()).then_some(quantity)
        })
    }

    fn raw(&self, name: &str) -> Option<&RawValue> {
        let mut fields = self.0.iter();
        let found = fields.find(|(written, _)| written.eq_ignore_ascii_case(name));
        found.map(|(_, raw)| raw.as_ref())
    }
}

/// Naira with any number of zeros behind the kobo.
fn naira(text: &str) -> Option<Money> {
    let text = text.strip_prefix(['₦', 'N']).unwrap_or(text).trim();
    let text = match text.split_once('.') {
        Some((whole, kobo)) => match kobo.get(..2) {
            Some(kept) if kobo.bytes().skip(2).all(|b| b == b'0') => format!("{whole}.{kept}"),
            Some(_) => return None,
            None => text.to_owned(),
        },
        None => text.to_owned(),
    };
    Money::parse(&text, Currency::Ngn).ok()
}

impl<'de> Deserialize<'de> for AnswerFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = AnswerFields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AnswerFields, A::Error> {
        let mut fields = AnswerFields::default();
        while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if fields.0.iter().any(|(written, _)| *written == name) {
                return Err(A::Error::custom("a name stands twice"));
            }
            fields.0.push((name, value));
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(document: &str) -> AnswerFields {
        AnswerFields::read(document.as_bytes()).unwrap()
    }

    #[test]
    fn names_are_read_in_any_case_and_numbers_in_any_type() {
        let fields = fields(r#"{"Units":"25.6 kWh","AMOUNT":100.00,"token":"","n":null,"o":{}}"#);
        assert_eq!(fields.quantity(&["units"]), Some(Decimal::new(256, 1)));
        assert_eq!(fields.text("amount").as_deref(), Some("100.00"));
        for absent in ["token", "n", "o", "other"] {
            assert_eq!(fields.text(absent), None, "{absent}");
        }
    }

    #[test]
    fn amounts_are_exact_or_none() {
        let amount = |text: &str| naira(text).map(Money::minor);
        for (text, kobo) in [
            ("100", 10_000),
            ("100.0", 10_000),
            ("100.00", 10_000),
            ("100.5", 10_050),
            ("1,234.56", 123_456),
            ("100.0000", 10_000),
            ("₦100", 10_000),
        ] {
            assert_eq!(amount(text), Some(kobo), "{text}");
        }
        for text in ["", "-1", "1e2", "100.001", "12.345", "NaN", "100.é0"] {
            assert_eq!(amount(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_object_or_says_one_thing_twice_is_not_read() {
        for document in [
            "",
            "[]",
            "null",
            "\"000\"",
            "<html></html>",
            "upstream connect error",
            r#"{"code":"000""#,
            r#"{"code":"000"} {"code":"016"}"#,
            r#"{"code":"000","code":"016"}"#,
        ] {
            assert!(
                AnswerFields::read(document.as_bytes()).is_none(),
                "{document}"
            );
        }
        let nested = format!("{}{}", r#"{"a":"#.repeat(200), "}".repeat(200));
        assert!(AnswerFields::read(nested.as_bytes()).is_none());
    }
}
