//! What a merchant asks for. It must say everything by which a repeated request is recognised.

use super::{
    CHECKOUT_LIFE, CheckoutTerms, Collection, CollectionKind, CollectionPurpose, CustomerIdentity,
    NewCheckout, VirtualAccount,
};
use crate::account::EmailAddress;
use crate::bank::GroupLabel;
use crate::money::{Currency, Money};
use crate::phone::PhoneNumber;
use crate::reference::MerchantReference;
use crate::time::Timestamp;
use std::time::Duration;

/// The smallest amount to collect: NGN 1.00.
pub const COLLECTION_MIN: Money = Money::from_minor(100, Currency::Ngn);

/// The largest: NGN 1,000,000,000.00, what large taxes come to. What is larger is a mistake of
/// digits.
pub const COLLECTION_MAX: Money = Money::from_minor(100_000_000_000, Currency::Ngn);

/// How long a collection may wait for its money: ten years, within which debts are paid off.
pub const COLLECTION_LIFE_MAX: Duration = Duration::from_hours(3653 * 24);

/// Why an amount is none to collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCollectionAmount {
    /// Below [`COLLECTION_MIN`].
    #[error("is too small; the smallest is {COLLECTION_MIN}")]
    TooSmall,
    /// Above [`COLLECTION_MAX`].
    #[error("is too large; the largest is {COLLECTION_MAX}")]
    TooLarge,
}

/// A virtual account to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVirtualAccount {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who will pay into it.
    pub customer: GroupLabel,
    /// The same.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// The same.
    pub identity: Option<CustomerIdentity>,
    /// Whether it is for one payment.
    pub is_single: bool,
    /// What is to be paid.
    pub amount: Option<Money>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A payment reference to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPaymentReference {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who will pay.
    pub payer: GroupLabel,
    /// For what.
    pub purpose: CollectionPurpose,
    /// How much.
    pub amount: Money,
    /// Until when.
    pub due_at: Timestamp,
    /// Whether it may be paid in parts.
    pub in_parts: bool,
}

/// A collection to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewCollection {
    /// An account number.
    Account(NewVirtualAccount),
    /// A payment reference.
    Invoice(NewPaymentReference),
    /// A checkout session.
    Checkout(NewCheckout),
}

impl NewCollection {
    /// Checks an amount.
    ///
    /// # Errors
    /// Refuses what is not between [`COLLECTION_MIN`] and [`COLLECTION_MAX`].
    pub const fn check(amount: Money) -> Result<(), InvalidCollectionAmount> {
        if amount.minor() < COLLECTION_MIN.minor() {
            Err(InvalidCollectionAmount::TooSmall)
        } else if amount.minor() > COLLECTION_MAX.minor() {
            Err(InvalidCollectionAmount::TooLarge)
        } else {
            Ok(())
        }
    }

    /// The merchant's reference.
    pub const fn reference(&self) -> &MerchantReference {
        match self {
            Self::Account(wanted) => &wanted.reference,
            Self::Invoice(wanted) => &wanted.reference,
            Self::Checkout(wanted) => &wanted.reference,
        }
    }

    /// When it ends, where it does, if it is made at a moment.
    pub fn expires_at(&self, made: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Account(wanted) => wanted.expires_at,
            Self::Invoice(wanted) => Some(wanted.due_at),
            Self::Checkout(wanted) => Some(wanted.expires_at.unwrap_or(made.plus(CHECKOUT_LIFE))),
        }
    }

    /// Whether a collection is the one that is wanted.
    pub fn made(&self, collection: &Collection) -> bool {
        match (self, &collection.kind) {
            (Self::Account(wanted), CollectionKind::Account(made)) => {
                let VirtualAccount {
                    bank: _,
                    number: _,
                    email,
                    phone,
                    identity,
                    is_single,
                } = made;
                (&wanted.reference, &wanted.customer) == (&collection.reference, &collection.payer)
                    && (&wanted.email, &wanted.phone, &wanted.identity) == (email, phone, identity)
                    && (wanted.is_single, wanted.amount, wanted.expires_at)
                        == (*is_single, collection.amount, collection.expires_at)
            }
            (
                Self::Invoice(wanted),
                CollectionKind::Invoice {
                    reference: _,
                    purpose,
                    in_parts,
                },
            ) => {
                (&wanted.reference, &wanted.payer) == (&collection.reference, &collection.payer)
                    && (wanted.purpose, wanted.in_parts) == (*purpose, *in_parts)
                    && (Some(wanted.amount), Some(wanted.due_at))
                        == (collection.amount, collection.expires_at)
            }
            (Self::Checkout(wanted), CollectionKind::Checkout(made)) => {
                let CheckoutTerms {
                    reference: _,
                    email,
                    phone,
                    redirect,
                    items,
                } = made;
                let expires_at = self.expires_at(collection.created_at);
                (&wanted.reference, &wanted.customer) == (&collection.reference, &collection.payer)
                    && (&wanted.email, &wanted.phone) == (email, phone)
                    && (&wanted.redirect, &wanted.items) == (redirect, items)
                    && (Some(wanted.amount), expires_at)
                        == (collection.amount, collection.expires_at)
            }
            (
                Self::Account(_) | Self::Invoice(_) | Self::Checkout(_),
                CollectionKind::Account(_)
                | CollectionKind::Invoice { .. }
                | CollectionKind::Checkout(_)
                | CollectionKind::Bill(_),
            ) => false,
        }
    }
}
