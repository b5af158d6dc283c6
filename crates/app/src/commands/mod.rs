//! What can be done from the command line, one file per command. They must go through ports and use
//! cases: no command knows how anything is stored.

pub(crate) mod account;
pub(crate) mod audit;
pub(crate) mod config;
pub(crate) mod key;
pub(crate) mod review;
pub(crate) mod serve;

use domain::account::AccountId;
use domain::money::{Currency, Money};

use crate::failure::Failure;

/// The account a flag names.
fn identity(text: &str) -> Result<AccountId, Failure> {
    AccountId::parse(text).map_err(|error| Failure::flag("--identity", error))
}

/// The amount a flag names: naira, zero included.
fn naira(flag: &str, text: &str) -> Result<Money, Failure> {
    Money::parse(text, Currency::Ngn).map_err(|error| Failure::flag(flag, error))
}

/// The amount a flag names, above zero.
fn naira_above_zero(flag: &str, text: &str) -> Result<Money, Failure> {
    let amount = naira(flag, text)?;
    if amount.is_positive() {
        Ok(amount)
    } else {
        Err(Failure::flag(flag, "must be above zero"))
    }
}

/// The failure of naming an account that does not exist.
fn no_such_account(id: &AccountId) -> Failure {
    Failure::from(anyhow::anyhow!(
        "there is no account {id}; `manilla account list` shows every account"
    ))
}
