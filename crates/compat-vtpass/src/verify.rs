//! `POST merchant-verify`, as a lookup of the interface. It must pass values on as they were sent.

use crate::service::SoldService;
use crate::{InvalidRequest, field, service, text};
use wire::attributes::Attributes;

/// A lookup as the interface takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslatedVerify {
    /// Of a smartcard.
    Smartcard(Attributes),
    /// Of a meter.
    Meter(Attributes),
}

/// Translates a lookup of a customer.
///
/// # Errors
/// Names the first field that is wrong.
pub fn verify(sent: &Attributes) -> Result<TranslatedVerify, InvalidRequest> {
    let number = |sent| field(sent, "billersCode").map(|number| ("number", number));
    let of = |named: Vec<(&str, _)>| {
        let named = named.into_iter();
        Attributes::of_body(
            named
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    };
    match service(sent)? {
        SoldService::CableTv(provider) => Ok(TranslatedVerify::Smartcard(of(vec![
            ("provider", text(provider.to_string())),
            number(sent)?,
        ]))),
        SoldService::Electricity(disco) => Ok(TranslatedVerify::Meter(of(vec![
            ("disco", text(disco.to_string())),
            number(sent)?,
            ("billing", field(sent, "type")?),
        ]))),
        SoldService::Airtime(_) | SoldService::Internet(_) => Err(InvalidRequest::NotVerified),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<TranslatedVerify, InvalidRequest> {
        verify(&Attributes::from_json(body.as_bytes()).unwrap())
    }

    #[test]
    fn meters_and_smartcards_are_looked_up_and_nothing_else() {
        let meter = r#"{"serviceID":"ikeja-electric","billersCode":"0412","type":"prepaid"}"#;
        let Ok(TranslatedVerify::Meter(asked)) = read(meter) else {
            panic!("no meter");
        };
        assert_eq!(asked.get("disco"), Some(&text("106")));
        assert_eq!(asked.get("number"), Some(&text("0412")));
        assert_eq!(asked.get("billing"), Some(&text("prepaid")));
        let card = read(r#"{"serviceID":"gotv","billersCode":"0201234567"}"#);
        assert!(matches!(card, Ok(TranslatedVerify::Smartcard(_))));
        let untyped = read(r#"{"serviceID":"ikeja-electric","billersCode":"0412"}"#);
        assert_eq!(untyped, Err(InvalidRequest::Missing("type")));
        let airtime = read(r#"{"serviceID":"mtn","billersCode":"08031234567"}"#);
        assert_eq!(airtime, Err(InvalidRequest::NotVerified));
    }
}
