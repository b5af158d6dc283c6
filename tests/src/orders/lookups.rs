//! Lookups that are charged, as the attributes of their queries.

use serde_json::{Value, json};

/// A lookup of a number in Nigeria.
#[must_use]
pub fn lookup(reference: &str, number: &str) -> Value {
    json!({"mrcReference": reference, "countryCode": 566, "number": number})
}

/// Since when the SIM of a number is in use.
#[must_use]
pub fn lookup_by_name(reference: &str, number: &str) -> Value {
    json!({
        "mrcReference": reference,
        "lkpCode": "sim-age",
        "number": number,
        "cnsReference": "consent-1",
    })
}

/// Where the device of a number is.
#[must_use]
pub fn device(reference: &str, number: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "cnsReference": "consent-1",
    })
}
