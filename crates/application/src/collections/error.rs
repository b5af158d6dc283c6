//! Why requests about collections are refused.

use crate::request_error::RequestError;
use domain::collection::CheckoutStatus;
use domain::reference::MerchantReference;
use ports::PortError;
use ports::collections::CollectionSort;

/// Why a request about collections is refused.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The operator's bank lets live accounts have no account numbers.
    #[error("there are no account numbers to hand out")]
    NoRange,
    /// The operator names no address that customers reach pages under, or no account that they pay
    /// into.
    #[error("checkout is not set up")]
    CheckoutNotReady,
    /// Every number that was drawn is in use.
    #[error("the account numbers are used up")]
    RangeFull,
    /// The account made another one under the reference.
    #[error("the reference was used for another collection")]
    ReferenceTaken(MerchantReference, CollectionSort),
    /// The account has as many virtual accounts as it may have.
    #[error("too many virtual accounts")]
    TooMany,
    /// It would end before it begins.
    #[error("the end is over")]
    EndOver(CollectionSort),
    /// It would wait for longer than collections may.
    #[error("the end is too far away")]
    EndFar(CollectionSort),
    /// The account has no such collection.
    #[error("no such collection")]
    Unknown,
    /// The account made none of the kind under the reference.
    #[error("no such collection")]
    ReferenceUnknown(CollectionSort),
    /// It has another version than the one that the body names.
    #[error("it has version {0}")]
    Stale(u32),
    /// It has a version that `If-Match` does not name.
    #[error("it was changed")]
    Changed,
    /// It is closed, which is for ever.
    #[error("it is closed")]
    Closed,
    /// A checkout session is paid or over: it cannot be cancelled.
    #[error("the session no longer waits for money")]
    CheckoutOver(CheckoutStatus),
    /// Payments of live accounts come from banks.
    #[error("payments to live accounts are not simulated")]
    NotSimulated,
    /// The reference was used for another simulated payment.
    #[error("the reference was used for another payment")]
    PaymentTaken,
    /// The balance would be more than the largest amount.
    #[error("the balance would be too large")]
    BalanceLimit,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for CollectionError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}
