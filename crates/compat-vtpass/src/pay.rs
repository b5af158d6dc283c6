//! `POST pay`, as an operation of the interface and its attributes. It must pass values on as they
//! were sent: the operation refuses what is wrong with them.

use crate::service::SoldService;
use crate::{InvalidRequest, REQUEST_ID, field, service, text};
use wire::attributes::{AttributeValue, Attributes};

/// Nigeria, the only country that VTpass's services deliver in.
const NIGERIA: u16 = 566;

/// Months of a cable TV plan where a request names none.
const MONTHS: u8 = 1;

/// A purchase as the interface takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedPay {
    /// What is bought, and so which operation buys it. The provider of data is not among the
    /// attributes: the operation finds it by the plan, and a plan of another has to be refused.
    pub service: SoldService,
    /// The attributes of that operation; `mrcReference` is the `request_id`.
    pub attributes: Attributes,
}

type Named = (&'static str, AttributeValue);

/// Translates a purchase. The amount of a plan is left out, as VTpass does: its `variation_code`
/// decides what it costs.
///
/// # Errors
/// Names the first field that is wrong; nothing was done.
pub fn pay(sent: &Attributes) -> Result<TranslatedPay, InvalidRequest> {
    let reference = field(sent, REQUEST_ID)?;
    let service = service(sent)?;
    if !is_one(sent.get("quantity")) {
        return Err(InvalidRequest::Quantity);
    }
    let mut named: Vec<Named> = vec![("mrcReference", reference)];
    named.extend(match service {
        SoldService::Airtime(network) => vec![
            ("countryCode", text(NIGERIA.to_string())),
            ("number", international(field(sent, "phone")?)),
            ("amount", field(sent, "amount")?),
            ("billing", text("prepaid")),
            ("network", text(network)),
        ],
        SoldService::Internet(_) => vec![
            ("identifier", field(sent, "variation_code")?),
            ("number", international(field(sent, "billersCode")?)),
        ],
        SoldService::CableTv(provider) => cable_tv(provider, sent)?,
        SoldService::Electricity(disco) => vec![
            ("disco", text(disco.to_string())),
            ("number", field(sent, "billersCode")?),
            ("amount", field(sent, "amount")?),
            ("billing", field(sent, "variation_code")?),
        ],
    });
    // Billers of cards and meters want it; airtime and data name it above.
    let is_biller = matches!(
        service,
        SoldService::CableTv(_) | SoldService::Electricity(_)
    );
    if let Some(phone) = field(sent, "phone").ok().filter(|_| is_biller) {
        named.push(("customerNumber", international(phone)));
    }
    let named = named.into_iter();
    let attributes = named.map(|(name, value)| (name.to_owned(), value));
    Ok(TranslatedPay {
        service,
        attributes: Attributes::of_body(attributes.collect()),
    })
}

/// A plan, or with `renew` the amount of the present one.
fn cable_tv(provider: u64, sent: &Attributes) -> Result<Vec<Named>, InvalidRequest> {
    let mut named = vec![
        ("provider", text(provider.to_string())),
        ("number", field(sent, "billersCode")?),
    ];
    let renews = sent.get("subscription_type") == Some(&text("renew"));
    named.extend(if renews {
        vec![
            ("subscribe", text("topup")),
            ("amount", field(sent, "amount")?),
        ]
    } else {
        vec![
            ("subscribe", text("instant")),
            ("identifier", field(sent, "variation_code")?),
            ("duration", text(MONTHS.to_string())),
        ]
    });
    Ok(named)
}

/// Whether a quantity is one, or left out.
fn is_one(quantity: Option<&AttributeValue>) -> bool {
    match quantity {
        None | Some(AttributeValue::Other(_)) => true,
        Some(AttributeValue::Text(text)) => text.is_empty() || text == "1",
        Some(AttributeValue::Number(text)) => text == "1",
        Some(
            AttributeValue::Truth(_)
            | AttributeValue::Texts(_)
            | AttributeValue::Objects(_)
            | AttributeValue::Object(_),
        ) => false,
    }
}

/// A number in the local form `080…` with the code of Nigeria; any other is passed on.
fn international(number: AttributeValue) -> AttributeValue {
    let local = match &number {
        AttributeValue::Text(text) if text.len() == 11 => text.strip_prefix('0'),
        AttributeValue::Text(_)
        | AttributeValue::Number(_)
        | AttributeValue::Truth(_)
        | AttributeValue::Texts(_)
        | AttributeValue::Objects(_)
        | AttributeValue::Object(_)
        | AttributeValue::Other(_) => None,
    };
    match local {
        Some(rest) => text(format!("234{rest}")),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn sent(body: &Value) -> Attributes {
        Attributes::from_json(body.to_string().as_bytes()).unwrap()
    }

    #[track_caller]
    fn check(body: &Value, service: SoldService, attributes: &[(&str, &str)]) {
        let translated = pay(&sent(body)).unwrap();
        assert_eq!(translated.service, service);
        let names: Vec<_> = translated.attributes.names().collect();
        let expected: Vec<_> = attributes.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, expected);
        for (name, value) in attributes {
            let found = translated.attributes.get(name);
            let number = AttributeValue::Number((*value).to_owned());
            assert!(
                found == Some(&text(*value)) || found == Some(&number),
                "{name}: {found:?}"
            );
        }
    }

    #[test]
    fn every_family_is_bought_under_the_request_id() {
        let airtime = json!({"request_id": "202611250900a", "serviceID": "etisalat",
            "amount": 100, "phone": "08091234567", "billersCode": ""});
        let number = ("number", "2348091234567");
        check(
            &airtime,
            SoldService::Airtime("9mobile"),
            &[
                ("mrcReference", "202611250900a"),
                ("countryCode", "566"),
                number,
                ("amount", "100"),
                ("billing", "prepaid"),
                ("network", "9mobile"),
            ],
        );
        let data = json!({"request_id": "a", "serviceID": "mtn-data", "phone": "1", "amount": 7,
            "billersCode": "08091234567", "variation_code": "105"});
        let bought = [("mrcReference", "a"), ("identifier", "105"), number];
        check(&data, SoldService::Internet(301), &bought);
        let meter = json!({"request_id": "a", "serviceID": "abuja-electric", "amount": "1000.10",
            "billersCode": "04123456789", "variation_code": "prepaid", "phone": "08031234567"});
        let bought = [
            ("mrcReference", "a"),
            ("disco", "101"),
            ("number", "04123456789"),
            ("amount", "1000.10"),
            ("billing", "prepaid"),
            ("customerNumber", "2348031234567"),
        ];
        check(&meter, SoldService::Electricity(101), &bought);
    }

    #[test]
    fn cable_tv_is_a_plan_or_the_amount_of_a_renewal() {
        let plan = json!({"request_id": "a", "serviceID": "showmax", "quantity": 1,
            "billersCode": "0201234567", "variation_code": "204", "phone": ""});
        let bought = [
            ("mrcReference", "a"),
            ("provider", "204"),
            ("number", "0201234567"),
            ("subscribe", "instant"),
            ("identifier", "204"),
            ("duration", "1"),
        ];
        check(&plan, SoldService::CableTv(204), &bought);
        let renewal = json!({"request_id": "a", "serviceID": "dstv", "amount": 7000,
            "billersCode": "0201234567", "subscription_type": "renew", "phone": "1"});
        let bought = [
            ("mrcReference", "a"),
            ("provider", "201"),
            ("number", "0201234567"),
            ("subscribe", "topup"),
            ("amount", "7000"),
            ("customerNumber", "1"),
        ];
        check(&renewal, SoldService::CableTv(201), &bought);
    }

    #[test]
    fn an_amount_keeps_every_digit_it_was_written_with() {
        let body = br#"{"request_id":"a","serviceID":"mtn","phone":"08031234567",
            "amount":9007199254740993.01}"#;
        let translated = pay(&Attributes::from_json(body).unwrap()).unwrap();
        let exact = AttributeValue::Number("9007199254740993.01".to_owned());
        assert_eq!(translated.attributes.get("amount"), Some(&exact));
    }

    #[test]
    fn what_no_operation_can_be_found_for_is_refused_by_name() {
        let refused = |body: Value| pay(&sent(&body)).unwrap_err();
        let missing = InvalidRequest::Missing("request_id");
        assert_eq!(refused(json!({})), missing);
        assert_eq!(refused(json!({"request_id": ""})), missing);
        assert_eq!(missing.code().digits(), "011");
        let unknown = refused(json!({"request_id": "a", "serviceID": "bank-deposit"}));
        assert_eq!(unknown, InvalidRequest::UnknownService);
        assert_eq!(unknown.code().digits(), "012");
        let several = refused(json!({"request_id": "a", "serviceID": "dstv", "quantity": 2}));
        assert_eq!(several, InvalidRequest::Quantity);
        let unnamed = json!({"request_id": "a", "serviceID": "mtn", "phone": null});
        assert_eq!(refused(unnamed), InvalidRequest::Missing("phone"));
    }
}
