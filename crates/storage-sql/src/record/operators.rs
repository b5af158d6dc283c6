//! Rows of the log of operators, and of what only operators may have made. What cannot be read must
//! never be taken for something else.

use super::target_of_record;
use crate::PART;
use domain::account::{AccountContact, AccountId, EmailAddress};
use domain::freeze::{FreezeReason, FreezeState};
use domain::money::{Currency, Money};
use domain::operator::{Act, Actor, EntryHash, OperatorEntry, OperatorOrder};
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::reference_settlement::SettledAs;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::operators::SignedEffect;
use ports::{PortError, PortErrorKind};

/// An entry as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// Its number.
    pub number: i64,
    /// When it was signed, in milliseconds.
    pub at: i64,
    /// The word of who acts.
    pub actor: String,
    /// The word of what is done.
    pub act: String,
    /// The account; empty where there is none.
    pub account: String,
    /// The reference; empty where there is none.
    pub reference: String,
    /// What is moved, in minor units.
    pub amount: Option<i64>,
    /// The code of its currency.
    pub currency: Option<String>,
    /// What else matters.
    pub detail: String,
    /// The entry it approves.
    pub approves: Option<i64>,
    /// The hash of the entry before.
    pub previous: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
}

impl EntryRow {
    /// The row of an entry.
    pub fn of(entry: &OperatorEntry) -> Self {
        let number = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
        let order = &entry.order;
        Self {
            number: number(entry.number),
            at: entry.at.as_millis(),
            actor: entry.actor.as_str().to_owned(),
            act: order.act.code().to_owned(),
            account: order.account.clone(),
            reference: order.reference.clone(),
            amount: order.amount.map(Money::minor),
            currency: order.amount.map(|it| it.currency().code().to_owned()),
            detail: order.detail.clone(),
            approves: entry.approves.map(number),
            previous: entry.previous.to_vec(),
            signature: entry.signature.clone(),
        }
    }

    /// The entry of a row.
    ///
    /// # Errors
    /// When a column holds what no entry has.
    pub fn restore(self) -> Result<OperatorEntry, PortError> {
        let number = self.number;
        self.entry()
            .ok_or_else(|| unreadable(&format!("entry {number} of the operators' log")))
    }

    fn entry(self) -> Option<OperatorEntry> {
        Some(OperatorEntry {
            number: u64::try_from(self.number).ok()?,
            at: Timestamp::from_millis(self.at),
            actor: Actor::from_record(&self.actor).ok()?,
            order: OperatorOrder {
                act: Act::from_code(&self.act)?,
                account: self.account,
                reference: self.reference,
                amount: amount(self.amount, self.currency.as_deref()).ok()?,
                detail: self.detail,
            },
            approves: self.approves.map(u64::try_from).transpose().ok()?,
            previous: EntryHash::try_from(self.previous).ok()?,
            signature: self.signature,
        })
    }
}

/// The columns of [`EntryColumns`], in their order.
#[macro_export]
macro_rules! entry_columns {
    () => {
        "number, at, actor, act, account, reference, amount, currency, detail, approves, previous, \
         signature"
    };
}

/// An entry as the questions of the stores answer it.
pub type EntryColumns = (
    i64,
    i64,
    String,
    String,
    String,
    String,
    Option<i64>,
    Option<String>,
    String,
    Option<i64>,
    Vec<u8>,
    Vec<u8>,
);

/// The entry that columns hold.
///
/// # Errors
/// When a column holds what no entry has.
pub fn entry(columns: EntryColumns) -> Result<OperatorEntry, PortError> {
    let row = EntryRow {
        number: columns.0,
        at: columns.1,
        actor: columns.2,
        act: columns.3,
        account: columns.4,
        reference: columns.5,
        amount: columns.6,
        currency: columns.7,
        detail: columns.8,
        approves: columns.9,
        previous: columns.10,
        signature: columns.11,
    };
    row.restore()
}

/// What only an act may have made, as the questions of the stores answer it: its kind, account,
/// reference, amount with currency, what it was settled as, and by whom.
pub type EffectColumns = (
    String,
    String,
    String,
    Option<i64>,
    Option<String>,
    String,
    String,
);

/// The effect that columns hold.
///
/// # Errors
/// When they hold none.
pub fn effect(columns: EffectColumns) -> Result<SignedEffect, PortError> {
    let (kind, account, reference, minor, currency, word, by) = columns;
    let what = format!("{kind} {account} {reference}");
    let read = || {
        let amount = amount(minor, currency.as_deref()).ok()?;
        let id = || AccountId::parse(&account).ok();
        Some(match kind.as_str() {
            "account" => SignedEffect::Account(id()?, contact(&reference, &word)?),
            "key" => SignedEffect::Key(id()?, reference),
            "funding" => {
                SignedEffect::Funding(id()?, MerchantReference::parse(&reference).ok()?, amount?)
            }
            "settlement" => {
                let settled_as = SettledAs::from_record(&word, amount)?;
                SignedEffect::Settlement(ProviderReference::from_echo(reference), settled_as, by)
            }
            "resumption" => SignedEffect::Resumption(ProviderId::parse(&reference).ok()?, by),
            "prefunding" => SignedEffect::Prefunding(
                ProviderId::parse(&account).ok()?,
                MerchantReference::parse(&reference).ok()?,
                amount?,
                by,
            ),
            "freeze" => {
                let (target, key) = reference.split_once(' ')?;
                let (_, target) = target_of_record(target, key.parse().ok()?)?;
                let mut states = FreezeState::ALL.into_iter();
                let state = states.find(|state| state.code() == word)?;
                SignedEffect::Freeze(id()?, target, state, FreezeReason::parse(&by).ok()?)
            }
            _ => return None,
        })
    };
    read().ok_or_else(|| unreadable(&what))
}

/// What a transaction paid to an account by its address; `None` where it paid none so.
pub fn paid_by_address(tx: &Transaction) -> Option<SignedEffect> {
    let (account, identity) = tx.paid_by_address()?;
    Some(SignedEffect::Paid(account.clone(), identity.clone()))
}

/// How an account is reached, out of texts that are empty where there is none.
fn contact(email: &str, phone: &str) -> Option<AccountContact> {
    let email = (!email.is_empty()).then(|| EmailAddress::parse(email));
    let phone = (!phone.is_empty()).then(|| PhoneNumber::parse(phone));
    Some(AccountContact {
        email: email.transpose().ok()?,
        phone: phone.transpose().ok()?,
    })
}

/// The amount of a row that may have none.
fn amount(minor: Option<i64>, currency: Option<&str>) -> Result<Option<Money>, Unreadable> {
    match (minor, currency) {
        (None, None) => Ok(None),
        (Some(minor), Some(code)) => {
            let currency = Currency::from_code(code).ok_or(Unreadable)?;
            Ok(Some(Money::from_minor(minor, currency)))
        }
        (Some(_), None) | (None, Some(_)) => Err(Unreadable),
    }
}

/// A column that holds what no writer writes.
struct Unreadable;

fn unreadable(what: &str) -> PortError {
    PortError::new(PART, format!("{what} cannot be read")).with_trouble(PortErrorKind::Record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::operator::OperatorName;

    fn entry() -> OperatorEntry {
        OperatorEntry {
            number: 3,
            at: Timestamp::from_millis(7),
            actor: Actor::Operator(OperatorName::parse("alpha").unwrap()),
            order: OperatorOrder::new(Act::AccountCredit)
                .to("shop")
                .under("bank-1")
                .moving(Some(Money::from_minor(100, Currency::Ngn)))
                .with("Funding"),
            approves: Some(2),
            previous: [4; 32],
            signature: vec![5; 64],
        }
    }

    #[test]
    fn an_entry_reads_back_and_half_of_one_does_not() {
        let row = EntryRow::of(&entry());
        assert_eq!(row.clone().restore().unwrap(), entry());
        let broken = |change: fn(&mut EntryRow)| {
            let mut row = row.clone();
            change(&mut row);
            row.restore().unwrap_err();
        };
        broken(|it| it.number = -1);
        broken(|it| it.actor = "Alpha".to_owned());
        broken(|it| it.act = "account-close".to_owned());
        broken(|it| it.amount = None);
        broken(|it| it.currency = Some("EUR".to_owned()));
        broken(|it| it.approves = Some(-1));
        broken(|it| it.previous = vec![4; 31]);
    }
}
