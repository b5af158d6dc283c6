//! Who serves a number today: the question and its answer. A name must be one that orders have as
//! their `operator` or `operatorName`; a network that has none must not be answered under another
//! name.

use crate::document::{DocumentError, valid};
use domain::country::CountryCode;
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use serde::{Deserialize, Serialize};
use std::fmt;

/// `POST /lookups/operator`: who serves a number.
#[derive(Serialize, Deserialize)]
pub struct OperatorLookup {
    number: String,
    country: String,
}

impl OperatorLookup {
    /// The question about a number of a country.
    pub fn new(number: &PhoneNumber, country: CountryCode) -> Self {
        Self {
            number: number.digits().to_owned(),
            country: country.to_string(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn parts(&self) -> Result<(PhoneNumber, CountryCode), DocumentError> {
        Ok((
            valid(PhoneNumber::parse(&self.number), "number")?,
            valid(CountryCode::parse(&self.country), "country")?,
        ))
    }
}

/// A number and who serves it. Without an operator it was ported, and it is not known where to.
#[derive(Serialize, Deserialize)]
pub struct ServedNumberDocument {
    number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
}

impl From<&ServedNumber> for ServedNumberDocument {
    fn from(served: &ServedNumber) -> Self {
        Self {
            number: served.number.digits().to_owned(),
            operator: match &served.operator {
                ServingOperator::Named(name) => Some(name.clone()),
                ServingOperator::PortedElsewhere => None,
            },
        }
    }
}

impl ServedNumberDocument {
    /// Longest name of an operator in bytes: more than any code or brand has.
    const OPERATOR_BYTES_MAX: usize = 64;

    /// The number and who serves it.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn served_number(self) -> Result<ServedNumber, DocumentError> {
        let named = |name: String| {
            let fits = (1..=Self::OPERATOR_BYTES_MAX).contains(&name.len());
            let name = fits.then_some(name).ok_or("must have 1 to 64 bytes");
            valid(name, "operator").map(ServingOperator::Named)
        };
        let elsewhere = Ok(ServingOperator::PortedElsewhere);
        Ok(ServedNumber {
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            operator: self.operator.map_or(elsewhere, named)?,
        })
    }
}

impl fmt::Debug for OperatorLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorLookup").finish_non_exhaustive()
    }
}

impl fmt::Debug for ServedNumberDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedNumberDocument")
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read;

    fn served(body: &str) -> Result<ServedNumber, DocumentError> {
        read::<ServedNumberDocument>(body.as_bytes())?.served_number()
    }

    #[test]
    fn a_number_is_somebodys_or_was_ported_elsewhere() {
        let operator = |body| served(body).unwrap().operator;
        let airtel = operator(r#"{"number":"2348031234567","operator":"airtel"}"#);
        assert_eq!(airtel, ServingOperator::Named("airtel".to_owned()));
        let elsewhere = operator(r#"{"number":"2348031234567"}"#);
        assert_eq!(elsewhere, ServingOperator::PortedElsewhere);
        for wrong in [
            r#"{"number":"0803","operator":"airtel"}"#,
            r#"{"number":"2348031234567","operator":""}"#,
            r#"{"operator":"airtel"}"#,
        ] {
            assert!(served(wrong).is_err(), "{wrong}");
        }
        let long = format!(
            r#"{{"number":"2348031234567","operator":"{}"}}"#,
            "a".repeat(65)
        );
        assert!(served(&long).is_err());
    }

    #[test]
    fn the_question_comes_through_unchanged() {
        let number = PhoneNumber::parse("2348031234567").unwrap();
        let asked = OperatorLookup::new(&number, CountryCode::NIGERIA);
        assert_eq!(asked.parts().unwrap(), (number, CountryCode::NIGERIA));
        assert!(!format!("{asked:?}").contains("2348031234567"));
    }
}
