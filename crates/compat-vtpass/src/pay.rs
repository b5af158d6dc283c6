//! `POST pay`, as an operation of the interface and its attributes. It must pass values on as they
//! were sent: the operation refuses what is wrong with them.

use crate::service::{SoldService, sold};
use serde_json::{Map, Value, json};

/// Nigeria, the only country that VTpass's services deliver in.
const NIGERIA: u64 = 566;

/// Months of a cable TV plan where a request names none.
const MONTHS: u64 = 1;

/// A purchase as the interface takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct TranslatedPay {
    /// The operation that buys it.
    pub path: &'static str,
    /// The attributes of that operation; `mrcReference` is the `request_id`.
    pub attributes: Map<String, Value>,
    /// The network that must have the number, by our code: the operation of the interface finds
    /// the network by itself, and a purchase of another's airtime has to be refused.
    pub network: Option<&'static str>,
}

/// A request that no operation can be found for, or that lacks what its operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPay {
    /// The body is no JSON object.
    #[error("the body must be a JSON object")]
    NotAnObject,
    /// A field is absent, null, or neither text nor a number.
    #[error("{0} must be given as text or a number")]
    Missing(&'static str),
    /// `serviceID` is none that is sold.
    #[error("serviceID names no service that is sold here; services lists them")]
    UnknownService,
    /// `quantity` is something else than one.
    #[error("quantity must be 1 or left out")]
    Quantity,
}

/// Translates a purchase.
///
/// # Errors
/// Names the first field that is wrong; nothing was done.
pub fn pay(body: &[u8]) -> Result<TranslatedPay, InvalidPay> {
    let sent = serde_json::from_slice(body).map_err(|_| InvalidPay::NotAnObject)?;
    let Value::Object(sent) = sent else {
        return Err(InvalidPay::NotAnObject);
    };
    let field = |name: &'static str| match sent.get(name) {
        Some(value @ (Value::String(_) | Value::Number(_))) => Ok(value.clone()),
        _ => Err(InvalidPay::Missing(name)),
    };
    let reference = field("request_id")?;
    let service = field("serviceID")?;
    let service = service.as_str().and_then(sold);
    let service = service.ok_or(InvalidPay::UnknownService)?;
    let one = |value: &Value| value.is_null() || *value == json!(1) || *value == json!("1");
    if !sent.get("quantity").is_none_or(one) {
        return Err(InvalidPay::Quantity);
    }
    let (path, attributes) = match service {
        SoldService::Airtime(_) => ("/payment/airtime", {
            let (number, amount) = (international(field("phone")?), field("amount")?);
            json!({"countryCode": NIGERIA, "number": number, "amount": amount,
                "billing": "prepaid"})
        }),
        SoldService::Internet(_) => ("/payment/internet", {
            let number = international(field("billersCode")?);
            json!({"identifier": field("variation_code")?, "number": number})
        }),
        SoldService::CableTv(provider) => ("/payment/cabletv", cable_tv(provider, &sent, &field)?),
        SoldService::Electricity(disco) => ("/payment/electricity", {
            let (number, amount) = (field("billersCode")?, field("amount")?);
            json!({"disco": disco, "number": number, "amount": amount,
                "billing": field("variation_code")?})
        }),
    };
    let mut translated = Map::from_iter([("mrcReference".to_owned(), reference)]);
    if let Value::Object(attributes) = attributes {
        translated.extend(attributes);
    }
    let network = match service {
        SoldService::Airtime(network) => Some(network),
        SoldService::Internet(_) | SoldService::CableTv(_) | SoldService::Electricity(_) => None,
    };
    Ok(TranslatedPay {
        path,
        attributes: translated,
        network,
    })
}

/// A plan, or with `renew` the amount of the present one.
fn cable_tv(
    provider: u64,
    sent: &Map<String, Value>,
    field: &impl Fn(&'static str) -> Result<Value, InvalidPay>,
) -> Result<Value, InvalidPay> {
    let number = field("billersCode")?;
    if sent.get("subscription_type").and_then(Value::as_str) == Some("renew") {
        let amount = field("amount")?;
        return Ok(
            json!({"provider": provider, "number": number, "subscribe": "topup",
            "amount": amount}),
        );
    }
    let plan = field("variation_code")?;
    Ok(
        json!({"provider": provider, "number": number, "subscribe": "instant",
        "identifier": plan, "duration": MONTHS}),
    )
}

/// A number in the local form `080…` with the code of Nigeria; any other is passed on.
fn international(number: Value) -> Value {
    let local = number.as_str().filter(|text| text.len() == 11);
    match local.and_then(|text| text.strip_prefix('0')) {
        Some(rest) => Value::String(format!("234{rest}")),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(body: &Value) -> (&'static str, Value) {
        let pay = pay(body.to_string().as_bytes()).unwrap();
        (pay.path, Value::Object(pay.attributes))
    }

    #[test]
    fn every_family_is_bought_under_the_request_id() {
        let airtime = json!({"request_id": "202611250900a", "serviceID": "etisalat",
            "amount": 100, "phone": "08091234567"});
        let number = "2348091234567";
        assert_eq!(
            translated(&airtime),
            (
                "/payment/airtime",
                json!({"mrcReference": "202611250900a", "countryCode": 566, "number": number,
                    "amount": 100, "billing": "prepaid"})
            )
        );
        let network = pay(airtime.to_string().as_bytes()).unwrap().network;
        assert_eq!(network, Some("9mobile"));
        let data = json!({"request_id": "a", "serviceID": "mtn-data", "phone": "1",
            "billersCode": "08091234567", "variation_code": "105"});
        let bought = json!({"mrcReference": "a", "identifier": "105", "number": number});
        assert_eq!(translated(&data), ("/payment/internet", bought));
        let meter = json!({"request_id": "a", "serviceID": "abuja-electric", "amount": "1000",
            "billersCode": "04123456789", "variation_code": "prepaid", "phone": "1"});
        let bought = json!({"mrcReference": "a", "disco": 101, "number": "04123456789",
            "amount": "1000", "billing": "prepaid"});
        assert_eq!(translated(&meter), ("/payment/electricity", bought));
    }

    #[test]
    fn cable_tv_is_a_plan_or_the_amount_of_a_renewal() {
        let plan = json!({"request_id": "a", "serviceID": "showmax", "quantity": 1,
            "billersCode": "0201234567", "variation_code": "204", "phone": "1"});
        let bought = json!({"mrcReference": "a", "provider": 204, "number": "0201234567",
            "subscribe": "instant", "identifier": "204", "duration": 1});
        assert_eq!(translated(&plan), ("/payment/cabletv", bought));
        let renewal = json!({"request_id": "a", "serviceID": "dstv", "amount": 7000,
            "billersCode": "0201234567", "subscription_type": "renew", "phone": "1"});
        let bought = json!({"mrcReference": "a", "provider": 201, "number": "0201234567",
            "subscribe": "topup", "amount": 7000});
        assert_eq!(translated(&renewal), ("/payment/cabletv", bought));
    }

    #[test]
    fn what_no_operation_can_be_found_for_is_refused_by_name() {
        let refused = |body: &str| pay(body.as_bytes()).unwrap_err();
        assert_eq!(refused("[]"), InvalidPay::NotAnObject);
        assert_eq!(refused("{"), InvalidPay::NotAnObject);
        assert_eq!(refused("{}"), InvalidPay::Missing("request_id"));
        let unknown = r#"{"request_id":"a","serviceID":"bank-deposit"}"#;
        assert_eq!(refused(unknown), InvalidPay::UnknownService);
        let several = r#"{"request_id":"a","serviceID":"dstv","quantity":2}"#;
        assert_eq!(refused(several), InvalidPay::Quantity);
        let unnamed = r#"{"request_id":"a","serviceID":"mtn","phone":null}"#;
        assert_eq!(refused(unnamed), InvalidPay::Missing("phone"));
    }
}
