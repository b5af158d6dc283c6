//! Vouchers, gift cards, coupons and promo codes of a merchant. What a code is worth must never be
//! looked for outside its state: each step here is judged by it alone.

mod batch;
mod code;
mod redemption;
mod step;
mod terms;
mod wanted;

pub use batch::{VOUCHERS_PER_BATCH_MAX, VoucherBatch, VoucherId, VoucherSeed};
pub use code::{InvalidVoucherCode, VoucherCode, VoucherCodeHash, VoucherPrefix};
pub use redemption::{VoucherRedemption, VoucherRollback};
pub use step::{VoucherIssue, VoucherRedeeming, VoucherRollingBack, VoucherStep, VoucherVoiding};
pub use terms::{
    InvalidVoucherTerms, VOUCHER_LIFE_MAX, VOUCHER_USES_MAX, VoucherKind, VoucherRules,
    VoucherTerms, VoucherWorth,
};
pub use wanted::{NewRedemption, NewRollback, NewVouchers};

use crate::account::AccountId;
use crate::money::Money;
use crate::time::Timestamp;

/// What a code may still be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoucherStatus {
    /// It can be redeemed.
    Active,
    /// Nothing is left of it.
    Redeemed,
    /// Its time is over.
    Expired,
    /// Its merchant ended it.
    Void,
}

/// What is left of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoucherLeft {
    /// The money it holds; zero for what holds none.
    pub balance: Money,
    /// How often it may be redeemed; `None` where only its money bounds that.
    pub uses: Option<u32>,
}

/// A code as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voucher {
    /// Whose, the only account that may redeem it.
    pub account: AccountId,
    /// Which.
    pub id: VoucherId,
    /// What it is.
    pub terms: VoucherTerms,
    /// What is left of it.
    pub left: VoucherLeft,
    /// When its merchant ended it.
    pub voided_at: Option<Timestamp>,
    /// Raised by each step.
    pub version: u32,
}

/// Why a step of a code is refused. Nothing of it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VoucherRefusal {
    /// The account has no such code, or batch, or redemption.
    #[error("it is not known")]
    Unknown,
    /// The number of a batch is in use; draw another.
    #[error("the number is in use")]
    NumberTaken,
    /// The reference was used for another step of the kind.
    #[error("the reference was used")]
    ReferenceTaken,
    /// It is not active, but this.
    #[error("it is not active")]
    NotActive(VoucherStatus),
    /// The amount is in another currency than the code.
    #[error("it is in another currency")]
    OtherCurrency,
    /// The amount is below the least of its rules.
    #[error("the amount is below {0}")]
    BelowMinimum(Money),
    /// The amount is above the most of its rules.
    #[error("the amount is above {0}")]
    AboveMaximum(Money),
    /// So little is lowered by less than the smallest unit of money.
    #[error("nothing would be taken off")]
    NothingOff,
    /// Another code lowers the payment already.
    #[error("the payment is lowered already")]
    TargetTaken,
    /// The redemption was rolled back before, under another reference.
    #[error("it was rolled back before")]
    RolledBack,
    /// The code was changed since; it has this version.
    #[error("it has version {0}")]
    Changed(u32),
}

/// What redeeming a code comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherUse {
    /// The code afterwards.
    pub voucher: Voucher,
    /// What is taken off.
    pub discount: Money,
    /// What it held besides and gives back, because it can be used once.
    pub returned: Money,
}

impl Voucher {
    /// A new code of a batch.
    pub fn of(batch: &VoucherBatch, position: u32) -> Self {
        Self {
            account: batch.account.clone(),
            id: VoucherId {
                batch: batch.number,
                position,
            },
            terms: batch.terms.clone(),
            left: batch.terms.whole(),
            voided_at: None,
            version: 1,
        }
    }

    /// What it may be used for at a moment.
    pub fn status(&self, now: Timestamp) -> VoucherStatus {
        if self.voided_at.is_some() {
            return VoucherStatus::Void;
        }
        self.terms.status(self.left, now)
    }

    /// What it would take off an amount, active or not.
    ///
    /// # Errors
    /// Refuses an amount in another currency, outside its rules, and one so small that nothing
    /// would be taken off.
    pub fn discount(&self, amount: Money) -> Result<Money, VoucherRefusal> {
        self.terms.rules.check(amount)?;
        if amount.currency() != self.terms.currency {
            return Err(VoucherRefusal::OtherCurrency);
        }
        let off = if self.terms.kind.holds_money() {
            amount.checked_min(self.left.balance)
        } else {
            self.terms.worth.off(amount)
        };
        off.filter(|off| off.is_positive())
            .ok_or(VoucherRefusal::NothingOff)
    }

    /// Redeems it for an amount.
    ///
    /// # Errors
    /// As [`Self::discount`], and where it is not active.
    pub fn redeemed(&self, amount: Money, at: Timestamp) -> Result<VoucherUse, VoucherRefusal> {
        match self.status(at) {
            VoucherStatus::Active => {}
            other @ (VoucherStatus::Redeemed | VoucherStatus::Expired | VoucherStatus::Void) => {
                return Err(VoucherRefusal::NotActive(other));
            }
        }
        let discount = self.discount(amount)?;
        let zero = Money::zero(self.terms.currency);
        let held = if self.terms.kind.holds_money() {
            self.left.balance.checked_sub(discount).unwrap_or(zero)
        } else {
            zero
        };
        let uses = self.left.uses.map(|uses| uses.saturating_sub(1));
        let is_over = uses == Some(0);
        let (balance, returned) = if is_over { (zero, held) } else { (held, zero) };
        Ok(VoucherUse {
            voucher: self.stepped(VoucherLeft { balance, uses }),
            discount,
            returned,
        })
    }

    /// Takes a redemption of it back. An expired code gets back what it had, and stays expired.
    ///
    /// # Errors
    /// Refuses where it is void, and a redemption that was taken back.
    pub fn restored(&self, redemption: &VoucherRedemption) -> Result<Self, VoucherRefusal> {
        if self.voided_at.is_some() {
            return Err(VoucherRefusal::NotActive(VoucherStatus::Void));
        }
        if redemption.rollback.is_some() {
            return Err(VoucherRefusal::RolledBack);
        }
        let taken = self.taken(redemption);
        let balance = self.left.balance.checked_add(taken);
        Ok(self.stepped(VoucherLeft {
            balance: balance.ok_or(VoucherRefusal::OtherCurrency)?,
            uses: self.left.uses.map(|uses| uses.saturating_add(1)),
        }))
    }

    /// The money that a redemption took out of it.
    pub fn taken(&self, redemption: &VoucherRedemption) -> Money {
        let zero = Money::zero(self.terms.currency);
        if !self.terms.kind.holds_money() {
            return zero;
        }
        let taken = redemption.discount.checked_add(redemption.returned);
        taken.unwrap_or(zero)
    }

    /// Ends it; what it holds goes back to its merchant. Where it is void nothing changes.
    ///
    /// # Errors
    /// Refuses where it has another version than the one that was seen.
    pub fn voided(&self, seen: Option<u32>, at: Timestamp) -> Result<Self, VoucherRefusal> {
        if self.voided_at.is_some() {
            return Ok(self.clone());
        }
        if seen.is_some_and(|seen| seen != self.version) {
            return Err(VoucherRefusal::Changed(self.version));
        }
        let balance = Money::zero(self.terms.currency);
        let ended = self.stepped(VoucherLeft {
            balance,
            ..self.left
        });
        Ok(Self {
            voided_at: Some(at),
            ..ended
        })
    }

    fn stepped(&self, left: VoucherLeft) -> Self {
        Self {
            left,
            version: self.version.saturating_add(1),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests;
