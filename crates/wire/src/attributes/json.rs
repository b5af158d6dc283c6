//! JSON bodies. Two readers of one body must never see different values, so a repeated name is
//! refused at any depth and a number keeps the text it was written as.

use super::{
    ATTRIBUTES_MAX, AttributeValue, Attributes, DEPTH_MAX, Malformed, OPERATIONS_MAX, repeated,
    shown,
};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

pub(super) fn read(body: &[u8]) -> Result<Vec<(String, AttributeValue)>, Malformed> {
    let text = std::str::from_utf8(body).map_err(|_| Malformed::BodyNotUtf8)?;
    if text.starts_with('\u{feff}') {
        return Err(Malformed::ByteOrderMark);
    }
    if !text.trim_ascii_start().starts_with('{') {
        return Err(Malformed::NotAnObject);
    }
    let mut flaw = None;
    let mut json = serde_json::Deserializer::from_str(text);
    let seed = Body { flaw: &mut flaw };
    let read = seed
        .deserialize(&mut json)
        .and_then(|values| json.end().map(|()| values));
    read.map_err(|error| flaw.unwrap_or_else(|| Malformed::Syntax(error.to_string())))
}

/// The body itself. Errors beyond its syntax are stored in `flaw`, because the errors of a
/// deserializer carry only text.
struct Body<'f> {
    flaw: &'f mut Option<Malformed>,
}

impl<'de> DeserializeSeed<'de> for Body<'_> {
    type Value = Vec<(String, AttributeValue)>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Body<'_> {
    type Value = Vec<(String, AttributeValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if !seen.insert(name.clone()) {
                return Err(refuse(self.flaw, repeated(&name)));
            }
            if values.len() == ATTRIBUTES_MAX {
                return Err(refuse(self.flaw, Malformed::TooMany));
            }
            let raw = map.next_value::<&RawValue>()?.get();
            let value = value(raw, self.flaw).map_err(|error| {
                // The position of the error in the body is not known here; its attribute is.
                self.flaw
                    .get_or_insert_with(|| Malformed::Unreadable(shown(&name)));
                A::Error::custom(error)
            })?;
            values.push((name, value));
        }
        Ok(values)
    }
}

/// Reads a value by its first character, which is enough in JSON.
fn value(raw: &str, flaw: &mut Option<Malformed>) -> Result<AttributeValue, serde_json::Error> {
    match raw.as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw).map(AttributeValue::Text),
        Some(b'-' | b'0'..=b'9') => Ok(AttributeValue::Number(raw.to_owned())),
        Some(b'{' | b'[') => {
            let mut json = serde_json::Deserializer::from_str(raw);
            Nested { flaw, depth: 2 }.deserialize(&mut json)?;
            if raw.starts_with('{') {
                return object(raw, flaw).map(AttributeValue::Object);
            }
            if let Ok(texts) = serde_json::from_str(raw) {
                return Ok(AttributeValue::Texts(texts));
            }
            let objects = objects(raw, flaw)?;
            Ok(match objects {
                Some(objects) => AttributeValue::Objects(objects),
                None => AttributeValue::Other(raw.to_owned()),
            })
        }
        Some(b't') => Ok(AttributeValue::Truth(true)),
        Some(b'f') => Ok(AttributeValue::Truth(false)),
        Some(_) | None => Ok(AttributeValue::Other(raw.to_owned())),
    }
}

/// The objects of an array of nothing else; any other value is none. It was visited before: it is
/// JSON, and no deeper than may be.
fn objects(
    raw: &str,
    flaw: &mut Option<Malformed>,
) -> Result<Option<Vec<Attributes>>, serde_json::Error> {
    let Ok(elements) = serde_json::from_str::<Vec<&RawValue>>(raw) else {
        return Ok(None);
    };
    let is_object = |element: &&RawValue| element.get().starts_with('{');
    if !elements.iter().all(is_object) {
        return Ok(None);
    }
    if elements.len() > OPERATIONS_MAX {
        return Err(refuse(flaw, Malformed::TooManyOperations));
    }
    let mut objects = Vec::with_capacity(elements.len());
    for element in elements {
        objects.push(object(element.get(), flaw)?);
    }
    Ok(Some(objects))
}

fn object(raw: &str, flaw: &mut Option<Malformed>) -> Result<Attributes, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(raw);
    let values = Body { flaw }.deserialize(&mut json)?;
    Ok(Attributes::of_body(values))
}

/// A value within the body, visited for its depth and for repeated names only.
struct Nested<'f> {
    flaw: &'f mut Option<Malformed>,
    depth: usize,
}

impl Nested<'_> {
    fn within<E: Error>(&mut self) -> Result<Nested<'_>, E> {
        if self.depth > DEPTH_MAX {
            return Err(refuse(self.flaw, Malformed::TooDeep));
        }
        Ok(Nested {
            flaw: self.flaw,
            depth: self.depth.saturating_add(1),
        })
    }
}

impl<'de> DeserializeSeed<'de> for Nested<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self.within()?)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if seen.contains(&name) {
                return Err(refuse(self.flaw, repeated(&name)));
            }
            seen.insert(name);
            map.next_value_seed(self.within()?)?;
        }
        Ok(())
    }
}

fn refuse<E: Error>(flaw: &mut Option<Malformed>, malformed: Malformed) -> E {
    let error = E::custom(&malformed);
    *flaw = Some(malformed);
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(text: &str) -> AttributeValue {
        AttributeValue::Text(text.into())
    }

    fn object(values: Vec<(String, AttributeValue)>) -> Attributes {
        Attributes::of_body(values)
    }

    fn number(text: &str) -> AttributeValue {
        AttributeValue::Number(text.into())
    }

    fn nested(levels: usize) -> String {
        let inner = levels.saturating_sub(1);
        format!("{{\"a\":{}{}}}", "[".repeat(inner), "]".repeat(inner))
    }

    #[test]
    fn numbers_keep_the_text_they_were_written_as() {
        let literals = [
            "0",
            "-0",
            "1e5",
            "1E+5",
            "1.10",
            "2348031234567",
            "1000000000000000000000000000000",
            "1e999",
        ];
        for literal in literals {
            let body = format!(" {{ \"a\" : {literal} }} ");
            let expected = vec![("a".to_owned(), number(literal))];
            assert_eq!(read(body.as_bytes()), Ok(expected), "{literal}");
        }
    }

    #[test]
    fn texts_are_unescaped_and_other_types_distinguished() {
        let body = r#"{"a":"\u0031\ud83d\ude00\n","b":true,"c":null,"d":[{}],"\u0065":"é"}"#;
        let expected = vec![
            ("a".to_owned(), text("1😀\n")),
            ("b".to_owned(), AttributeValue::Truth(true)),
            ("c".to_owned(), AttributeValue::Other("null".into())),
            (
                "d".to_owned(),
                AttributeValue::Objects(vec![object(Vec::new())]),
            ),
            ("e".to_owned(), text("é")),
        ];
        assert_eq!(read(body.as_bytes()), Ok(expected));
        assert_eq!(read(b"{}"), Ok(Vec::new()));
    }

    #[test]
    fn an_array_of_texts_is_distinguished_from_every_other() {
        let literals = [
            (
                "[\"a\",\"\\u0062\"]",
                AttributeValue::Texts(vec!["a".into(), "b".into()]),
            ),
            ("[]", AttributeValue::Texts(Vec::new())),
            ("[\"a\",1]", AttributeValue::Other("[\"a\",1]".into())),
            ("[[\"a\"]]", AttributeValue::Other("[[\"a\"]]".into())),
            ("[{},\"a\"]", AttributeValue::Other("[{},\"a\"]".into())),
            ("[{},[]]", AttributeValue::Other("[{},[]]".into())),
            ("[null]", AttributeValue::Other("[null]".into())),
            ("{}", AttributeValue::Object(object(Vec::new()))),
            ("false", AttributeValue::Truth(false)),
        ];
        for (literal, value) in literals {
            let body = format!("{{\"a\":{literal}}}");
            let expected = vec![("a".to_owned(), value)];
            assert_eq!(read(body.as_bytes()), Ok(expected), "{literal}");
        }
    }

    #[test]
    fn an_array_of_objects_is_read_with_the_attributes_of_each() {
        let body = r#"{"items":[ {"a":1.10,"b":["x"]} ,{"c":[{"a":"y"}]}]}"#;
        let inner = vec![("a".to_owned(), text("y"))];
        let items = vec![
            object(vec![
                ("a".to_owned(), number("1.10")),
                ("b".to_owned(), AttributeValue::Texts(vec!["x".into()])),
            ]),
            object(vec![(
                "c".to_owned(),
                AttributeValue::Objects(vec![object(inner)]),
            )]),
        ];
        let expected = vec![("items".to_owned(), AttributeValue::Objects(items))];
        assert_eq!(read(body.as_bytes()), Ok(expected));
        let twice = br#"{"items":[{"a":1,"a":2}]}"#;
        assert_eq!(read(twice), Err(Malformed::Repeated("a".into())));
    }

    #[test]
    fn no_more_than_a_thousand_operations_are_read() {
        let body = |count| format!("{{\"items\":[{}]}}", vec!["{}"; count].join(","));
        assert!(read(body(1000).as_bytes()).is_ok());
        let refused = read(body(1001).as_bytes());
        assert_eq!(refused, Err(Malformed::TooManyOperations));
    }

    #[test]
    fn a_name_twice_is_refused_at_any_depth_however_it_is_spelt() {
        for body in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#"{"x":{"a":1,"b":2,"a":3}}"#,
            r#"{"x":[[{"a":{},"a":{}}]]}"#,
        ] {
            let expected = Err(Malformed::Repeated("a".into()));
            assert_eq!(read(body.as_bytes()), expected, "{body}");
        }
        assert!(read(br#"{"a":{"b":1},"c":{"b":1},"b":[{"b":1},{"b":1}]}"#).is_ok());
    }

    #[test]
    fn only_a_whole_object_in_utf8_is_a_body() {
        for body in ["", " ", "[]", "\"a\"", "1", "null", "x{}"] {
            assert_eq!(
                read(body.as_bytes()),
                Err(Malformed::NotAnObject),
                "{body:?}"
            );
        }
        assert_eq!(read(b"{\"a\":\"\xff\"}"), Err(Malformed::BodyNotUtf8));
        for body in [
            "{",
            "{}{}",
            "{} x",
            r#"{"a":1,}"#,
            r#"{"a"}"#,
            "{a:1}",
            "{'a':1}",
            r#"{"a":0123}"#,
            r#"{"a":-}"#,
            r#"{"a":1.}"#,
            r#"{"a":.5}"#,
            r#"{"a":+1}"#,
            r#"{"a":NaN}"#,
            r#"{"a":0x10}"#,
            r#"{"\ud800":1}"#,
            r#"{"a":"\x41"}"#,
            r#"{"a":tru}"#,
            r#"{"a":[1}"#,
            "{\"a\":\"line\nbreak\"}",
            "{\"a\":1 /* one */}",
        ] {
            let refused = read(body.as_bytes());
            assert!(
                matches!(refused, Err(Malformed::Syntax(_))),
                "{body}: {refused:?}"
            );
        }
    }

    #[test]
    fn a_value_that_cannot_be_read_is_reported_by_its_attribute() {
        for body in [
            r#"{"b":1,"a":"\ud800"}"#,
            r#"{"a":["\ud800"]}"#,
            r#"{"a":{"x":1e999}}"#,
        ] {
            let expected = Err(Malformed::Unreadable("a".into()));
            assert_eq!(read(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(read("\u{feff}{}".as_bytes()), Err(Malformed::ByteOrderMark));
    }

    #[test]
    fn depth_and_number_of_attributes_have_limits() {
        assert!(read(nested(DEPTH_MAX).as_bytes()).is_ok());
        assert_eq!(
            read(nested(DEPTH_MAX + 1).as_bytes()),
            Err(Malformed::TooDeep)
        );
        assert_eq!(read(nested(500_000).as_bytes()), Err(Malformed::TooDeep));
        let many = |count: usize| {
            let pairs: Vec<_> = (0..count).map(|n| format!("\"a{n}\":{n}")).collect();
            format!("{{{}}}", pairs.join(","))
        };
        assert!(read(many(ATTRIBUTES_MAX).as_bytes()).is_ok());
        assert_eq!(
            read(many(ATTRIBUTES_MAX + 1).as_bytes()),
            Err(Malformed::TooMany)
        );
    }

    #[test]
    fn an_abusive_name_is_cut_in_the_answer() {
        let name = "n".repeat(10_000);
        let refused = read(format!("{{\"{name}\":1,\"{name}\":2}}").as_bytes());
        assert!(refused.unwrap_err().to_string().len() < 200);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&body);
        }

        #[test]
        fn what_is_read_is_json(body in r#"\{("[ab]":[0-9eE.+\-"\[\]{}:,a\\u ]{0,12},?){0,3}\}"#) {
            if let Ok(values) = read(body.as_bytes()) {
                let json: serde_json::Value = serde_json::from_str(&body).unwrap();
                prop_assert_eq!(values.len(), json.as_object().unwrap().len());
            }
        }

        #[test]
        fn every_object_of_texts_is_read_back(
            pairs in proptest::collection::btree_map(".{0,8}", ".{0,8}", 0..8)
        ) {
            let read = read(serde_json::to_string(&pairs).unwrap().as_bytes()).unwrap();
            let expected: Vec<_> = pairs.iter().map(|(k, v)| (k.clone(), text(v))).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
