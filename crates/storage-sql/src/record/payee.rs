//! The record of another account that was paid.

use super::RecordError;
use super::scalar::{Text, valid};
use crate::PART;
use domain::account::{AccountId, AccountName};
use domain::user::Payee;
use ports::PortError;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PayeeRecord<'a> {
    #[serde(borrow)]
    account: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
}

impl<'a> From<&'a Payee> for PayeeRecord<'a> {
    fn from(payee: &'a Payee) -> Self {
        Self {
            account: payee.account.as_str().into(),
            name: payee.name.as_str().into(),
        }
    }
}

/// An account that is about to be paid, out of its row.
///
/// # Errors
/// When the row breaks a rule.
pub fn payee(account: &str, name: &str) -> Result<Payee, PortError> {
    let record = PayeeRecord {
        account: account.into(),
        name: name.into(),
    };
    let read = record.restore();
    read.map_err(|error| {
        PortError::caused(PART, format!("account {account} cannot be read"), error)
    })
}

impl PayeeRecord<'_> {
    pub(super) fn restore(self) -> Result<Payee, RecordError> {
        Ok(Payee {
            account: valid(AccountId::parse(&self.account), "payee")?,
            name: valid(AccountName::parse(&self.name), "payee")?,
        })
    }
}
