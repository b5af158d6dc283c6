//! Short documents as PDF: a title, headings, labelled lines and amounts, on A4 pages. The same
//! document is always the same bytes: it holds no moment and no random name.

#![expect(
    clippy::float_arithmetic,
    reason = "places on a page are in points; amounts are texts here"
)]

mod encoding;
mod page;

use page::Pages;

/// A document that is being written, from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfDocument {
    title: String,
    rows: Vec<Row>,
}

/// What one row of a document shows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Row {
    Heading(String),
    Line { label: String, text: String },
    Amount { label: String, amount: String },
    Total { label: String, amount: String },
    Note(String),
}

impl PdfDocument {
    /// A document with nothing but a title.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            rows: Vec::new(),
        }
    }

    /// A heading of what follows.
    #[must_use]
    pub fn heading(self, text: &str) -> Self {
        self.with(Row::Heading(text.to_owned()))
    }

    /// A text beside its label; a long one is continued below.
    #[must_use]
    pub fn line(self, label: &str, text: &str) -> Self {
        self.with(Row::Line {
            label: label.to_owned(),
            text: text.to_owned(),
        })
    }

    /// An amount at the right margin.
    #[must_use]
    pub fn amount(self, label: &str, amount: &str) -> Self {
        self.with(Row::Amount {
            label: label.to_owned(),
            amount: amount.to_owned(),
        })
    }

    /// What amounts come to, in bold below a line.
    #[must_use]
    pub fn total(self, label: &str, amount: &str) -> Self {
        self.with(Row::Total {
            label: label.to_owned(),
            amount: amount.to_owned(),
        })
    }

    /// A remark; a long one is continued below.
    #[must_use]
    pub fn note(self, text: &str) -> Self {
        self.with(Row::Note(text.to_owned()))
    }

    fn with(mut self, row: Row) -> Self {
        self.rows.push(row);
        self
    }

    /// The document as a file. Characters that the fonts every reader has do not hold are shown
    /// without their marks, or as a question mark.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut pages = Pages::new();
        pages.title(&self.title);
        for row in &self.rows {
            match row {
                Row::Heading(text) => pages.heading(text),
                Row::Line { label, text } => pages.line(label, text),
                Row::Amount { label, amount } => pages.amount(label, amount),
                Row::Total { label, amount } => pages.total(label, amount),
                Row::Note(text) => pages.note(text),
            }
        }
        pages.finish(&self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(document: &PdfDocument) -> String {
        String::from_utf8_lossy(&document.to_bytes()).into_owned()
    }

    #[test]
    fn a_document_shows_its_rows_in_their_order() {
        let document = PdfDocument::new("Pay slip")
            .heading("Pay")
            .line("Staff", "E-17 (ADA)")
            .amount("Gross pay", "120,000.00")
            .total("Net pay", "100,000.00")
            .note("Paid.");
        let file = texts(&document);
        assert!(file.starts_with("%PDF-1."), "{file}");
        assert!(file.trim_end().ends_with("%%EOF"), "{file}");
        let shown = [
            "(Pay slip) Tj",
            "(Pay) Tj",
            "(Staff) Tj",
            "(E-17 (ADA)) Tj",
            "(120,000.00) Tj",
            "(Net pay) Tj",
            "(100,000.00) Tj",
            "(Paid.) Tj",
        ];
        let places: Vec<_> = shown.iter().map(|text| file.find(text)).collect();
        assert!(places.iter().all(Option::is_some), "{places:?} {file}");
        assert!(places.is_sorted(), "{places:?}");
        assert_eq!(document.to_bytes(), document.to_bytes());
    }

    #[test]
    fn a_long_document_goes_on_on_another_page() {
        let count = |rows: usize| {
            let rows = 0..rows;
            let document = rows.fold(PdfDocument::new("Rows"), |document, n| {
                document.amount(&format!("Row {n}"), "1.00")
            });
            texts(&document).matches("/Type /Page\n").count()
        };
        assert_eq!(count(10), 1);
        assert!(count(200) > 3);
    }

    #[test]
    fn a_long_text_is_continued_and_never_cut() {
        let words = vec!["wonderful"; 40].join(" ");
        let file = texts(&PdfDocument::new("Long").line("Words", &words).note(&words));
        assert_eq!(file.matches("wonderful").count(), 80, "{file}");
        let unbroken = "x".repeat(300);
        let file = texts(&PdfDocument::new("Long").line("Word", &unbroken));
        assert!(file.matches('x').count() >= 300, "{file}");
    }

    proptest! {
        #[test]
        fn any_text_is_written(text in any::<String>()) {
            let document = PdfDocument::new(&text).heading(&text).line(&text, &text);
            let document = document.amount(&text, &text).total(&text, &text).note(&text);
            let file = document.to_bytes();
            prop_assert!(file.starts_with(b"%PDF-1."));
            prop_assert!(file.ends_with(b"%%EOF"));
        }
    }
}
