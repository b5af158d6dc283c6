//! Why requests about bookings are refused.

use crate::collections::CollectionError;
use crate::request_error::RequestError;
use domain::booking::AppointmentRefusal;
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::collections::CollectionSort;

/// Why a time is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimeRefusal {
    /// No appointment of the service begins then.
    #[error("no appointment begins then")]
    Unserved,
    /// It is over, or less away than the notice of the service, in minutes.
    #[error("it is too soon")]
    TooSoon(u32),
    /// It is farther away than the service is booked ahead, in days.
    #[error("it is too far away")]
    TooFar(u16),
    /// What waits for its payment until this moment is not moved before it.
    #[error("it is before the end of the hold")]
    Held(Timestamp),
    /// Others have it.
    #[error("it is taken")]
    Taken,
}

/// Why a request about services or appointments is refused.
#[derive(Debug, thiserror::Error)]
pub enum BookingError {
    /// The account made another service under the reference.
    #[error("the reference was used for another service")]
    ServiceReferenceTaken(MerchantReference),
    /// The account made another appointment under the reference.
    #[error("the reference was used for another appointment")]
    ReferenceTaken(MerchantReference),
    /// The account made a collection under the reference, which the session of the appointment
    /// would have.
    #[error("the reference was used for a collection")]
    CollectionTaken(MerchantReference, CollectionSort),
    /// The account has as many services as it may have.
    #[error("too many services")]
    TooManyServices,
    /// The account has no such service.
    #[error("no such service")]
    ServiceUnknown,
    /// The account has no such appointment.
    #[error("no such appointment")]
    Unknown,
    /// The account made no appointment under the reference.
    #[error("no such appointment")]
    ReferenceUnknown,
    /// It has another version than the one that the body names.
    #[error("it has version {0}")]
    Stale(u32),
    /// It has a version that `If-Match` does not name.
    #[error("it was changed")]
    Changed,
    /// The service cannot be booked at present.
    #[error("the service is not offered")]
    NotOffered,
    /// The person does not serve it.
    #[error("not of the staff of the service")]
    StaffUnknown,
    /// There are more times in the period than are looked through at once.
    #[error("too many times")]
    TooManyTimes,
    /// The time cannot be given.
    #[error(transparent)]
    Time(#[from] TimeRefusal),
    /// It cannot take the step.
    #[error(transparent)]
    Step(#[from] AppointmentRefusal),
    /// Its session cannot be opened.
    #[error(transparent)]
    Session(CollectionError),
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for BookingError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl From<CollectionError> for BookingError {
    fn from(refused: CollectionError) -> Self {
        match refused {
            CollectionError::Request(refused) => Self::Request(refused),
            CollectionError::ReferenceTaken(reference, sort) => {
                Self::CollectionTaken(reference, sort)
            }
            other @ (CollectionError::NoRange
            | CollectionError::CheckoutNotReady
            | CollectionError::RangeFull
            | CollectionError::TooMany
            | CollectionError::EndOver(_)
            | CollectionError::EndFar(_)
            | CollectionError::Unknown
            | CollectionError::ReferenceUnknown(_)
            | CollectionError::Stale(_)
            | CollectionError::Changed
            | CollectionError::Closed
            | CollectionError::CheckoutOver(_)
            | CollectionError::NotSimulated
            | CollectionError::PaymentTaken
            | CollectionError::BalanceLimit) => Self::Session(other),
        }
    }
}
