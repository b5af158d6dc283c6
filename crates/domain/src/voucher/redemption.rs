//! Redemptions that were made. One must never change but by being rolled back, once.

use super::{VoucherId, VoucherLeft};
use crate::account::AccountId;
use crate::money::Money;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;

/// A redemption, and whether it was rolled back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRedemption {
    /// Whose.
    pub account: AccountId,
    /// The merchant's reference, unique in the account among redemptions.
    pub reference: MerchantReference,
    /// The code.
    pub voucher: VoucherId,
    /// What it was redeemed for.
    pub amount: Money,
    /// The payment that it lowers.
    pub target: Option<TransactionNumber>,
    /// What was taken off.
    pub discount: Money,
    /// What the code held besides and gave back.
    pub returned: Money,
    /// What was left of the code.
    pub left: VoucherLeft,
    /// When.
    pub at: Timestamp,
    /// How it was rolled back.
    pub rollback: Option<VoucherRollback>,
}

/// How a redemption was rolled back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRollback {
    /// The merchant's reference, unique in the account among rollbacks.
    pub reference: MerchantReference,
    /// Why, in the merchant's words.
    pub reason: String,
    /// What the code had then.
    pub left: VoucherLeft,
    /// When.
    pub at: Timestamp,
}
