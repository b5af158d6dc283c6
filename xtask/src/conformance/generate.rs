//! The rows of fields and attributes, written from the OpenAPI document and the cited tests: what a
//! name means, whether it is required, and which of the group's tests show it. It must not write a
//! row of a rule, nor one that is not answered: those need a person.

use std::collections::BTreeMap;

use super::check::Code;
use super::interface::{PublishedNeed, PublishedOperation};
use super::page::{Group, PATH, Page, PageRow};

/// The generated rows by the number of their line.
pub(super) fn rows(page: &Page, code: &Code) -> BTreeMap<usize, String> {
    let mut generated = BTreeMap::new();
    for group in &page.groups {
        let labels = cited(group);
        for row in group.rows.iter().filter(|row| row.answered) {
            if let Some(text) = self::row(group, row, (code, &labels)) {
                generated.insert(row.line, text);
            }
        }
    }
    generated
}

/// The text of the page with its generated rows.
pub(super) fn page(text: &str, rows: &BTreeMap<usize, String>) -> String {
    let mut page = String::with_capacity(text.len());
    for (number, line) in (1_usize..).zip(text.lines()) {
        page.push_str(rows.get(&number).map_or(line, String::as_str));
        page.push('\n');
    }
    page
}

/// What is wrong with the generated rows as they stand.
pub(super) fn stale(text: &str, rows: &BTreeMap<usize, String>) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let differs = |(line, row): &(&usize, &String)| {
        lines.get(line.saturating_sub(1)).copied() != Some(row.as_str())
    };
    let stale = rows.iter().filter(differs);
    let remedy = "run `cargo xtask conformance --bless`";
    stale
        .map(|(line, row)| format!("{PATH}:{line}: the document and the tests say {row}; {remedy}"))
        .collect()
}

/// Every test that a row of the group cites, in their order.
fn cited(group: &Group) -> Vec<&str> {
    let mut labels = Vec::new();
    for label in group.rows.iter().flat_map(|row| &row.cites) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
    }
    labels
}

fn row(group: &Group, row: &PageRow, (code, labels): (&Code, &[&str])) -> Option<String> {
    let name = row.name()?;
    let operations = code.interface.operations.iter();
    let mut about = operations.filter(|operation| group.is_about(&operation.name));
    let rule = if group.id.starts_with("2.") {
        about.find_map(|operation| field(operation, row))?
    } else if group.id.starts_with("4.") {
        about.find_map(|operation| attribute(operation, name))?
    } else {
        return None;
    };
    let shows = |label: &&&str| code.shown.get(**label).is_some_and(|shown| shown.has(name));
    let tests: Vec<String> = labels
        .iter()
        .filter(shows)
        .map(|it| format!("[{it}]"))
        .collect();
    let (title, tests) = (&row.title, tests.join(" "));
    Some(format!("| `{title}` | {rule} | {tests} |"))
}

fn field(operation: &PublishedOperation, row: &PageRow) -> Option<String> {
    let meanings = &operation.field_meanings;
    let meaning = meanings
        .get(&row.title)
        .or_else(|| meanings.get(row.name()?))?;
    Some(first(meaning))
}

fn attribute(operation: &PublishedOperation, name: &str) -> Option<String> {
    let need = match operation.attributes.get(name)? {
        PublishedNeed::Always => "required",
        PublishedNeed::AtTimes => "required at times",
        PublishedNeed::Never => "optional",
    };
    let meaning = first(operation.attribute_meanings.get(name)?);
    Some(format!("{need}; {meaning}"))
}

/// The first sentence, as it goes on after a semicolon.
fn first(meaning: &str) -> String {
    let end = meaning.find(". ").unwrap_or(meaning.len());
    let sentence = meaning.get(..end).unwrap_or(meaning).trim_end_matches('.');
    let mut letters = sentence.chars();
    let Some(letter) = letters.next() else {
        return String::new();
    };
    let rest = letters.as_str();
    if rest.starts_with(|next: char| next.is_uppercase()) {
        return sentence.to_owned();
    }
    letter.to_lowercase().chain(rest.chars()).collect()
}
