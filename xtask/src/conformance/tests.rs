//! The checks, tried on the real table: whatever is taken out, misspelt or added must be noticed. A
//! test here must go by what a change adds to the findings, so that it holds while the table grows.

use std::collections::BTreeSet;
use std::fs;

use super::check::{Code, findings};
use super::evidence::{self, EvidenceShown};
use super::generate;
use super::interface::{
    DOCUMENT, PublishedInterface, PublishedNeed, PublishedOperation, PublishedServiceCode,
};
use super::page::{PATH, Page};
use crate::repo::Repo;

fn text(path: &str) -> String {
    fs::read_to_string(Repo::find().unwrap().root().join(path)).unwrap()
}

fn interface() -> PublishedInterface {
    PublishedInterface::parse(&text(DOCUMENT)).unwrap()
}

/// What is found after a change and was not before, without the numbers of lines.
fn new(before: (&Page, &Code), after: (&Page, &Code)) -> Vec<String> {
    let shown = |(page, code)| -> BTreeSet<String> {
        let all = findings(page, code).into_iter();
        all.map(|finding| finding.replace(|sign: char| sign.is_ascii_digit(), ""))
            .collect()
    };
    shown(after).difference(&shown(before)).cloned().collect()
}

#[test]
fn a_row_that_is_taken_out_is_missed() {
    let page_text = text(PATH);
    let code = Code::default();
    let lines: Vec<&str> = page_text.lines().collect();
    let page = Page::parse(&page_text);
    let rows = page.groups.iter().flat_map(|group| &group.rows);
    for row in rows {
        let kept = (1_usize..)
            .zip(&lines)
            .filter(|(number, _)| *number != row.line);
        let kept: Vec<&str> = kept.map(|(_, line)| *line).collect();
        let found = findings(&Page::parse(&kept.join("\n")), &code);
        let reported = found
            .iter()
            .any(|finding| finding.contains("none may be dropped"));
        assert!(reported, "{} {}", row.line, row.title);
    }
}

#[test]
fn a_row_twice_and_a_row_of_two_cells_are_found() {
    let page = Page::parse(
        "### 2.1 A\n| a | b | c |\n|---|---|---|\n| `x` | y | |\n| `x` | y | |\n| z |\n",
    );
    let reported = findings(&page, &Code::default()).join("\n");
    assert!(reported.contains(":5: 2.1/x is there twice"), "{reported}");
    assert!(reported.contains(":6: a row has 3 cells"), "{reported}");
}

#[test]
fn a_row_without_a_test_is_found_and_one_that_is_not_answered_is_not() {
    let page = Page::parse(
        "### 2.1 A\n| a | b | c |\n|---|---|---|\n| x | y | |\n| z | y | not answered: no z |\n",
    );
    let reported = findings(&page, &Code::default()).join("\n");
    assert!(reported.contains("2.1/x has no test"), "{reported}");
    assert!(!reported.contains("2.1/z"), "{reported}");
}

#[test]
fn a_test_that_is_not_there_cannot_be_cited() {
    let repo = Repo::find().unwrap();
    let page = Page::parse(&text(PATH));
    assert!(!page.tests.is_empty());
    for link in &page.tests {
        let misspelt = format!("{}x", link.function);
        let read = evidence::read(&repo, &link.file, &misspelt).unwrap();
        assert!(read.is_err(), "{misspelt}");
    }
    let helper = evidence::read(&repo, "xtask/src/conformance/tests.rs", "text").unwrap();
    assert!(helper.is_err(), "a function that is no test passes for one");
    let gone = evidence::read(&repo, "xtask/src/gone.rs", "text").unwrap();
    assert!(gone.is_err());
}

#[test]
fn a_test_that_does_not_show_the_name_is_no_evidence() {
    let repo = Repo::find().unwrap();
    let (file, test) = (
        "xtask/src/conformance/tests.rs",
        "a_row_that_is_taken_out_is_missed",
    );
    let shown = evidence::read(&repo, file, test).unwrap().unwrap();
    assert!(shown.has("dropped"), "its own words");
    assert!(shown.has("read_to_string"), "and those of what it calls");
    assert!(!shown.has("read_to_str"), "no part of a word");
    assert!(!shown.has("colour"), "and not those of others");
    let page =
        Page::parse("### 2.1 `GET /a`\n| a | b | c |\n|---|---|---|\n| `code` | y | [t] |\n");
    let reported = |file: &str, text: &str| {
        let mut code = Code::default();
        let shown = EvidenceShown::new(file, text.to_owned());
        code.shown.insert("t".to_owned(), shown);
        findings(&page, &code).join("\n")
    };
    let inside = "crates/wire/src/envelope.rs";
    let none = reported(inside, "\"codes\": 1");
    assert!(none.contains("no test of 2.1/code shows code; "), "{none}");
    let unit = reported(inside, "\"code\": 1");
    assert!(unit.contains("shows code end to end; "), "{unit}");
    let whole = reported("tests/tests/http/tables.rs", "\"code\": 1");
    assert!(!whole.contains("no test of"), "{whole}");
}

/// The findings a change of the code adds.
fn added<T>(change: impl FnOnce(&mut Code) -> T) -> String {
    let page = Page::parse(&text(PATH));
    let known = || Code {
        interface: interface(),
        ..Code::default()
    };
    let (before, mut after) = (known(), known());
    let _ = change(&mut after);
    new((&page, &before), (&page, &after)).join("\n")
}

fn airtime(code: &mut Code) -> &mut PublishedOperation {
    let mut operations = code.interface.operations.iter_mut();
    operations
        .find(|operation| operation.name == "POST /payment/airtime")
        .unwrap()
}

#[test]
fn whatever_the_code_gains_needs_a_row() {
    let reported = added(|code| {
        code.interface.operations.push(PublishedOperation {
            name: "POST /payment/tolls".to_owned(),
            ..PublishedOperation::default()
        });
    });
    assert!(
        reported.contains("POST /payment/tolls has no group of rows"),
        "{reported}"
    );
    let reported = added(|code| airtime(code).fields.insert("colour".to_owned()));
    assert!(
        reported.contains("colour of POST /payment/airtime has no row"),
        "{reported}"
    );
    let reported = added(|code| {
        airtime(code)
            .attributes
            .insert("colour".to_owned(), PublishedNeed::Always)
    });
    assert!(
        reported.contains("colour of POST /payment/airtime has no row"),
        "{reported}"
    );
    let reported = added(|code| airtime(code).statuses.insert(418));
    assert!(
        reported.contains("is answered and has no row"),
        "{reported}"
    );
    let reported = added(|code| {
        code.service_codes.push(PublishedServiceCode {
            variant: "Colour".to_owned(),
            number: "899".to_owned(),
        });
    });
    assert!(
        reported.contains("the service code  has no row"),
        "{reported}"
    );
}

#[test]
fn whatever_the_code_loses_is_missed() {
    let reported = added(|code| airtime(code).fields.remove("network"));
    assert!(
        reported.contains("POST /payment/airtime does not answer network"),
        "{reported}"
    );
    let reported = added(|code| airtime(code).attributes.remove("billing"));
    assert!(
        reported.contains("POST /payment/airtime does not take billing"),
        "{reported}"
    );
    let reported = added(|code| {
        airtime(code)
            .attributes
            .insert("billing".to_owned(), PublishedNeed::Never)
    });
    assert!(reported.contains("does not require billing"), "{reported}");
    let reported = added(|code| airtime(code).name = "POST /payment/minutes".to_owned());
    assert!(
        reported.contains("there is no POST /payment/airtime"),
        "{reported}"
    );
}

#[test]
fn what_is_not_answered_must_not_be_answered() {
    let reported = added(|code| airtime(code).statuses.insert(308));
    assert!(reported.contains("is answered after all"), "{reported}");
    let reported = added(|code| code.sent.insert("PERMANENT_REDIRECT".to_owned()));
    assert!(reported.contains("is answered after all"), "{reported}");
    let password = |code: &mut Code| {
        code.service_codes = vec![PublishedServiceCode {
            variant: "Password".to_owned(),
            number: "800".to_owned(),
        }];
    };
    let sent = added(|code| {
        password(code);
        code.sent.insert("Password".to_owned());
    });
    assert!(sent.contains("is sent after all"), "{sent}");
    let silent = added(password);
    assert!(!silent.contains("is sent after all"), "{silent}");
}

#[test]
fn references_variants_and_items_of_a_document_are_looked_into() {
    let document = r##"{"paths": {"/a": {"post": {
        "parameters": [{"$ref": "#/p"}, {"in": "header", "name": "Prefer"}],
        "requestBody": {"content": {"application/json": {"schema": {"oneOf": [
            {"properties": {"a": {}, "b": {}, "c": {}}, "required": ["a", "b"]},
            {"$ref": "#/s"}]}}}},
        "responses": {
            "200": {"content": {"application/json": {"schema": {"properties": {
                "list": {"items": {"$ref": "#/s"}}}}}}},
            "404": {"content": {"application/json": {"schema": {"properties": {"errors": {}}}}}}
        }}}},
        "p": {"in": "query", "name": "q", "required": true},
        "s": {"allOf": [
            {"properties": {"b": {}, "d": {"properties": {"e": {}}}}, "required": ["b"]}]}
    }"##;
    let interface = PublishedInterface::parse(document).unwrap();
    let operation = interface.operation("POST /a").unwrap();
    let attributes = [
        ("a", PublishedNeed::AtTimes),
        ("b", PublishedNeed::Always),
        ("c", PublishedNeed::Never),
        ("d", PublishedNeed::Never),
        ("q", PublishedNeed::Always),
    ];
    let attributes = attributes.map(|(name, need)| (name.to_owned(), need));
    assert_eq!(operation.attributes, attributes.into());
    let fields = ["b", "d", "e", "list"].map(str::to_owned);
    assert_eq!(operation.fields, fields.into());
    assert_eq!(operation.statuses, [200, 404].into());
    assert!(
        PublishedInterface::parse("{\"paths\": {}}").is_err(),
        "nothing to compare with"
    );
}

#[test]
fn rows_of_fields_and_attributes_are_written_from_the_document_and_the_tests() {
    let text = "### 4.1 `GET /a`\n| a | b | c |\n|---|---|---|\n| the answer | an a | [x] [y] |\n\
                | `name` | by hand | [y] |\n| `gone` | by hand | [y] |\n";
    let (mut code, page) = (Code::default(), Page::parse(text));
    let mut operation = PublishedOperation {
        name: "GET /a".into(),
        ..PublishedOperation::default()
    };
    let meaning = "The name. At most 9 letters.".to_owned();
    operation.attribute_meanings.insert("name".into(), meaning);
    operation
        .attributes
        .insert("name".into(), PublishedNeed::Always);
    code.interface.operations.push(operation);
    code.shown
        .insert("x".into(), EvidenceShown::new("x", "name".into()));
    code.shown
        .insert("y".into(), EvidenceShown::new("y", "other".into()));
    let rows = generate::rows(&page, &code);
    assert_eq!(
        rows.len(),
        1,
        "a row of a rule, or of what is not there, stays"
    );
    assert_eq!(rows[&5], "| `name` | required; the name | [x] |");
    assert_eq!(generate::stale(text, &rows).len(), 1);
    let blessed = generate::page(text, &rows);
    assert_eq!(generate::stale(&blessed, &rows), [""; 0]);
}
