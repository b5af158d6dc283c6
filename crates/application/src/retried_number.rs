//! The numbers of what merchants create under an idempotency key. A number must say nothing about
//! its key: it is a hash under the installation's pepper.

use crate::gateway::{Gateway, Merchant};
use crate::prefixed_parts::PrefixedParts;
use crate::request_error::RequestError;
use domain::idempotency::IdempotencyKey;
use domain::reference::TransactionNumber;
use ports::PortError;

impl Gateway {
    /// The number of what a key creates: the same for every request with the key, and unrelated for
    /// another key, account or kind of object.
    pub(crate) fn retried_number(
        &self,
        kind: &str,
        merchant: &Merchant,
        key: &IdempotencyKey,
    ) -> Result<TransactionNumber, RequestError> {
        let parts = [kind, merchant.account.id.as_str(), key.as_str()];
        let message = PrefixedParts::after(b"object").with_each(parts);
        let hash = self.parts().pepper.first().authenticate(message.as_bytes());
        Ok(number_of(&hash)?)
    }
}

/// The number that the first bytes of a hash, or of what was drawn, are.
pub(crate) fn number_of(bytes: &[u8; 32]) -> Result<TransactionNumber, PortError> {
    let drawn = bytes.iter().take(size_of::<u64>());
    let drawn = drawn.fold(0, |number, byte| (number << 8) | u64::from(*byte));
    let drawn = drawn & TransactionNumber::MAX;
    let number = TransactionNumber::try_new(drawn.max(1));
    number.map_err(|_| PortError::new("ids", "a number that is too large"))
}
