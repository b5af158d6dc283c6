//! Pages of a statement out of the rows a store found. What is counted, cut and turned round must
//! be the same whatever the rows came from.

use crate::PART;
use crate::record::LineRow;
use domain::statement::{Direction, Sort, StatementEntry, StatementPage, StatementQuery};
use ports::PortError;

/// The farthest a page may begin: beyond any statement, and sums with it stay in range.
const OFFSET_MAX: i64 = i64::MAX / 4;

/// Where a page begins, as a number a database can calculate with.
pub fn offset(query: &StatementQuery) -> i64 {
    i64::try_from(query.offset)
        .unwrap_or(OFFSET_MAX)
        .min(OFFSET_MAX)
}

/// What a store found for a page: the counters of the wallet, and the lines in the order of their
/// positions. Where a reference is asked for, all lines of its transaction; otherwise those of the
/// page alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundPage {
    /// How many debits the statement has.
    pub debits: i64,
    /// How many credits the statement has.
    pub credits: i64,
    /// The lines.
    pub lines: Vec<LineRow>,
}

impl FoundPage {
    /// The page a query asks for.
    ///
    /// # Errors
    /// When a row breaks a rule.
    pub fn page(self, query: &StatementQuery) -> Result<StatementPage, PortError> {
        let (debits, credits) = (counter(self.debits)?, counter(self.credits)?);
        let total = debits.saturating_add(credits);
        let lines = self.lines.into_iter();
        let mut entries: Vec<_> = lines.map(LineRow::restore).collect::<Result<_, _>>()?;
        let found = match (&query.reference, query.direction) {
            (None, None) => total,
            (None, Some(Direction::Debit)) => debits,
            (None, Some(Direction::Credit)) => credits,
            (Some(_), direction) => {
                entries.retain(|entry| direction.is_none_or(|only| entry.direction == only));
                u64::try_from(entries.len()).unwrap_or(u64::MAX)
            }
        };
        if query.sort == Sort::Descending {
            entries.reverse();
        }
        if query.reference.is_some() {
            entries = cut(entries, query);
        }
        Ok(StatementPage {
            entries,
            total,
            found,
        })
    }
}

/// The part of a few lines that a page shows.
fn cut(entries: Vec<StatementEntry>, query: &StatementQuery) -> Vec<StatementEntry> {
    let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
    let length = usize::try_from(query.length).unwrap_or(usize::MAX);
    entries.into_iter().skip(offset).take(length).collect()
}

fn counter(stored: i64) -> Result<u64, PortError> {
    u64::try_from(stored).map_err(|_| PortError::new(PART, "a statement's counter is below zero"))
}
