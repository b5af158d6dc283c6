//! The page for operators shows the table of answers as the adapter reads it.

use provider_paystack::{PaystackAnswers, QueryReading, RefusalReading, StatusReading};

const PAGE: &str = include_str!("../../../../docs/providers/paystack.md");

#[test]
fn the_page_shows_every_row_of_the_table() {
    let table = PaystackAnswers::embedded();
    let words = table.statuses().iter().map(|row| {
        let submit = match row.submit {
            StatusReading::Delivered => "paid",
            StatusReading::Pending | StatusReading::Person => "pending",
            StatusReading::Unknown => "unknown, then asked about",
        };
        let query = match row.query {
            QueryReading::Delivered => "paid".to_owned(),
            QueryReading::Pending => "pending".to_owned(),
            QueryReading::Person => "pending, with an error in the log".to_owned(),
            QueryReading::Declined => format!("refused, {:?}", row.kind()),
            QueryReading::Reversed => "reversed".to_owned(),
        };
        format!("| `{}` | {} | {submit} | {query} |", row.word, row.meaning)
    });
    let refusals = table.refusals().iter().map(|row| {
        let known = match (&row.code, &row.message) {
            (Some(code), _) => format!("code `{code}`"),
            (None, message) => format!("“{}”", message.as_deref().unwrap_or_default()),
        };
        let reading = match row.reading {
            RefusalReading::Declined => format!("refused, {:?}", row.kind()),
            RefusalReading::Duplicate => "unknown, then asked about".to_owned(),
        };
        format!("| {known} | {} | {reading} |", row.meaning)
    });
    let expected: Vec<_> = words.chain(refusals).collect();
    let shown: Vec<_> = PAGE
        .lines()
        .filter(|line| {
            ["| `", "| code ", "| “"]
                .iter()
                .any(|it| line.starts_with(it))
        })
        .collect();
    assert_eq!(
        shown,
        expected,
        "write these rows:\n{}",
        expected.join("\n")
    );
}
