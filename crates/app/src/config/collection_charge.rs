//! `[[collection_charge]]`: what merchants are charged for what is paid to their collections, from
//! a day on. It must not decide what a payment is charged, only whether a rule can be read.

use super::charge::day;
use super::parse;
use super::problem::{Problem, ReadList, each};
use domain::collection::{CollectionCharge, CollectionCharges};
use serde::Deserialize;
use toml::Value;

/// The name of the section.
pub(super) const SECTION: &str = "collection_charge";

/// A rule as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCollectionCharge {
    /// The first day it is in force, UTC.
    pub(crate) from: String,
    pub(crate) percent: String,
    pub(crate) fixed: Option<String>,
    pub(crate) cap: Option<String>,
    pub(crate) vat: Option<String>,
}

/// Takes in the value of `collection_charge` in a file.
pub(super) fn read(value: Value) -> ReadList<RawCollectionCharge> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`collection_charge` is a list of rules with `from` and `percent`, and `fixed`, `cap` \
             and `vat` where there are any, all in quotes: {}",
            error.message()
        )
    }))
}

/// The rules in force; none where none were written.
pub(super) fn parse(raw: &[RawCollectionCharge]) -> Result<CollectionCharges, Vec<Problem>> {
    let checked = CollectionCharges::try_new(each(SECTION, raw, rule)?);
    checked.map_err(|error| vec![Problem(format!("{SECTION} {error}"))])
}

fn rule(raw: &RawCollectionCharge) -> Result<CollectionCharge, String> {
    let named = |field: &'static str| move |error| format!("`{field}` {error}");
    let fixed = raw.fixed.as_deref().unwrap_or("0.00");
    let vat = raw.vat.as_deref().unwrap_or("0");
    let cap = raw.cap.as_deref().map(parse::fee).transpose();
    Ok(CollectionCharge {
        from: day(&raw.from).map_err(|error| format!("`from` {error}"))?,
        percent: parse::percent(&raw.percent).map_err(named("percent"))?,
        fixed: parse::fee(fixed).map_err(named("fixed"))?,
        cap: cap.map_err(named("cap"))?,
        vat: parse::percent(vat).map_err(named("vat"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::{Currency, Money};
    use domain::time::Timestamp;

    fn read_rules(text: &str) -> Result<CollectionCharges, Vec<String>> {
        let mut table: toml::Table = text.parse().unwrap();
        let list = read(table.remove(SECTION).unwrap());
        let messages = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect();
        if list.problems.is_empty() {
            parse(&list.entries).map_err(messages)
        } else {
            Err(messages(list.problems))
        }
    }

    const RULE: &str = "[[collection_charge]]\nfrom = \"2027-01-01\"\npercent = \"1.5\"\n\
                        fixed = \"100.00\"\ncap = \"2000.00\"\nvat = \"7.5\"\n";

    #[test]
    fn a_rule_holds_from_its_day_on() {
        let rules = read_rules(RULE).unwrap();
        let first = 1_798_761_600_000;
        let amount = Money::from_minor(1_000_000, Currency::Ngn);
        let before = rules.of(amount, Timestamp::from_millis(first - 1));
        assert_eq!(before.charge.minor(), 0);
        let charged = rules.of(amount, Timestamp::from_millis(first));
        assert_eq!(
            (charged.charge.minor(), charged.vat.minor()),
            (25_000, 1_875)
        );
        assert_eq!(parse(&[]), Ok(CollectionCharges::default()));
        let least = "[[collection_charge]]\nfrom = \"2027-01-01\"\npercent = \"1\"\n";
        let charged = read_rules(least)
            .unwrap()
            .of(amount, Timestamp::from_millis(first));
        assert_eq!((charged.charge.minor(), charged.vat.minor()), (10_000, 0));
    }

    #[test]
    fn a_rule_that_cannot_be_read_is_reported_with_its_number_and_field() {
        let problems_of = |from: &str, to: &str| read_rules(&RULE.replacen(from, to, 1));
        let problems_of = |from, to| problems_of(from, to).unwrap_err();
        assert_eq!(
            problems_of("2027-01-01", "soon"),
            ["collection_charge 1: `from` must be a day such as 2026-01-01"]
        );
        for (from, field) in [
            ("1.5", "percent"),
            ("100.00", "fixed"),
            ("2000.00", "cap"),
            ("7.5", "vat"),
        ] {
            let problem = format!("collection_charge 1: `{field}` ");
            assert!(problems_of(from, "-1")[0].starts_with(&problem), "{field}");
        }
        assert!(
            problems_of("percent =", "share =")[0].starts_with("`collection_charge` is a list")
        );
        let twice = read_rules(&format!("{RULE}{RULE}")).unwrap_err();
        assert!(twice[0].contains("same day"), "{twice:?}");
    }
}
