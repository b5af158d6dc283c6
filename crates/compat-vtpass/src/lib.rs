//! Translates requests in VTpass's shape to operations of the interface, and what they came to back
//! to VTpass's answers. It must not decide anything about an order: the operation validates and
//! buys as it does for any other request. It does no I/O.

mod answer;
mod code;
mod customer;
mod lists;
mod pay;
mod service;
mod verify;

pub use answer::{delivered_without_record, refused, transaction};
pub use code::{ResponseCode, outcome};
pub use customer::{meter, smartcard, unknown_customer};
pub use lists::{PlanVariation, balance, categories, services, variations};
pub use pay::{TranslatedPay, pay};
pub use service::{SoldService, sold};
pub use verify::{TranslatedVerify, verify};

use wire::attributes::{AttributeValue, Attributes};

/// The name of the merchant's reference in a purchase and in a query of one.
const REQUEST_ID: &str = "request_id";

/// A request that no operation can be found for, or that lacks what its operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    /// A field is absent, null, empty, or neither text nor a number.
    #[error("{0} must be given as text or a number")]
    Missing(&'static str),
    /// `serviceID` is none that is sold.
    #[error("serviceID names no service that is sold here; services lists them")]
    UnknownService,
    /// The customers of a `serviceID` cannot be looked up.
    #[error("customers of this serviceID are not looked up; those of cable TV and electricity are")]
    NotVerified,
    /// `quantity` is something else than one.
    #[error("quantity must be 1 or left out")]
    Quantity,
}

impl InvalidRequest {
    /// VTpass's code for it.
    pub const fn code(self) -> ResponseCode {
        match self {
            Self::Missing(_) => ResponseCode::InvalidArguments,
            Self::UnknownService | Self::NotVerified => ResponseCode::NoSuchProduct,
            Self::Quantity => ResponseCode::AboveMaximumQuantity,
        }
    }
}

/// The `request_id` of a purchase or a query, as it was sent.
pub fn request_id(sent: &Attributes) -> Option<&str> {
    match sent.get(REQUEST_ID)? {
        AttributeValue::Text(text) | AttributeValue::Number(text) => Some(text),
        AttributeValue::Truth(_)
        | AttributeValue::Texts(_)
        | AttributeValue::Objects(_)
        | AttributeValue::Object(_)
        | AttributeValue::Other(_) => None,
    }
}

/// A field that must be given. What it holds is judged by the operation.
fn field(sent: &Attributes, name: &'static str) -> Result<AttributeValue, InvalidRequest> {
    match sent.get(name) {
        Some(AttributeValue::Text(text)) if text.is_empty() => Err(InvalidRequest::Missing(name)),
        Some(value @ (AttributeValue::Text(_) | AttributeValue::Number(_))) => Ok(value.clone()),
        Some(
            AttributeValue::Truth(_)
            | AttributeValue::Texts(_)
            | AttributeValue::Objects(_)
            | AttributeValue::Object(_)
            | AttributeValue::Other(_),
        )
        | None => Err(InvalidRequest::Missing(name)),
    }
}

/// The service that a request names.
fn service(sent: &Attributes) -> Result<SoldService, InvalidRequest> {
    match field(sent, "serviceID")? {
        AttributeValue::Text(id) => sold(&id).ok_or(InvalidRequest::UnknownService),
        AttributeValue::Number(_)
        | AttributeValue::Truth(_)
        | AttributeValue::Texts(_)
        | AttributeValue::Objects(_)
        | AttributeValue::Object(_)
        | AttributeValue::Other(_) => Err(InvalidRequest::UnknownService),
    }
}

/// A value of our own choice.
fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::Text(value.into())
}
