//! The page for operators shows the table of errors as the adapter reads it.

use domain::provider::RefusalKind;
use provider_reloadly::{ReloadlyAnswers, TopupErrorMeaning};

const PAGE: &str = include_str!("../../../../docs/providers/reloadly.md");

#[test]
fn the_page_shows_every_error_of_the_table() {
    let table = ReloadlyAnswers::embedded();
    let errors = table.errors().iter().map(|row| {
        let fault = match row.kind() {
            RefusalKind::Order => "Order",
            RefusalKind::Account => "Account",
            RefusalKind::Moment { .. } => "Moment",
            RefusalKind::Lookalike => "Lookalike",
        };
        let meaning = match row.meaning {
            TopupErrorMeaning::Declined => format!("refused, {fault}"),
            TopupErrorMeaning::Duplicate => "unknown, then asked about".to_owned(),
        };
        format!("| `{}` | {} | {meaning} |", row.code, row.about)
    });
    let expected: Vec<_> = errors.collect();
    let is_row = |line: &&str| {
        let code = line.strip_prefix("| `").unwrap_or_default();
        code.starts_with(|c: char| c.is_ascii_uppercase()) && code.contains('_')
    };
    let shown: Vec<_> = PAGE.lines().filter(is_row).collect();
    assert_eq!(
        shown,
        expected,
        "write these rows:\n{}",
        expected.join("\n")
    );
}
