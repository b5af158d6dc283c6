//! What can be done from the command line, one file per command. They must go through ports and use
//! cases: no command knows how anything is stored.

pub(crate) mod account;
pub(crate) mod approve;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod case;
pub(crate) mod catalogue;
pub(crate) mod collection;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod dead_letter;
pub(crate) mod delivery;
pub(crate) mod doctor;
pub(crate) mod endpoint;
pub(crate) mod freeze;
pub(crate) mod key;
pub(crate) mod key_ring;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod operator;
pub(crate) mod provider;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod restore;
pub(crate) mod review;
pub(crate) mod sender;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod transaction;
pub(crate) mod webhook;

use domain::account::{Account, AccountId};
use domain::money::{Currency, Money, ParseError};
use domain::reference::MerchantReference;
use domain::text::{self, Breaks};
use domain::time::Timestamp;
use domain::webhook::EndpointId;

use crate::compose::AdminContext;
use crate::failure::Failure;

/// A moment as operators are shown it, in UTC.
fn moment(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis());
    moment.map_or_else(|_| String::new(), |moment| moment.to_string())
}

/// The account a flag names.
fn identity(text: &str) -> Result<AccountId, Failure> {
    AccountId::parse(text).map_err(|error| Failure::flag("--identity", error))
}

/// The currency a flag names.
fn currency(flag: &str, text: &str) -> Result<Currency, Failure> {
    let known = Currency::from_code(text);
    known.ok_or_else(|| Failure::flag(flag, "must be NGN, or CRD for message credits"))
}

/// The amount a flag names: naira, zero included.
fn naira(flag: &str, text: &str) -> Result<Money, Failure> {
    Money::parse(text, Currency::Ngn).map_err(|error| {
        if error == ParseError::Negative {
            return Failure::flag(flag, "must not be negative; leave it out for 0.00");
        }
        Failure::flag(flag, error)
    })
}

/// The amount a flag names, above zero.
fn above_zero((flag, text): (&str, &str), currency: Currency) -> Result<Money, Failure> {
    let amount = Money::parse(text, currency).map_err(|error| Failure::flag(flag, error))?;
    if amount.is_positive() {
        Ok(amount)
    } else {
        Err(Failure::flag(flag, "must be above zero"))
    }
}

/// The one line a flag holds, white space around it removed. It is shown to people, in JSON and
/// elsewhere, so it holds nothing that cannot be shown everywhere or shows as something else.
fn line(flag: &str, value: &str, length_max: usize) -> Result<String, Failure> {
    let line = value.trim();
    let fits = (1..=length_max).contains(&line.chars().count());
    if !fits || text::check(line, Breaks::Refused).is_err() {
        let wrong = format!(
            "must be 1 to {length_max} characters without control, line or direction characters"
        );
        return Err(Failure::flag(flag, wrong));
    }
    Ok(line.to_owned())
}

/// Longest reason of an act, in characters: `--help` names it too.
const REASON_MAX: usize = 200;

/// Why something is done, as `--reason` says it.
fn reason(value: &str) -> Result<String, Failure> {
    line("--reason", value, REASON_MAX)
}

/// An account; refuses one that does not exist, before anything is signed of it.
async fn known(context: &AdminContext, account: &AccountId) -> Result<Account, Failure> {
    let found = context.accounts.credentials(account).await?;
    let found = found.map(|it| it.account);
    found.ok_or_else(|| no_such_account(account))
}

fn is_known(found: bool, account: &AccountId) -> Result<(), Failure> {
    if found {
        Ok(())
    } else {
        Err(no_such_account(account))
    }
}

/// The failure of naming an account that does not exist.
fn no_such_account(id: &AccountId) -> Failure {
    Failure::from(anyhow::anyhow!(
        "there is no account {id}; `manilla account list` shows every account"
    ))
}

/// The failure of naming a payment that an account does not have.
fn no_such_payment(account: &AccountId, reference: &MerchantReference) -> Failure {
    Failure::from(anyhow::anyhow!(
        "account {account} has no payment under the reference {reference}; `manilla transaction \
         list --identity {account}` shows the newest"
    ))
}

/// The endpoint that `--endpoint` names.
fn endpoint_id(text: &str) -> Result<EndpointId, Failure> {
    let number = text.parse().ok().and_then(EndpointId::new);
    number.ok_or_else(|| {
        Failure::flag(
            "--endpoint",
            "must be the number of an endpoint, whkIdentifier",
        )
    })
}

/// The moment a flag names.
fn moment_of(flag: &'static str, text: &str) -> Result<Timestamp, Failure> {
    let moment = text.parse::<jiff::Timestamp>().map_err(|_| {
        Failure::flag(
            flag,
            "must be a moment such as 2026-11-20T00:00:00+01:00 (RFC 3339)",
        )
    })?;
    Ok(Timestamp::from_millis(moment.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_only_what_shows_as_it_is() {
        assert_eq!(
            line("--by", " Adé \u{1f600} ", 80).unwrap(),
            "Adé \u{1f600}"
        );
        for wrong in [
            "",
            " ",
            "a\nb",
            "a\u{1}b",
            "a\u{85}b",
            "a\u{2028}b",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{200f}b",
            "a\u{ffff}b",
            "abcdef",
        ] {
            let failure = line("--by", wrong, 5).unwrap_err();
            let said = failure.message().unwrap();
            assert!(said.starts_with("error: --by must be 1 to 5"), "{said}");
        }
    }
}
