//! Why a request is refused before anything is stored or moved. It must stay closed: the edge maps
//! every case to a status without a default.

use domain::money::Money;
use domain::order::Service;
use domain::reference::MerchantReference;
use ports::PortError;
use ports::provider::LookupFailure;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The number does not exist in the country's numbering plan.
    #[error("the number does not exist in the numbering plan of the country")]
    NumberNotInPlan,
    /// Nothing is sold in the country.
    #[error("nothing is sold in this country")]
    CountryNotServed,
    /// Nobody sells airtime for the network that holds the number.
    #[error("no airtime is sold for the network of this number")]
    NetworkNotServed,
    /// No such distribution company.
    #[error("no such distribution company")]
    DiscoUnknown,
    /// The distribution company cannot be paid at the moment.
    #[error("the distribution company cannot be paid at the moment")]
    DiscoUnavailable,
    /// The meter could not be looked up, or is unknown to its company.
    #[error("the meter cannot be used: {0}")]
    Meter(LookupFailure),
    /// The amount is below the smallest that can be bought.
    #[error("the smallest amount is {0}")]
    BelowMinimum(Money),
    /// The amount is above the largest that can be bought.
    #[error("the largest amount is {0}")]
    AboveMaximum(Money),
    /// The account's terms leave no price above zero.
    #[error("the terms of this product leave no price above zero")]
    Unpriceable,
    /// The balance does not cover the price.
    #[error("the balance does not cover the price")]
    InsufficientFunds,
    /// The account is suspended.
    #[error("the account is suspended")]
    Suspended,
    /// The reference was used before.
    #[error("the reference was used before")]
    ReferenceTaken {
        /// The family of the transaction that has it: its report is the way back.
        service: Service,
        /// The reference.
        reference: MerchantReference,
    },
    /// The idempotency key was used for a request with another meaning.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The first request under the idempotency key is still being worked on.
    #[error("the first request under this idempotency key is still in progress")]
    InProgress,
    /// The gateway is shutting down and takes no new payments.
    #[error("the gateway is shutting down")]
    Draining,
    /// As many payments as the gateway may have in hand are under way.
    #[error("too many payments are under way")]
    Saturated,
    /// The store failed; nothing is known to have been done. The reference tells.
    #[error("the store failed")]
    Store(#[from] PortError),
}
