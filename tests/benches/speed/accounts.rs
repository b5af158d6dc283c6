//! Accounts that pay. One is opened by the gateway's own command; the others are copies of its
//! rows, because a thousand commands would take longer than a measurement. A copy must be what the
//! command would have made, or the audit says so.

use crate::books::{Books, Store};
use anyhow::Result;

/// An account that pays.
#[derive(Debug, Clone)]
pub(crate) struct Payer {
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

    /// The account itself and its copies. They share a key, as keys are not kept by account.
    pub(crate) fn payers(&self, count: usize) -> Vec<Payer> {
        let payer = |number| {
            let credentials = format!("{}:{}", self.identity(number), self.key);
            let authorization = format!("Basic {}", base64(credentials.as_bytes()));
            Payer { authorization }
        };
        (1..=count).map(payer).collect()
    }

    /// Makes the copies.
    pub(crate) fn copy(&self, books: &Books, count: usize) -> Result<()> {
        if count < 2 {
            return Ok(());
        }
        let template = match books.store() {
            Store::Sqlite => SQLITE,
            Store::Postgres => POSTGRES,
        };
        let sql = template
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
