//! What merchants ask for. Nothing here must be taken for something that was done.

use super::{VoucherCode, VoucherPrefix, VoucherTerms};
use crate::money::Money;
use crate::reference::MerchantReference;

/// Codes that are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVouchers {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// What they are.
    pub terms: VoucherTerms,
    /// How many.
    pub count: u32,
    /// What each begins with.
    pub prefix: Option<VoucherPrefix>,
}

/// A redemption that is wanted.
#[derive(Debug, Clone)]
pub struct NewRedemption {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The code.
    pub code: VoucherCode,
    /// For what, in the currency of the code, whichever it is.
    pub amount: Money,
    /// The payment that it lowers.
    pub target: Option<MerchantReference>,
}

/// A rollback that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRollback {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// That of the redemption.
    pub original: MerchantReference,
    /// Why.
    pub reason: String,
}
