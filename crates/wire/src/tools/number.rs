//! `GET /tools/number`: what the numbering plan of a country says of a number. It must not say who
//! serves the number today: a plan does not know.

use crate::attribute::{COUNTRY, PHONE};
use crate::attributes::Attributes;
use crate::hlr::lookup::PhoneLine;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::country::CountryCode;
use domain::phone::PhoneNumber;

/// A number in the plan of a country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanQuery {
    pub country: CountryCode,
    pub number: PhoneNumber,
}

/// What the plan says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberInPlan {
    pub line: PhoneLine,
    /// The brand of the network that the block of the number was given to.
    pub block_holder: Option<String>,
}

/// Reads a number and its country.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<PlanQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    if country.is_ok_and(|country| country.name().is_none()) {
        reader.object(
            &COUNTRY,
            "is no country of ISO 3166-1; GET /tools/countries lists them",
        );
    }
    let number = reader.required(&PHONE, PhoneNumber::parse);
    reader.finish(|| {
        Ok(PlanQuery {
            country: country?,
            number: number?,
        })
    })
}

/// What the plan says of it.
pub fn view(asked: &PlanQuery, found: &NumberInPlan) -> Object {
    let holder = found.block_holder.as_deref();
    Object::new()
        .with("number", asked.number.digits())
        .with("isValid", found.line != PhoneLine::Invalid)
        .with("numberType", found.line.word())
        .with("network", holder)
        .with("networkSource", holder.map(|_| "plan"))
        .with("countryCode", asked.country.to_string())
        .with("countryName", asked.country.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};

    #[test]
    fn a_number_is_shown_with_what_the_plan_says() {
        let asked = parse(
            &query("countryCode=566&number=%2B2348031234567"),
            Handling::Strict,
        );
        let found = NumberInPlan {
            line: PhoneLine::Mobile,
            block_holder: Some("MTN".to_owned()),
        };
        insta::assert_snapshot!(pretty(&view(&asked.unwrap(), &found).into()));
    }

    #[test]
    fn a_number_that_is_not_in_the_plan_has_no_network() {
        let asked = parse(
            &query("countryCode=012&number=2348031234567"),
            Handling::Strict,
        );
        let found = NumberInPlan {
            line: PhoneLine::Invalid,
            block_holder: None,
        };
        insta::assert_snapshot!(pretty(&view(&asked.unwrap(), &found).into()));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(parse(
            &query("countryCode=999&number=1"),
            Handling::Lenient
        )));
    }
}
