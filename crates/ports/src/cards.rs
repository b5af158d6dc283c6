//! Which card a token stands for. It must not know who may be paid.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::card::{CardToken, PaymentCard};

/// Looking cards up at the provider that gave their tokens.
#[async_trait]
pub trait PaymentCards: Send + Sync + std::fmt::Debug {
    /// The card as its provider knows it now.
    ///
    /// # Errors
    /// When the provider knows no such token, cannot be reached, or answers nonsense.
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure>;
}
