//! Accounts and their keys. They must be written through the one writer, like money: an
//! administrative command beside a running server waits its turn.

mod contact;
mod opening;

#[cfg(test)]
pub(crate) use contact::{BY_EMAIL, BY_ID, BY_PHONE, OBSTACLES, SET_CONTACT};

use crate::access_keys;
use crate::allowlists;
use crate::error::failed;
use crate::freezes;
use crate::spending_limits;
use crate::store::SqliteStore;
use crate::transactions::wallet;
use crate::writer::SqliteWriter;
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
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use storage_sql::record::{MerchantRow, account_status_code, key, listed};

/// Inserts nothing where there is no such account.
pub(crate) const INSERT_KEY: &str = "
    INSERT INTO api_keys (account, id, hint, hash, created_at)
    SELECT id, ?2, ?3, ?4, ?5 FROM accounts WHERE id = ?1";

/// Revokes the live keys of `?1` but the newest `?3`.
pub(crate) const REVOKE_OLDEST: &str = "
    UPDATE api_keys SET revoked_at = ?2
    WHERE account = ?1 AND revoked_at IS NULL AND id NOT IN (
        SELECT id FROM api_keys WHERE account = ?1 AND revoked_at IS NULL
        ORDER BY created_at DESC, id DESC LIMIT ?3
    )";

pub(crate) const REVOKE: &str = "
    UPDATE api_keys SET revoked_at = ?3
    WHERE account = ?1 AND revoked_at IS NULL AND (?2 IS NULL OR hint = ?2)";

pub(crate) const SET_MESSAGE_CURRENCY: &str =
    "UPDATE accounts SET message_currency = ?2 WHERE id = ?1";

pub(crate) const SET_LOW_BALANCE: &str =
    "UPDATE wallets SET low_balance_threshold = ?3 WHERE account = ?1 AND currency = ?2";

pub(crate) const SET_STATUS: &str = "UPDATE accounts SET status = ?2 WHERE id = ?1";

/// An account with each of its live keys, oldest first; one row without a key where none is live.
pub(crate) const CREDENTIALS: &str = "
    SELECT a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone, a.opened_at,
        a.environment, a.email, a.phone, k.hint, k.hash, k.created_at, k.id
    FROM accounts AS a
    LEFT JOIN api_keys AS k ON k.account = a.id AND k.revoked_at IS NULL
    WHERE a.id = ?1 ORDER BY k.created_at, k.id";

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
impl Accounts for SqliteStore {
    async fn create(&self, new: &NewAccount) -> Result<Created, PortError> {
        let new = new.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.create(new)))
            .await?
    }

    async fn credentials(&self, id: &AccountId) -> Result<Option<Credentials>, PortError> {
        let rows = sqlx::query(CREDENTIALS)
            .bind(id.as_str())
            .fetch_all(&self.reads)
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
        let rows = sqlx::query(LIST).fetch_all(&self.reads).await;
        let rows = rows.map_err(failed("list the accounts"))?;
        let pairs = rows
            .iter()
            .map(|row| Ok((account(row, 0)?, wallet(row, LIST_WALLET)?)));
        Ok(listed(pairs.collect::<Result<Vec<_>, PortError>>()?))
    }

    async fn set_status(&self, id: &AccountId, status: AccountStatus) -> Result<bool, PortError> {
        let id = id.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.set_status(id, status)))
            .await?
    }

    async fn set_contact(
        &self,
        id: &AccountId,
        known: &AccountContact,
        contact: &AccountContact,
    ) -> Result<ContactChange, PortError> {
        let (id, known, contact) = (id.clone(), known.clone(), contact.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.set_contact(id, known, contact)))
            .await?
    }

    async fn set_message_currency(
        &self,
        id: &AccountId,
        currency: Currency,
    ) -> Result<bool, PortError> {
        let id = id.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.set_message_currency(id, currency)))
            .await?
    }

    async fn set_low_balance(
        &self,
        id: &AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError> {
        let id = id.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.set_low_balance(id, currency, below)))
            .await?
    }

    async fn add_key(&self, id: &AccountId, key: &KeyRecord) -> Result<bool, PortError> {
        let (id, key) = (id.clone(), key.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.add_key(id, key)))
            .await?
    }

    async fn revoke_keys(
        &self,
        id: &AccountId,
        hint: Option<&str>,
        now: Timestamp,
    ) -> Result<u64, PortError> {
        let (id, hint) = (id.clone(), hint.map(str::to_owned));
        self.writer
            .alone(move |writer| Box::pin(writer.revoke_keys(id, hint, now)))
            .await?
    }
}

impl SqliteWriter {
    async fn set_status(
        &mut self,
        id: AccountId,
        status: AccountStatus,
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        let set = sqlx::query(SET_STATUS)
            .bind(id.as_str())
            .bind(account_status_code(status))
            .execute(&mut *step)
            .await
            .map_err(failed("set the status of an account"))?;
        step.commit().await.map_err(failed("commit a status"))?;
        Ok(set.rows_affected() == 1)
    }

    async fn set_message_currency(
        &mut self,
        id: AccountId,
        currency: Currency,
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        let set = sqlx::query(SET_MESSAGE_CURRENCY)
            .bind(id.as_str())
            .bind(currency.code())
            .execute(&mut *step)
            .await
            .map_err(failed("set the currency of messages"))?;
        step.commit()
            .await
            .map_err(failed("commit the currency of messages"))?;
        Ok(set.rows_affected() == 1)
    }

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
        let mut step = self.step().await?;
        if insert_key(&mut step, &id, &key).await? == 0 {
            return Ok(false);
        }
        sqlx::query(REVOKE_OLDEST)
            .bind(id.as_str())
            .bind(key.created_at.as_millis())
            .bind(i64::try_from(LIVE_KEYS_MAX).unwrap_or(i64::MAX))
            .execute(&mut *step)
            .await
            .map_err(failed("revoke the oldest keys"))?;
        step.commit().await.map_err(failed("commit a key"))?;
        Ok(true)
    }

    async fn revoke_keys(
        &mut self,
        id: AccountId,
        hint: Option<String>,
        now: Timestamp,
    ) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let revoked = sqlx::query(REVOKE)
            .bind(id.as_str())
            .bind(hint)
            .bind(now.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("revoke keys"))?;
        step.commit().await.map_err(failed("commit a revocation"))?;
        Ok(revoked.rows_affected())
    }
}

/// Returns how many keys were inserted: none where there is no such account.
async fn insert_key(
    connection: &mut SqliteConnection,
    id: &AccountId,
    key: &KeyRecord,
) -> Result<u64, PortError> {
    let inserted = sqlx::query(INSERT_KEY)
        .bind(id.as_str())
        .bind(key.id.0)
        .bind(key.hint.as_str())
        .bind(key.hash.0.as_slice())
        .bind(key.created_at.as_millis())
        .execute(connection)
        .await;
    Ok(inserted.map_err(failed("insert a key"))?.rows_affected())
}

/// The account in a row that has its columns from column `first` on.
pub(crate) fn account(row: &SqliteRow, first: usize) -> Result<Account, PortError> {
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
fn live_key(row: &SqliteRow) -> Result<Option<KeyRecord>, PortError> {
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
