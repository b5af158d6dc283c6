//! Shapes as JSON Schema 2020-12, with the hints OpenAPI has for XML. It must not forbid names an
//! answer does not have yet: clients must tolerate new ones.

use crate::glossary::{Glossary, GlossaryPlace, Side};
use crate::interface::Schema;
use crate::json::list;
use crate::kind::{ValueKind, ValuePattern};
use crate::operation::Parameter;
use crate::shape::{Field, Shape, ShapeValue};
use anyhow::Result;
use http_server::Verb;
use std::ops::RangeInclusive;
use wire::attribute::Accepts;
use wire::tree::{Node, Object};

/// The schema of the answers of one name.
pub(super) fn of(schema: &Schema, glossary: &Glossary) -> Result<Object> {
    let place = GlossaryPlace {
        family: schema.family,
        side: Side::Answer(""),
    };
    let object = object(schema.value.fields(), glossary, place)?;
    Ok(object.with("xml", Object::new().with("name", "response")))
}

/// An object with these fields.
pub(super) fn object(
    fields: &[Field],
    glossary: &Glossary,
    place: GlossaryPlace<'_>,
) -> Result<Object> {
    let mut properties = Object::new();
    for field in fields {
        properties = properties.with(field.name.clone(), property(field, glossary, place)?);
    }
    let required = fields.iter().filter(|field| field.required);
    Ok(Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with("required", list(required.map(|field| &*field.name))))
}

fn property(field: &Field, glossary: &Glossary, place: GlossaryPlace<'_>) -> Result<Object> {
    let word = glossary.word(place, &field.name)?;
    let within = GlossaryPlace {
        side: Side::Answer(&field.name),
        ..place
    };
    let schema = value(&field.value, glossary, within)?;
    Ok(of_kind(schema, &word.kind, field.value.nullable).with("description", word.meaning))
}

fn value(value: &ShapeValue, glossary: &Glossary, place: GlossaryPlace<'_>) -> Result<Object> {
    let name = match &value.shape {
        Shape::Object(fields) => {
            let object = object(fields, glossary, place)?;
            return Ok(if value.nullable {
                or_null(&object)
            } else {
                object
            });
        }
        Shape::List { item, of } => return self::items(item, of, (glossary, place)),
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::Boolean => "boolean",
        Shape::Text | Shape::Unknown => "string",
    };
    let schema = Object::new();
    Ok(if value.nullable {
        schema.with("type", list([name, "null"]))
    } else {
        schema.with("type", name)
    })
}

fn items(
    item: &'static str,
    of: &ShapeValue,
    (glossary, place): (&Glossary, GlossaryPlace<'_>),
) -> Result<Object> {
    let place = GlossaryPlace {
        side: Side::Answer(item),
        ..place
    };
    let items = value(of, glossary, place)?.with("xml", Object::new().with("name", item));
    Ok(Object::new()
        .with("type", "array")
        .with("items", items)
        .with("xml", Object::new().with("wrapped", Node::Boolean(true))))
}

/// The object whose type also allows null.
fn or_null(object: &Object) -> Object {
    let fields = object.fields().map(|(name, node)| {
        let node = if name == "type" {
            list(["object", "null"])
        } else {
            node.clone()
        };
        (name.to_owned(), node)
    });
    fields.fold(Object::new(), |all, (name, node)| all.with(name, node))
}

fn of_kind(schema: Object, kind: &ValueKind, nullable: bool) -> Object {
    match kind {
        ValueKind::Any => schema,
        ValueKind::Pattern(pattern) => schema.with("pattern", anchored(pattern)),
        ValueKind::Words(words) => {
            let words = words.iter().map(|word| Node::from(word.as_str()));
            schema.with("enum", list(words.chain(nullable.then_some(Node::Null))))
        }
        ValueKind::Range(first, last) => schema
            .with("minimum", Node::Integer(*first))
            .with("maximum", Node::Integer(*last)),
        ValueKind::Address => {
            let version = |name: &'static str| Object::new().with("format", name);
            schema.with("anyOf", list(["ipv4", "ipv6"].map(version)))
        }
        ValueKind::Moment => schema.with("format", "date-time"),
    }
}

fn anchored(pattern: &ValuePattern) -> String {
    format!("^({})$", pattern.expression)
}

/// The values an attribute may have in a request of a verb: only text in a query, more in a body.
/// Where several spellings are read, this is the one that every client can write.
pub(super) fn sent(parameter: &Parameter, kind: &ValueKind, verb: Verb) -> Object {
    let words = &parameter.words;
    if verb == Verb::Post && parameter.attribute.accepts == Accepts::TextsOrText {
        return texts_or_text(words);
    }
    if !words.is_empty() {
        return one_of(words);
    }
    let number_too = verb == Verb::Post && parameter.attribute.accepts == Accepts::NumberOrText;
    match kind {
        ValueKind::Range(..) => of_kind(Object::new().with("type", "integer"), kind, false),
        ValueKind::Pattern(ValuePattern {
            integers: Some((first, last)),
            ..
        }) if number_too => {
            let schema = Object::new().with("type", list(["string", "integer"]));
            let schema = schema.with("minimum", Node::Integer(*first));
            of_kind(schema.with("maximum", Node::Integer(*last)), kind, false)
        }
        ValueKind::Any
        | ValueKind::Pattern(_)
        | ValueKind::Words(_)
        | ValueKind::Address
        | ValueKind::Moment => of_kind(Object::new().with("type", "string"), kind, false),
    }
}

/// An array of so many such objects.
pub(super) fn objects(each: Object, count: &RangeInclusive<usize>) -> Object {
    let number = |count: &usize| u64::try_from(*count).unwrap_or(u64::MAX);
    Object::new()
        .with("type", "array")
        .with("items", each)
        .with("minItems", number(count.start()))
        .with("maxItems", number(count.end()))
}

fn one_of(words: &[&'static str]) -> Object {
    let schema = Object::new().with("type", "string");
    schema.with("enum", list(words.iter().copied()))
}

/// An array of words, each at least once, or one text separated by commas; of any texts where there
/// are no words to choose from.
fn texts_or_text(words: &[&'static str]) -> Object {
    if words.is_empty() {
        let text = || {
            Object::new()
                .with("type", "string")
                .with("minLength", 1_u64)
        };
        let texts = Object::new()
            .with("type", "array")
            .with("items", text())
            .with("minItems", 1_u64);
        return Object::new().with("oneOf", list([texts, text()]));
    }
    let texts = Object::new()
        .with("type", "array")
        .with("items", one_of(words))
        .with("minItems", 1_u64);
    let word = words.join("|").replace('.', "\\.");
    let text = Object::new()
        .with("type", "string")
        .with("pattern", format!("^({word})(, ?({word}))*$"));
    Object::new().with("oneOf", list([texts, text]))
}

/// The schema of every error (interface §7.3).
pub(super) fn error() -> Object {
    let texts = |item: &'static str| {
        Object::new()
            .with("type", "array")
            .with(
                "items",
                Object::new()
                    .with("type", "string")
                    .with("xml", named(item)),
            )
            .with("minItems", 1_u64)
            .with("xml", Object::new().with("wrapped", Node::Boolean(true)))
    };
    let text = |about: &str| {
        Object::new()
            .with("type", "string")
            .with("description", about)
    };
    let number = |about: &str| {
        Object::new()
            .with("type", "integer")
            .with("description", about)
    };
    let params = Object::new()
        .with("type", "object")
        .with(
            "description",
            "Attribute to what is wrong with it: all violations at once.",
        )
        .with("additionalProperties", texts("message"));
    let errors = Object::new()
        .with("params", params)
        .with(
            "request",
            texts("message").with("description", "What is wrong with the request."),
        )
        .with(
            "system",
            texts("message").with("description", "What is wrong on our side."),
        );
    let errors = Object::new()
        .with("type", "object")
        .with("description", "One of the three.")
        .with("properties", errors)
        .with("minProperties", 1_u64)
        .with("maxProperties", 1_u64);
    let status = text("Whether the request was done.").with("enum", list(["error"]));
    let properties = Object::new()
        .with("code", number("The HTTP status again."))
        .with("status", status)
        .with("message", text("The outcome in a sentence for people."))
        .with(
            "serviceCode",
            number("What it is about, where the interface has a code for it."),
        )
        .with("serviceSubject", text("The subject of that code."))
        .with("errors", errors)
        .with("requestId", text("What support finds the request by."));
    Object::new()
        .with("type", "object")
        .with("properties", properties)
        .with(
            "required",
            list(["code", "status", "message", "errors", "requestId"]),
        )
        .with("xml", named("response"))
}

fn named(name: &'static str) -> Object {
    Object::new().with("name", name)
}
