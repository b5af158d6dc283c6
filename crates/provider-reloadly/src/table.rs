//! The table of Reloadly's answers, read from `data/answers.toml`. What the table does not list
//! must never be read as a definite answer.

use domain::provider::RefusalKind;
use serde::Deserialize;

const TABLE: &str = include_str!("../data/answers.toml");

/// What the status of a transaction says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TopupMeaning {
    /// Credited.
    Delivered,
    /// Not decided.
    Pending,
    /// Not credited, which is final only after a time.
    Failed,
    /// Not credited or taken back, and our money is back.
    Refunded,
}

/// What an error says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TopupErrorMeaning {
    /// Nothing was credited.
    Declined,
    /// The identity was used before.
    Duplicate,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    Order,
    Account,
    Moment,
    Lookalike,
}

/// A status.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReloadlyStatus {
    /// The word.
    pub word: String,
    /// What it says.
    pub meaning: TopupMeaning,
}

/// An error of a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReloadlyError {
    /// Its code.
    pub code: String,
    /// What it is about.
    pub about: String,
    /// What it says.
    pub meaning: TopupErrorMeaning,
    kind: Fault,
}

impl ReloadlyError {
    /// Whose fault it is.
    pub const fn kind(&self) -> RefusalKind {
        match self.kind {
            Fault::Order => RefusalKind::Order,
            Fault::Account => RefusalKind::Account,
            Fault::Moment => RefusalKind::Moment { retry_after: None },
            Fault::Lookalike => RefusalKind::Lookalike,
        }
    }
}

/// The table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReloadlyAnswers {
    status: Vec<ReloadlyStatus>,
    error: Vec<ReloadlyError>,
}

impl ReloadlyAnswers {
    /// The table that is part of the program.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the table is compiled in, and tests read it"
    )]
    pub fn embedded() -> Self {
        // Panic safety: the table cannot change after the tests have read it.
        toml::from_str(TABLE).expect("a readable table of answers")
    }

    /// What a status says; `None` where it is not listed.
    pub fn status(&self, word: &str) -> Option<TopupMeaning> {
        let row = self.status.iter().find(|row| row.word == word)?;
        Some(row.meaning)
    }

    /// An error's row; `None` where it is not listed, and where the HTTP status says that nothing
    /// can be relied on.
    pub fn error(&self, code: &str, http: u16) -> Option<&ReloadlyError> {
        let is_refusal = (400..=499).contains(&http) && http != 429;
        let mut rows = self.error.iter();
        rows.find(|row| is_refusal && row.code == code)
    }

    /// Every status.
    pub fn statuses(&self) -> &[ReloadlyStatus] {
        &self.status
    }

    /// Every error.
    pub fn errors(&self) -> &[ReloadlyError] {
        &self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_and_error_has_one_row() {
        let table = ReloadlyAnswers::embedded();
        assert!(table.errors().is_sorted_by(|a, b| a.code < b.code));
        assert_eq!(table.statuses().len(), 4);
        assert_eq!(table.status("successful"), None);
        assert!(table.error("INSUFFICIENT_BALANCE", 400).is_some());
        for http in [200, 429, 500, 503] {
            assert!(table.error("INSUFFICIENT_BALANCE", http).is_none());
        }
    }
}
