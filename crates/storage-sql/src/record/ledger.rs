//! Rows of the ledger and of events, read back. An account of the chart must be one this gateway
//! knows: a word it does not know is an error, never skipped.

use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::AccountId;
use domain::event::{Event, EventKind};
use domain::ledger::{LedgerAccount, Transfer, TransferKind};
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::{Direction, StatementEntry};
use domain::time::Timestamp;
use ports::PortError;

/// A transfer as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransferRow {
    /// The number of the ledger entry.
    pub id: i64,
    /// The number of its transaction.
    pub transaction: Option<i64>,
    /// The word of its kind.
    pub kind: String,
    /// Kind and holder of the account debited.
    pub debit: (String, Option<String>),
    /// Kind and holder of the account credited.
    pub credit: (String, Option<String>),
    /// How much, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// One line for the statement.
    pub narration: Option<String>,
    /// When, in milliseconds.
    pub at: i64,
}

impl TransferRow {
    /// The transfer the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the ledger entry.
    pub fn restore(self) -> Result<Transfer, PortError> {
        let id = self.id;
        self.read()
            .map_err(|error| unreadable("transfer", id, error))
    }

    fn read(self) -> Result<Transfer, RecordError> {
        let kind = TransferKind::from_code(&self.kind).ok_or(RecordError::Value("kind"))?;
        Ok(Transfer {
            transaction: self.transaction.map(number).transpose()?,
            kind,
            debit: account(&self.debit)?,
            credit: account(&self.credit)?,
            amount: money(self.amount, &self.currency)?,
            narration: self.narration,
            at: Timestamp::from_millis(self.at),
        })
    }
}

/// A line of a statement as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineRow {
    /// The number of the ledger entry.
    pub id: i64,
    /// Number and reference of its transaction.
    pub transaction: Option<(i64, String)>,
    /// `debit` or `credit`.
    pub direction: String,
    /// What it was for.
    pub narration: Option<String>,
    /// How much, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Its place in the wallet's statement.
    pub position: i64,
    /// What can be spent after it, in minor units.
    pub available_after: i64,
    /// When, in milliseconds.
    pub at: i64,
}

impl LineRow {
    /// The line the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the ledger entry.
    pub fn restore(self) -> Result<StatementEntry, PortError> {
        let id = self.id;
        self.read()
            .map_err(|error| unreadable("statement line", id, error))
    }

    pub(super) fn read(self) -> Result<StatementEntry, RecordError> {
        let amount = money(self.amount, &self.currency)?;
        let after = money(self.available_after, &self.currency)?;
        let direction = match self.direction.as_str() {
            "debit" => Direction::Debit,
            "credit" => Direction::Credit,
            _ => return Err(RecordError::Value("direction")),
        };
        let before = match direction {
            Direction::Debit => after.checked_add(amount),
            Direction::Credit => after.checked_sub(amount),
        };
        let transaction = match self.transaction {
            None => None,
            Some((of, reference)) => {
                let reference = valid(MerchantReference::parse(&reference), "reference")?;
                Some((number(of)?, reference))
            }
        };
        Ok(StatementEntry {
            position: valid(u64::try_from(self.position), "position")?,
            transaction,
            direction,
            narration: self.narration.unwrap_or_default(),
            amount,
            before: before.ok_or(RecordError::Value("available_after"))?,
            after,
            at: Timestamp::from_millis(self.at),
        })
    }
}

/// The word of a direction.
pub const fn direction_code(direction: Direction) -> &'static str {
    match direction {
        Direction::Debit => "debit",
        Direction::Credit => "credit",
    }
}

/// An event as stored: sequence, word of its kind, and when in milliseconds.
///
/// # Errors
/// When the row breaks a rule; the error names the transaction.
pub fn event(
    transaction: TransactionNumber,
    (sequence, kind, at): (i64, &str, i64),
) -> Result<Event, PortError> {
    let read = || {
        Ok(Event {
            transaction,
            sequence: valid(u32::try_from(sequence), "sequence")?,
            kind: EventKind::from_code(kind).ok_or(RecordError::Value("kind"))?,
            at: Timestamp::from_millis(at),
        })
    };
    read().map_err(|error: RecordError| {
        PortError::caused(
            PART,
            format!("event {sequence} of {transaction} cannot be read"),
            error,
        )
    })
}

fn unreadable(what: &str, id: i64, error: RecordError) -> PortError {
    PortError::caused(PART, format!("{what} {id} cannot be read"), error)
}

fn number(stored: i64) -> Result<TransactionNumber, RecordError> {
    let number = u64::try_from(stored).unwrap_or_default();
    valid(TransactionNumber::try_new(number), "number")
}

fn money(minor: i64, currency: &str) -> Result<Money, RecordError> {
    let currency = Currency::from_code(currency).ok_or(RecordError::Value("currency"))?;
    Ok(Money::from_minor(minor, currency))
}

fn account((kind, holder): &(String, Option<String>)) -> Result<LedgerAccount, RecordError> {
    let merchant = |holder: &str| valid(AccountId::parse(holder), "account holder");
    let provider = |holder: &str| valid(ProviderId::parse(holder), "account holder");
    match (kind.as_str(), holder.as_deref()) {
        ("available", Some(holder)) => merchant(holder).map(LedgerAccount::Available),
        ("held", Some(holder)) => merchant(holder).map(LedgerAccount::Held),
        ("float", Some(holder)) => provider(holder).map(LedgerAccount::Float),
        (kind, None) => {
            let own = LedgerAccount::OWN
                .into_iter()
                .find(|own| own.kind() == kind);
            own.ok_or(RecordError::Value("ledger account"))
        }
        _ => Err(RecordError::Value("ledger account")),
    }
}
