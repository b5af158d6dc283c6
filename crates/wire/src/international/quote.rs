//! `POST /transfer/international/quote`. It must show everything that a transfer by the quote will
//! be charged.

use crate::attribute::{DESTINATION_AMOUNT, DESTINATION_CURRENCY, SOURCE_AMOUNT, SOURCE_CURRENCY};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::international::{
    AmountAsked, DestinationAmount, DestinationCurrency, InternationalQuote, QuoteRequest,
};
use domain::money::Currency;
use domain::quote_identifier::QuoteIdentifier;

const EITHER: &str = "a quote, unless dstAmount is sent";

/// Reads what is asked for; `currency` is that of the account, which is converted.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<QuoteRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let converted = reader.choice(&SOURCE_CURRENCY, &[(currency.code(), currency)]);
    let arrives = reader.required(&DESTINATION_CURRENCY, |text| {
        DestinationCurrency::from_code(text).ok_or_else(unknown_currency)
    });
    let source = reader.optional_amount(&SOURCE_AMOUNT, currency);
    let read = |text: &str| match arrives {
        Ok(currency) => amount(text, currency).map(Some),
        // Its currency is not known, which is said already.
        Err(_) => Ok(None),
    };
    let destination = reader
        .optional(&DESTINATION_AMOUNT, read)
        .map(Option::flatten);
    reader.try_finish(|reader| {
        converted?;
        let amount = match (source?, destination?) {
            (Some(_), Some(_)) => {
                let message = "is given beside srcAmount; send one of the two";
                return Err(reader.fault(&DESTINATION_AMOUNT, message));
            }
            (Some(source), None) => AmountAsked::Source(source),
            (None, Some(destination)) => AmountAsked::Destination(destination),
            (None, None) => AmountAsked::Source(reader.needed(&SOURCE_AMOUNT, Ok(None), EITHER)?),
        };
        Ok(QuoteRequest {
            country: country?,
            currency: arrives?,
            amount,
        })
    })
}

fn amount(text: &str, currency: DestinationCurrency) -> Result<DestinationAmount, String> {
    let amount = DestinationAmount::parse(text, currency).map_err(|wrong| wrong.to_string())?;
    amount.ok_or_else(|| "must be above zero".to_owned())
}

fn unknown_currency() -> String {
    let codes: Vec<_> = DestinationCurrency::all()
        .map(DestinationCurrency::code)
        .collect();
    format!("must be one of {}", codes.join(", "))
}

/// A quote.
pub fn view(identifier: &QuoteIdentifier, quote: &InternationalQuote, zone: &Zone) -> Object {
    let InternationalQuote {
        country,
        offer,
        price,
        expires_at,
        arrives_at,
    } = quote;
    Object::new()
        .with("qteIdentifier", identifier.as_str())
        .with("countryCode", country.to_string())
        .with("srcCurrency", offer.source.currency().code())
        .with("srcAmount", offer.source)
        .with("dstCurrency", offer.destination.currency().code())
        .with("dstAmount", offer.destination.to_string())
        .with("qteRate", offer.rate.to_string())
        .with("qteFee", price.charges())
        .with("price", price.price)
        .with("currency", price.price.currency().code())
        .with("qteExpires", zone.date_time(*expires_at))
        .with("qteArrives", zone.date_time(*arrives_at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty, replaced};
    use testkit::builders::international_quote;

    const GOOD: [(&str, &str); 3] = [
        ("countryCode", "288"),
        ("dstCurrency", "\"GHS\""),
        ("srcAmount", "\"100,000.00\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<QuoteRequest, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    #[test]
    fn a_quote_is_asked_for_by_what_is_converted_or_by_what_arrives() {
        let asked = lenient(&body(&GOOD)).unwrap();
        assert_eq!(asked.country.get(), 288);
        let AmountAsked::Source(source) = asked.amount else {
            panic!("{asked:?}");
        };
        assert_eq!(source.to_string(), "100,000.00");
        let arrives = [GOOD[0], GOOD[1], ("dstAmount", "850.5")];
        let AmountAsked::Destination(destination) = lenient(&body(&arrives)).unwrap().amount else {
            panic!("{asked:?}");
        };
        assert_eq!(destination.to_string(), "850.50");
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!("missing", faults(lenient(&body(&[]))));
        let both = [GOOD[0], GOOD[1], GOOD[2], ("dstAmount", "1")];
        insta::assert_snapshot!("both", faults(lenient(&body(&both))));
        let wrong = body(&[
            ("countryCode", "\"x\""),
            ("srcCurrency", "\"USD\""),
            ("dstCurrency", "\"NGN\""),
            ("srcAmount", "0"),
            ("dstAmount", "\"1\""),
            ("x", "1"),
        ]);
        let read = parse(&wrong, Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!("wrong", faults(read));
        let cents = replaced(&GOOD, "dstCurrency", "\"XOF\"");
        let cents = [cents[0], cents[1], ("dstAmount", "\"10.50\"")];
        insta::assert_snapshot!("decimals", faults(lenient(&body(&cents))));
    }

    #[test]
    fn a_quote_shows_both_amounts_the_rate_the_price_and_its_end() {
        let (identifier, quote) = international_quote();
        let shown = view(&identifier, &quote, &lagos());
        insta::assert_snapshot!("quote", pretty(&shown.into()));
    }
}
