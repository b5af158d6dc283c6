//! The table of Paystack's answers, read from `data/answers.toml`. What the table does not list
//! must never be read as a definite answer.

use domain::provider::RefusalKind;
use serde::Deserialize;

const TABLE: &str = include_str!("../data/answers.toml");

/// What a word of a transfer says in the answer to its submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusReading {
    /// Paid.
    Delivered,
    /// Not decided, or decided by the next query.
    Pending,
    /// Not decided before a person acts at the provider.
    Person,
    /// Nothing.
    Unknown,
}

/// What a word of a transfer says in the answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryReading {
    /// Paid.
    Delivered,
    /// Not decided.
    Pending,
    /// Not decided before a person acts at the provider.
    Person,
    /// Certainly not paid.
    Declined,
    /// Paid, and returned since.
    Reversed,
}

/// What a refusal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReading {
    /// Nothing was made of the request.
    Declined,
    /// The reference was used before.
    Duplicate,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    Order,
    Account,
}

impl Fault {
    const fn kind(self) -> RefusalKind {
        match self {
            Self::Order => RefusalKind::Order,
            Self::Account => RefusalKind::Account,
        }
    }
}

/// A word of a transfer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaystackStatus {
    /// The word.
    pub word: String,
    /// What it means.
    pub meaning: String,
    /// What it says in the answer to a submission.
    pub submit: StatusReading,
    /// What it says in the answer to a query.
    pub query: QueryReading,
    kind: Fault,
}

impl PaystackStatus {
    /// Whose fault it is where it refuses.
    pub const fn kind(&self) -> RefusalKind {
        self.kind.kind()
    }
}

/// A refusal of a request: it is known by its code or by its message.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaystackRefusal {
    /// The code, where it is known by that.
    pub code: Option<String>,
    /// The whole message, where it is known by that.
    pub message: Option<String>,
    /// What it means.
    pub meaning: String,
    /// What it says.
    pub reading: RefusalReading,
    kind: Fault,
}

impl PaystackRefusal {
    /// Whose fault it is.
    pub const fn kind(&self) -> RefusalKind {
        self.kind.kind()
    }
}

/// The table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaystackAnswers {
    status: Vec<PaystackStatus>,
    refusal: Vec<PaystackRefusal>,
}

impl PaystackAnswers {
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

    /// The row of a word; `None` where it is not listed.
    pub fn status(&self, word: &str) -> Option<&PaystackStatus> {
        self.status.iter().find(|row| row.word == word)
    }

    /// The row of a refusal. The code decides; where it is absent or not listed, the message does,
    /// which counts only whole, whatever the case and the full stop at its end.
    pub fn refusal(&self, code: Option<&str>, message: &str) -> Option<&PaystackRefusal> {
        let by_code = |row: &&PaystackRefusal| row.code.is_some() && row.code.as_deref() == code;
        let by_message = |row: &&PaystackRefusal| {
            let listed = row.message.as_deref();
            listed.is_some_and(|listed| plain(listed) == plain(message))
        };
        let mut rows = self.refusal.iter();
        rows.find(by_code)
            .or_else(|| self.refusal.iter().find(by_message))
    }

    /// Every word.
    pub fn statuses(&self) -> &[PaystackStatus] {
        &self.status
    }

    /// Every refusal.
    pub fn refusals(&self) -> &[PaystackRefusal] {
        &self.refusal
    }
}

fn plain(message: &str) -> String {
    message.trim().trim_end_matches('.').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_word_code_and_message_has_one_row() {
        let table = PaystackAnswers::embedded();
        let words: BTreeSet<_> = table.statuses().iter().map(|row| &row.word).collect();
        assert_eq!(words.len(), table.statuses().len());
        let mut keys = BTreeSet::new();
        for row in table.refusals() {
            let key = match (&row.code, &row.message) {
                (Some(code), None) => code.clone(),
                (None, Some(message)) => plain(message),
                (Some(_), Some(_)) | (None, None) => panic!("known by one of both: {row:?}"),
            };
            assert!(keys.insert(key), "{row:?}");
        }
    }

    #[test]
    fn the_code_decides_before_the_message_and_a_message_counts_whole() {
        let table = PaystackAnswers::embedded();
        let reading =
            |code: Option<&str>, message: &str| table.refusal(code, message).map(|row| row.reading);
        let poor = "Your balance is not enough to fulfil this request";
        let duplicate = Some("duplicate_transfer_reference");
        assert_eq!(reading(duplicate, poor), Some(RefusalReading::Duplicate));
        let declined = Some(RefusalReading::Declined);
        assert_eq!(reading(None, poor), declined);
        assert_eq!(reading(Some("not_listed"), &format!("{poor}.")), declined);
        for message in [
            "",
            "Your balance",
            &format!("{poor} or it may be"),
            "System Malfunction",
        ] {
            assert_eq!(reading(None, message), None, "{message}");
            assert_eq!(reading(Some("not_listed"), message), None, "{message}");
        }
    }

    /// A transfer that failed may in rare cases have been paid: nothing else may pay it again.
    #[test]
    fn no_refusal_that_may_still_be_paid_allows_another_route() {
        let table = PaystackAnswers::embedded();
        for word in ["failed", "reversed", "pending", "success", "received"] {
            let row = table.status(word).unwrap();
            assert!(!row.kind().allows_another_route(), "{row:?}");
        }
    }
}
