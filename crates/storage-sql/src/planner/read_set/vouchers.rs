//! What must be read before steps of codes can be judged, and what was read.

use crate::record::{VoucherBatchRow, VoucherRedemptionRow, VoucherRow};
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::voucher::{VoucherId, VoucherStep};
use std::collections::BTreeSet;

/// What steps of codes need to know. The wallets of their accounts must be locked before: the steps
/// of an account in a currency wait for one another there.
#[derive(Debug, Default)]
pub struct VoucherReads<'a> {
    /// Batches by reference, to find taken.
    pub references: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Batches by number, to find taken.
    pub numbers: BTreeSet<(&'a AccountId, TransactionNumber)>,
    /// Codes to move on.
    pub codes: BTreeSet<(&'a AccountId, VoucherId)>,
    /// Redemptions by reference, to find taken or to roll back.
    pub redemptions: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Redemptions by the reference of their rollback, to find taken.
    pub rollbacks: BTreeSet<(&'a AccountId, &'a MerchantReference)>,
    /// Payments that may be lowered already.
    pub targets: BTreeSet<(&'a AccountId, TransactionNumber)>,
}

impl<'a> VoucherReads<'a> {
    /// Whether nothing must be read.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty() && self.codes.is_empty()
    }

    pub(super) fn add(&mut self, step: &'a VoucherStep) {
        let (account, _) = step.wallet();
        self.codes.extend(step.voucher().map(|id| (account, id)));
        match step {
            VoucherStep::Issue(issue) => {
                self.references.insert((account, &issue.batch.reference));
                self.numbers.insert((account, issue.batch.number));
            }
            VoucherStep::Redeem(step) => {
                self.redemptions.insert((account, &step.reference));
                self.targets
                    .extend(step.target.map(|target| (account, target)));
            }
            VoucherStep::RollBack(step) => {
                self.redemptions.insert((account, &step.original));
                self.rollbacks.insert((account, &step.reference));
            }
            VoucherStep::Void(_) => {}
        }
    }
}

/// What a store holds of it.
#[derive(Debug, Default)]
pub struct VoucherRows {
    /// Every batch that has one of the references or numbers.
    pub batches: Vec<VoucherBatchRow>,
    /// The codes.
    pub codes: Vec<VoucherRow>,
    /// The redemptions; one found in two ways may be there twice.
    pub redemptions: Vec<VoucherRedemptionRow>,
    /// The payments that are lowered, each with its account.
    pub targets: Vec<(String, i64)>,
}
