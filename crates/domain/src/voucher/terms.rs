//! What codes are: their kind, what they are worth and when they may be used. Percentages must be
//! rounded down: a code never takes off more than it says.

use super::{VoucherLeft, VoucherRefusal, VoucherStatus};
use crate::money::{Currency, Money};
use crate::order::Service;
use crate::percent::Percent;
use crate::time::Timestamp;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use std::time::Duration;

/// How long a code may be valid: five years of 366 days. What lasts longer is a mistake of digits.
pub const VOUCHER_LIFE_MAX: Duration = Duration::from_hours(5 * 366 * 24);

/// How often a code may be redeemed at most. What may be used more often needs no code.
pub const VOUCHER_USES_MAX: u32 = 1_000_000;

/// What a code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VoucherKind {
    /// Holds money, and is redeemed at once.
    Voucher,
    /// Lowers payments, each code by itself.
    Coupon,
    /// Holds money, and is redeemed in parts.
    GiftCard,
    /// Lowers payments, one code that many customers know.
    Promo,
}

impl VoucherKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Voucher, Self::Coupon, Self::GiftCard, Self::Promo];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Voucher => "voucher",
            Self::Coupon => "coupon",
            Self::GiftCard => "giftcard",
            Self::Promo => "promo",
        }
    }

    /// The kind of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Whether a code holds money, which was taken from the balance of its merchant.
    pub const fn holds_money(self) -> bool {
        match self {
            Self::Voucher | Self::GiftCard => true,
            Self::Coupon | Self::Promo => false,
        }
    }

    /// How often a code may be redeemed, where the merchant asked for so often or did not say;
    /// `None` where its money bounds that.
    ///
    /// # Errors
    /// Refuses what does not go with the kind.
    pub const fn uses(self, wanted: Option<u32>) -> Result<Option<u32>, InvalidVoucherTerms> {
        match (self, wanted) {
            (Self::Voucher, None | Some(1)) | (Self::Coupon, None) => Ok(Some(1)),
            (Self::Voucher, Some(_)) => Err(InvalidVoucherTerms::UsedOnce),
            (Self::GiftCard, None) => Ok(None),
            (Self::GiftCard, Some(_)) => Err(InvalidVoucherTerms::UsedUp),
            (Self::Coupon | Self::Promo, Some(1..=VOUCHER_USES_MAX)) => Ok(wanted),
            (Self::Promo, None) => Err(InvalidVoucherTerms::UsesNeeded),
            (Self::Coupon | Self::Promo, Some(_)) => Err(InvalidVoucherTerms::UsesOutOfRange),
        }
    }
}

/// Why codes cannot be of such terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidVoucherTerms {
    /// More than one use of a voucher.
    #[error("must be 1 or left out: a voucher is redeemed at once; a giftcard is used in parts")]
    UsedOnce,
    /// A number of uses of a gift card.
    #[error("does not go with a giftcard, which is used until its money is spent; leave it out")]
    UsedUp,
    /// No number of uses of a promo code.
    #[error("is required for a promo; add how often the code may be used")]
    UsesNeeded,
    /// No use, or too many.
    #[error("must be a whole number from 1 to {VOUCHER_USES_MAX}")]
    UsesOutOfRange,
    /// A percentage of what holds money.
    #[error("does not go with a voucher or giftcard, which holds an amount; use vchAmount")]
    PercentOfMoney,
    /// Nothing, or more than everything.
    #[error("must be above 0 and at most 100, with at most four decimals")]
    PercentOutOfRange,
    /// The most of the rules is below the least.
    #[error("has a maximum below its minimum; raise the maximum")]
    RulesContradict,
}

/// What a code is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoucherWorth {
    /// An amount.
    Amount(Money),
    /// A share of what it is redeemed for.
    Percent(Percent),
}

impl VoucherWorth {
    /// What it takes off an amount, never more than that.
    pub fn off(self, amount: Money) -> Option<Money> {
        match self {
            Self::Amount(most) => amount.checked_min(most),
            Self::Percent(percent) => {
                let exact = Decimal::from(amount.minor())
                    .checked_mul(percent.value())?
                    .checked_div(Decimal::ONE_HUNDRED)?;
                let minor = exact.floor().to_i64()?;
                Some(Money::from_minor(minor, amount.currency()))
            }
        }
    }
}

/// What a code may be redeemed for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VoucherRules {
    /// The services that it lowers payments of; every one where it is empty.
    pub services: Vec<Service>,
    /// The least amount.
    pub minimum: Option<Money>,
    /// The most.
    pub maximum: Option<Money>,
}

impl VoucherRules {
    /// Whether an amount is within them.
    ///
    /// # Errors
    /// Refuses one that is not.
    pub fn check(&self, amount: Money) -> Result<(), VoucherRefusal> {
        if let Some(least) = self.minimum.filter(|least| amount.minor() < least.minor()) {
            return Err(VoucherRefusal::BelowMinimum(least));
        }
        if let Some(most) = self.maximum.filter(|most| amount.minor() > most.minor()) {
            return Err(VoucherRefusal::AboveMaximum(most));
        }
        Ok(())
    }

    /// Whether payments of a service are among what it lowers.
    pub fn allow(&self, service: Service) -> bool {
        self.services.is_empty() || self.services.contains(&service)
    }
}

/// What the codes of a batch are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherTerms {
    /// The kind.
    pub kind: VoucherKind,
    /// What each is worth.
    pub worth: VoucherWorth,
    /// The currency of the payments they lower.
    pub currency: Currency,
    /// How often each may be redeemed; `None` where its money bounds that.
    pub uses: Option<u32>,
    /// From when on they cannot be redeemed.
    pub expires_at: Timestamp,
    /// What they may be redeemed for.
    pub rules: VoucherRules,
}

impl VoucherTerms {
    /// Checks that they go together.
    ///
    /// # Errors
    /// Refuses those that do not.
    pub fn check(&self) -> Result<(), InvalidVoucherTerms> {
        if let VoucherWorth::Percent(percent) = self.worth {
            if self.kind.holds_money() {
                return Err(InvalidVoucherTerms::PercentOfMoney);
            }
            if percent == Percent::ZERO {
                return Err(InvalidVoucherTerms::PercentOutOfRange);
            }
        }
        let least = self.rules.minimum.map(Money::minor);
        let most = self.rules.maximum.map(Money::minor);
        if least.zip(most).is_some_and(|(least, most)| most < least) {
            return Err(InvalidVoucherTerms::RulesContradict);
        }
        self.kind.uses(self.uses).map(drop)
    }

    /// The money that each code holds to begin with.
    pub fn held(&self) -> Money {
        match self.worth {
            VoucherWorth::Amount(amount) if self.kind.holds_money() => amount,
            VoucherWorth::Amount(_) | VoucherWorth::Percent(_) => Money::zero(self.currency),
        }
    }

    /// What is left of a new code.
    pub fn whole(&self) -> VoucherLeft {
        VoucherLeft {
            balance: self.held(),
            uses: self.uses,
        }
    }

    /// What a code that is not void may be used for at a moment.
    pub fn status(&self, left: VoucherLeft, now: Timestamp) -> VoucherStatus {
        let is_used_up = match left.uses {
            Some(uses) => uses == 0,
            None => left.balance.is_zero(),
        };
        if is_used_up {
            VoucherStatus::Redeemed
        } else if now >= self.expires_at {
            VoucherStatus::Expired
        } else {
            VoucherStatus::Active
        }
    }
}
