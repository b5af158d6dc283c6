//! The interface as the code has it: operations, attributes and fields out of the OpenAPI document,
//! which is made from the code, and the service codes out of their table. It must not read the
//! table of conformance.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Made by `cargo xtask openapi`, and checked against the code there.
pub(super) const DOCUMENT: &str = "docs/openapi.json";

/// Where the service codes are.
pub(super) const CODES: &str = "crates/wire/src/service_code.rs";

const VERBS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

#[derive(Debug, Default)]
pub(super) struct PublishedInterface {
    pub(super) operations: Vec<PublishedOperation>,
}

#[derive(Debug, Default)]
pub(super) struct PublishedOperation {
    /// `POST /payment/airtime`.
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, PublishedNeed>,
    /// What the attributes mean, as documented.
    pub(super) attribute_meanings: BTreeMap<String, String>,
    /// Every name anywhere in its successful answers.
    pub(super) fields: BTreeSet<String>,
    /// What the fields mean, as documented, also by `parent.name`; of several the first.
    pub(super) field_meanings: BTreeMap<String, String>,
    pub(super) statuses: BTreeSet<u16>,
}

/// Whether a request needs an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PublishedNeed {
    Always,
    /// In one variant of the request and not in every other.
    AtTimes,
    Never,
}

impl PublishedNeed {
    fn of(required: bool) -> Self {
        if required { Self::Always } else { Self::Never }
    }

    /// The need of a request that may be either.
    fn either(self, other: Self) -> Self {
        if self == other { self } else { Self::AtTimes }
    }
}

/// A service code the code has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PublishedServiceCode {
    /// As an arm of its enum.
    pub(super) variant: String,
    pub(super) number: String,
}

impl PublishedInterface {
    pub(super) fn parse(document: &str) -> Result<Self> {
        let document: Value = serde_json::from_str(document).context(DOCUMENT)?;
        let paths = part(&document, "paths")
            .as_object()
            .context("it has no paths")?;
        let mut operations = Vec::new();
        for (path, verbs) in paths {
            for verb in VERBS {
                if let Some(operation) = verbs.get(verb) {
                    let name = format!("{} {path}", verb.to_uppercase());
                    operations.push(PublishedOperation::read(&document, name, operation));
                }
            }
        }
        ensure!(!operations.is_empty(), "{DOCUMENT} has no operation");
        Ok(Self { operations })
    }

    pub(super) fn operation(&self, name: &str) -> Option<&PublishedOperation> {
        self.operations
            .iter()
            .find(|operation| operation.name == name)
    }

    /// Every status any operation is documented to answer.
    pub(super) fn statuses(&self) -> BTreeSet<u16> {
        let all = self
            .operations
            .iter()
            .flat_map(|operation| &operation.statuses);
        all.copied().collect()
    }
}

impl PublishedOperation {
    fn read(document: &Value, name: String, value: &Value) -> Self {
        let mut operation = Self {
            name,
            ..Self::default()
        };
        for parameter in members(value, "parameters") {
            let parameter = resolve(document, parameter);
            if part(parameter, "in") == "query" {
                let name = part(parameter, "name").as_str().unwrap_or_default();
                let need = PublishedNeed::of(part(parameter, "required") == true);
                operation.attributes.insert(name.to_owned(), need);
                let meaning = part(parameter, "description").as_str().unwrap_or_default();
                let meanings = &mut operation.attribute_meanings;
                meanings.insert(name.to_owned(), meaning.to_owned());
            }
        }
        let body = resolve(document, part(value, "requestBody"));
        operation
            .attributes
            .extend(attributes(document, schema(body)));
        meanings(
            document,
            ("", schema(body)),
            &mut operation.attribute_meanings,
        );
        for (status, response) in part(value, "responses").as_object().into_iter().flatten() {
            operation.statuses.extend(status.parse::<u16>());
            if status.starts_with('2') {
                let response = resolve(document, response);
                names(document, schema(response), &mut operation.fields);
                meanings(
                    document,
                    ("", schema(response)),
                    &mut operation.field_meanings,
                );
            }
        }
        operation
    }
}

/// The attributes of a body.
fn attributes(document: &Value, schema: &Value) -> BTreeMap<String, PublishedNeed> {
    let schema = resolve(document, schema);
    let required: Vec<&Value> = members(schema, "required").collect();
    let mut found = BTreeMap::new();
    for (name, _) in part(schema, "properties").as_object().into_iter().flatten() {
        let is_required = required.iter().any(|one| **one == name.as_str());
        found.insert(name.clone(), PublishedNeed::of(is_required));
    }
    for whole in members(schema, "allOf") {
        found.extend(attributes(document, whole));
    }
    let variants = ["oneOf", "anyOf"]
        .into_iter()
        .flat_map(|word| members(schema, word));
    let variants: Vec<_> = variants
        .map(|variant| attributes(document, variant))
        .collect();
    let names: BTreeSet<&String> = variants.iter().flat_map(BTreeMap::keys).collect();
    for name in names {
        let need = |variant: &BTreeMap<String, PublishedNeed>| {
            *variant.get(name).unwrap_or(&PublishedNeed::Never)
        };
        if let Some(need) = variants.iter().map(need).reduce(PublishedNeed::either) {
            found.insert(name.clone(), need);
        }
    }
    found
}

/// The elements of a JSON array that is a member of an object.
fn members<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    part(value, name).as_array().into_iter().flatten()
}

/// A member of a JSON object, null where it has none.
fn part<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

fn schema(content: &Value) -> &Value {
    content
        .pointer("/content/application~1json/schema")
        .unwrap_or(&Value::Null)
}

fn names(document: &Value, schema: &Value, found: &mut BTreeSet<String>) {
    let schema = resolve(document, schema);
    for (name, value) in part(schema, "properties").as_object().into_iter().flatten() {
        found.insert(name.clone());
        names(document, value, found);
    }
    if part(schema, "items").is_object() {
        names(document, part(schema, "items"), found);
    }
    let variants = ["oneOf", "anyOf", "allOf"].into_iter();
    for variant in variants.flat_map(|word| members(schema, word)) {
        names(document, variant, found);
    }
}

/// What the names anywhere in a schema mean, by the name and by `parent.name`; the first
/// description of a name stays.
fn meanings(
    document: &Value,
    (parent, schema): (&str, &Value),
    found: &mut BTreeMap<String, String>,
) {
    let schema = resolve(document, schema);
    for (name, value) in part(schema, "properties").as_object().into_iter().flatten() {
        let described = [value, resolve(document, value)];
        let meaning = described
            .into_iter()
            .find_map(|it| part(it, "description").as_str());
        for known in [name.clone(), format!("{parent}.{name}")] {
            if let Some(meaning) = meaning {
                found.entry(known).or_insert_with(|| meaning.to_owned());
            }
        }
        meanings(document, (name, value), found);
    }
    if part(schema, "items").is_object() {
        meanings(document, (parent, part(schema, "items")), found);
    }
    let variants = ["oneOf", "anyOf", "allOf"].into_iter();
    for variant in variants.flat_map(|word| members(schema, word)) {
        meanings(document, (parent, variant), found);
    }
}

/// What a reference within the document stands for.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = part(value, "$ref")
        .as_str()
        .and_then(|path| path.strip_prefix('#'));
    target
        .and_then(|path| document.pointer(path))
        .unwrap_or(value)
}

/// The table of service codes: `Self::Amount => (814, "Amount"),`.
pub(super) fn service_codes(source: &str) -> Result<Vec<PublishedServiceCode>> {
    let arm = |line: &str| {
        let (variant, entry) = line.trim().strip_prefix("Self::")?.split_once(" => (")?;
        let (number, _) = entry.split_once(',')?;
        Some(PublishedServiceCode {
            variant: variant.to_owned(),
            number: number.to_owned(),
        })
    };
    let codes: Vec<_> = source.lines().filter_map(arm).collect();
    ensure!(!codes.is_empty(), "{CODES} lists no service code");
    Ok(codes)
}
