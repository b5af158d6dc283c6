//! What of a transaction is sealed at rest: meter tokens, and the records of families that hold
//! what is for few to read. Everything else stays readable in the database, and nothing that is
//! searched for may be sealed.

use super::state::StateRecord;
use super::{StoredProgress, StoredPurchase, TransactionRow};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::transaction::Transaction;
use ports::PortError;
use serde::Serialize;
use serde_json::value::RawValue;

/// A document as it is stored.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ConfidentialDocument<T> {
    /// As JSON.
    Readable(T),
    /// The same, sealed.
    Sealed(String),
}

impl<T: Serialize> ConfidentialDocument<T> {
    /// The text of its column.
    ///
    /// # Errors
    /// When it cannot be written, which no record is known for.
    pub fn into_text(self) -> Result<String, PortError> {
        match self {
            Self::Readable(record) => json(&record),
            Self::Sealed(text) => Ok(text),
        }
    }

    /// The same with its text made, for a statement that takes rows as JSON.
    ///
    /// # Errors
    /// When it cannot be written, which no record is known for.
    pub fn written(self) -> Result<ConfidentialDocument<Box<RawValue>>, PortError> {
        match self {
            Self::Readable(record) => {
                let raw = RawValue::from_string(json(&record)?);
                let unwritten = |error| PortError::caused(PART, "write a record", error);
                Ok(ConfidentialDocument::Readable(raw.map_err(unwritten)?))
            }
            Self::Sealed(text) => Ok(ConfidentialDocument::Sealed(text)),
        }
    }
}

impl ConfidentialDocument<Box<RawValue>> {
    /// The text of its column.
    pub fn text(&self) -> &str {
        match self {
            Self::Readable(raw) => raw.get(),
            Self::Sealed(text) => text,
        }
    }
}

/// The names of the fields, which are sealed together with them.
const PURCHASE: &str = "transactions.purchase";
const PROGRESS: &str = "transactions.progress";
const TOKEN: &str = "transactions.token";

impl<'a> StoredPurchase<'a> {
    /// The record of a transaction's order and quote, as it is stored.
    ///
    /// # Errors
    /// When it cannot be sealed.
    pub fn stored(
        tx: &'a Transaction,
        cipher: &FieldCipher,
    ) -> Result<ConfidentialDocument<Self>, PortError> {
        document((PURCHASE, tx), Self::of(tx), cipher)
    }
}

impl<'a> StoredProgress<'a> {
    /// The record of where a transaction stands, as it is stored: without its meter token.
    ///
    /// # Errors
    /// When it cannot be sealed.
    pub fn stored(
        tx: &'a Transaction,
        cipher: &FieldCipher,
    ) -> Result<ConfidentialDocument<Self>, PortError> {
        let mut record = Self::of(tx);
        if let Some(token) = record.state.token() {
            *token = None;
        }
        document((PROGRESS, tx), record, cipher)
    }
}

/// The meter token of a transaction, as it is stored.
///
/// # Errors
/// When it cannot be sealed.
pub fn token(tx: &Transaction, cipher: &FieldCipher) -> Result<Option<String>, PortError> {
    let mut state = StateRecord::from(&tx.state);
    let digits = state.token().and_then(Option::take);
    let seal = |digits| {
        cipher.seal(
            &place(TOKEN, tx.account.as_str(), &tx.number.to_string()),
            digits,
        )
    };
    digits.as_deref().map(seal).transpose()
}

fn document<T: Serialize>(
    (field, tx): (&str, &Transaction),
    record: T,
    cipher: &FieldCipher,
) -> Result<ConfidentialDocument<T>, PortError> {
    if !tx.order.is_confidential() {
        return Ok(ConfidentialDocument::Readable(record));
    }
    let number = tx.number.to_string();
    let sealed = cipher.seal(&place(field, tx.account.as_str(), &number), &json(&record)?)?;
    Ok(ConfidentialDocument::Sealed(sealed))
}

impl TransactionRow {
    /// The row with its authentication codes checked, where rows must have them, and its sealed
    /// fields opened. One that was altered is refused when it is restored.
    #[must_use]
    pub fn authenticated(mut self, cipher: &FieldCipher) -> Self {
        if cipher.macs().are_required() {
            self.authenticity = cipher.macs().check_transaction(&self);
        }
        self.opened(cipher)
    }

    /// The row with its sealed fields opened. What does not open is refused when it is restored.
    #[must_use]
    pub fn opened(mut self, cipher: &FieldCipher) -> Self {
        let number = self.number.to_string();
        let open = |field, text| cipher.open(&place(field, &self.account, &number), text);
        self.purchase = open(PURCHASE, self.purchase);
        self.progress = open(PROGRESS, self.progress);
        self.token = self.token.map(|token| open(TOKEN, token));
        self
    }
}

/// The progress of a transaction with its seal opened. What does not open is left as it is.
pub fn opened_progress(
    cipher: &FieldCipher,
    (account, number): (&str, i64),
    progress: String,
) -> String {
    cipher.open(&place(PROGRESS, account, &number.to_string()), progress)
}

/// What was bought by a transaction, with its seal opened. What does not open is left as it is.
pub(super) fn opened_purchase(
    cipher: &FieldCipher,
    (account, number): (&str, i64),
    purchase: String,
) -> String {
    cipher.open(&place(PURCHASE, account, &number.to_string()), purchase)
}

const fn place<'a>(field: &'a str, account: &'a str, number: &'a str) -> [&'a str; 3] {
    [field, account, number]
}

fn json<T: Serialize>(record: &T) -> Result<String, PortError> {
    serde_json::to_string(record).map_err(|error| PortError::caused(PART, "encode a record", error))
}
