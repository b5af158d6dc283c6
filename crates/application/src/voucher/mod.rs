//! Vouchers, gift cards, coupons and promo codes, as their merchant makes and redeems them. Nothing
//! here may decide what a code is worth: its state does, in the commit that moves its money.

mod codes;
mod issuing;
mod redeeming;
mod rollback;

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::change_set::ChangeSet;
use domain::money::Money;
use domain::order::Service;
use domain::voucher::{
    Voucher, VoucherBatch, VoucherCode, VoucherId, VoucherRedemption, VoucherRefusal,
    VoucherRollback, VoucherStep, VoucherVoiding,
};
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::time::Duration;

/// For how long a repeated request shows the codes again: a client that lost the answer repeats the
/// request within that time, and later the codes are with customers.
pub const CODES_SHOWN_FOR: Duration = Duration::from_hours(24);

/// Codes that were made.
#[derive(Debug, Clone)]
pub struct VouchersIssued {
    /// What they are.
    pub batch: VoucherBatch,
    /// The codes, in the order of their places; none once they are not shown any more.
    pub codes: Vec<VoucherCode>,
    /// Whether an earlier request made them.
    pub replay: ReplayMark,
}

/// A code, and what it would do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherLookup {
    /// The code.
    pub voucher: Voucher,
    /// What it would take off the amount that was asked about; zero where it cannot be redeemed for
    /// that.
    pub discount: Option<Money>,
}

/// A redemption, and its code as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRedeemed {
    /// The redemption.
    pub redemption: VoucherRedemption,
    /// The code.
    pub voucher: Voucher,
    /// Whether an earlier request made it.
    pub replay: ReplayMark,
}

/// A redemption that was rolled back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoucherRolledBack {
    /// The redemption.
    pub redemption: VoucherRedemption,
    /// How it was rolled back.
    pub rollback: VoucherRollback,
    /// Its code as it is now.
    pub voucher: Voucher,
    /// Whether an earlier request rolled it back.
    pub replay: ReplayMark,
}

/// What of a redemption is wrong, beside its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedemptionFault {
    /// The amount is below the least of the code.
    BelowMinimum(Money),
    /// The amount is above the most.
    AboveMaximum(Money),
    /// So little is lowered by less than the smallest unit of money.
    NothingOff,
    /// The amount is above the price of the payment.
    AbovePrice(Money),
    /// The code lowers payments of these alone, so one must be named.
    TargetNeeded(Vec<Service>),
    /// The account has no such payment.
    TargetUnknown,
    /// The payment failed, or its price was given back.
    TargetFailed,
    /// The payment is none of those that the code lowers.
    TargetService(Vec<Service>),
    /// The payment is in another currency than the code.
    TargetCurrency,
    /// The price of the payment is not what the code may lower.
    TargetPrice(VoucherRefusal),
}

/// Why a request about codes is refused.
#[derive(Debug, thiserror::Error)]
pub enum VoucherError {
    /// The account has no such code.
    #[error("no such code")]
    CodeUnknown,
    /// The account has no code of this identifier.
    #[error("no code of this identifier")]
    IdentifierUnknown,
    /// The account has no redemption under the reference.
    #[error("no such redemption")]
    RedemptionUnknown,
    /// The reference was used for another request of the kind.
    #[error("the reference was used for another request")]
    ReferenceTaken,
    /// The reference was used for the same redemption, which was rolled back since.
    #[error("the redemption was rolled back")]
    TakenBack,
    /// The codes would end before they begin.
    #[error("the end is over")]
    EndOver,
    /// The codes would be valid for longer than codes may be.
    #[error("the end is too far away")]
    EndFar,
    /// The codes would hold more than a balance may be.
    #[error("the codes would hold too much")]
    TooMuch,
    /// What of a redemption is wrong.
    #[error("the redemption is not one of the code")]
    Faults(Vec<RedemptionFault>),
    /// The state of the code does not allow it.
    #[error("the code does not allow it: {0}")]
    Refused(VoucherRefusal),
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for VoucherError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl Gateway {
    /// What a code of the merchant is, and what it would take off an amount. An unknown code costs
    /// the same work.
    ///
    /// # Errors
    /// Refuses a code that the merchant did not make.
    pub async fn voucher(
        &self,
        merchant: &Merchant,
        code: &VoucherCode,
        (amount, service): (Option<Money>, Option<Service>),
    ) -> Result<VoucherLookup, VoucherError> {
        let voucher = self.known_voucher(merchant, code).await?;
        let now = self.now();
        let discount = amount.map(|amount| {
            let amount = Money::from_minor(amount.minor(), voucher.terms.currency);
            let is_lowered = service.is_none_or(|it| voucher.terms.rules.allow(it));
            let used = voucher.redeemed(amount, now).ok();
            let off = used.filter(|_| is_lowered).map(|used| used.discount);
            off.unwrap_or(Money::zero(voucher.terms.currency))
        });
        Ok(VoucherLookup { voucher, discount })
    }

    /// Ends a code of the merchant; what it holds goes back to the balance. One that was ended
    /// before is answered as it is.
    ///
    /// # Errors
    /// Refuses a code that the merchant did not make, and one that was changed since it was seen.
    pub async fn void_voucher(
        &self,
        merchant: &Merchant,
        (id, seen): (VoucherId, Option<u32>),
        reason: String,
    ) -> Result<Voucher, VoucherError> {
        let account = &merchant.account.id;
        let vouchers = &self.parts().vouchers;
        let known = vouchers.voucher(account, id).await?;
        let known = known.ok_or(VoucherError::IdentifierUnknown)?;
        let step = VoucherStep::Void(VoucherVoiding {
            account: account.clone(),
            voucher: id,
            currency: known.terms.currency,
            seen,
            reason,
            at: self.now(),
        });
        self.commit_voucher(step, known.left.balance).await?;
        let ended = vouchers.voucher(account, id).await?;
        ended.ok_or(VoucherError::IdentifierUnknown)
    }

    async fn known_voucher(
        &self,
        merchant: &Merchant,
        code: &VoucherCode,
    ) -> Result<Voucher, VoucherError> {
        let account = &merchant.account.id;
        for generation in self.parts().pepper.generations() {
            let hash = codes::hash(&generation, account, code);
            if let Some(found) = self.parts().vouchers.voucher_of_code(account, hash).await? {
                return Ok(found);
            }
        }
        Err(VoucherError::CodeUnknown)
    }

    /// Makes a step durable; `needed` is what it takes from the balance.
    async fn commit_voucher(&self, step: VoucherStep, needed: Money) -> Result<(), VoucherError> {
        let change = ChangeSet::Voucher(Box::new(step));
        match self.parts().ledger.commit(change).await? {
            CommitOutcome::Done => Ok(()),
            CommitOutcome::VoucherRefused(refused) => Err(VoucherError::Refused(refused)),
            CommitOutcome::InsufficientFunds => Err(RequestError::InsufficientFunds(needed).into()),
            CommitOutcome::Suspended => Err(RequestError::ReconciliationRequired.into()),
            CommitOutcome::AccountSuspended | CommitOutcome::AccountUnknown => {
                Err(RequestError::Suspended.into())
            }
            CommitOutcome::Frozen(breach) => Err(RequestError::from(breach).into()),
            other @ (CommitOutcome::BalanceLimit
            | CommitOutcome::KeyTaken(_)
            | CommitOutcome::ReferenceTaken(_)
            | CommitOutcome::BatchTaken(_)
            | CommitOutcome::ReferenceUnsettled
            | CommitOutcome::ReferenceSettled
            | CommitOutcome::SettlementUnfounded
            | CommitOutcome::OtherEnvironment
            | CommitOutcome::FundingTaken(_)
            | CommitOutcome::NumberTaken
            | CommitOutcome::OverDailyLimit(_)
            | CommitOutcome::SessionTaken(_)
            | CommitOutcome::VersionConflict(_)) => {
                let what = format!("a step of a code cannot be booked: {other:?}");
                Err(PortError::new("books", what).with_nothing_done().into())
            }
        }
    }
}
