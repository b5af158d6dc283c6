//! What an answer says was handed over. A token must be the provider's, whole, or there is none
//! yet.

use crate::answer::VtpassAnswer;
use domain::billing::Billing;
use domain::electricity::{ElectricityOrder, Vend};
use domain::money::Money;
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::token::{Token, TokenNumber};

/// Where companies write the token, in the order they are believed.
const TOKENS: [&str; 3] = ["token", "mainToken", "purchased_code"];

/// Where they write how much energy it is for, what that cost, and what of it went to old debt.
const UNITS: [&str; 3] = ["units", "mainTokenUnits", "PurchasedUnits"];
const COSTS: [&str; 2] = ["tokenAmount", "mainTokenAmount"];
const RECOVERED: [&str; 2] = ["appliedToArrears", "debtAmount"];
const OWED: [&str; 1] = ["arrearsBalance"];
const RECEIPTS: [&str; 3] = ["exchangeReference", "invoiceNumber", "transactionId"];

/// What was handed over; `None` while a token is awaited.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a family that is not served is refused, whichever it is"
)]
pub(crate) fn fulfilment(order: &Order, answer: &VtpassAnswer) -> Option<Fulfilment> {
    match order {
        Order::Airtime(_) => Some(Fulfilment::Airtime),
        Order::Internet(_) => Some(Fulfilment::Internet),
        Order::CableTv(_) => Some(Fulfilment::CableTv),
        Order::Electricity(order) => vend(order, answer).map(Fulfilment::Electricity),
        // Nothing else is ever sent.
        _ => None,
    }
}

fn vend(order: &ElectricityOrder, answer: &VtpassAnswer) -> Option<Vend> {
    let token = match order.meter.billing {
        Billing::Prepaid => Some(token(answer)?),
        Billing::Postpaid => None,
    };
    Some(Vend {
        receipt: answer.first(&RECEIPTS).or(answer.reference.clone())?,
        debt: order.meter.debt,
        outstanding: outstanding(order.meter.debt, answer),
        last_purchase: order.meter.last_purchase,
        last_paid: order.meter.last_paid,
        token,
    })
}

/// The debt as the company reports it, or what follows from what it recovered.
fn outstanding(debt: Option<Money>, answer: &VtpassAnswer) -> Option<Money> {
    answer.top.naira(&OWED).or_else(|| {
        let left = debt?.checked_sub(answer.top.naira(&RECOVERED)?);
        left.filter(|left| left.minor() >= 0)
    })
}

/// The token. Some companies report neither its cost nor its units; the token is what the customer
/// needs, so it is delivered without them.
fn token(answer: &VtpassAnswer) -> Option<Token> {
    let mut written = TOKENS.iter().filter_map(|name| answer.first(&[name]));
    let number = written.find_map(|text| token_number(&text))?;
    let units = answer.top.quantity(&UNITS).map(|mut units| {
        units.rescale(2);
        units
    });
    Some(Token {
        number: Some(number),
        cost: answer.top.naira(&COSTS),
        units,
    })
}

/// 20 digits, with or without `Token :` before them and spaces or hyphens within.
fn token_number(text: &str) -> Option<TokenNumber> {
    let digits = match text.split_once(':') {
        Some((label, digits)) if label.trim().eq_ignore_ascii_case("token") => digits,
        Some(_) => return None,
        None => text,
    };
    let digits: String = digits.chars().filter(|c| !c.is_whitespace()).collect();
    TokenNumber::parse(&digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_20_digits_and_nothing_else() {
        let digits = |text| token_number(text).map(|token| token.digits().to_owned());
        for text in [
            "26362054405982757802",
            "Token : 26362054405982757802",
            "token:2636 2054 4059 8275 7802",
            "2636-2054-4059-8275-7802",
        ] {
            assert_eq!(
                digits(text).as_deref(),
                Some("26362054405982757802"),
                "{text}"
            );
        }
        for text in [
            "",
            "0",
            "2636205440598275780",
            "263620544059827578021",
            "Token : 26362054405982757802, 11112222333344445555",
            "Units : 26362054405982757802",
            "2636205440598275780a",
        ] {
            assert_eq!(digits(text), None, "{text}");
        }
    }
}
