//! Which network serves a number today, as a provider knows it. An adapter must not answer by the
//! block that a number belongs to: that the numbering plan says without a question.

use crate::provider::LookupFailure;
use async_trait::async_trait;
use domain::country::CountryCode;
use domain::phone::{PhoneNumber, ServedNumber};

/// Looking numbers up in a register of ported numbers.
#[async_trait]
pub trait NumberOperators: Send + Sync + std::fmt::Debug {
    /// Who serves the number now.
    ///
    /// # Errors
    /// When the register does not know the number, cannot be reached, or answers nonsense.
    async fn served_number(
        &self,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> Result<ServedNumber, LookupFailure>;
}
