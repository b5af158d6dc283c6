//! JSON bodies. Two readers of one body must never see different values, so a repeated name is
//! refused at any depth and a number keeps the text it was written as.

use super::{ATTRIBUTES_MAX, DEPTH_MAX, Malformed, Value, repeated};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

pub(super) fn read(body: &[u8]) -> Result<Vec<(String, Value)>, Malformed> {
    let text = std::str::from_utf8(body).map_err(|_| Malformed::BodyNotUtf8)?;
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

/// The body itself. What is wrong beyond its syntax is left in `flaw`, because the errors of a
/// deserializer carry only text.
struct Body<'f> {
    flaw: &'f mut Option<Malformed>,
}

impl<'de> DeserializeSeed<'de> for Body<'_> {
    type Value = Vec<(String, Value)>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Body<'_> {
    type Value = Vec<(String, Value)>;

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
            let value = value(raw, self.flaw).map_err(A::Error::custom)?;
            values.push((name, value));
        }
        Ok(values)
    }
}

/// A value by its first character, which is enough in JSON.
fn value(raw: &str, flaw: &mut Option<Malformed>) -> Result<Value, serde_json::Error> {
    match raw.as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw).map(Value::Text),
        Some(b'-' | b'0'..=b'9') => Ok(Value::Number(raw.to_owned())),
        Some(b'{' | b'[') => {
            let mut json = serde_json::Deserializer::from_str(raw);
            Nested { flaw, depth: 2 }.deserialize(&mut json)?;
            Ok(Value::Other)
        }
        Some(_) | None => Ok(Value::Other),
    }
}

/// A value within the body, walked for its depth and for repeated names only.
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
