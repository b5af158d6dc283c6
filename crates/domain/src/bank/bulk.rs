//! Many payouts as a merchant asks for them at once. It must hold each payout as one that is asked
//! for alone.

use super::Payout;
use crate::batch::OnFailure;
use crate::reference::MerchantReference;

/// A request for payouts to bank accounts, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkPayout {
    /// The merchant's reference of the batch.
    pub reference: MerchantReference,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
    /// The payouts, 1 to [`ITEMS_MAX`](crate::batch::ITEMS_MAX).
    pub payouts: Vec<Payout>,
}
