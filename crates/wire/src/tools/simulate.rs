//! `POST /tools/simulate`: a payment of the sandbox with an outcome of choice. It must be answered
//! as the payment that it is.

use crate::attribute::{AMOUNT, OUTCOME};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::sandbox::TestNumber;

/// The word for a payment of which nothing is forced.
const SUCCESSFUL: &str = "successful";

/// A payment that is requested for its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulatedOrder {
    pub reference: MerchantReference,
    /// What is forced; `None` where it is to be delivered.
    pub outcome: Option<TestNumber>,
    /// Its amount, where one is named.
    pub amount: Option<Money>,
}

/// Whether a payment with the outcome can be requested.
pub(super) fn is_simulated(test: TestNumber) -> bool {
    test.is_of(Service::Airtime) && test.forces_order()
}

fn words() -> Vec<(&'static str, Option<TestNumber>)> {
    let forced = TestNumber::ALL
        .into_iter()
        .filter(|test| is_simulated(*test));
    let forced = forced.map(|test| (test.code(), Some(test)));
    std::iter::once((SUCCESSFUL, None)).chain(forced).collect()
}

/// The words of `outcome`, for its documentation.
pub fn outcomes() -> Vec<&'static str> {
    words().into_iter().map(|(word, _)| word).collect()
}

/// Reads which payment is requested; its amount is in the currency of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<SimulatedOrder, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let outcome = reader.word(&OUTCOME, &words());
    let amount = reader.optional_amount(&AMOUNT, currency);
    reader.finish(|| {
        Ok(SimulatedOrder {
            reference: reference?,
            outcome: outcome?,
            amount: amount?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    fn read(attributes: &[(&str, &str)]) -> Result<SimulatedOrder, Violations> {
        parse(&body(attributes), Handling::Lenient, Currency::Ngn)
    }

    #[test]
    fn outcomes_are_words_in_any_case() {
        for (word, outcome) in [
            ("\"successful\"", None),
            ("\"DECLINED\"", Some(TestNumber::Declined)),
        ] {
            let read = read(&[("mrcReference", "\"a\""), ("outcome", word)]);
            assert_eq!(read.unwrap().outcome, outcome, "{word}");
        }
        assert!(!outcomes().contains(&"ported") && !outcomes().contains(&"undelivered"));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("outcome", "\"fax\""), ("amount", "\"0\"")])));
    }
}
