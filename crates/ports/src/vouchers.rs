//! Codes of accounts, as they are read. They are written as every movement of money is, by a change
//! set. A code must never cross this port, only its keyed hash.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::voucher::{Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherRedemption};

/// Codes of accounts.
#[async_trait]
pub trait Vouchers: Send + Sync + std::fmt::Debug {
    /// The batch of a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn voucher_batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherBatch>, PortError>;

    /// The code of a hash.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn voucher_of_code(
        &self,
        account: &AccountId,
        code: VoucherCodeHash,
    ) -> Result<Option<Voucher>, PortError>;

    /// The code of a number and place.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn voucher(
        &self,
        account: &AccountId,
        id: VoucherId,
    ) -> Result<Option<Voucher>, PortError>;

    /// The redemption of a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn voucher_redemption(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError>;

    /// The redemption that was rolled back under a reference.
    ///
    /// # Errors
    /// When the store failed, or the row breaks a rule.
    async fn voucher_rolled_back(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError>;
}
