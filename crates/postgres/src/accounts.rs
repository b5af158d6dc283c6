//! Accounts and their keys. Every change must be published to every instance by the commit that
//! makes it, so that no instance goes on with a stale cache entry.

mod contact;
mod opening;

#[cfg(test)]
pub(crate) use contact::{BY_EMAIL, BY_ID, BY_PHONE, SET_CONTACT};

use crate::access_keys;
use crate::allowlists;
use crate::connection::StatementAnswer;
use crate::error::{failed, wrote};
use crate::freezes;
use crate::peers::message::{ACCOUNT_CHANGED, message};
use crate::rows::wallet;
use crate::spending_limits;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, AccountStatus};
use domain::credential::{KeyRecord, LIVE_KEYS_MAX};
use domain::environment::Environment;
use domain::ledger::Wallet;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use ports::PortError;
use ports::accounts::{Accounts, ContactChange, Created, Credentials, NewAccount};
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::record::{MerchantRow, account_status_code, key, listed};

/// A change of keys locks the account until it is done; no row where there is no such account.
const LOCK: &str = "SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE";

pub(crate) const INSERT_KEY: &str =
    "INSERT INTO api_keys (account, id, hint, hash, created_at) VALUES ($1, $2, $3, $4, $5)";

/// Revokes the live keys of `$1` but the newest `$3`.
pub(crate) const REVOKE_OLDEST: &str = "
    UPDATE api_keys SET revoked_at = $2
    WHERE account = $1 AND revoked_at IS NULL AND id NOT IN (
        SELECT id FROM api_keys WHERE account = $1 AND revoked_at IS NULL
        ORDER BY created_at DESC, id DESC LIMIT $3
    )";

pub(crate) const REVOKE: &str = "
    UPDATE api_keys SET revoked_at = $3
    WHERE account = $1 AND revoked_at IS NULL AND ($2::text IS NULL OR hint = $2)";

pub(crate) const SET_MESSAGE_CURRENCY: &str =
    "UPDATE accounts SET message_currency = $2 WHERE id = $1";

pub(crate) const SET_LOW_BALANCE: &str =
    "UPDATE wallets SET low_balance_threshold = $3 WHERE account = $1 AND currency = $2";

pub(crate) const SET_STATUS: &str = "UPDATE accounts SET status = $2 WHERE id = $1";

/// An account with each of its live keys, oldest first; one row without a key where none is live.
pub(crate) const CREDENTIALS: &str = "
    SELECT a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at,
        a.environment, a.email, a.phone, k.hint, k.hash, k.created_at, k.id
    FROM accounts AS a
    LEFT JOIN api_keys AS k ON k.account = a.id AND k.revoked_at IS NULL
    WHERE a.id = $1 ORDER BY k.created_at, k.id";

/// Where in [`LIST`] the wallet begins.
const LIST_WALLET: usize = 10;

/// Every account, once for each of its wallets.
const LIST: &str = "
    SELECT a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at,
        a.environment, a.email, a.phone, a.id, a.status, w.currency, w.available, w.held,
        w.low_balance_threshold, w.counted_from, w.spent
    FROM accounts AS a JOIN wallets AS w ON w.account = a.id
    ORDER BY a.id";

#[async_trait]
impl Accounts for PostgresStore {
    async fn create(&self, new: &NewAccount) -> Result<Created, PortError> {
        let (id, new) = (new.account.id.clone(), new.clone());
        self.alone(&id, move |writer| Box::pin(writer.create(new)))
            .await
    }

    async fn credentials(&self, id: &AccountId) -> Result<Option<Credentials>, PortError> {
        let rows = sqlx::query(CREDENTIALS)
            .bind(id.as_str())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("find an account"))?;
        // Asked for of every account, so that an unknown one takes as long.
        let access = access_keys::live(&self.reads, id).await?;
        let limits = spending_limits::latest(&self.reads, id).await?;
        let freezes = freezes::latest(&self.reads, id).await?;
        let allowlists = allowlists::latest(&self.reads, id).await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let keys = rows.iter().filter_map(|row| live_key(row).transpose());
        Ok(Some(Credentials {
            account: account(first, 0)?,
            keys: keys.collect::<Result<_, _>>()?,
            access,
            limits,
            freezes,
            allowlists,
        }))
    }

    async fn account_by_identity(
        &self,
        environment: Environment,
        identity: &AccountIdentity,
    ) -> Result<Option<Account>, PortError> {
        contact::find(&self.reads, environment, identity).await
    }

    async fn list(&self) -> Result<Vec<(Account, Vec<Wallet>)>, PortError> {
        let rows = sqlx::query(LIST).fetch_all(&self.reads).in_time().await;
        let rows = rows.map_err(failed("list the accounts"))?;
        let pairs = rows
            .iter()
            .map(|row| Ok((account(row, 0)?, wallet(row, LIST_WALLET)?)));
        Ok(listed(pairs.collect::<Result<Vec<_>, PortError>>()?))
    }

    async fn set_status(&self, id: &AccountId, status: AccountStatus) -> Result<bool, PortError> {
        self.set(id, (SET_STATUS, account_status_code(status)))
            .await
    }

    async fn set_contact(
        &self,
        id: &AccountId,
        known: &AccountContact,
        contact: &AccountContact,
    ) -> Result<ContactChange, PortError> {
        let (account, known, contact) = (id.clone(), known.clone(), contact.clone());
        self.alone(id, move |writer| {
            Box::pin(writer.set_contact(account, known, contact))
        })
        .await
    }

    async fn set_message_currency(
        &self,
        id: &AccountId,
        currency: Currency,
    ) -> Result<bool, PortError> {
        self.set(id, (SET_MESSAGE_CURRENCY, currency.code())).await
    }

    async fn set_low_balance(
        &self,
        id: &AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError> {
        let account = id.clone();
        self.alone(id, move |writer| {
            Box::pin(writer.set_low_balance(account, currency, below))
        })
        .await
    }

    async fn add_key(&self, id: &AccountId, key: &KeyRecord) -> Result<bool, PortError> {
        let (account, key) = (id.clone(), key.clone());
        self.alone(id, move |writer| Box::pin(writer.add_key(account, key)))
            .await
    }

    async fn revoke_keys(
        &self,
        id: &AccountId,
        hint: Option<&str>,
        now: Timestamp,
    ) -> Result<u64, PortError> {
        let (account, hint) = (id.clone(), hint.map(str::to_owned));
        self.alone(id, move |writer| {
            Box::pin(writer.revoke_keys(account, hint, now))
        })
        .await
    }
}

impl PostgresStore {
    /// Sets one word of an account by a statement that takes identity and word.
    async fn set(
        &self,
        id: &AccountId,
        (statement, word): (&'static str, &'static str),
    ) -> Result<bool, PortError> {
        let account = id.clone();
        self.alone(id, move |writer| {
            Box::pin(writer.set(account, (statement, word)))
        })
        .await
    }
}

impl PostgresWriter {
    /// The message about a change of an account.
    pub(crate) fn changed(&self, id: &AccountId) -> Result<String, PortError> {
        let sealing = &self.shared().sealing;
        message(sealing, ACCOUNT_CHANGED, id.as_str().into())
    }

    async fn set(
        &mut self,
        id: AccountId,
        (statement, word): (&'static str, &'static str),
    ) -> Result<bool, PortError> {
        let message = self.changed(&id)?;
        let mut step = self.step().await?;
        let set = sqlx::query(statement)
            .bind(id.as_str())
            .bind(word)
            .execute(&mut *step)
            .await
            .map_err(failed("change an account"))?;
        notify_change(&mut step, &message).await?;
        step.commit()
            .await
            .map_err(failed("commit a change of an account"))?;
        Ok(set.rows_affected() == 1)
    }

    /// Not published: the threshold is read with every step.
    async fn set_low_balance(
        &mut self,
        id: AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        let set = sqlx::query(SET_LOW_BALANCE)
            .bind(id.as_str())
            .bind(currency.code())
            .bind(below.map(Money::minor))
            .execute(&mut *step)
            .await
            .map_err(failed("set a low balance"))?;
        step.commit()
            .await
            .map_err(failed("commit a low balance"))?;
        Ok(set.rows_affected() == 1)
    }

    async fn add_key(&mut self, id: AccountId, key: KeyRecord) -> Result<bool, PortError> {
        let message = self.changed(&id)?;
        let mut step = self.step().await?;
        let account = sqlx::query(LOCK).bind(id.as_str()).execute(&mut *step);
        let found = account.await.map_err(failed("lock an account"))?;
        if found.rows_affected() == 0 {
            return Ok(false);
        }
        insert_key(&mut step, &id, &key).await?;
        sqlx::query(REVOKE_OLDEST)
            .bind(id.as_str())
            .bind(key.created_at.as_millis())
            .bind(i64::try_from(LIVE_KEYS_MAX).unwrap_or(i64::MAX))
            .execute(&mut *step)
            .await
            .map_err(failed("revoke the oldest keys"))?;
        notify_change(&mut step, &message).await?;
        step.commit().await.map_err(failed("commit a key"))?;
        Ok(true)
    }

    async fn revoke_keys(
        &mut self,
        id: AccountId,
        hint: Option<String>,
        now: Timestamp,
    ) -> Result<u64, PortError> {
        let message = self.changed(&id)?;
        let mut step = self.step().await?;
        let revoked = sqlx::query(REVOKE)
            .bind(id.as_str())
            .bind(hint)
            .bind(now.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("revoke keys"))?;
        notify_change(&mut step, &message).await?;
        step.commit().await.map_err(failed("commit a revocation"))?;
        Ok(revoked.rows_affected())
    }
}

async fn insert_key(
    connection: &mut PgConnection,
    id: &AccountId,
    key: &KeyRecord,
) -> Result<(), PortError> {
    let inserted = sqlx::query(INSERT_KEY)
        .bind(id.as_str())
        .bind(key.id.0)
        .bind(key.hint.as_str())
        .bind(key.hash.0.as_slice())
        .bind(key.created_at.as_millis())
        .execute(connection)
        .await
        .map_err(failed("insert a key"))?;
    wrote(inserted.rows_affected(), 1, "insert a key")
}

/// Has every instance forget what it remembers of an account, once this step is committed.
pub(crate) async fn notify_change(
    connection: &mut PgConnection,
    message: &str,
) -> Result<(), PortError> {
    sqlx::query("SELECT pg_notify($1, $2)")
        .bind(ACCOUNT_CHANGED)
        .bind(message)
        .execute(connection)
        .await
        .map_err(failed("publish a change of an account"))?;
    Ok(())
}

/// The account in a row that begins with its columns.
pub(crate) fn account(row: &PgRow, first: usize) -> Result<Account, PortError> {
    let read = || {
        Ok(MerchantRow {
            id: row.try_get(first)?,
            status: row.try_get(first + 1)?,
            currency: row.try_get(first + 2)?,
            message_currency: row.try_get(first + 3)?,
            name: row.try_get(first + 4)?,
            time_zone: row.try_get(first + 5)?,
            opened_at: row.try_get(first + 6)?,
            environment: row.try_get(first + 7)?,
            email: row.try_get(first + 8)?,
            phone: row.try_get(first + 9)?,
        })
    };
    read().map_err(failed("read an account"))?.restore()
}

/// The key in a row of [`CREDENTIALS`]; none in the row of an account without live keys.
fn live_key(row: &PgRow) -> Result<Option<KeyRecord>, PortError> {
    let read = || {
        let Some(hint) = row.try_get(10)? else {
            return Ok(None);
        };
        let hash: Vec<u8> = row.try_get(11)?;
        Ok(Some(((row.try_get(13)?, hint), hash, row.try_get(12)?)))
    };
    let columns = read().map_err(failed("read a key"))?;
    let record = columns.map(|(named, hash, created_at)| key(named, &hash, created_at));
    record.transpose()
}
