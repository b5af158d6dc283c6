//! Sender identities of messages. They must be written through the writer of their account.

use crate::connection::StatementAnswer;
use crate::error::{failed, wrote};
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use domain::time::Timestamp;
use ports::PortError;
use ports::senders::{SenderRegistration, Senders};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::SenderRow;

/// What stands in the way of registering: no such account, its name, its serial number. One row.
/// The account is locked, so that two registrations of one name see each other.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (
            SELECT 1 FROM senders
            WHERE account = $1 AND lower(name) = lower($3::text COLLATE \"C\")
        ),
        EXISTS (SELECT 1 FROM senders WHERE serial = $2)";

const LOCK_ACCOUNT: &str = "SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE";

/// Inserts nothing where the serial number was taken in between.
pub(crate) const REGISTER: &str = "
    INSERT INTO senders (serial, account, name, status, requested_at, decided_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (serial) DO NOTHING";

pub(crate) const ONE: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders WHERE serial = $2 AND account = $1";

pub(crate) const OF_ACCOUNT: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders WHERE account = $1 ORDER BY lower(name), name";

const ALL: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders ORDER BY account, lower(name), name";

/// At most two; the account is found by its key.
pub(crate) const APPROVED: &str = "
    SELECT s.serial, s.account, s.name, s.status, s.requested_at, s.decided_at
    FROM senders AS s JOIN accounts AS a ON a.id = ANY (ARRAY[s.account])
    WHERE lower(s.name) = lower($1::text COLLATE \"C\") AND s.status = 'approved'
        AND a.environment = $2
    LIMIT 2";

pub(crate) const OWNER: &str = "SELECT account FROM senders WHERE serial = $1";

pub(crate) const DECIDE: &str = "UPDATE senders SET status = $2, decided_at = $3 WHERE serial = $1";

#[async_trait]
impl Senders for PostgresStore {
    async fn register(&self, sender: &Sender) -> Result<SenderRegistration, PortError> {
        let (account, sender) = (sender.account.clone(), sender.clone());
        self.alone(&account, move |writer| Box::pin(writer.register(sender)))
            .await
    }

    async fn sender(
        &self,
        account: &AccountId,
        serial: &SenderSerial,
    ) -> Result<Option<Sender>, PortError> {
        let row = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(serial.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a sender"))?;
        row.as_ref().map(sender).transpose()
    }

    async fn decide(
        &self,
        serial: &SenderSerial,
        status: SenderStatus,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let owner: Option<String> = sqlx::query_scalar(OWNER)
            .bind(serial.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a sender"))?;
        let Some(owner) = owner.and_then(|owner| AccountId::parse(&owner).ok()) else {
            return Ok(false);
        };
        let serial = serial.clone();
        self.alone(&owner, move |writer| {
            Box::pin(writer.decide(serial, status, now))
        })
        .await
    }

    async fn senders(&self, account: Option<&AccountId>) -> Result<Vec<Sender>, PortError> {
        let query = match account {
            None => sqlx::query(ALL),
            Some(account) => sqlx::query(OF_ACCOUNT).bind(account.as_str()),
        };
        let rows = query.fetch_all(&self.reads).in_time().await;
        let rows = rows.map_err(failed("list the senders"))?;
        rows.iter().map(sender).collect()
    }

    async fn approved_under(
        &self,
        name: &SenderName,
        environment: Environment,
    ) -> Result<Vec<Sender>, PortError> {
        let rows = sqlx::query(APPROVED)
            .bind(name.as_str())
            .bind(environment.code())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("find the senders of a name"))?;
        rows.iter().map(sender).collect()
    }
}

impl PostgresWriter {
    async fn register(&mut self, sender: Sender) -> Result<SenderRegistration, PortError> {
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(sender.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let (account_unknown, name_taken, serial_taken): (bool, bool, bool) =
            sqlx::query_as(OBSTACLES)
                .bind(sender.account.as_str())
                .bind(sender.serial.as_str())
                .bind(sender.name.as_str())
                .fetch_one(&mut *step)
                .await
                .map_err(failed("look for a sender"))?;
        if account_unknown {
            return Ok(SenderRegistration::AccountUnknown);
        }
        if name_taken {
            return Ok(SenderRegistration::NameTaken);
        }
        if serial_taken {
            return Ok(SenderRegistration::SerialTaken);
        }
        let inserted = sqlx::query(REGISTER)
            .bind(sender.serial.as_str())
            .bind(sender.account.as_str())
            .bind(sender.name.as_str())
            .bind(sender.status.code())
            .bind(sender.requested_at.as_millis())
            .bind(sender.decided_at.map(Timestamp::as_millis))
            .execute(&mut *step)
            .await
            .map_err(failed("insert a sender"))?;
        if inserted.rows_affected() == 0 {
            return Ok(SenderRegistration::SerialTaken);
        }
        step.commit().await.map_err(failed("commit a sender"))?;
        Ok(SenderRegistration::Done)
    }

    async fn decide(
        &mut self,
        serial: SenderSerial,
        status: SenderStatus,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        let decided = sqlx::query(DECIDE)
            .bind(serial.as_str())
            .bind(status.code())
            .bind(now.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("decide about a sender"))?;
        wrote(decided.rows_affected(), 1, "decide about a sender")?;
        step.commit().await.map_err(failed("commit a decision"))?;
        Ok(true)
    }
}

fn sender(row: &PgRow) -> Result<Sender, PortError> {
    let read = || {
        Ok(SenderRow {
            serial: row.try_get(0)?,
            account: row.try_get(1)?,
            name: row.try_get(2)?,
            status: row.try_get(3)?,
            requested_at: row.try_get(4)?,
            decided_at: row.try_get(5)?,
        })
    };
    read().map_err(failed("read a sender"))?.restore()
}
