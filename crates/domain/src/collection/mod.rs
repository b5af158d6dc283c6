//! Money that others pay to a merchant: into an account number of its own, or under a payment
//! reference. What was paid must never be read from a collection, only from its payments.

mod bill;
mod charge;
mod checkout;
mod number;
mod payment;
mod state;
mod wanted;

pub use bill::{BILL_ITEMS_MAX, BillTerms};
pub use charge::{CollectionCharge, CollectionCharges, CollectionFee, InvalidCollectionCharges};
pub use checkout::{
    CHECKOUT_LIFE, CHECKOUT_LIFE_MAX, CheckoutStatus, CheckoutTerms, InvalidRedirectUrl,
    NewCheckout, RedirectUrl, SALE_ITEMS_MAX, SALE_QUANTITY_MAX, SaleItem,
};
pub use number::{InvalidCollectionReference, InvalidRange, PaymentReference, VirtualAccountRange};
pub use payment::{
    BankSession, CollectedPayment, CollectionPayer, CollectionSource, InvalidBankSession,
};
pub use state::{CollectionPaid, CollectionState, CollectionStatus};
pub use wanted::{
    COLLECTION_LIFE_MAX, COLLECTION_MAX, COLLECTION_MIN, InvalidCollectionAmount, NewCollection,
    NewPaymentReference, NewVirtualAccount,
};

use crate::account::{AccountId, EmailAddress};
use crate::bank::{AccountNumber, GroupLabel};
use crate::money::Money;
use crate::phone::PhoneNumber;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// How many virtual accounts an account makes: each takes a number out of the operator's range for
/// ever, also once it is closed, and a range has ten thousand to a hundred million.
pub const VIRTUAL_ACCOUNTS_MAX: u32 = 10_000;

/// What a payment reference is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionPurpose {
    /// A fee.
    Fee,
    /// A tax.
    Tax,
    /// A fine.
    Fine,
    /// A debt.
    Debt,
}

impl CollectionPurpose {
    /// Every purpose.
    pub const ALL: [Self; 4] = [Self::Fee, Self::Tax, Self::Fine, Self::Debt];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fee => "fee",
            Self::Tax => "tax",
            Self::Fine => "fine",
            Self::Debt => "debt",
        }
    }

    /// The purpose of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// Which register a customer's identity was checked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdentityRegister {
    /// The bank verification number.
    Bvn,
    /// The national identification number.
    Nin,
}

impl IdentityRegister {
    /// Every register.
    pub const ALL: [Self; 2] = [Self::Bvn, Self::Nin];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Bvn => "bvn",
            Self::Nin => "nin",
        }
    }

    /// The register of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// By which number a customer is known there: its last four digits, which say no more than which of
/// two numbers it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerIdentity {
    /// The register.
    pub register: IdentityRegister,
    /// The last four digits.
    pub last: String,
}

impl CustomerIdentity {
    /// Digits of a number in either register.
    pub const DIGITS: usize = 11;
    /// How many of them are kept.
    pub const KEPT: usize = 4;

    /// Keeps of a number what is kept of one; `None` where it is none of the register.
    pub fn of(register: IdentityRegister, number: &str) -> Option<Self> {
        let fits = number.len() == Self::DIGITS && number.bytes().all(|b| b.is_ascii_digit());
        let kept = number.get(Self::DIGITS.saturating_sub(Self::KEPT)..);
        let last = kept.filter(|_| fits)?.to_owned();
        Some(Self { register, last })
    }
}

/// What was agreed for a virtual account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VirtualAccount {
    /// The bank that keeps it, by its legal name.
    pub bank: GroupLabel,
    /// Its number, which no other collection has or will have.
    pub number: AccountNumber,
    /// Of the customer who pays into it.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// The same.
    pub identity: Option<CustomerIdentity>,
    /// Whether it is for one payment.
    pub is_single: bool,
}

/// How payers reach a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectionKind {
    /// By a transfer to an account number of its own.
    Account(VirtualAccount),
    /// By a number that the payer names.
    Invoice {
        /// The number, which no other collection has or will have.
        reference: PaymentReference,
        /// What is paid.
        purpose: CollectionPurpose,
        /// Whether it may be paid in parts.
        in_parts: bool,
    },
    /// By a number that the payer reads on a page of the gateway.
    Checkout(CheckoutTerms),
    /// By a number that the payer reads on an invoice.
    Bill(BillTerms),
}

impl CollectionKind {
    /// The number that payers type.
    pub fn payee(&self) -> &str {
        match self {
            Self::Account(account) => account.number.digits(),
            Self::Invoice { reference, .. } => reference.as_str(),
            Self::Checkout(terms) => terms.reference.as_str(),
            Self::Bill(terms) => terms.reference.as_str(),
        }
    }
}

/// What its merchant allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionAdmission {
    /// Payers may pay.
    Active,
    /// Not for now.
    Suspended,
    /// No more, for ever.
    Closed,
}

impl CollectionAdmission {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Active, Self::Suspended, Self::Closed];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Closed => "closed",
        }
    }

    /// The one of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// What a merchant does with a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionStep {
    /// Takes no payments for now.
    Suspend,
    /// Takes them again.
    Resume,
    /// Takes none any more.
    Close,
}

/// A collection as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account among collections.
    pub number: TransactionNumber,
    /// The merchant's reference, unique in the account among collections for ever.
    pub reference: MerchantReference,
    /// Who pays.
    pub payer: GroupLabel,
    /// How payers reach it.
    pub kind: CollectionKind,
    /// What is to be paid; `None` for an account that takes any amount.
    pub amount: Option<Money>,
    /// From when on it counts as expired, unless it was paid.
    pub expires_at: Option<Timestamp>,
    /// What its merchant allows.
    pub admission: CollectionAdmission,
    /// Raised by each step of its merchant.
    pub version: u32,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Why a step of a collection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CollectionRefusal {
    /// It was changed since; it has this version.
    #[error("it has version {0}")]
    Changed(u32),
    /// It is closed, which is for ever.
    #[error("it is closed")]
    Closed,
}

impl Collection {
    /// It after a step. A step that changes nothing leaves the version.
    ///
    /// # Errors
    /// Refuses a version other than the one that was seen, and every other step once it is closed.
    pub fn after(
        &self,
        step: CollectionStep,
        seen: Option<u32>,
    ) -> Result<Self, CollectionRefusal> {
        let admission = match step {
            CollectionStep::Suspend => CollectionAdmission::Suspended,
            CollectionStep::Resume => CollectionAdmission::Active,
            CollectionStep::Close => CollectionAdmission::Closed,
        };
        if admission == self.admission {
            return Ok(self.clone());
        }
        if seen.is_some_and(|seen| seen != self.version) {
            return Err(CollectionRefusal::Changed(self.version));
        }
        if self.admission == CollectionAdmission::Closed {
            return Err(CollectionRefusal::Closed);
        }
        Ok(Self {
            admission,
            version: self.version.saturating_add(1),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests;
