//! Whose a mobile money wallet is. It must not know who may be paid.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::mobile_money::MobileWallet;
use domain::phone::PhoneNumber;
use domain::subscription::BillerCode;

/// Looking wallets up at their operator.
#[async_trait]
pub trait MobileWallets: Send + Sync + std::fmt::Debug {
    /// The wallet as its operator knows it now.
    ///
    /// # Errors
    /// When the operator knows no such wallet, cannot be reached, or answers nonsense.
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure>;
}
