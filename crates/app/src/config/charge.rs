//! `[[payout_charge]]`: what payouts are charged, from a day on. It must not decide what a payout
//! costs, only whether a rule can be read.

use domain::bank::charges::{Band, ChargeRule, ChargeRules};
use domain::money::Money;
use domain::time::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;
use toml::Value;

use super::parse;
use super::problem::{Problem, ReadList, each};

/// The name of the section.
pub(super) const SECTION: &str = "payout_charge";

/// A rule as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawRule {
    /// The first day it is in force, UTC.
    pub(crate) from: String,
    pub(crate) bands: Vec<RawBand>,
    pub(crate) vat: String,
    pub(crate) levy_from: String,
    pub(crate) levy: String,
    /// Whether the levy is due on salaries too, as it is where this is left out.
    #[serde(default = "levied")]
    pub(crate) levies_salaries: bool,
}

const fn levied() -> bool {
    true
}

/// A band as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawBand {
    /// The largest amount in it; the last band has none.
    pub(crate) up_to: Option<String>,
    pub(crate) charge: String,
}

/// Takes in the value of `payout_charge` in a file.
pub(super) fn read(value: Value) -> ReadList<RawRule> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`payout_charge` is a list of rules with `from`, `bands`, `vat`, `levy_from` and \
             `levy`, every value in quotes, and `levies_salaries`: {}",
            error.message()
        )
    }))
}

/// The rules in force; the ones Nigerian banks go by, where none were written.
pub(super) fn parse(raw: &[RawRule]) -> Result<ChargeRules, Vec<Problem>> {
    if raw.is_empty() {
        return Ok(ChargeRules::default_nigeria());
    }
    let checked = ChargeRules::try_new(each(SECTION, raw, rule)?);
    checked.map_err(|error| vec![Problem(format!("{SECTION} {error}"))])
}

fn rule(raw: &RawRule) -> Result<ChargeRule, String> {
    let named = |field: &str, error: String| format!("`{field}` {error}");
    let money = |field: &str, text: &str| parse::fee(text).map_err(|error| named(field, error));
    Ok(ChargeRule {
        from: day(&raw.from).map_err(|error| named("from", error))?,
        bands: raw
            .bands
            .iter()
            .map(|band| band_of(band, &money))
            .collect::<Result<_, _>>()?,
        vat: parse::percent(&raw.vat).map_err(|error| named("vat", error))?,
        levy_from: money("levy_from", &raw.levy_from)?,
        levy: money("levy", &raw.levy)?,
        levies_salaries: raw.levies_salaries,
    })
}

fn band_of(
    raw: &RawBand,
    money: &impl Fn(&str, &str) -> Result<Money, String>,
) -> Result<Band, String> {
    let up_to = raw.up_to.as_deref().map(|text| money("up_to", text));
    Ok(Band {
        up_to: up_to.transpose()?,
        charge: money("charge", &raw.charge)?,
    })
}

/// The first moment of a day, UTC.
pub(super) fn day(text: &str) -> Result<Timestamp, String> {
    let wrong = || "must be a day such as 2026-01-01".to_owned();
    let date: Date = text.parse().map_err(|_| wrong())?;
    let start = date.to_zoned(TimeZone::UTC).map_err(|_| wrong())?;
    Ok(Timestamp::from_millis(start.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::Currency;

    fn read_rules(text: &str) -> Result<ChargeRules, Vec<String>> {
        let mut table: toml::Table = text.parse().unwrap();
        let list = read(table.remove(SECTION).unwrap());
        let messages = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect();
        if list.problems.is_empty() {
            parse(&list.entries).map_err(messages)
        } else {
            Err(messages(list.problems))
        }
    }

    const RULE: &str = "[[payout_charge]]\nfrom = \"2027-01-01\"\nvat = \"10\"\n\
        levy_from = \"20000.00\"\nlevy = \"75.00\"\n\
        bands = [{ up_to = \"1000.00\", charge = \"5.00\" }, { charge = \"20.00\" }]\n";

    #[test]
    fn a_rule_holds_from_its_day_on() {
        let rules = read_rules(RULE).unwrap();
        let naira = |text| Money::parse(text, Currency::Ngn).unwrap();
        let at = |millis| rules.charges(naira("20,000.00"), Timestamp::from_millis(millis));
        let first = 1_798_761_600_000;
        assert_eq!(at(first - 1), None);
        let (charges, rule) = at(first).unwrap();
        assert_eq!(charges.charge, naira("20.00"));
        assert_eq!(charges.vat, naira("2.00"));
        assert_eq!(charges.levy, naira("75.00"));
        assert_eq!(rule, "payout-charges:2027-01-01");
    }

    #[test]
    fn a_rule_that_cannot_be_read_is_reported_with_its_number_and_field() {
        let problems_of =
            |from: &str, to: &str| read_rules(&RULE.replacen(from, to, 1)).unwrap_err();
        assert_eq!(
            problems_of("2027-01-01", "next year"),
            ["payout_charge 1: `from` must be a day such as 2026-01-01"]
        );
        assert!(problems_of("\"75.00\"", "\"-1\"")[0].starts_with("payout_charge 1: `levy` "));
        assert!(problems_of("{ charge = \"20.00\" }", "")[0].starts_with("payout_charge "));
        assert!(problems_of("vat", "tax")[0].starts_with("`payout_charge` is a list of rules"));
        let twice = read_rules(&format!("{RULE}{RULE}")).unwrap_err();
        assert!(twice[0].contains("same day"), "{twice:?}");
    }

    #[test]
    fn without_a_rule_the_banks_own_are_in_force() {
        assert_eq!(parse(&[]), Ok(ChargeRules::default_nigeria()));
    }
}
