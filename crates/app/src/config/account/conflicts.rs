//! Accounts that do not go together.

use domain::environment::Environment;

use super::{AccountConfig, NUMBER_LOOKUP, NumberLookupUse};
use crate::config::problem::Problem;

/// A second account of an environment that would be asked who serves a number.
pub(super) fn two_registers(accounts: &[AccountConfig]) -> Vec<Problem> {
    let named = |environment| {
        let asked = accounts.iter().filter(move |it| {
            it.environment == environment && it.kept.number_lookup == NumberLookupUse::On
        });
        asked.map(|it| &it.id)
    };
    let environments = Environment::ALL.into_iter();
    let second = environments.filter_map(|environment| {
        let mut named = named(environment);
        Some((environment, named.next()?, named.next()?))
    });
    second
        .map(|(environment, first, second)| {
            Problem(format!(
                "`provider.{first}.{NUMBER_LOOKUP}` and `provider.{second}.{NUMBER_LOOKUP}` are \
                 both on, and one account of the {} environment is asked: switch one off",
                environment.code()
            ))
        })
        .collect()
}

/// Accounts that are one at the provider, said to be live and test: one of the two is wrong.
pub(super) fn in_both_environments(accounts: &[AccountConfig]) -> Vec<Problem> {
    let of = |environment| {
        accounts
            .iter()
            .filter(move |it| it.environment == environment)
    };
    let pairs =
        of(Environment::Live).flat_map(|live| of(Environment::Test).map(move |it| (live, it)));
    let same = pairs.filter(|(live, test)| {
        let adapters = [live, test].map(|it| it.adapter.declaration().name);
        adapters[0] == adapters[1] && live.given == test.given
    });
    same.map(|(live, test)| Problem(are_one(live, test)))
        .collect()
}

/// What is said of a live account and a test one that are one at the provider.
pub(crate) fn are_one(live: &AccountConfig, test: &AccountConfig) -> String {
    format!(
        "[provider.{}] is live and [provider.{}] is test, and their settings are the same: what \
         the test one is given would be delivered for real money",
        live.id, test.id
    )
}
