//! `[[account_limit]]`: accounts that may ask more often than the rest, or less. What one of them
//! leaves out must be as for the rest.

use std::num::NonZeroU32;

use domain::account::AccountId;
use http_server::{Limits, Quota};
use serde::Deserialize;
use toml::Value;

use super::keys::PER_MINUTE_MAX;
use super::problem::{Problem, ReadList, each_once};

/// The name of the section.
pub(super) const SECTION: &str = "account_limit";

/// Limits of an account as they were written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawAccountLimit {
    pub(crate) account: String,
    payments_per_minute: Option<u32>,
    payments_at_once: Option<u32>,
    bulks_per_minute: Option<u32>,
    reads_per_minute: Option<u32>,
    lookups_per_minute: Option<u32>,
}

/// The limits of an account that has its own.
pub(crate) type OwnLimits = (AccountId, Limits);

/// Takes in the value of `account_limit` in a file.
pub(super) fn read(value: Value) -> ReadList<RawAccountLimit> {
    ReadList::of(value.try_into().map_err(|error| {
        format!(
            "`account_limit` is a list of tables with `account` and any of \
             `payments_per_minute`, `payments_at_once`, `bulks_per_minute`, `reads_per_minute` \
             and `lookups_per_minute`, whole numbers: {}",
            error.message()
        )
    }))
}

/// The limits of accounts beside those of the rest.
pub(super) fn parse(
    raw: &[RawAccountLimit],
    standard: Limits,
) -> Result<Vec<OwnLimits>, Vec<Problem>> {
    let read = |raw: &RawAccountLimit| raw.limits(standard);
    let known = |raw: &RawAccountLimit, new: &OwnLimits, others: &[OwnLimits]| {
        let is_known = others.iter().any(|(account, _)| *account == new.0);
        is_known.then(|| format!("{} has limits above already; write them once", raw.account))
    };
    each_once(SECTION, raw, (read, known))
}

impl RawAccountLimit {
    /// The names of the limits, each with its number where it is written.
    fn written(&self) -> [(&'static str, Option<u32>); 5] {
        [
            ("payments_per_minute", self.payments_per_minute),
            ("payments_at_once", self.payments_at_once),
            ("bulks_per_minute", self.bulks_per_minute),
            ("reads_per_minute", self.reads_per_minute),
            ("lookups_per_minute", self.lookups_per_minute),
        ]
    }

    /// What is written, for people.
    pub(super) fn shown(&self) -> String {
        let written = self.written().into_iter();
        let shown = written.filter_map(|(name, number)| number.map(|it| format!("{name} {it}")));
        shown.collect::<Vec<_>>().join(", ")
    }

    fn limits(&self, standard: Limits) -> Result<OwnLimits, String> {
        let account = AccountId::parse(&self.account)
            .map_err(|error| format!("`account` {error}, not \"{}\"", self.account))?;
        if self.written().iter().all(|(_, number)| number.is_none()) {
            return Err(format!(
                "{account} is given no limit of its own; write one, or remove the section"
            ));
        }
        let [payments, at_once, bulks, reads, lookups] = self.written();
        let (payments, at_once) = (number(payments)?, number(at_once)?);
        let payments = payments.unwrap_or_else(|| standard.payments.a_minute());
        if at_once.is_some_and(|at_once| at_once > payments) {
            return Err(format!(
                "`payments_at_once` must not be above `payments_per_minute`, which is {payments}"
            ));
        }
        let each_minute =
            |quota, number: Option<NonZeroU32>| number.map_or(quota, Quota::per_minute);
        let limits = Limits {
            payments: Quota::new(
                payments,
                at_once.unwrap_or_else(|| standard.payments.at_once()),
            ),
            bulks: each_minute(standard.bulks, number(bulks)?),
            reads: each_minute(standard.reads, number(reads)?),
            lookups: each_minute(standard.lookups, number(lookups)?),
            ..standard
        };
        Ok((account, limits))
    }
}

fn number((name, number): (&str, Option<u32>)) -> Result<Option<NonZeroU32>, String> {
    let Some(number) = number else {
        return Ok(None);
    };
    let fits = NonZeroU32::new(number).filter(|_| number <= PER_MINUTE_MAX);
    let wrong = || format!("`{name}` must be 1 to {PER_MINUTE_MAX}, not {number}");
    fits.map(Some).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<OwnLimits>, Vec<String>> {
        let table: toml::Table = text.parse().unwrap();
        let list = read(table[SECTION].clone());
        let messages = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect();
        if !list.problems.is_empty() {
            return Err(messages(list.problems));
        }
        parse(&list.entries, Limits::default()).map_err(messages)
    }

    fn quota(per_minute: u32, at_once: u32) -> Quota {
        let [per_minute, at_once] = [per_minute, at_once].map(|it| NonZeroU32::new(it).unwrap());
        Quota::new(per_minute, at_once)
    }

    #[test]
    fn what_an_account_leaves_out_is_as_for_the_rest() {
        let text = "[[account_limit]]\naccount = \"shop_1\"\npayments_per_minute = 900\n\
                    [[account_limit]]\naccount = \"shop_2\"\nreads_per_minute = 7\n\
                    payments_per_minute = 20\n";
        let limits = parsed(text).unwrap();
        let [(one, first), (two, second)] = &*limits else {
            panic!("{limits:?}");
        };
        assert_eq!((one.as_str(), two.as_str()), ("shop_1", "shop_2"));
        let standard = Limits::default();
        assert_eq!(first.payments, quota(900, 60));
        assert_eq!((first.reads, first.bulks), (standard.reads, standard.bulks));
        // No more at once than in a minute.
        assert_eq!(second.payments, quota(20, 20));
        assert_eq!(second.reads, quota(7, 7));
        assert_eq!(second.lookups, standard.lookups);
    }

    #[test]
    fn every_mistake_names_its_field_and_the_remedy() {
        let one = |lines: &str| {
            let text = format!("[[account_limit]]\naccount = \"shop_1\"\n{lines}");
            parsed(&text).unwrap_err().join("; ")
        };
        for (lines, named) in [
            ("", "is given no limit of its own"),
            (
                "reads_per_minute = 0",
                "`reads_per_minute` must be 1 to 60000000, not 0",
            ),
            ("reads_per_minute = \"7\"", "whole numbers"),
            ("reads_per_hour = 7", "reads_per_hour"),
            (
                "payments_at_once = 400",
                "`payments_per_minute`, which is 300",
            ),
            (
                "payments_per_minute = 7\npayments_at_once = 8",
                "must not be above `payments_per_minute`",
            ),
            (
                "reads_per_minute = 7\n[[account_limit]]\naccount = \"shop_1\"\n\
                 reads_per_minute = 8",
                "account_limit 2: shop_1 has limits above already",
            ),
        ] {
            let wrong = one(lines);
            assert!(wrong.contains(named), "{wrong}");
        }
        let wrong = parsed("[[account_limit]]\naccount = \"no shop\"\nreads_per_minute = 1");
        assert!(wrong.unwrap_err()[0].contains("`account`"));
    }
}
