//! The page for operators shows the table of answers as the adapter reads it.

use domain::provider::RefusalKind;
use provider_dtone::{DtoneAnswers, ErrorMeaning, StateMeaning};

const PAGE: &str = include_str!("../../../../docs/providers/dtone.md");

fn fault(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Order => "Order",
        RefusalKind::Account => "Account",
        RefusalKind::Moment { .. } => "Moment",
        RefusalKind::Lookalike => "Lookalike",
    }
}

#[test]
fn the_page_shows_every_row_of_the_table() {
    let table = DtoneAnswers::embedded();
    let states = table.states().iter().map(|row| {
        let (submit, query) = match row.meaning {
            StateMeaning::Delivered => ("delivered", "delivered"),
            StateMeaning::Pending => ("pending", "pending"),
            StateMeaning::Declined => ("refused", "refused"),
            StateMeaning::Reversed => ("unknown, then asked about", "reversed"),
        };
        format!("| {} `{}` | {submit} | {query} |", row.id, row.class)
    });
    let reasons = table.reasons().iter();
    let reasons = reasons.map(|row| format!("| `-{}` | {} |", row.word, fault(row.kind())));
    let errors = table.errors().iter().map(|row| {
        let meaning = match row.meaning {
            ErrorMeaning::Declined => format!("refused, {}", fault(row.kind())),
            ErrorMeaning::Duplicate => "unknown, then asked about".to_owned(),
        };
        format!(
            "| {} | {} | {} | {meaning} |",
            row.code, row.http, row.about
        )
    });
    let expected: Vec<_> = states.chain(reasons).chain(errors).collect();
    let is_row = |line: &&str| {
        let cell = line.strip_prefix("| ").unwrap_or_default();
        cell.starts_with("`-") || cell.starts_with(|c: char| c.is_ascii_digit())
    };
    let shown: Vec<_> = PAGE.lines().filter(is_row).collect();
    assert_eq!(
        shown,
        expected,
        "write these rows:\n{}",
        expected.join("\n")
    );
}
