//! The steps of codes as change sets. Each must name the wallet that its money is of, also where no
//! money moves: the steps of an account wait for one another there.

use super::{Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherRedemption};
use crate::account::AccountId;
use crate::ledger::{LedgerAccount, Transfer, TransferKind};
use crate::money::{Currency, Money};
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// A step of codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoucherStep {
    /// Codes are made.
    Issue(VoucherIssue),
    /// One is redeemed.
    Redeem(VoucherRedeeming),
    /// A redemption is taken back.
    RollBack(VoucherRollingBack),
    /// One is ended.
    Void(VoucherVoiding),
}

/// Codes to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherIssue {
    /// What they are.
    pub batch: VoucherBatch,
    /// The keyed hash of each, in the order of their places.
    pub hashes: Vec<VoucherCodeHash>,
}

/// A code to redeem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRedeeming {
    /// Whose.
    pub account: AccountId,
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The code.
    pub voucher: VoucherId,
    /// For what.
    pub amount: Money,
    /// The payment that it lowers.
    pub target: Option<TransactionNumber>,
    /// When.
    pub at: Timestamp,
}

/// A redemption to take back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRollingBack {
    /// Whose.
    pub account: AccountId,
    /// The merchant's reference of this step.
    pub reference: MerchantReference,
    /// That of the redemption.
    pub original: MerchantReference,
    /// The code that was redeemed.
    pub voucher: VoucherId,
    /// The currency of the code.
    pub currency: Currency,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// A code to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherVoiding {
    /// Whose.
    pub account: AccountId,
    /// The code.
    pub voucher: VoucherId,
    /// The currency of the code.
    pub currency: Currency,
    /// The version that was seen.
    pub seen: Option<u32>,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

impl VoucherStep {
    /// The account and the currency of the wallet that its money is of.
    pub fn wallet(&self) -> (&AccountId, Currency) {
        match self {
            Self::Issue(issue) => (&issue.batch.account, issue.batch.terms.currency),
            Self::Redeem(step) => (&step.account, step.amount.currency()),
            Self::RollBack(step) => (&step.account, step.currency),
            Self::Void(step) => (&step.account, step.currency),
        }
    }

    /// Whether it is no end of something earlier: a frozen account does not take it.
    pub const fn is_new(&self) -> bool {
        match self {
            Self::Issue(_) | Self::Redeem(_) => true,
            Self::RollBack(_) | Self::Void(_) => false,
        }
    }

    /// The code that it is about; none where codes are made.
    pub const fn voucher(&self) -> Option<VoucherId> {
        match self {
            Self::Issue(_) => None,
            Self::Redeem(step) => Some(step.voucher),
            Self::RollBack(step) => Some(step.voucher),
            Self::Void(step) => Some(step.voucher),
        }
    }
}

impl VoucherBatch {
    /// The transfer that gives the codes their money, where they hold any.
    pub fn transfer(&self) -> Option<Transfer> {
        let held = self.held()?;
        let what = format!("Codes {}: {} made", self.reference, self.count);
        let moved = (TransferKind::VoucherIssue, held, what);
        transfer((&self.account, self.created_at), moved)
    }
}

impl VoucherRedemption {
    /// The transfers that give the money of a code back to its merchant.
    pub fn transfers(&self, voucher: &Voucher) -> Vec<Transfer> {
        if !voucher.terms.kind.holds_money() {
            return Vec::new();
        }
        let of = (&self.account, self.at);
        let used = format!("Code {}: redeemed for {}", self.voucher, self.reference);
        let rest = format!("Code {}: rest after {}", self.voucher, self.reference);
        [
            transfer(of, (TransferKind::VoucherRedeem, self.discount, used)),
            transfer(of, (TransferKind::VoucherReturn, self.returned, rest)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The transfer that gives a code its money again, where it held any.
    pub fn restoring(&self, voucher: &Voucher, at: Timestamp) -> Option<Transfer> {
        let what = format!("Code {}: {} rolled back", self.voucher, self.reference);
        let moved = (TransferKind::VoucherRestore, voucher.taken(self), what);
        transfer((&self.account, at), moved)
    }
}

impl Voucher {
    /// The transfer that gives its money back to its merchant as it is ended.
    pub fn returning(&self, at: Timestamp) -> Option<Transfer> {
        let what = format!("Code {}: voided", self.id);
        let moved = (TransferKind::VoucherReturn, self.left.balance, what);
        transfer((&self.account, at), moved)
    }
}

fn transfer(
    (account, at): (&AccountId, Timestamp),
    (kind, amount, narration): (TransferKind, Money, String),
) -> Option<Transfer> {
    let available = LedgerAccount::Available(account.clone());
    let vouchers = LedgerAccount::Vouchers(account.clone());
    let is_given = matches!(
        kind,
        TransferKind::VoucherIssue | TransferKind::VoucherRestore
    );
    let (debit, credit) = if is_given {
        (available, vouchers)
    } else {
        (vouchers, available)
    };
    amount.is_positive().then_some(Transfer {
        transaction: None,
        kind,
        debit,
        credit,
        amount,
        narration: Some(narration),
        at,
    })
}
