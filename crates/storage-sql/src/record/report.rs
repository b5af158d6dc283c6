//! Rows of reports, read back. Of a transaction they hold what was bought and what its price did;
//! how it was delivered must not be read for a report.

use super::confidential::opened_purchase;
use super::{RecordError, StoredPurchase, scalar::valid};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::account::AccountId;
use domain::ledger::TransferKind;
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::pricing::Quote;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::reporting::{AcceptedTransaction, MovedPrice, SettledTransfer};
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};

/// The words of states that are not over.
const OPEN: [&str; 4] = ["queued", "sending", "in_doubt", "review"];

/// A transaction as reports read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcceptedRow {
    /// The gateway's number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The word of its state.
    pub state: String,
    /// What was bought, a [`StoredPurchase`].
    pub purchase: String,
    /// When it was opened, in milliseconds.
    pub opened_at: i64,
    /// When it last changed, in milliseconds.
    pub updated_at: i64,
    /// What was held, captured, released and returned, in minor units of the price's currency;
    /// `None` where nothing was.
    pub moved: [Option<i64>; 4],
}

impl AcceptedRow {
    /// The transaction the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the transaction.
    pub fn restore(
        self,
        account: &AccountId,
        cipher: &FieldCipher,
    ) -> Result<AcceptedTransaction, PortError> {
        let number = self.number;
        let read = self.read(account, cipher);
        read.map_err(|error| unreadable(number, error))
    }

    fn read(
        self,
        account: &AccountId,
        cipher: &FieldCipher,
    ) -> Result<AcceptedTransaction, RecordError> {
        let (order, quote) = bought(account, (self.number, self.purchase), cipher)?;
        let money = |minor: Option<i64>| {
            Money::from_minor(minor.unwrap_or_default(), quote.price.currency())
        };
        let [held, captured, released, returned] = self.moved.map(money);
        let number = u64::try_from(self.number).unwrap_or_default();
        let charged = quote.for_captured(captured, order.units());
        Ok(AcceptedTransaction {
            number: valid(TransactionNumber::try_new(number), "number")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            order,
            opened_at: Timestamp::from_millis(self.opened_at),
            updated_at: Timestamp::from_millis(self.updated_at),
            is_final: !OPEN.contains(&self.state.as_str()),
            moved: MovedPrice {
                held,
                captured,
                released,
                returned,
            },
            quote: charged.unwrap_or(quote),
        })
    }
}

/// A transfer as reports read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledRow {
    /// The number of the ledger entry.
    pub entry: i64,
    /// The word of its kind.
    pub kind: String,
    /// How much, in minor units.
    pub amount: i64,
    /// The code of the currency.
    pub currency: String,
    /// When, in milliseconds.
    pub at: i64,
    /// The number of its transaction and what was bought, a [`StoredPurchase`].
    pub bought: Option<(i64, String)>,
}

impl SettledRow {
    /// The transfer the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names its transaction or the ledger entry.
    pub fn restore(
        self,
        account: &AccountId,
        cipher: &FieldCipher,
    ) -> Result<SettledTransfer, PortError> {
        let entry = self.entry;
        let read = self.read(account, cipher);
        read.map_err(|error| {
            let what = format!("ledger entry {entry} cannot be read");
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(
        self,
        account: &AccountId,
        cipher: &FieldCipher,
    ) -> Result<SettledTransfer, RecordError> {
        let currency = Currency::from_code(&self.currency).ok_or(RecordError::Value("currency"))?;
        let bought = self.bought.map(|row| bought(account, row, cipher));
        let settled = SettledTransfer {
            entry: self.entry,
            kind: TransferKind::from_code(&self.kind).ok_or(RecordError::Value("kind"))?,
            amount: Money::from_minor(self.amount, currency),
            at: Timestamp::from_millis(self.at),
            bought: bought.transpose()?,
        };
        Ok(settled.of_what_was_used())
    }
}

/// The number after which a range begins; below every number where it begins with its moment.
pub fn number_after(after: Option<TransactionNumber>) -> i64 {
    after.map_or(-1, |it| i64::try_from(it.get()).unwrap_or(i64::MAX))
}

/// The same of ledger entries.
pub fn entry_after(after: Option<i64>) -> i64 {
    after.unwrap_or(-1)
}

fn bought(
    account: &AccountId,
    (number, purchase): (i64, String),
    cipher: &FieldCipher,
) -> Result<(Order, Quote), RecordError> {
    let purchase = opened_purchase(cipher, (account.as_str(), number), purchase);
    StoredPurchase::restore(&purchase)
}

fn unreadable(number: i64, error: RecordError) -> PortError {
    let what = format!("transaction {number} cannot be read");
    PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
}

#[cfg(test)]
mod tests {
    use super::OPEN;
    use crate::record::state_code;
    use domain::transaction::Status;
    use testkit::strategies::every_state;

    #[test]
    fn what_is_open_is_pending() {
        for history in every_state() {
            let transaction = history.last();
            let is_open = OPEN.contains(&state_code(&transaction.state));
            assert_eq!(is_open, transaction.status() == Status::Pending);
        }
    }
}
