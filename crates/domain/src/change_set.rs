//! One business step as a pure value, applied wholly or not at all by a store. It carries its own
//! guards; it must never need a look at the store to be understood.

use crate::account::AccountId;
use crate::batch::BatchOpening;
use crate::collection::CollectedPayment;
use crate::ledger::{LedgerAccount, Transfer, TransferKind};
use crate::money::Money;
pub use crate::opening::{Opening, Origin};
use crate::reference::MerchantReference;
use crate::reference_settlement::ReferenceSettlement;
use crate::time::Timestamp;
pub use crate::transaction::StateChange;
use crate::voucher::VoucherStep;

/// One business step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeSet {
    /// Money comes in.
    Fund(Funding),
    /// A transaction begins.
    Open(Box<Opening>),
    /// A batch begins with all its transactions.
    OpenBatch(Box<BatchOpening>),
    /// A transaction moves on.
    Advance(Box<StateChange>),
    /// A reference that only a provider knows is settled.
    Settle(Box<ReferenceSettlement>),
    /// A payment to a collection arrived.
    Collect(Box<CollectedPayment>),
    /// Codes are made, redeemed, restored or ended.
    Voucher(Box<VoucherStep>),
}

impl ChangeSet {
    /// The account it is about: each has exactly one.
    pub fn account(&self) -> &AccountId {
        match self {
            Self::Fund(funding) => &funding.account,
            Self::Open(opening) => &opening.transaction.account,
            Self::OpenBatch(opening) => &opening.batch().account,
            Self::Advance(advance) => &advance.transaction.account,
            Self::Settle(settlement) => settlement.owner(),
            Self::Collect(payment) => &payment.account,
            Self::Voucher(step) => step.wallet().0,
        }
    }
}

/// What the references of corrections begin with, so that they share none with payments in.
const ADJUSTMENT_PREFIX: &str = "adjustment:";

/// The reference under which a correction is booked that an operator named so; none where that is
/// too long.
pub fn adjustment_reference(named: &MerchantReference) -> Option<MerchantReference> {
    MerchantReference::parse(&format!("{ADJUSTMENT_PREFIX}{named}")).ok()
}

/// Whether a reference is that of a correction, so that nothing else may be booked under it.
pub fn is_adjustment(reference: &MerchantReference) -> bool {
    reference.as_str().starts_with(ADJUSTMENT_PREFIX)
}

/// Money paid in by an operator, or a correction of a balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funding {
    /// Whom to credit.
    pub account: AccountId,
    /// The operator's unique reference per account: a repeated credit is refused.
    pub reference: MerchantReference,
    /// How much: above zero, or below it for a correction downwards.
    pub amount: Money,
    /// One line for the statement.
    pub narration: String,
    /// When it was decided.
    pub at: Timestamp,
}

impl Funding {
    /// The transfer that books it.
    pub fn transfer(&self) -> Transfer {
        let available = LedgerAccount::Available(self.account.clone());
        let is_correction = is_adjustment(&self.reference);
        let (kind, debit, credit) = if !is_correction {
            (TransferKind::Fund, LedgerAccount::Funding, available)
        } else if self.amount.minor() < 0 {
            let own = LedgerAccount::Adjustments;
            (TransferKind::AdjustmentDebit, available, own)
        } else {
            let own = LedgerAccount::Adjustments;
            (TransferKind::AdjustmentCredit, own, available)
        };
        let minor = self.amount.minor();
        // A payment in below zero is none: the ledger refuses it.
        let minor = if is_correction {
            minor.saturating_abs()
        } else {
            minor
        };
        Transfer {
            transaction: None,
            kind,
            debit,
            credit,
            amount: Money::from_minor(minor, self.amount.currency()),
            narration: Some(self.narration.clone()),
            at: self.at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    fn adjusted(minor: i64) -> Transfer {
        let named = MerchantReference::parse("fix-1").unwrap();
        let funding = Funding {
            account: AccountId::parse("shop").unwrap(),
            reference: adjustment_reference(&named).unwrap(),
            amount: Money::from_minor(minor, Currency::Ngn),
            narration: "Adjustment".to_owned(),
            at: Timestamp::from_millis(1),
        };
        funding.transfer()
    }

    #[test]
    fn a_correction_moves_money_between_the_wallet_and_the_adjustments() {
        let (up, down) = (adjusted(500), adjusted(-500));
        assert_eq!(up.kind, TransferKind::AdjustmentCredit);
        assert_eq!(down.kind, TransferKind::AdjustmentDebit);
        assert_eq!((&up.debit, &up.credit), (&down.credit, &down.debit));
        assert_eq!(up.debit, LedgerAccount::Adjustments);
        assert_eq!((up.amount, down.amount), (up.amount, up.amount));
        assert!(up.amount.is_positive());
    }

    #[test]
    fn the_reference_of_a_correction_is_of_nothing_else() {
        let named = MerchantReference::parse("fix-1").unwrap();
        assert!(!is_adjustment(&named));
        assert!(is_adjustment(&adjustment_reference(&named).unwrap()));
        let longest = "x".repeat(MerchantReference::LENGTH_MAX);
        let longest = MerchantReference::parse(&longest).unwrap();
        assert_eq!(adjustment_reference(&longest), None);
    }
}
