//! `[[credit_price]]`: what one message credit costs, from a day on. It must not decide what a
//! transfer brings, only whether a price can be read.

use super::charge::day;
use super::parse;
use super::problem::{Problem, ReadList, each};
use domain::wallet::{CreditPrice, CreditPrices};
use serde::Deserialize;
use toml::Value;

/// The name of the section.
pub(super) const SECTION: &str = "credit_price";

/// A price as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCreditPrice {
    /// The first day it is in force, UTC.
    pub(crate) from: String,
    pub(crate) price: String,
}

/// Takes in the value of `credit_price` in a file.
pub(super) fn read(value: Value) -> ReadList<RawCreditPrice> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`credit_price` is a list of prices with `from` and `price`, both in quotes: {}",
            error.message()
        )
    }))
}

/// The prices in force; none where none were written.
pub(super) fn parse(raw: &[RawCreditPrice]) -> Result<CreditPrices, Vec<Problem>> {
    let checked = CreditPrices::try_new(each(SECTION, raw, price)?);
    checked.map_err(|error| vec![Problem(format!("{SECTION} {error}"))])
}

fn price(raw: &RawCreditPrice) -> Result<CreditPrice, String> {
    Ok(CreditPrice {
        from: day(&raw.from).map_err(|error| format!("`from` {error}"))?,
        price: parse::fee(&raw.price).map_err(|error| format!("`price` {error}"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::Timestamp;

    fn read_prices(text: &str) -> Result<CreditPrices, Vec<String>> {
        let mut table: toml::Table = text.parse().unwrap();
        let list = read(table.remove(SECTION).unwrap());
        let messages = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect();
        if list.problems.is_empty() {
            parse(&list.entries).map_err(messages)
        } else {
            Err(messages(list.problems))
        }
    }

    const PRICE: &str = "[[credit_price]]\nfrom = \"2027-01-01\"\nprice = \"3.50\"\n";

    #[test]
    fn a_price_holds_from_its_day_on() {
        let prices = read_prices(PRICE).unwrap();
        let first = 1_798_761_600_000;
        assert_eq!(prices.at(Timestamp::from_millis(first - 1)), None);
        let (price, rule) = prices.at(Timestamp::from_millis(first)).unwrap();
        assert_eq!(price.minor(), 350);
        assert_eq!(rule, "credit-price:2027-01-01");
        assert_eq!(parse(&[]), Ok(CreditPrices::default()));
    }

    #[test]
    fn a_price_that_cannot_be_read_is_reported_with_its_number_and_field() {
        let problems_of = |from: &str, to: &str| read_prices(&PRICE.replacen(from, to, 1));
        let problems_of = |from, to| problems_of(from, to).unwrap_err();
        assert_eq!(
            problems_of("2027-01-01", "soon"),
            ["credit_price 1: `from` must be a day such as 2026-01-01"]
        );
        assert!(problems_of("3.50", "-1")[0].starts_with("credit_price 1: `price` "));
        assert!(problems_of("3.50", "0.00")[0].starts_with("credit_price must hold prices above"));
        assert!(problems_of("price =", "cost =")[0].starts_with("`credit_price` is a list"));
        let twice = read_prices(&format!("{PRICE}{PRICE}")).unwrap_err();
        assert!(twice[0].contains("same day"), "{twice:?}");
    }
}
