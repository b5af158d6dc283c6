//! The settings of an account that the gateway keeps to by itself, whatever the adapter: limits,
//! the spacing of equal orders, the circuit breaker, and the watch over our money there. A name
//! that the adapter declares too is the adapter's.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use application::float_watch::FloatSettings;
use application::submission_guard::{BreakerLimits, GuardSettings};
use ports::adapter::AdapterDeclaration;
use ports::provider_limits::ProviderLimits;

use crate::config::parse::{self, Parsed};
use crate::config::problem::Problem;
use crate::config::raw::Raw;

const MAX_CONCURRENT: &str = "max_concurrent";
const PER_SECOND: &str = "per_second";
const LOOKALIKE: &str = "lookalike_seconds";
const DEADLINE: &str = "deadline_seconds";
const BREAKER_FAILURES: &str = "breaker_failures";
const BREAKER_OF_LAST: &str = "breaker_of_last";
const BREAKER_OPEN: &str = "breaker_open_seconds";
const BREAKER_TRIALS: &str = "breaker_trials";
const FLOAT_TRANCHE: &str = "float_tranche";
const LOW_FLOAT: &str = "low_float";
const FLOAT_EVERY: &str = "float_every_seconds";
pub(super) const NUMBER_LOOKUP: &str = "number_lookup";

/// Every setting, with a value as an example and what it does.
pub(super) const SETTINGS: [(&str, &str, &str); 12] = [
    (
        MAX_CONCURRENT,
        "32",
        "Most submissions under way at once, by each instance.",
    ),
    (
        PER_SECOND,
        "50",
        "Most submissions within any second, by each instance.",
    ),
    (
        LOOKALIKE,
        "60",
        "For how long an equal order (product, customer, amount) is not sent to it again.",
    ),
    (
        DEADLINE,
        "30",
        "Within how many seconds it answers a submission; 30 at most.",
    ),
    (
        BREAKER_FAILURES,
        "10",
        "So many failures open the circuit breaker of a biller; 0 never opens it. 10 by default, \
         0 for sandboxes.",
    ),
    (
        BREAKER_OF_LAST,
        "20",
        "Among so many of the last submissions; 20 by default.",
    ),
    (
        BREAKER_OPEN,
        "30",
        "How many seconds it stays open before a trial; 30 by default.",
    ),
    (
        BREAKER_TRIALS,
        "1",
        "How many submissions at once are the trial; 1 by default.",
    ),
    (
        FLOAT_TRANCHE,
        "\"200000.00\"",
        "Sell no more than was paid in by `manilla provider fund`; each instance has so many naira \
         of it at once.",
    ),
    (
        LOW_FLOAT,
        "\"50000.00\"",
        "Warn once when less than this is left of our money there, in naira.",
    ),
    (
        FLOAT_EVERY,
        "300",
        "How often what is left is asked for, by all instances together; 300 by default, 0 never.",
    ),
    (
        NUMBER_LOOKUP,
        "\"on\"",
        "Ask it who serves a number today, before airtime is bought without `network`; off by \
         default.",
    ),
];

/// Most submissions that may be counted: one instance does not have more under way.
const COUNT_MAX: u32 = 10_000;

/// Longest spacing of equal orders: an hour. The published ones are minutes.
const LOOKALIKE_SECONDS_MAX: u64 = 3_600;

/// Longest deadline in seconds: the flow waits no longer for any provider.
const DEADLINE_SECONDS_MAX: u64 = 30;

/// Longest time that a breaker stays open, in seconds.
const OPEN_SECONDS_MAX: u64 = 3_600;

/// Most results that a breaker goes by.
const RESULTS_MAX: u32 = 1_000;

/// Longest time between two readings of a balance, in seconds: a day.
const FLOAT_SECONDS_MAX: u64 = 86_400;

/// Shortest time between two readings, in seconds: what a provider takes for a question of a
/// person and not for an attack.
const FLOAT_SECONDS_MIN: u64 = 10;

/// What the gateway keeps to at an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct KeptSettings {
    /// When it is sent nothing.
    pub(crate) guard: GuardSettings,
    /// How our money there is watched.
    pub(crate) float: FloatSettings,
    /// Whether it is asked who serves a number.
    pub(crate) number_lookup: NumberLookupUse,
}

/// Whether an account is asked who serves a number today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum NumberLookupUse {
    /// It is.
    On,
    /// It is not.
    #[default]
    Off,
}

/// Whether a setting is one of these, and none of the adapter's.
pub(super) fn has(setting: &str, declaration: &AdapterDeclaration) -> bool {
    let declared = declaration.settings.iter().any(|it| it.name == setting);
    !declared && SETTINGS.iter().any(|(name, _, _)| *name == setting)
}

/// What was set for an account. One of a sandbox has no breaker by default: its failures are asked
/// for.
pub(super) fn read(
    (account, settings): (&str, &BTreeMap<String, Raw>),
    declaration: &AdapterDeclaration,
    by_default: Option<BreakerLimits>,
) -> Result<KeptSettings, Vec<Problem>> {
    let mut entry = GuardEntry {
        account,
        settings,
        declaration,
        problems: Vec::new(),
    };
    let settings = KeptSettings {
        guard: entry.settings(by_default),
        float: entry.float(),
        number_lookup: entry.number_lookup(),
    };
    if entry.problems.is_empty() {
        Ok(settings)
    } else {
        Err(entry.problems)
    }
}

struct GuardEntry<'a> {
    account: &'a str,
    settings: &'a BTreeMap<String, Raw>,
    declaration: &'a AdapterDeclaration,
    problems: Vec<Problem>,
}

impl GuardEntry<'_> {
    fn settings(&mut self, by_default: Option<BreakerLimits>) -> GuardSettings {
        let count = |text: &str| parse::whole(text, 1..=COUNT_MAX);
        let seconds = |max| move |text: &str| parse::whole(text, 1..=max);
        let limits = ProviderLimits {
            max_concurrent: self.value(MAX_CONCURRENT, count).and_then(NonZeroU32::new),
            per_second: self.value(PER_SECOND, count).and_then(NonZeroU32::new),
            lookalike: self
                .value(LOOKALIKE, seconds(LOOKALIKE_SECONDS_MAX))
                .map(Duration::from_secs),
            deadline: self
                .value(DEADLINE, seconds(DEADLINE_SECONDS_MAX))
                .map(Duration::from_secs),
        };
        let breaker = self.breaker(by_default);
        GuardSettings {
            limits,
            breaker,
            tranche: self.value(FLOAT_TRANCHE, parse::amount),
        }
    }

    fn float(&mut self) -> FloatSettings {
        let every = |text: &str| match text {
            "0" => Ok(None),
            _ => parse::whole(text, FLOAT_SECONDS_MIN..=FLOAT_SECONDS_MAX)
                .map(|seconds| Some(Duration::from_secs(seconds)))
                .map_err(|wrong| format!("{wrong}, or 0")),
        };
        FloatSettings {
            low: self.value(LOW_FLOAT, parse::amount),
            read_every: self
                .value(FLOAT_EVERY, every)
                .unwrap_or(FloatSettings::DEFAULT.read_every),
        }
    }

    fn number_lookup(&mut self) -> NumberLookupUse {
        let read = |text: &str| match text {
            "on" => Ok(NumberLookupUse::On),
            "off" => Ok(NumberLookupUse::Off),
            _ => Err("must be on or off".to_owned()),
        };
        self.value(NUMBER_LOOKUP, read).unwrap_or_default()
    }

    fn breaker(&mut self, by_default: Option<BreakerLimits>) -> Option<BreakerLimits> {
        let results = |text: &str| parse::whole(text, 1..=RESULTS_MAX);
        let failures = self.value(BREAKER_FAILURES, |text| parse::whole(text, 0..=RESULTS_MAX));
        let of_last = self.value(BREAKER_OF_LAST, results);
        let open = self.value(BREAKER_OPEN, |text| {
            parse::whole(text, 1..=OPEN_SECONDS_MAX)
        });
        let trials = self.value(BREAKER_TRIALS, results);
        let usual = by_default.unwrap_or(BreakerLimits::DEFAULT);
        let is_off = match failures {
            Some(failures) => failures == 0,
            None => by_default.is_none(),
        };
        if is_off {
            return None;
        }
        let failures = failures.unwrap_or(usual.failures);
        let limits = BreakerLimits {
            failures,
            of_last: of_last.unwrap_or(usual.of_last.max(failures)),
            open_for: open.map_or(usual.open_for, Duration::from_secs),
            trials: trials.unwrap_or(usual.trials),
        };
        if limits.of_last < limits.failures {
            let account = self.account;
            self.problems.push(Problem(format!(
                "`provider.{account}.{BREAKER_OF_LAST}` must not be below `{BREAKER_FAILURES}`, \
                 or it never opens"
            )));
        }
        Some(limits)
    }

    fn value<T>(&mut self, name: &str, read: impl FnOnce(&str) -> Parsed<T>) -> Option<T> {
        let raw = self.settings.get(name);
        let text = &raw.filter(|_| has(name, self.declaration))?.text;
        let account = self.account;
        let wrong = |wrong| {
            self.problems
                .push(Problem(format!("`provider.{account}.{name}` {wrong}")));
        };
        read(text).map_err(wrong).ok()
    }
}

#[cfg(test)]
mod tests {
    use domain::money::Money;

    use super::*;
    use crate::config::raw::SettingSource;

    fn read_from(given: &[(&str, &str)]) -> Result<KeptSettings, Vec<String>> {
        let declaration = AdapterDeclaration {
            name: "shop",
            about: "A test.",
            settings: &[],
        };
        let settings = given.iter().map(|(name, text)| {
            let raw = Raw {
                text: (*text).to_owned(),
                source: SettingSource::File,
            };
            ((*name).to_owned(), raw)
        });
        let by_default = Some(BreakerLimits::DEFAULT);
        read(("shop", &settings.collect()), &declaration, by_default)
            .map_err(|wrong| wrong.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn what_is_left_out_is_no_limit_and_the_breaker_is_there() {
        let settings = read_from(&[]).unwrap().guard;
        assert_eq!(settings.limits, ProviderLimits::NONE);
        assert_eq!(settings.breaker, Some(BreakerLimits::DEFAULT));
        let off = read_from(&[("breaker_failures", "0")]).unwrap().guard;
        assert_eq!(off.breaker, None);
        let settings = read_from(&[("max_concurrent", "8"), ("lookalike_seconds", "60")]);
        let settings = settings.unwrap().guard;
        assert_eq!(settings.limits.max_concurrent, NonZeroU32::new(8));
        assert_eq!(settings.limits.lookalike, Some(Duration::from_mins(1)));
        let many = read_from(&[("breaker_failures", "50")]).unwrap().guard;
        assert_eq!(
            many.breaker.map(|it| (it.failures, it.of_last)),
            Some((50, 50))
        );
    }

    #[test]
    fn balances_are_read_every_five_minutes_unless_another_time_or_never_is_set() {
        let float = |given: &[(&str, &str)]| read_from(given).unwrap().float;
        assert_eq!(float(&[]), FloatSettings::DEFAULT);
        let set = float(&[("low_float", "50,000.00"), ("float_every_seconds", "60")]);
        assert_eq!(set.low.map(Money::minor), Some(5_000_000));
        assert_eq!(set.read_every, Some(Duration::from_mins(1)));
        assert_eq!(float(&[("float_every_seconds", "0")]).read_every, None);
        let reserved = read_from(&[("float_tranche", "200000.00")]).unwrap();
        let tranche = reserved.guard.tranche;
        assert_eq!(tranche.map(Money::minor), Some(20_000_000));
    }

    #[test]
    fn an_account_is_asked_who_serves_a_number_where_that_is_on() {
        let asked = |given: &[(&str, &str)]| read_from(given).unwrap().number_lookup;
        assert_eq!(asked(&[]), NumberLookupUse::Off);
        assert_eq!(asked(&[("number_lookup", "off")]), NumberLookupUse::Off);
        assert_eq!(asked(&[("number_lookup", "on")]), NumberLookupUse::On);
    }

    #[test]
    fn each_mistake_is_named() {
        for (name, text) in [
            ("max_concurrent", "0"),
            ("per_second", "-1"),
            ("lookalike_seconds", "3601"),
            ("deadline_seconds", "31"),
            ("breaker_trials", "0"),
            ("float_tranche", "0"),
            ("low_float", "0.00"),
            ("low_float", "1,5"),
            ("float_every_seconds", "9"),
            ("float_every_seconds", "86401"),
            ("number_lookup", "yes"),
        ] {
            let wrong = read_from(&[(name, text)]).unwrap_err().join("\n");
            assert!(
                wrong.contains(&format!("`provider.shop.{name}` ")),
                "{wrong}"
            );
        }
        let wrong = read_from(&[("breaker_of_last", "5")])
            .unwrap_err()
            .join("\n");
        assert!(wrong.contains("or it never opens"), "{wrong}");
    }
}
