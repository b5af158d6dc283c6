//! Errors about quotes and where transfers abroad go. A quote of another account and one that was
//! changed must get the same answer.

use super::invalid;
use crate::reply::HttpReply;
use application::request_error::QuoteRefusal;
use domain::country::CountryCode;
use domain::international::{DestinationCurrency, WrongCountry};
use http::StatusCode;
use wire::attribute::{BANK, DESTINATION_CURRENCY, IBAN, QUOTE};
use wire::violations::Violations;

impl From<QuoteRefusal> for HttpReply {
    fn from(refused: QuoteRefusal) -> Self {
        match refused {
            QuoteRefusal::Unknown => {
                let message = "is no quote of your account, or was changed; send it as it was \
                               answered";
                invalid(&QUOTE, message)
            }
            QuoteRefusal::OfAnother => {
                let message = "is of another product or amount and nothing was done; ask for a \
                               quote of this one";
                let violations = Violations::of(&QUOTE, message);
                Self::params(
                    StatusCode::CONFLICT,
                    "The quote is of another order.",
                    violations,
                )
            }
            QuoteRefusal::Expired => {
                let message = "has expired and nothing was done; ask for another quote";
                let violations = Violations::of(&QUOTE, message);
                Self::params(StatusCode::CONFLICT, "The quote has expired.", violations)
            }
        }
    }
}

pub(super) fn currency_not_served(sent: &[DestinationCurrency]) -> HttpReply {
    let codes: Vec<_> = sent.iter().map(|currency| currency.code()).collect();
    let message = format!("is not sent to this country; send {}", codes.join(" or "));
    invalid(&DESTINATION_CURRENCY, message)
}

pub(super) fn beneficiary_elsewhere(country: CountryCode, has_iban: bool) -> HttpReply {
    let attribute = if has_iban { &IBAN } else { &BANK };
    invalid(attribute, WrongCountry(country).to_string())
}
