//! What the merchant asked to pay, and to whom.

use super::recipient::Recipient;
use crate::account::{AccountIdentity, AccountName};
use crate::bank::Narration;
use crate::family::FamilyOrder;
use crate::money::{Currency, Money};
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// Least of a transfer, in kobo: the rows that it leaves cost more than less is worth.
const LEAST: i64 = 100;

/// Most of a transfer, in kobo: as much as a payout may be.
const MOST: i64 = 1_000_000_000;

/// A transfer to another account as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserTransfer {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// What identifies the account that is paid.
    pub identity: AccountIdentity,
    /// How much.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
}

/// A transfer to another account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserOrder {
    /// What identifies the account that is paid.
    pub identity: AccountIdentity,
    /// How much.
    pub amount: Money,
    /// What it is for.
    pub narration: Narration,
    /// The name of the account that pays, for the statement of the one that is paid.
    pub from: AccountName,
    /// Who is paid, as it was known when the transfer was opened.
    pub recipient: Recipient,
}

/// Least and most of one transfer to another account.
pub const fn user_limits() -> (Money, Money) {
    let least = Money::from_minor(LEAST, Currency::Ngn);
    (least, Money::from_minor(MOST, Currency::Ngn))
}

impl FamilyOrder for UserOrder {
    /// It holds an address and a text.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::User
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("Transfer to {}", self.identity.masked())
    }

    fn recipient(&self) -> Option<&Recipient> {
        Some(&self.recipient)
    }

    fn awaited(&self) -> Option<&AccountIdentity> {
        match self.recipient {
            Recipient::Unclaimed { .. } => Some(&self.identity),
            Recipient::Account(_) => None,
        }
    }

    fn narration_at_payee(&self) -> String {
        format!("Transfer from {}: {}", self.from.as_str(), self.narration)
    }

    fn digits(&self) -> &str {
        match &self.identity {
            AccountIdentity::Phone(phone) => PhoneNumber::digits(phone),
            AccountIdentity::Id(_) | AccountIdentity::Email(_) => "",
        }
    }

    /// No person can say that it happened: it is booked or it is not.
    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}
