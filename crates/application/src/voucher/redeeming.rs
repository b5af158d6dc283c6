//! Redeeming codes. A redemption must be made once under its reference, and one that is repeated
//! must be answered as it was.

use super::{RedemptionFault, VoucherError, VoucherRedeemed};
use crate::RequestError;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use domain::money::Money;
use domain::transaction::{State, Status, Transaction};
use domain::voucher::{
    NewRedemption, Voucher, VoucherRedeeming, VoucherRedemption, VoucherRefusal, VoucherStatus,
    VoucherStep,
};
use ports::PortError;

impl Gateway {
    /// Redeems a code; where a request under the reference did so before, that is answered.
    ///
    /// # Errors
    /// Refuses a code that the merchant did not make or that is not active, what its rules do not
    /// allow, and a reference that was used for another redemption.
    pub async fn redeem_voucher(
        &self,
        merchant: &Merchant,
        wanted: NewRedemption,
    ) -> Result<VoucherRedeemed, VoucherError> {
        let account = &merchant.account.id;
        let voucher = self.known_voucher(merchant, &wanted.code).await;
        let target = match &wanted.target {
            Some(reference) => {
                let transactions = &self.parts().transactions;
                transactions.by_reference(account, reference).await?
            }
            None => None,
        };
        if let Some(earlier) = self.redeemed_before(merchant, &wanted).await? {
            let is_same = voucher.is_ok_and(|voucher| {
                let target = target.as_ref().map(|tx| tx.number);
                voucher.id == earlier.redemption.voucher
                    && target == earlier.redemption.target
                    && wanted.target.is_some() == target.is_some()
                    && wanted.amount.minor() == earlier.redemption.amount.minor()
            });
            return match (is_same, earlier.redemption.rollback.is_some()) {
                (true, false) => Ok(earlier),
                (true, true) => Err(VoucherError::TakenBack),
                (false, _) => Err(VoucherError::ReferenceTaken),
            };
        }
        let voucher = voucher?;
        let amount = Money::from_minor(wanted.amount.minor(), voucher.terms.currency);
        let at = self.now();
        is_active(voucher.status(at))?;
        let named = match (&wanted.target, &target) {
            (None, _) => NamedTarget::None,
            (Some(_), None) => NamedTarget::Unknown,
            (Some(_), Some(target)) => NamedTarget::Known(target),
        };
        let faults = faults(&voucher, amount, named);
        if !faults.is_empty() {
            return Err(VoucherError::Faults(faults));
        }
        let step = VoucherStep::Redeem(VoucherRedeeming {
            account: account.clone(),
            reference: wanted.reference.clone(),
            voucher: voucher.id,
            amount,
            target: target.as_ref().map(|tx| tx.number),
            at,
        });
        let allowed = self.allow_account(merchant);
        allowed.map_err(RequestError::from)?;
        let committed = self.commit_voucher(step, amount).await;
        match committed {
            // Of two requests at once the second finds the first, which may be another.
            Err(VoucherError::Refused(VoucherRefusal::ReferenceTaken)) => {
                return Box::pin(self.redeem_voucher(merchant, wanted)).await;
            }
            committed => committed?,
        }
        let made = self.redeemed_before(merchant, &wanted).await?;
        let made = made.ok_or_else(|| {
            PortError::new("vouchers", "a redemption that was stored is not there")
        })?;
        Ok(VoucherRedeemed {
            replay: ReplayMark::New,
            ..made
        })
    }

    async fn redeemed_before(
        &self,
        merchant: &Merchant,
        wanted: &NewRedemption,
    ) -> Result<Option<VoucherRedeemed>, VoucherError> {
        let vouchers = &self.parts().vouchers;
        let earlier = vouchers.voucher_redemption(&merchant.account.id, &wanted.reference);
        match earlier.await? {
            Some(redemption) => self.with_its_code(redemption).await.map(Some),
            None => Ok(None),
        }
    }

    /// A redemption with its code, which is there as long as it is.
    pub(super) async fn with_its_code(
        &self,
        redemption: VoucherRedemption,
    ) -> Result<VoucherRedeemed, VoucherError> {
        let vouchers = &self.parts().vouchers;
        let voucher = vouchers.voucher(&redemption.account, redemption.voucher);
        let voucher = voucher
            .await?
            .ok_or_else(|| PortError::new("vouchers", "the code of a redemption is not there"))?;
        Ok(VoucherRedeemed {
            redemption,
            voucher,
            replay: ReplayMark::Replayed,
        })
    }
}

fn is_active(status: VoucherStatus) -> Result<(), VoucherError> {
    match status {
        VoucherStatus::Active => Ok(()),
        other @ (VoucherStatus::Redeemed | VoucherStatus::Expired | VoucherStatus::Void) => {
            Err(VoucherError::Refused(VoucherRefusal::NotActive(other)))
        }
    }
}

/// The payment that is to be lowered.
#[derive(Clone, Copy)]
enum NamedTarget<'a> {
    /// None was named.
    None,
    /// The account has none under the reference.
    Unknown,
    Known(&'a Transaction),
}

/// Everything that is wrong with what a code is to be redeemed for.
fn faults(voucher: &Voucher, amount: Money, named: NamedTarget<'_>) -> Vec<RedemptionFault> {
    let rules = &voucher.terms.rules;
    let mut faults = Vec::new();
    match voucher.discount(amount) {
        Ok(_) => {}
        Err(VoucherRefusal::BelowMinimum(least)) => {
            faults.push(RedemptionFault::BelowMinimum(least));
        }
        Err(VoucherRefusal::AboveMaximum(most)) => {
            faults.push(RedemptionFault::AboveMaximum(most));
        }
        Err(
            VoucherRefusal::NothingOff
            | VoucherRefusal::Unknown
            | VoucherRefusal::NumberTaken
            | VoucherRefusal::ReferenceTaken
            | VoucherRefusal::NotActive(_)
            | VoucherRefusal::OtherCurrency
            | VoucherRefusal::TargetTaken
            | VoucherRefusal::RolledBack
            | VoucherRefusal::Changed(_),
        ) => faults.push(RedemptionFault::NothingOff),
    }
    let target = match named {
        NamedTarget::None if rules.services.is_empty() => return faults,
        NamedTarget::None => {
            faults.push(RedemptionFault::TargetNeeded(rules.services.clone()));
            return faults;
        }
        NamedTarget::Unknown => {
            faults.push(RedemptionFault::TargetUnknown);
            return faults;
        }
        NamedTarget::Known(target) => target,
    };
    let price = target.quote.price;
    let kept = kept(target);
    if matches!(target.status(), Status::Failed | Status::Reversed) || kept.minor() == 0 {
        faults.push(RedemptionFault::TargetFailed);
    }
    if !rules.allow(target.order.service()) {
        let services = rules.services.clone();
        faults.push(RedemptionFault::TargetService(services));
    }
    if price.currency() != voucher.terms.currency {
        faults.push(RedemptionFault::TargetCurrency);
        return faults;
    }
    if let Err(outside) = rules.check(price) {
        faults.push(RedemptionFault::TargetPrice(outside));
    }
    if kept.is_positive() && amount.minor() > kept.minor() {
        faults.push(RedemptionFault::AbovePrice(kept));
    }
    faults
}

/// What a payment costs its merchant: its price less what was refunded.
fn kept(target: &Transaction) -> Money {
    let price = target.quote.price;
    let refund = match &target.state {
        State::Successful(delivered) => delivered.refund,
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    };
    let refunded = refund.map_or(0, |refund| refund.amount.minor());
    Money::from_minor(price.minor().saturating_sub(refunded), price.currency())
}
