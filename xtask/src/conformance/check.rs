//! The rules of the table: nothing dropped, nothing twice, nothing without a test that shows it,
//! nothing in the code that has no row. It must not excuse a row for being hard to test.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::EvidenceShown;
use super::interface::{
    PublishedInterface, PublishedNeed, PublishedOperation, PublishedServiceCode,
};
use super::page::{Group, PATH, Page, PageRow};
use super::sections::SECTIONS;

const STATUSES: &str = "7.1";
const CODES: &str = "7.2";

/// What is known of the code besides the table.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) interface: PublishedInterface,
    pub(super) service_codes: Vec<PublishedServiceCode>,
    /// What the edge may send: names of constants for statuses, of variants for service codes.
    pub(super) sent: BTreeSet<String>,
    /// By label, what each cited test shows.
    pub(super) shown: BTreeMap<String, EvidenceShown>,
}

/// Statuses by the names the edge calls them.
const NEVER_DOCUMENTED: [(&str, &str); 5] = [
    ("201", "CREATED"),
    ("203", "NON_AUTHORITATIVE_INFORMATION"),
    ("307", "TEMPORARY_REDIRECT"),
    ("308", "PERMANENT_REDIRECT"),
    ("412", "PRECONDITION_FAILED"),
];

pub(super) fn findings(page: &Page, code: &Code) -> Vec<String> {
    let mut findings = page.malformed.clone();
    findings.extend(counts(page));
    findings.extend(doubles(page));
    findings.extend(links(page));
    for group in &page.groups {
        for row in &group.rows {
            findings.extend(self::row(group, row, code));
        }
    }
    findings.extend(operations(page, &code.interface));
    findings.extend(statuses(page, &code.interface));
    findings.extend(service_codes(page, code));
    findings
}

fn at(line: usize, message: &str) -> String {
    format!("{PATH}:{line}: {message}")
}

fn counts(page: &Page) -> Vec<String> {
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for group in &page.groups {
        let count = rows.entry(group.section()).or_default();
        *count = count.saturating_add(group.rows.len());
    }
    let mut findings = Vec::new();
    for (section, expected) in SECTIONS {
        let found = rows.remove(section).unwrap_or(0);
        if found != expected {
            let message = format!("section {section} has {expected} rows, here are {found}");
            findings.push(format!("{PATH}: {message}; none may be dropped or made up"));
        }
    }
    let unknown = rows
        .keys()
        .map(|id| format!("{PATH}: the interface has no section {id}"));
    findings.extend(unknown);
    findings
}

fn doubles(page: &Page) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for group in &page.groups {
        if !seen.insert(group.id.clone()) {
            findings.push(at(group.line, &format!("{} is there twice", group.id)));
        }
        for row in &group.rows {
            let id = format!("{}/{}", group.id, row.title);
            if !seen.insert(id.clone()) {
                findings.push(at(row.line, &format!("{id} is there twice")));
            }
        }
    }
    findings
}

fn links(page: &Page) -> Vec<String> {
    let rows = page.groups.iter().flat_map(|group| &group.rows);
    let cited: BTreeSet<_> = rows.flat_map(|row| &row.cites).collect();
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for link in &page.tests {
        if !seen.insert(&link.label) {
            findings.push(at(link.line, &format!("[{}] is there twice", link.label)));
        }
        if !cited.contains(&link.label) {
            let message = format!("no row cites [{}]; take it out", link.label);
            findings.push(at(link.line, &message));
        }
    }
    findings
}

/// What is missing to show one row.
pub(super) fn row(group: &Group, row: &PageRow, code: &Code) -> Vec<String> {
    let id = format!("{}/{}", group.id, row.title);
    let mut findings = Vec::new();
    if row.says.is_empty() {
        findings.push(at(row.line, &format!("{id} does not say what is required")));
    }
    if row.answered && !row.covered() {
        findings.push(at(
            row.line,
            &format!("{id} has no test; write one and cite it"),
        ));
    }
    let mut shown = Vec::new();
    for label in &row.cites {
        match code.shown.get(label) {
            Some(text) => shown.push(text),
            None => findings.push(at(
                row.line,
                &format!("{id} cites [{label}], which is no test"),
            )),
        }
    }
    let Some(name) = row.name().filter(|_| row.answered && !shown.is_empty()) else {
        return findings;
    };
    let showing: Vec<_> = shown.iter().filter(|shown| shown.has(name)).collect();
    if showing.is_empty() {
        let message = format!("no test of {id} shows {name}; cite one that does");
        findings.push(at(row.line, &message));
    } else if !group.operations.is_empty() && !showing.iter().any(|shown| shown.end_to_end) {
        let message = format!("no test of {id} shows {name} end to end; cite one that does");
        findings.push(at(row.line, &message));
    }
    findings
}

/// Every operation, attribute and field of the code has its row, and the other way round.
fn operations(page: &Page, interface: &PublishedInterface) -> Vec<String> {
    let mut findings = Vec::new();
    for group in page.groups.iter().filter(|group| is_compared(group)) {
        for name in &group.operations {
            match interface.operation(name) {
                Some(operation) => findings.extend(rows_without_code(group, operation)),
                None => findings.push(at(group.line, &format!("there is no {name}"))),
            }
        }
    }
    for operation in &interface.operations {
        let name = &operation.name;
        let rows = page.groups.iter();
        let has_rows = rows
            .flat_map(|group| &group.operations)
            .any(|it| it == name);
        if page.beyond.contains(name) || !has_rows && is_described(page, interface, name) {
            continue;
        }
        if !about(page, "4.", name).any(|group| group.operations.contains(name)) {
            let message = "has no group of rows, and is not listed beyond the interface either";
            findings.push(format!("{PATH}: {name} {message}"));
        }
        for (prefix, names) in [
            ("4.", operation.attributes.keys().collect::<Vec<_>>()),
            ("2.", operation.fields.iter().collect()),
        ] {
            findings.extend(code_without_row(page, prefix, name, &names));
        }
    }
    findings
}

/// Whether an operation is one of those that the page describes with a placeholder in their path,
/// such as `GET /payment/:category/providers`. They come together, except for one at most: an
/// operation alone that happens to fit is none of them.
fn is_described(page: &Page, interface: &PublishedInterface, name: &str) -> bool {
    let described: Vec<_> = page.beyond.iter().filter(|it| it.contains("/:")).collect();
    let Some(value) = described.iter().find_map(|it| placeholder(it, name)) else {
        return false;
    };
    let is_missing = |it: &&&String| {
        let parts = it.split('/');
        let parts = parts.map(|part| if part.starts_with(':') { value } else { part });
        let name = parts.collect::<Vec<_>>().join("/");
        interface.operation(&name).is_none()
    };
    described.iter().filter(is_missing).count() <= 1
}

/// What stands in the place of the placeholder, where an operation fits its description.
fn placeholder<'a>(described: &str, operation: &'a str) -> Option<&'a str> {
    let (mut described, mut operation) = (described.split('/'), operation.split('/'));
    let mut value = None;
    loop {
        match (described.next(), operation.next()) {
            (None, None) => return value,
            (Some(part), Some(other)) if part.starts_with(':') => value = Some(other),
            (Some(part), Some(other)) if part == other => {}
            (Some(_), _) | (None, Some(_)) => return None,
        }
    }
}

/// Sections 2 and 4 name fields and attributes; what the others name is no part of an operation.
fn is_compared(group: &Group) -> bool {
    group.id.starts_with("2.") || group.id.starts_with("4.")
}

fn about<'a>(
    page: &'a Page,
    prefix: &'a str,
    operation: &'a str,
) -> impl Iterator<Item = &'a Group> {
    let groups = page.groups.iter();
    groups.filter(move |group| group.id.starts_with(prefix) && group.is_about(operation))
}

fn rows_without_code(group: &Group, operation: &PublishedOperation) -> Vec<String> {
    let mut findings = Vec::new();
    let place = &operation.name;
    for row in group.rows.iter().filter(|row| row.answered) {
        for name in row
            .answers()
            .filter(|name| !operation.fields.contains(*name))
        {
            findings.push(at(row.line, &format!("{place} does not answer {name}")));
        }
        let Some(name) = row.name() else {
            continue;
        };
        if group.id.starts_with("2.") {
            if !operation.fields.contains(name) {
                findings.push(at(row.line, &format!("{place} does not answer {name}")));
            }
            continue;
        }
        match operation.attributes.get(name) {
            None => findings.push(at(row.line, &format!("{place} does not take {name}"))),
            Some(PublishedNeed::Always) if !row.says.starts_with("required") => {
                findings.push(at(
                    row.line,
                    &format!("{place} requires {name}; say so first"),
                ));
            }
            Some(PublishedNeed::Never) if !row.says.starts_with("optional") => {
                findings.push(at(row.line, &format!("{place} does not require {name}")));
            }
            Some(PublishedNeed::Always | PublishedNeed::AtTimes | PublishedNeed::Never) => {}
        }
    }
    findings
}

fn code_without_row(page: &Page, prefix: &str, operation: &str, names: &[&String]) -> Vec<String> {
    let rows = about(page, prefix, operation).flat_map(|group| &group.rows);
    let mut known: BTreeSet<&str> = rows.filter_map(PageRow::name).collect();
    if prefix == "2." {
        let endpoints = about(page, "4.", operation).flat_map(|group| &group.rows);
        known.extend(endpoints.flat_map(PageRow::answers));
    }
    let unknown = names.iter().filter(|name| !known.contains(name.as_str()));
    unknown
        .map(|name| format!("{PATH}: {name} of {operation} has no row in section {prefix}"))
        .collect()
}

fn rows_of<'a>(page: &'a Page, section: &'a str) -> impl Iterator<Item = &'a PageRow> {
    let groups = page
        .groups
        .iter()
        .filter(move |group| group.section() == section);
    groups.flat_map(|group| &group.rows)
}

fn statuses(page: &Page, interface: &PublishedInterface) -> Vec<String> {
    let mut findings = Vec::new();
    for status in interface.statuses() {
        let text = status.to_string();
        match rows_of(page, STATUSES).find(|row| row.title == text) {
            None => findings.push(format!("{PATH}: {status} is answered and has no row")),
            Some(row) if !row.answered => {
                findings.push(at(row.line, &format!("{status} is answered after all")));
            }
            Some(_) => {}
        }
    }
    findings
}

fn service_codes(page: &Page, code: &Code) -> Vec<String> {
    let mut findings = Vec::new();
    for PublishedServiceCode { variant, number } in &code.service_codes {
        let Some(row) = rows_of(page, CODES).find(|row| row.title == *number) else {
            findings.push(format!("{PATH}: the service code {number} has no row"));
            continue;
        };
        if row.answered != code.sent.contains(variant) {
            let truth = if row.answered { "never" } else { "after all" };
            findings.push(at(row.line, &format!("{number} is sent {truth}")));
        }
    }
    for row in rows_of(page, CODES).filter(|row| row.is_name) {
        if !code
            .service_codes
            .iter()
            .any(|known| known.number == row.title)
        {
            findings.push(at(
                row.line,
                &format!("there is no service code {}", row.title),
            ));
        }
    }
    for (number, name) in NEVER_DOCUMENTED {
        let row = rows_of(page, STATUSES).find(|row| row.title == number);
        if let Some(row) = row.filter(|row| !row.answered && code.sent.contains(name)) {
            findings.push(at(row.line, &format!("{number} is answered after all")));
        }
    }
    findings
}
