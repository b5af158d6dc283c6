//! Webhooks: endpoints of an account, their subscriptions and the deliveries to them (interface
//! §6). A secret must be shown only in the answer to the request that created it.

mod body;
pub mod deliveries;
pub mod endpoint;
pub mod endpoints;
pub mod events;
pub mod named;
pub mod replay;
pub mod rotate;
pub mod signature;
pub mod test;

pub use body::{body, payload};

use domain::webhook::EndpointId;

/// The path of the endpoints.
const ENDPOINTS: &str = "/webhook/endpoint";

/// The path of the deliveries.
const DELIVERIES: &str = "/webhook/deliveries";

/// Reads the number of an endpoint.
fn endpoint_id(text: &str) -> Result<EndpointId, &'static str> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number
        .and_then(EndpointId::new)
        .ok_or("must be the number of an endpoint; GET /webhook/endpoint lists those you have")
}
