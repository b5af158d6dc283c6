//! The codes that one request makes. A batch must never change: what becomes of a code is in the
//! code.

use super::terms::VoucherTerms;
use super::{VoucherKind, VoucherPrefix};
use crate::account::AccountId;
use crate::money::Money;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::time::Timestamp;
use std::fmt;

/// Most codes of one batch.
pub const VOUCHERS_PER_BATCH_MAX: u32 = 1_000;

/// Random bytes that the codes of a batch are made from, with a secret of the installation. Neither
/// says a code without the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VoucherSeed(pub [u8; 32]);

impl fmt::Debug for VoucherSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VoucherSeed(…)")
    }
}

/// Which code of an account: the number of its batch and its place there, `7213340023-1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VoucherId {
    /// The number of the batch.
    pub batch: TransactionNumber,
    /// The place in the batch, from 1.
    pub position: u32,
}

impl VoucherId {
    /// Reads what [`Display`](fmt::Display) shows; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (batch, position) = text.split_once('-')?;
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(batch) || !are_digits(position) {
            return None;
        }
        let id = Self {
            batch: TransactionNumber::try_new(batch.parse().ok()?).ok()?,
            position: position.parse().ok()?,
        };
        let is_there = (1..=VOUCHERS_PER_BATCH_MAX).contains(&id.position);
        (is_there && id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for VoucherId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.batch, self.position)
    }
}

/// Codes that were made together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherBatch {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number, unique in the account among batches of codes.
    pub number: TransactionNumber,
    /// The merchant's reference, unique likewise.
    pub reference: MerchantReference,
    /// What the codes are.
    pub terms: VoucherTerms,
    /// How many.
    pub count: u32,
    /// What the merchant wants each to begin with.
    pub prefix: Option<VoucherPrefix>,
    /// What they are made from.
    pub seed: VoucherSeed,
    /// When they were made.
    pub created_at: Timestamp,
}

impl VoucherBatch {
    /// How many codes a batch of a kind may have.
    pub const fn count_max(kind: VoucherKind) -> u32 {
        match kind {
            VoucherKind::Promo => 1,
            VoucherKind::Voucher | VoucherKind::Coupon | VoucherKind::GiftCard => {
                VOUCHERS_PER_BATCH_MAX
            }
        }
    }

    /// The money that all of them hold to begin with; `None` where that is more than there may be.
    pub fn held(&self) -> Option<Money> {
        self.terms.held().checked_mul(self.count)
    }

    /// Which codes they are.
    pub fn ids(&self) -> impl Iterator<Item = VoucherId> + use<> {
        let batch = self.number;
        (1..=self.count).map(move |position| VoucherId { batch, position })
    }

    /// Whether another request asks for the same.
    pub fn is_of(&self, other: &Self) -> bool {
        let asked = |it: &Self| (it.reference.clone(), it.count, it.prefix.clone());
        asked(self) == asked(other) && self.terms == other.terms
    }
}
