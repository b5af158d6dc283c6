//! How a collection stands, which follows from what was paid to it. Nothing here may be stored.

use super::{CheckoutStatus, Collection, CollectionAdmission, CollectionKind};
use crate::money::Money;
use crate::time::Timestamp;

/// What was paid to a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectionPaid {
    /// All of it, before charges.
    pub total: Money,
    /// The largest payment.
    pub largest: Money,
    /// What was charged for them, with the tax on it.
    pub fees: Money,
    /// How many payments.
    pub count: u64,
}

/// How a collection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionStatus {
    /// An account that takes payments.
    Active,
    /// An invoice of which nothing was paid.
    Open,
    /// Less was paid than is due.
    Part,
    /// All was paid.
    Paid,
    /// Its time is over.
    Expired,
    /// Its merchant takes no payments for now.
    Suspended,
    /// Its merchant takes none any more.
    Closed,
}

/// A collection and what was paid to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionState {
    /// The collection.
    pub collection: Collection,
    /// What was paid.
    pub paid: CollectionPaid,
}

impl CollectionState {
    /// Whether all that is due was paid: in one payment, where it is not paid in parts.
    pub fn is_paid(&self) -> bool {
        let Some(due) = self.collection.amount else {
            return self.is_single() && self.paid.count > 0;
        };
        let paid = match self.collection.kind {
            CollectionKind::Invoice {
                in_parts: false, ..
            } => self.paid.largest,
            CollectionKind::Invoice { in_parts: true, .. }
            | CollectionKind::Account(_)
            | CollectionKind::Checkout(_)
            | CollectionKind::Bill(_) => self.paid.total,
        };
        paid.minor() >= due.minor()
    }

    /// The status at a moment. What is paid after the end is credited still, so that an expired or
    /// closed one may become paid.
    pub fn status(&self, now: Timestamp) -> CollectionStatus {
        let collection = &self.collection;
        // A void invoice is not paid by what arrives for it.
        let is_void = collection.admission == CollectionAdmission::Closed
            && matches!(collection.kind, CollectionKind::Bill(_));
        if is_void {
            return CollectionStatus::Closed;
        }
        if self.is_paid() && (collection.amount.is_some() || self.is_single()) {
            return CollectionStatus::Paid;
        }
        match collection.admission {
            CollectionAdmission::Closed => return CollectionStatus::Closed,
            CollectionAdmission::Suspended => return CollectionStatus::Suspended,
            CollectionAdmission::Active => {}
        }
        if collection.expires_at.is_some_and(|end| end <= now) {
            return CollectionStatus::Expired;
        }
        match (&collection.kind, self.paid.count > 0) {
            (CollectionKind::Account(_), false) => CollectionStatus::Active,
            (CollectionKind::Account(_), true) if collection.amount.is_none() => {
                CollectionStatus::Active
            }
            (
                CollectionKind::Invoice { .. }
                | CollectionKind::Checkout(_)
                | CollectionKind::Bill(_),
                false,
            ) => CollectionStatus::Open,
            (
                CollectionKind::Account(_)
                | CollectionKind::Invoice { .. }
                | CollectionKind::Checkout(_)
                | CollectionKind::Bill(_),
                true,
            ) => CollectionStatus::Part,
        }
    }

    /// The status at a moment as that of a checkout session, which its merchant cannot suspend.
    pub fn checkout_status(&self, now: Timestamp) -> CheckoutStatus {
        match self.status(now) {
            CollectionStatus::Active | CollectionStatus::Open | CollectionStatus::Part => {
                CheckoutStatus::Open
            }
            CollectionStatus::Paid => CheckoutStatus::Paid,
            CollectionStatus::Expired => CheckoutStatus::Expired,
            CollectionStatus::Suspended | CollectionStatus::Closed => CheckoutStatus::Cancelled,
        }
    }

    /// What was paid less what was to be paid, where something was paid: above zero where too
    /// much was, below where too little.
    pub fn difference(&self) -> Option<Money> {
        let amount = self.collection.amount.filter(|_| self.paid.count > 0)?;
        self.paid.total.checked_sub(amount)
    }

    /// What is due still; `None` where any amount is taken.
    pub fn due(&self) -> Option<Money> {
        let amount = self.collection.amount?;
        let zero = Money::zero(amount.currency());
        if self.is_paid() {
            return Some(zero);
        }
        let due = match self.collection.kind {
            CollectionKind::Invoice {
                in_parts: false, ..
            } => Some(amount),
            CollectionKind::Invoice { in_parts: true, .. }
            | CollectionKind::Account(_)
            | CollectionKind::Checkout(_)
            | CollectionKind::Bill(_) => amount.checked_sub(self.paid.total),
        };
        due.filter(|due| due.is_positive()).or(Some(zero))
    }

    fn is_single(&self) -> bool {
        match &self.collection.kind {
            CollectionKind::Account(account) => account.is_single,
            CollectionKind::Invoice { .. }
            | CollectionKind::Checkout(_)
            | CollectionKind::Bill(_) => false,
        }
    }
}
