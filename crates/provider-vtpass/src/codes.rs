//! The table of VTpass's codes, read from `data/codes.toml`. A code that the table does not list
//! must never be read as a definite answer.

use domain::provider::RefusalKind;
use serde::Deserialize;

const TABLE: &str = include_str!("../data/codes.toml");

/// What a code says of an attempt that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubmitMeaning {
    /// The word of the transaction decides.
    Status,
    /// Accepted.
    Pending,
    /// Refused.
    Declined,
    /// Refused, once a query says the same where refusals are confirmed.
    Confirm,
    /// The reference was used before.
    Duplicate,
    /// The provider's own error.
    Server,
    /// Nothing.
    Unknown,
}

/// What a code says of an attempt that was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryMeaning {
    /// The word of the transaction decides.
    Status,
    /// Accepted.
    Pending,
    /// Refused.
    Declined,
    /// The reference was never used.
    NotFound,
    /// Taken back.
    Reversed,
    /// Nothing.
    Unknown,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    Order,
    Account,
    Moment,
    Lookalike,
}

/// One row of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VtpassCode {
    /// The code, three digits.
    pub code: String,
    /// What it means.
    pub meaning: String,
    /// What it says in the answer to a purchase.
    pub submit: SubmitMeaning,
    /// What it says in the answer to a query.
    pub query: QueryMeaning,
    kind: Fault,
}

impl VtpassCode {
    /// Whose fault a refusal with this code is.
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
pub struct CodeTable {
    code: Vec<VtpassCode>,
}

impl CodeTable {
    /// The table that is part of the program.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the table is compiled in, and tests read it"
    )]
    pub fn embedded() -> Self {
        // Panic safety: the table cannot change after the tests have read it.
        toml::from_str(TABLE).expect("a readable table of codes")
    }

    /// A code's row; `None` where it is not listed.
    pub fn find(&self, code: &str) -> Option<&VtpassCode> {
        self.code.iter().find(|row| row.code == code)
    }

    /// Every row, by code.
    pub fn rows(&self) -> &[VtpassCode] {
        &self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_one_row_in_order() {
        let table = CodeTable::embedded();
        let codes: Vec<_> = table.rows().iter().map(|row| row.code.as_str()).collect();
        assert!(codes.is_sorted_by(|left, right| left < right), "{codes:?}");
        let three_digits =
            |code: &&str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit());
        assert!(codes.iter().all(three_digits), "{codes:?}");
        assert!(table.find("777").is_none());
    }

    /// A refusal that lets another route deliver is only one that is the account's or the moment's.
    #[test]
    fn no_refusal_that_may_still_be_delivered_allows_another_route() {
        for row in CodeTable::embedded().rows() {
            if row.submit == SubmitMeaning::Confirm || row.submit == SubmitMeaning::Status {
                assert!(!row.kind().allows_another_route(), "{row:?}");
            }
        }
    }
}
