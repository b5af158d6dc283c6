//! The table of DT One's answers, read from `data/answers.toml`. What the table does not list must
//! never be read as a definite answer.

use domain::provider::RefusalKind;
use serde::Deserialize;

const TABLE: &str = include_str!("../data/answers.toml");

/// What a state says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateMeaning {
    /// Handed over.
    Delivered,
    /// Not decided.
    Pending,
    /// Certainly not handed over.
    Declined,
    /// Handed over, and taken back since.
    Reversed,
}

/// What an error says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorMeaning {
    /// Nothing was made of the request.
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

impl Fault {
    const fn kind(self) -> RefusalKind {
        match self {
            Self::Order => RefusalKind::Order,
            Self::Account => RefusalKind::Account,
            Self::Moment => RefusalKind::Moment { retry_after: None },
            Self::Lookalike => RefusalKind::Lookalike,
        }
    }
}

/// A class of states.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtoneState {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub class: String,
    /// What it says.
    pub meaning: StateMeaning,
}

/// Why a transaction was refused.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtoneReason {
    /// What follows the class.
    pub word: String,
    kind: Fault,
}

impl DtoneReason {
    /// Whose fault it is.
    pub const fn kind(&self) -> RefusalKind {
        self.kind.kind()
    }
}

/// An error of a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtoneError {
    /// Its code, seven digits.
    pub code: String,
    /// The HTTP status that it comes with.
    pub http: u16,
    /// What it is about.
    pub about: String,
    /// What it says.
    pub meaning: ErrorMeaning,
    kind: Fault,
}

impl DtoneError {
    /// Whose fault it is.
    pub const fn kind(&self) -> RefusalKind {
        self.kind.kind()
    }
}

/// The table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtoneAnswers {
    state: Vec<DtoneState>,
    reason: Vec<DtoneReason>,
    error: Vec<DtoneError>,
}

impl DtoneAnswers {
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

    /// The row of a class by its number and, where it is given, its name; `None` where they are not
    /// listed together.
    pub fn state(&self, id: u32, class: Option<&str>) -> Option<&DtoneState> {
        let row = self.state.iter().find(|row| row.id == id)?;
        class.is_none_or(|class| class == row.class).then_some(row)
    }

    /// Whose fault a refusal is, by its class and its whole message. A refusal without a listed
    /// reason is the order's, which allows no other route.
    pub fn kind(&self, state: &DtoneState, message: &str) -> RefusalKind {
        let reason = message.strip_prefix(&state.class);
        let reason = reason.and_then(|reason| reason.strip_prefix('-'));
        let row = self.reason.iter().find(|row| reason == Some(&row.word));
        row.map_or(RefusalKind::Order, DtoneReason::kind)
    }

    /// An error's row; `None` where it is not listed with this status.
    pub fn error(&self, code: &str, http: u16) -> Option<&DtoneError> {
        let found = |row: &&DtoneError| row.code == code && row.http == http;
        self.error.iter().find(found)
    }

    /// Every class.
    pub fn states(&self) -> &[DtoneState] {
        &self.state
    }

    /// Every reason.
    pub fn reasons(&self) -> &[DtoneReason] {
        &self.reason
    }

    /// Every error.
    pub fn errors(&self) -> &[DtoneError] {
        &self.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_reason_and_error_has_one_row() {
        let table = DtoneAnswers::embedded();
        assert!(table.states().is_sorted_by(|a, b| a.id < b.id));
        assert!(table.errors().is_sorted_by(|a, b| a.code < b.code));
        let mut words: Vec<_> = table.reasons().iter().map(|row| &row.word).collect();
        words.sort_unstable();
        assert!(words.is_sorted_by(|a, b| a < b), "{words:?}");
    }

    #[test]
    fn a_class_is_its_number_and_its_name() {
        let table = DtoneAnswers::embedded();
        let meaning = |id, class| table.state(id, class).map(|row| row.meaning);
        assert_eq!(meaning(7, Some("COMPLETED")), Some(StateMeaning::Delivered));
        assert_eq!(meaning(7, None), Some(StateMeaning::Delivered));
        assert_eq!(meaning(7, Some("DECLINED")), None);
        assert_eq!(meaning(6, None), None);
    }

    #[test]
    fn only_a_listed_reason_allows_another_route() {
        let table = DtoneAnswers::embedded();
        let state = table.state(9, None).unwrap();
        let allows = |message| table.kind(state, message).allows_another_route();
        assert!(allows("DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE"));
        assert!(allows("DECLINED-INSUFFICIENT-BALANCE"));
        for message in [
            "DECLINED",
            "DECLINED-EXCEPTION",
            "DECLINED-DUPLICATED-TRANSACTION",
            "REJECTED-INSUFFICIENT-BALANCE",
            "DECLINED-INSUFFICIENT-BALANCE-OR-NOT",
            "",
        ] {
            assert!(!allows(message), "{message}");
        }
    }
}
