//! Accounts and their keys read back. A row must pass every rule that a fresh value passes.

use super::environment::environment;
use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::{
    Account, AccountContact, AccountId, AccountName, AccountStatus, EmailAddress,
};
use domain::credential::{KeyHash, KeyId, KeyRecord};
use domain::ledger::Wallet;
use domain::money::Currency;
use domain::phone::PhoneNumber;
use domain::time::Timestamp;
use ports::PortError;

/// An account as stored, without its wallets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MerchantRow {
    /// The identity.
    pub id: String,
    /// `active` or `suspended`.
    pub status: String,
    /// The code of the account's currency.
    pub currency: String,
    /// The code of the currency its messages are charged in.
    pub message_currency: String,
    /// The name.
    pub name: String,
    /// The IANA time zone.
    pub time_zone: String,
    /// When it was opened, in milliseconds.
    pub opened_at: i64,
    /// `test` or `live`.
    pub environment: String,
    /// The e-mail address, where one is known.
    pub email: Option<String>,
    /// The digits of the phone number, where one is known.
    pub phone: Option<String>,
}

impl MerchantRow {
    /// The account the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the account.
    pub fn restore(self) -> Result<Account, PortError> {
        let id = self.id.clone();
        self.read()
            .map_err(|error| PortError::caused(PART, format!("account {id} cannot be read"), error))
    }

    fn read(self) -> Result<Account, RecordError> {
        let currency = |code: &str| Currency::from_code(code).ok_or(RecordError::Value("currency"));
        let email = self.email.as_deref().map(EmailAddress::parse).transpose();
        let phone = self.phone.as_deref().map(PhoneNumber::parse).transpose();
        Ok(Account {
            id: valid(AccountId::parse(&self.id), "identity")?,
            name: valid(AccountName::parse(&self.name), "name")?,
            contact: AccountContact {
                email: valid(email, "email")?,
                phone: valid(phone, "phone")?,
            },
            environment: environment(&self.environment)?,
            status: account_status(&self.status)?,
            currency: currency(&self.currency)?,
            message_currency: currency(&self.message_currency)?,
            time_zone: self.time_zone,
            opened_at: Timestamp::from_millis(self.opened_at),
        })
    }
}

/// Accounts with their wallets as the port lists them, out of one pair for each wallet, those of an
/// account together.
pub fn listed(pairs: impl IntoIterator<Item = (Account, Wallet)>) -> Vec<(Account, Vec<Wallet>)> {
    let mut listed: Vec<(Account, Vec<Wallet>)> = Vec::new();
    for (account, wallet) in pairs {
        match listed.last_mut() {
            Some((known, wallets)) if known.id == account.id => wallets.push(wallet),
            Some(_) | None => listed.push((account, vec![wallet])),
        }
    }
    let listed = listed.into_iter();
    listed
        .map(|(account, wallets)| (account, in_order(wallets)))
        .collect()
}

/// Wallets as the port lists them; tables are sorted by code.
pub fn in_order(mut wallets: Vec<Wallet>) -> Vec<Wallet> {
    wallets.sort_by_key(Wallet::currency);
    wallets
}

/// A live key as stored.
///
/// # Errors
/// When the hash is not 32 bytes; the error names the key by its hint.
pub fn key(
    (id, hint): (i64, String),
    hash: &[u8],
    created_at: i64,
) -> Result<KeyRecord, PortError> {
    let Ok(hash) = hash.try_into() else {
        let what = format!("the hash of key {hint} is not 32 bytes");
        return Err(PortError::new(PART, what));
    };
    Ok(KeyRecord {
        id: KeyId(id),
        hint,
        hash: KeyHash(hash),
        created_at: Timestamp::from_millis(created_at),
    })
}

/// The word of a status.
pub const fn account_status_code(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Active => "active",
        AccountStatus::Suspended => "suspended",
    }
}

/// The status a word stands for.
pub(super) fn account_status(word: &str) -> Result<AccountStatus, RecordError> {
    match word {
        "active" => Ok(AccountStatus::Active),
        "suspended" => Ok(AccountStatus::Suspended),
        _ => Err(RecordError::Value("status")),
    }
}
