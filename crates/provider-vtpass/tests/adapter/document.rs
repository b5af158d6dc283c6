//! The page for operators shows the table of codes as the adapter reads it.

use provider_vtpass::CodeTable;

const PAGE: &str = include_str!("../../../../docs/providers/vtpass.md");

#[test]
fn the_page_shows_every_row_of_the_table() {
    let word = |meaning: &dyn std::fmt::Debug| format!("{meaning:?}");
    let expected: Vec<_> = CodeTable::embedded()
        .rows()
        .iter()
        .map(|row| {
            let kind = word(&row.kind());
            let kind = kind.split_whitespace().next().unwrap_or_default();
            let (submit, query) = (word(&row.submit), word(&row.query));
            let refuses = [&submit, &query]
                .iter()
                .any(|it| ["Declined", "Confirm", "Status"].contains(&it.as_str()));
            let kind = if refuses { kind } else { "–" };
            format!(
                "| {} | {} | {submit} | {query} | {kind} |",
                row.code, row.meaning
            )
        })
        .collect();
    let shown: Vec<_> = PAGE
        .lines()
        .filter(|line| line.starts_with("| 0"))
        .collect();
    assert_eq!(
        shown,
        expected,
        "write these rows:\n{}",
        expected.join("\n")
    );
}
