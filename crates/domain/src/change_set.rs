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

/// Money paid in by an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funding {
    /// Whom to credit.
    pub account: AccountId,
    /// The operator's unique reference per account: a repeated credit is refused.
    pub reference: MerchantReference,
    /// How much, above zero.
    pub amount: Money,
    /// One line for the statement.
    pub narration: String,
    /// When it was decided.
    pub at: Timestamp,
}

impl Funding {
    /// The transfer that books it.
    pub fn transfer(&self) -> Transfer {
        Transfer {
            transaction: None,
            kind: TransferKind::Fund,
            debit: LedgerAccount::Funding,
            credit: LedgerAccount::Available(self.account.clone()),
            amount: self.amount,
            narration: Some(self.narration.clone()),
            at: self.at,
        }
    }
}
