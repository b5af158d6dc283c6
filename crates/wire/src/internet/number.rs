//! `GET /payment/internet/number`. It must show the operator that the application found, and never
//! guess one by the digits.

use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::internet::DataOperator;
use domain::phone::PhoneNumber;

/// The number that is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberQuery {
    pub country: CountryCode,
    pub number: PhoneNumber,
}

/// Reads which number is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NumberQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    let number = reader.phone();
    reader.finish(|| {
        Ok(NumberQuery {
            country: country?,
            number: number?,
        })
    })
}

/// A number and the operator whose data is sold for it (interface §2.7).
pub fn view(query: &NumberQuery, provider: &DataOperator) -> Object {
    Object::new()
        .with("identifier", provider.code.as_str())
        .with("number", query.number.digits())
        .with("brandname", provider.brandname.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};
    use testkit::builders::data_provider;

    fn lenient(text: &str) -> Result<NumberQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    #[test]
    fn a_device_is_asked_for_with_or_without_the_plus_sign() {
        let asked = lenient("countryCode=566&number=2348031234567").unwrap();
        assert_eq!(asked.country, CountryCode::NIGERIA);
        assert_eq!(asked.number.digits(), "2348031234567");
        let plus = lenient("countryCode=566&number=%2B2348031234567");
        assert_eq!(plus, Ok(asked));
    }

    #[test]
    fn a_missing_filter_is_distinguished_from_a_bad_one() {
        insta::assert_snapshot!(faults(lenient("number=0803")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        number: must be in international format: 8 to 15 digits, the plus sign optional
        ");
        let text = "countryCode=566&number=08031234567&identifier=1";
        insta::assert_snapshot!(faults(parse(&query(text), Handling::Strict)), @r"
        400 822
        number: must be in international format: 8 to 15 digits, the plus sign optional
        identifier: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_device_shows_whose_data_is_sold_for_it() {
        let asked = lenient("countryCode=566&number=%2B2348031234567").unwrap();
        let shown = view(&asked, &data_provider("1", "MTN"));
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          identifier: "1"
          number: "2348031234567"
          brandname: "MTN"
        }
        "#);
    }
}
