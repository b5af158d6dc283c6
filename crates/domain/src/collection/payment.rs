//! Payments to collections. Each must be recognised by the session under which its bank moved the
//! money, however often and by which way it is reported.

use super::CollectionFee;
use crate::account::AccountId;
use crate::ledger::{LedgerAccount, Transfer, TransferKind};
use crate::money::Money;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use std::fmt;

/// The number under which banks know one movement of money between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BankSession(String);

/// The text is no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -")]
pub struct InvalidBankSession;

impl BankSession {
    /// Most characters: those of the interbank scheme have 30, other systems' references more.
    pub const LENGTH_MAX: usize = 64;

    /// Reads a session.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], and other characters.
    pub fn parse(text: &str) -> Result<Self, InvalidBankSession> {
        let is_one = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len()) && text.bytes().all(is_one);
        fits.then(|| Self(text.to_owned()))
            .ok_or(InvalidBankSession)
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BankSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who says that money arrived. A session is one of its source: what the sandbox makes up is never
/// taken for a bank's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CollectionSource {
    /// The operator's bank, by its statement.
    Bank,
    /// The sandbox, for test accounts.
    Sandbox,
}

impl CollectionSource {
    /// Every source.
    pub const ALL: [Self; 2] = [Self::Bank, Self::Sandbox];

    /// Its word in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Bank => "bank",
            Self::Sandbox => "sandbox",
        }
    }

    /// The source of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// Who paid, as the bank says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionPayer {
    /// The name.
    pub name: Option<String>,
    /// The bank.
    pub bank: Option<String>,
    /// The account there: nothing but its last four digits is kept.
    pub account_last: Option<String>,
}

/// A payment to a collection. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectedPayment {
    /// Whose collection.
    pub account: AccountId,
    /// The gateway's number of the payment, unique in the account among payments.
    pub number: TransactionNumber,
    /// The collection.
    pub collection: TransactionNumber,
    /// The merchant's reference of the collection.
    pub reference: MerchantReference,
    /// Who says that it arrived.
    pub source: CollectionSource,
    /// Under which session; the source has it once.
    pub session: BankSession,
    /// How much arrived.
    pub amount: Money,
    /// What is charged for it.
    pub fee: CollectionFee,
    /// Who paid.
    pub payer: CollectionPayer,
    /// When the bank took it.
    pub paid_at: Timestamp,
    /// When it was recorded and credited.
    pub at: Timestamp,
}

impl CollectedPayment {
    /// The transfers that book it: all of it is credited, and the charge is taken from there.
    pub fn transfers(&self) -> Vec<Transfer> {
        let available = || LedgerAccount::Available(self.account.clone());
        let of = |what: &str| format!("{what} {}: {}", self.number, self.reference);
        let legs = [
            (
                TransferKind::Collection,
                (LedgerAccount::Collections, available()),
                (self.amount, of("Payment")),
            ),
            (
                TransferKind::CollectionCharge,
                (available(), LedgerAccount::ChargesRevenue),
                (self.fee.charge, of("Charge of payment")),
            ),
            (
                TransferKind::CollectionVat,
                (available(), LedgerAccount::VatPayable),
                (self.fee.vat, of("VAT on the charge of payment")),
            ),
        ];
        let legs = legs.into_iter();
        let moved = legs.filter(|(_, _, (amount, _))| amount.is_positive());
        moved
            .map(|(kind, (debit, credit), (amount, narration))| Transfer {
                transaction: None,
                kind,
                debit,
                credit,
                amount,
                narration: Some(narration),
                at: self.at,
            })
            .collect()
    }

    /// What is left for the merchant.
    pub fn net(&self) -> Money {
        let none = Money::zero(self.amount.currency());
        self.fee.net(self.amount).unwrap_or(none)
    }

    /// Whether another report is of the same payment: the same money for the same collection. When
    /// it was recorded, and what was charged, may differ.
    pub fn is_of(&self, other: &Self) -> bool {
        (&self.account, self.collection, self.amount)
            == (&other.account, other.collection, other.amount)
    }
}
