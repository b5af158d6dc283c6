//! Webhooks: endpoints of an account, what they can ask for and what was delivered to them
//! (interface §6). A secret must never be shown but in the answer to the request that made it.

mod body;
pub mod deliveries;
pub mod endpoint;
pub mod endpoints;
pub mod events;
pub mod named;
pub mod replay;
pub mod rotate;
pub mod test;

pub use body::{body, payload};

use domain::webhook::EndpointId;

/// Where the endpoints are listed.
const ENDPOINTS: &str = "/webhook/endpoint";

/// Where the deliveries are listed.
const DELIVERIES: &str = "/webhook/deliveries";

/// Reads the number an endpoint goes by.
fn endpoint_id(text: &str) -> Result<EndpointId, &'static str> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number
        .and_then(EndpointId::new)
        .ok_or("must be the number of an endpoint; GET /webhook/endpoint lists those you have")
}
