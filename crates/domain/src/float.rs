//! Our money at a provider: what is left of it, and the provider's own statement of what it did
//! with it. Both are the provider's word: they must be compared with the ledger and never booked.

use crate::money::Money;
use crate::provider::{ProviderId, ProviderTransactionId};
use crate::reference::{MerchantReference, ProviderReference};
use crate::time::Timestamp;

/// Most lines of one page of a statement: a line of the provider protocol takes 1 KiB at the most,
/// so a page fits into a body of 64 KiB.
pub const PROVIDER_STATEMENT_LINES_MAX: usize = 50;

/// What is left of our money at a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderBalance {
    /// What it will deliver for.
    pub available: Money,
    /// What it has set aside for orders it has not finished, where it says so.
    pub held: Option<Money>,
    /// As of when.
    pub at: Timestamp,
}

/// Money that we paid to a provider, to deliver with; below zero, money that it paid back. The
/// ledger books it out of the float account of the provider, to the outside world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefunding {
    /// The provider.
    pub provider: ProviderId,
    /// The operator's unique reference per provider, such as that of the bank: a repeated entry is
    /// refused.
    pub reference: MerchantReference,
    /// How much, not zero.
    pub amount: Money,
    /// What it rests on, one line.
    pub reason: String,
    /// The operator who entered it.
    pub by: String,
    /// When it was entered.
    pub at: Timestamp,
}

/// What the ledger says of our money at a provider in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerFloat {
    /// What we paid in, less what was paid back.
    pub prefunded: Money,
    /// What it took for deliveries, less what it gave back.
    pub spent: Money,
}

impl LedgerFloat {
    /// What must be left; `None` beyond the largest amount.
    pub fn left(&self) -> Option<Money> {
        self.prefunded.checked_sub(self.spent)
    }
}

/// A span of time: its first moment belongs to it, its last does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementPeriod {
    /// The first moment.
    pub from: Timestamp,
    /// The moment after the last.
    pub to: Timestamp,
}

impl StatementPeriod {
    /// Whether a moment belongs to it.
    pub fn contains(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.to
    }
}

/// Where a statement goes on, as the provider wrote it. Nothing is read from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatementCursor(String);

/// The text cannot be a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be 1 to {} characters out of A-Z a-z 0-9 . _ ~ -",
    StatementCursor::LENGTH_MAX
)]
pub struct InvalidStatementCursor;

impl StatementCursor {
    /// Longest cursor in characters: it holds a place, not what was found there.
    pub const LENGTH_MAX: usize = 200;

    /// Reads a cursor: characters that a query of an address carries as they are.
    ///
    /// # Errors
    /// Refuses an empty text, one that is too long, and other characters.
    pub fn parse(text: &str) -> Result<Self, InvalidStatementCursor> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'~' | b'-');
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidStatementCursor)
    }

    /// The cursor as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a provider's statement says became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatedOutcome {
    /// It was delivered and is paid for.
    Delivered,
    /// It was not delivered and costs nothing.
    Declined,
    /// It was delivered, taken back, and the money returned.
    Reversed,
    /// Nothing is decided.
    Open,
}

impl StatedOutcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [Self::Delivered, Self::Declined, Self::Reversed, Self::Open];

    /// The lower-case word for people and documents.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Declined => "declined",
            Self::Reversed => "reversed",
            Self::Open => "pending",
        }
    }

    /// Reads the word; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// One line of a provider's statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatementLine {
    /// Our reference, as the provider has it; a line about something else has none.
    pub reference: Option<ProviderReference>,
    /// What the provider calls it.
    pub id: Option<ProviderTransactionId>,
    /// The value delivered, or to be delivered.
    pub amount: Money,
    /// What was taken for it, where the statement says so.
    pub cost: Option<Money>,
    /// What became of it.
    pub outcome: StatedOutcome,
    /// When the provider took it in.
    pub at: Timestamp,
}

/// A part of a provider's statement, in the provider's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatementPage {
    /// At most [`PROVIDER_STATEMENT_LINES_MAX`] lines.
    pub lines: Vec<ProviderStatementLine>,
    /// Where it goes on; `None` at the end.
    pub next: Option<StatementCursor>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_short_and_needs_no_escape_in_an_address() {
        let longest = "x".repeat(StatementCursor::LENGTH_MAX);
        for fits in ["0", "a.B_c~9-", &longest] {
            assert_eq!(StatementCursor::parse(fits).unwrap().as_str(), fits);
        }
        for wrong in ["", "a b", "a&b", "a=b", "a%20", "é", &format!("{longest}x")] {
            assert_eq!(StatementCursor::parse(wrong), Err(InvalidStatementCursor));
        }
    }

    #[test]
    fn the_words_of_outcomes_read_back() {
        for it in StatedOutcome::ALL {
            assert_eq!(StatedOutcome::from_code(it.code()), Some(it));
        }
        assert_eq!(StatedOutcome::from_code("Delivered"), None);
    }

    #[test]
    fn a_period_holds_its_first_moment_and_not_its_last() {
        let at = Timestamp::from_millis;
        let period = StatementPeriod {
            from: at(10),
            to: at(20),
        };
        let held = [9, 10, 19, 20].map(|millis| period.contains(at(millis)));
        assert_eq!(held, [false, true, true, false]);
    }
}
