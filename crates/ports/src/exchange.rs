//! What a provider would convert an amount at. It must not know what the gateway charges.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::international::{ProviderQuote, QuoteRequest};

/// Asking a provider for a quote of a transfer abroad.
#[async_trait]
pub trait ExchangeQuotes: Send + Sync + std::fmt::Debug {
    /// A quote that the provider keeps until it expires.
    ///
    /// # Errors
    /// When the provider does not convert into the currency, cannot be reached, or answers
    /// nonsense.
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure>;
}
