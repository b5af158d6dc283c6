//! Accounts that pay. One is opened by the gateway's own command; the others are copies of its
//! rows, because a thousand commands would take longer than a measurement. A copy must be what the
//! command would have made, or the audit says so.

use crate::books::{BenchDatabase, BenchStore};
use anyhow::{Context, Result};
use application::credentials::{Pepper, hash_key};
use domain::account::AccountId;
use domain::credential::KeyId;
use std::fmt::Write;
use std::path::Path;

/// An account that pays.
#[derive(Debug, Clone)]
pub(crate) struct BenchAccount {
    /// The value of its `Authorization` header.
    pub(crate) authorization: String,
}

/// What the command said of the account it opened.
#[derive(Debug, Clone)]
pub(crate) struct First {
    pub(crate) identity: String,
    pub(crate) key: String,
}

impl First {
    /// The identity of a copy, counted from 2; the first is itself.
    fn identity(&self, number: usize) -> String {
        match number {
            1 => self.identity.clone(),
            _ => format!("bench-{number}"),
        }
    }

    /// The account itself and its copies. They share a key, of which each has a hash of its own.
    pub(crate) fn payers(&self, count: usize) -> Vec<BenchAccount> {
        let payer = |number| {
            let credentials = format!("{}:{}", self.identity(number), self.key);
            let authorization = format!("Basic {}", base64(credentials.as_bytes()));
            BenchAccount { authorization }
        };
        (1..=count).map(payer).collect()
    }

    /// What is stored of the key for each of the copies: identity and hash, as a store writes them.
    fn keys(&self, pepper: &Pepper, (store, count): (BenchStore, usize)) -> Result<String> {
        let mut keys = Vec::new();
        for number in 2..=count {
            let identity = self.identity(number);
            let hash = hash_key(pepper, &AccountId::parse(&identity)?, KeyId(1), &self.key);
            let mut digits = String::new();
            for byte in hash.0 {
                write!(digits, "{byte:02x}")?;
            }
            let hash = match store {
                BenchStore::Sqlite => format!("x'{digits}'"),
                BenchStore::Postgres => format!("decode('{digits}', 'hex')"),
            };
            keys.push(format!("('{identity}', {hash})"));
        }
        Ok(keys.join(", "))
    }

    /// Makes the copies in the books of a data folder.
    pub(crate) fn copy(&self, (books, data): (&BenchDatabase, &Path), count: usize) -> Result<()> {
        if count < 2 {
            return Ok(());
        }
        let template = match books.store() {
            BenchStore::Sqlite => SQLITE,
            BenchStore::Postgres => POSTGRES,
        };
        let pepper = std::fs::read(data.join("pepper"))?;
        let pepper = pepper.try_into().ok().context("the pepper has 32 bytes")?;
        let keys = self.keys(&Pepper::new(pepper), (books.store(), count))?;
        let sql = template
            .replace("{keys}", &keys)
            .replace("{first}", &self.identity)
            .replace("{count}", &count.to_string());
        books.run(&sql)
    }
}

const POSTGRES: &str = include_str!("accounts/postgres.sql");
const SQLITE: &str = include_str!("accounts/sqlite.sql");

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
