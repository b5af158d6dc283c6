//! What is written for each kind of mutant.

use std::fs;
use std::process::Command;

use super::edits::{FilePlan, Numbered};
use super::source_text::SourceText;
use crate::mutants::list::{Genre, Mutant, Place};
use crate::mutants::samples::mutant;

/// A mutant of what stands in the source first.
fn of(source: &str, genre: Genre, found: &str, replacement: &str) -> Mutant {
    let at = source.find(found).unwrap();
    let line_start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut mutant = mutant("a.rs", 1, "any");
    mutant.genre = genre;
    mutant.replacement = replacement.to_owned();
    mutant.span.start = Place {
        line: source[..at].matches('\n').count() + 1,
        column: at - line_start + 1,
    };
    mutant
}

fn switched(source: &str, mutants: &[Mutant]) -> (String, FilePlan) {
    let numbered: Vec<Numbered<'_>> = mutants.iter().enumerate().collect();
    let plan = FilePlan::new(source, &numbered).unwrap();
    let text = SourceText::new(source, &plan.edits).text;
    (text.replace("::mutant_switch::is_on", "on"), plan)
}

#[test]
fn a_body_returns_before_it_begins_and_is_const_no_longer() {
    let source = "const fn f() -> bool { g() }";
    let mutants = [of(source, Genre::FnValue, "g()", "true")];
    let (text, plan) = switched(source, &mutants);
    assert_eq!(text, " fn f() -> bool { if on(0) { return true; } g() }");
    assert_eq!(plan.const_functions, [("f".to_owned(), 0)]);
}

#[test]
fn operators_within_operators_each_have_a_choice() {
    let source = "fn f() { !a && b }";
    let mutants = [
        of(source, Genre::BinaryOperator, "&&", "||"),
        of(source, Genre::UnaryOperator, "!", ""),
    ];
    let (text, _) = switched(source, &mutants);
    let operand = "(if on(1) { (a) } else { (!a) })";
    let expected = format!(
        "fn f() {{ (if on(0) {{ (({operand}) || (b)) }} else {{ (({operand}) && (b)) }}) }}"
    );
    assert_eq!(text, expected);
}

#[test]
fn arms_and_guards_have_a_condition_more() {
    let source = "fn f() { match a { A => 1, b if c => 2, _ => 3 } }";
    let mutants = [
        of(source, Genre::MatchArm, "A =>", ""),
        of(source, Genre::MatchArmGuard, "c =>", "true"),
        of(source, Genre::MatchArmGuard, "c =>", "false"),
    ];
    let (text, _) = switched(source, &mutants);
    let arms = "A if !on(0) => 1, b if (on(1) || (!on(2) && (c))) => 2, _ => 3";
    assert_eq!(text, format!("fn f() {{ match a {{ {arms} }} }}"));
}

#[test]
fn a_field_is_taken_from_what_the_structure_is_made_after() {
    let source = "fn f() { A { b: 1, c, ..d } }";
    let mutants = [of(source, Genre::StructField, "b: 1", "")];
    let (text, _) = switched(source, &mutants);
    let choice = "(if on(0) { (A {  c, ..d }) } else { (A { b: 1, c, ..d }) })";
    assert_eq!(text, format!("fn f() {{ {choice} }}"));
}

#[test]
fn a_constant_and_a_condition_with_a_let_have_no_switch() {
    let source = "const A: u8 = 1 + 2; fn f() { if a && let Some(b) = c {} }";
    let mutants = [
        of(source, Genre::BinaryOperator, "+", "-"),
        of(source, Genre::BinaryOperator, "&&", "||"),
    ];
    let (text, plan) = switched(source, &mutants);
    assert_eq!(text, source);
    assert_eq!(plan.unviable, [1]);
}

/// The whole way: a program that is compiled once behaves as each of its mutants.
#[test]
fn a_program_is_its_mutants_by_turns() {
    let source = "fn main() { std::process::exit(if value(2) > 3 { value(2) } else { 1 }) }
        fn value(a: i32) -> i32 { match a { 2 => a * 3, _ => 0 } }";
    let mutants = [
        of(source, Genre::BinaryOperator, ">", "<"),
        of(source, Genre::BinaryOperator, "*", "+"),
        of(source, Genre::MatchArm, "2 =>", ""),
        of(source, Genre::FnValue, "match", "9"),
    ];
    let numbered: Vec<Numbered<'_>> = mutants.iter().enumerate().collect();
    let plan = FilePlan::new(source, &numbered).unwrap();
    let text = SourceText::new(source, &plan.edits).text;
    let text = text.replace("::mutant_switch", "mutant_switch");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("main.rs");
    let library = folder.path().join("mutant_switch.rs");
    fs::write(&library, super::CRATE).unwrap();
    fs::write(&file, format!("mod mutant_switch;\n{text}")).unwrap();
    let program = folder.path().join("program");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2024", "--cap-lints", "allow", "-o"]);
    assert!(
        compiler
            .arg(&program)
            .arg(&file)
            .status()
            .unwrap()
            .success()
    );

    let record = folder.path().join("reached");
    let status = |number: &str| {
        let mut run = Command::new(&program);
        run.env("MUTANT_ON", number).env("MUTANTS_COUNT", "4");
        run.env("MUTANTS_REACHED", &record);
        run.status().unwrap().code()
    };
    assert_eq!(status("").unwrap(), 6);
    let reached = fs::read_to_string(&record).unwrap();
    assert_eq!(
        reached.split_whitespace().collect::<Vec<_>>(),
        ["0", "3", "2", "1"]
    );
    assert_eq!(
        ["0", "1", "2", "3"].map(status).map(Option::unwrap),
        [1, 5, 1, 9]
    );
}
