//! Taking redemptions back. Each must be taken back once, under a reference of its own.

use super::{VoucherError, VoucherRolledBack};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use domain::voucher::{
    NewRollback, VoucherRefusal, VoucherRollback, VoucherRollingBack, VoucherStep,
};
use ports::PortError;

impl Gateway {
    /// Takes a redemption back; where a request under the reference did so before, that one is
    /// answered.
    ///
    /// # Errors
    /// Refuses a redemption that there is not, that was taken back or whose code is void, what the
    /// balance does not cover, and a reference that was used for another rollback.
    pub async fn roll_voucher_back(
        &self,
        merchant: &Merchant,
        wanted: NewRollback,
    ) -> Result<VoucherRolledBack, VoucherError> {
        if let Some(earlier) = self.rolled_back_before(merchant, &wanted).await? {
            return Ok(earlier);
        }
        let account = &merchant.account.id;
        let vouchers = &self.parts().vouchers;
        let original = vouchers.voucher_redemption(account, &wanted.original);
        let original = original.await?.ok_or(VoucherError::RedemptionUnknown)?;
        let made = self.with_its_code(original).await?;
        let step = VoucherStep::RollBack(VoucherRollingBack {
            account: account.clone(),
            reference: wanted.reference.clone(),
            original: wanted.original.clone(),
            voucher: made.redemption.voucher,
            currency: made.voucher.terms.currency,
            reason: wanted.reason.clone(),
            at: self.now(),
        });
        let taken = made.voucher.taken(&made.redemption);
        match self.commit_voucher(step, taken).await {
            // Of two requests at once the second finds the first.
            Ok(()) => {}
            Err(VoucherError::Refused(VoucherRefusal::ReferenceTaken)) => {
                let earlier = self.rolled_back_before(merchant, &wanted).await?;
                return earlier.ok_or(VoucherError::ReferenceTaken);
            }
            Err(refused) => return Err(refused),
        }
        let done = self.rolled_back_before(merchant, &wanted).await?;
        let done = done
            .ok_or_else(|| PortError::new("vouchers", "a rollback that was stored is not there"))?;
        Ok(VoucherRolledBack {
            replay: ReplayMark::New,
            ..done
        })
    }

    /// What the reference took back before, where it is what is wanted now.
    async fn rolled_back_before(
        &self,
        merchant: &Merchant,
        wanted: &NewRollback,
    ) -> Result<Option<VoucherRolledBack>, VoucherError> {
        let vouchers = &self.parts().vouchers;
        let earlier = vouchers.voucher_rolled_back(&merchant.account.id, &wanted.reference);
        let Some(redemption) = earlier.await? else {
            return Ok(None);
        };
        let is_same = |it: &VoucherRollback| {
            redemption.reference == wanted.original && it.reason == wanted.reason
        };
        let rollback = redemption.rollback.clone().filter(is_same);
        let rollback = rollback.ok_or(VoucherError::ReferenceTaken)?;
        let made = self.with_its_code(redemption).await?;
        Ok(Some(VoucherRolledBack {
            redemption: made.redemption,
            rollback,
            voucher: made.voucher,
            replay: ReplayMark::Replayed,
        }))
    }
}
