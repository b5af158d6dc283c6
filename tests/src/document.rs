//! What the published documents promise of every answer: `docs/openapi.json` for JSON and for which
//! statuses there are, `docs/xsd` for XML. It must read the files themselves, not what made them.

use crate::answer::HttpAnswer;
use boon::{Compiler, Schemas};
use reqwest::Method;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;
use uppsala::XsdValidator;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let text = std::fs::read(folder().join("openapi.json")).expect("docs/openapi.json");
    serde_json::from_slice(&text).expect("JSON")
});

/// What the validator knows the document by.
const URL: &str = "document:openapi";

thread_local! {
    static VALIDATOR: RefCell<(Compiler, Schemas)> = RefCell::new({
        let mut compiler = Compiler::new();
        compiler.add_resource(URL, DOCUMENT.clone()).expect("a document");
        (compiler, Schemas::new())
    });

    /// By operation.
    static XML_VALIDATORS: RefCell<HashMap<String, Rc<XsdValidator>>> = RefCell::default();
}

/// The document.
#[must_use]
pub fn openapi() -> &'static Value {
    &DOCUMENT
}

/// A part of the document, or what it refers to.
#[must_use]
pub fn resolve(part: &'static Value) -> &'static Value {
    let target = part.get("$ref").and_then(Value::as_str);
    let target = target.and_then(|target| DOCUMENT.pointer(target.trim_start_matches('#')));
    target.unwrap_or(part)
}

/// Checks an answer to a request for an operation that is in the document: its status, its headers'
/// format and its body. Other requests and answers without a body are not promised.
pub fn check(method: &Method, path: &str, answer: &HttpAnswer) {
    let path = described_path(path);
    let Some(operation) = operation(method, path) else {
        return;
    };
    let reported = format!("{method} {path}: {answer:?}");
    let status = answer.status.to_string();
    let responses = pointer(&["paths", path, &verb(method), "responses", &status]);
    let documented = DOCUMENT.pointer(&responses);
    let documented = documented.unwrap_or_else(|| panic!("an undocumented status: {reported}"));
    let media = resolve(documented);
    if media["content"].is_null() {
        assert_eq!(
            answer.body, "",
            "content that is not documented: {reported}"
        );
        return;
    }
    let place = match documented.get("$ref").and_then(Value::as_str) {
        Some(shared) => shared.trim_start_matches('#').to_owned(),
        None => responses,
    };
    let format = answer.header("content-type").expect("a content type");
    let format = format.split(';').next().unwrap_or(format);
    let place = place + &pointer(&["content", format, "schema"]);
    assert!(
        DOCUMENT.pointer(&place).is_some(),
        "an undocumented format: {reported}"
    );
    match format {
        "application/json" => check_json(&place, &answer.json(), &reported),
        "application/xml" => check_xml(operation, &answer.body, &reported),
        "text/csv" => check_csv(&media["content"][format], &answer.body, &reported),
        // A file: what it shows is proved where it is made.
        "application/pdf" | "text/calendar" => {}
        other => panic!("{other} is no format of operations: {reported}"),
    }
}

/// The path as the document has it: one of its parts may stand in braces there.
fn described_path(path: &str) -> &str {
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    if paths.contains_key(path) {
        return path;
    }
    let is_it = |described: &&String| {
        let Some((before, rest)) = described.split_once('{') else {
            return false;
        };
        let after = rest.split_once('}').map_or("", |(_, after)| after);
        let word = path.strip_prefix(before);
        let word = word.and_then(|word| word.strip_suffix(after));
        word.is_some_and(|word| !word.is_empty() && !word.contains('/'))
    };
    paths.keys().find(is_it).map_or(path, String::as_str)
}

/// The `operationId` of a request, where the document has it.
fn operation(method: &Method, path: &str) -> Option<&'static str> {
    let place = pointer(&["paths", path, &verb(method), "operationId"]);
    DOCUMENT.pointer(&place)?.as_str()
}

fn check_json(place: &str, body: &Value, reported: &str) {
    VALIDATOR.with_borrow_mut(|(compiler, schemas)| {
        let compiled = compiler.compile(&format!("{URL}#{place}"), schemas);
        let schema = compiled.unwrap_or_else(|error| panic!("{place}: {error:#}"));
        let valid = schemas.validate(body, schema);
        valid.unwrap_or_else(|error| panic!("not as the document promises: {reported}\n{error:#}"));
    });
}

/// Checks comma-separated values: the columns of the example, and as many values in each row.
fn check_csv(media: &Value, body: &str, reported: &str) {
    let example = media["example"].as_str().unwrap_or_default();
    let columns = |text: &str| csv::Reader::from_reader(text.as_bytes()).headers().cloned();
    let (promised, named) = (columns(example).expect("CSV"), columns(body).expect("CSV"));
    assert!(
        !promised.is_empty(),
        "columns are not documented: {reported}"
    );
    assert_eq!(named, promised, "{reported}");
    for row in csv::Reader::from_reader(body.as_bytes()).records() {
        row.unwrap_or_else(|error| panic!("{error}: {reported}"));
    }
}

/// What an answer of an operation is checked with: each reads a schema of some hundred kilobytes.
fn xml_validator(operation: &str) -> Rc<XsdValidator> {
    if let Some(known) = XML_VALIDATORS.with_borrow(|all| all.get(operation).cloned()) {
        return known;
    }
    let path = folder().join("xsd").join(format!("{operation}.xsd"));
    let text = std::fs::read_to_string(&path).expect("a schema per operation");
    let schema = uppsala::parse(&text).expect("XML");
    let validator = XsdValidator::from_schema_with_base_path(&schema, Some(&path));
    let validator = validator.unwrap_or_else(|error| panic!("{operation}: {error}"));
    let validator = Rc::new(validator);
    XML_VALIDATORS.with_borrow_mut(|all| all.insert(operation.to_owned(), validator.clone()));
    validator
}

/// Checks a body against the XML schema of an operation.
pub fn check_xml(operation: &str, body: &str, reported: &str) {
    let validator = xml_validator(operation);
    let document = uppsala::parse(body).unwrap_or_else(|error| panic!("{error}: {reported}"));
    let faults = validator.validate(&document);
    assert!(
        faults.is_empty(),
        "not as its schema promises: {reported}\n{faults:#?}"
    );
}

fn verb(method: &Method) -> String {
    method.as_str().to_ascii_lowercase()
}

/// A JSON pointer (RFC 6901).
fn pointer(parts: &[&str]) -> String {
    let escaped = parts
        .iter()
        .map(|part| part.replace('~', "~0").replace('/', "~1"));
    escaped.flat_map(|part| ["/".to_owned(), part]).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}
