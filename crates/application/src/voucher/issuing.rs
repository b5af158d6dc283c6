//! Making codes. A code must be shown to its merchant in the answer that makes it, and in none that
//! comes a day later.

use super::{CODES_SHOWN_FOR, VoucherError, VouchersIssued, codes};
use crate::RequestError;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use domain::voucher::{
    NewVouchers, VOUCHER_LIFE_MAX, VoucherBatch, VoucherCode, VoucherIssue, VoucherRefusal,
    VoucherSeed, VoucherStep,
};
use ports::PortError;

/// How many numbers are drawn for a batch: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

impl Gateway {
    /// Makes codes; where a request under the reference made the same before, those are answered.
    ///
    /// # Errors
    /// Refuses a reference that was used for others, an end that is over or too far away, and codes
    /// that the balance does not cover.
    pub async fn make_vouchers(
        &self,
        merchant: &Merchant,
        wanted: NewVouchers,
    ) -> Result<VouchersIssued, VoucherError> {
        for _ in 0..DRAWS_MAX {
            let batch = VoucherBatch {
                account: merchant.account.id.clone(),
                number: self.parts().ids.transaction_number(),
                reference: wanted.reference.clone(),
                terms: wanted.terms.clone(),
                count: wanted.count,
                prefix: wanted.prefix.clone(),
                seed: VoucherSeed(self.parts().ids.secret()?),
                created_at: self.now(),
            };
            if let Some(earlier) = self.made_before(&batch).await? {
                return Ok(earlier);
            }
            let allowed = self.allow_account(merchant);
            allowed.map_err(RequestError::from)?;
            let held = checked(&batch)?;
            let codes = codes::of_batch(&self.parts().pepper, &batch);
            let hash = |code| codes::hash(&self.parts().pepper, &batch.account, code);
            let issue = VoucherIssue {
                hashes: codes.iter().map(hash).collect(),
                batch: batch.clone(),
            };
            match self.commit_voucher(VoucherStep::Issue(issue), held).await {
                Ok(()) => {
                    return Ok(VouchersIssued {
                        batch,
                        codes,
                        replay: ReplayMark::New,
                    });
                }
                // Another is drawn; of two requests at once the second finds the first.
                Err(VoucherError::Refused(
                    VoucherRefusal::NumberTaken | VoucherRefusal::ReferenceTaken,
                )) => {}
                Err(refused) => return Err(refused),
            }
        }
        Err(PortError::new("vouchers", "every number that was drawn is in use").into())
    }

    /// What the reference made before, where it is what is wanted now.
    async fn made_before(
        &self,
        wanted: &VoucherBatch,
    ) -> Result<Option<VouchersIssued>, VoucherError> {
        let vouchers = &self.parts().vouchers;
        let earlier = vouchers.voucher_batch(&wanted.account, &wanted.reference);
        let Some(batch) = earlier.await? else {
            return Ok(None);
        };
        if !batch.is_of(wanted) {
            return Err(VoucherError::ReferenceTaken);
        }
        let is_shown = wanted.created_at.since(batch.created_at) < CODES_SHOWN_FOR;
        let codes = if is_shown {
            self.codes_made(&batch).await?
        } else {
            Vec::new()
        };
        Ok(Some(VouchersIssued {
            batch,
            codes,
            replay: ReplayMark::Replayed,
        }))
    }

    /// The codes of a batch that is stored: those of the generation of the pepper that made them,
    /// of which the store has the hashes.
    async fn codes_made(&self, batch: &VoucherBatch) -> Result<Vec<VoucherCode>, VoucherError> {
        for generation in self.parts().pepper.generations() {
            let codes = codes::of_batch(&generation, batch);
            let Some(first) = codes.first() else {
                return Ok(codes);
            };
            let hash = codes::hash(&generation, &batch.account, first);
            let vouchers = &self.parts().vouchers;
            if vouchers
                .voucher_of_code(&batch.account, hash)
                .await?
                .is_some()
            {
                return Ok(codes);
            }
        }
        let what = format!(
            "the codes of batch {} are of no generation",
            batch.number.get()
        );
        Err(PortError::new("vouchers", what).into())
    }
}

/// What a batch holds, where it may be made.
fn checked(batch: &VoucherBatch) -> Result<domain::money::Money, VoucherError> {
    if batch.terms.expires_at <= batch.created_at {
        return Err(VoucherError::EndOver);
    }
    if batch.terms.expires_at.since(batch.created_at) > VOUCHER_LIFE_MAX {
        return Err(VoucherError::EndFar);
    }
    batch.held().ok_or(VoucherError::TooMuch)
}
