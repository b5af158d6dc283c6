//! Why a request about a webhook endpoint is refused. An endpoint of another account must be
//! unknown.

/// Why a request about an endpoint is refused.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The account has no such endpoint.
    #[error("no such endpoint")]
    Unknown,
    /// The endpoint is served no longer.
    #[error("the endpoint is disabled")]
    Disabled,
    /// The account has as many endpoints as it may have.
    #[error("too many endpoints")]
    TooMany,
    /// The secrets of the endpoint changed too often for the older ones to be signed with as well.
    #[error("too many secrets")]
    TooManySecrets,
    /// The address is not delivered to; the text says which rule it breaks.
    #[error("the address is not delivered to: it {0}")]
    TargetUnfit(String),
    /// Whether a webhook may lead there is not known: no server of the DNS answers for its name.
    #[error("the name of the endpoint cannot be looked up")]
    TargetNotLookedUp,
    /// The endpoint has no such delivery.
    #[error("no such delivery")]
    DeliveryUnknown,
    /// More deliveries are asked for together than may be.
    #[error("too many deliveries are asked for together")]
    TooManyDeliveries,
}
