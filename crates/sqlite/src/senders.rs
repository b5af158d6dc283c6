//! Sender identities of messages. They must be written through the one writer, like accounts.

use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use domain::time::Timestamp;
use ports::PortError;
use ports::senders::{SenderRegistration, Senders};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::SenderRow;

/// What stands in the way of registering: no such account, its serial number, its name. One row.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        EXISTS (SELECT 1 FROM senders WHERE serial = ?2),
        EXISTS (SELECT 1 FROM senders WHERE account = ?1 AND name = ?3 COLLATE NOCASE)";

pub(crate) const REGISTER: &str = "
    INSERT INTO senders (serial, account, name, status, requested_at, decided_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

pub(crate) const ONE: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders WHERE serial = ?2 AND account = ?1";

pub(crate) const OF_ACCOUNT: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders WHERE account = ?1 ORDER BY name";

const ALL: &str = "
    SELECT serial, account, name, status, requested_at, decided_at
    FROM senders ORDER BY account, name";

/// At most two.
pub(crate) const APPROVED: &str = "
    SELECT s.serial, s.account, s.name, s.status, s.requested_at, s.decided_at
    FROM senders AS s CROSS JOIN accounts AS a ON a.id = s.account AND a.environment = ?2
    WHERE s.name = ?1 COLLATE NOCASE AND s.status = 'approved'
    LIMIT 2";

pub(crate) const DECIDE: &str = "UPDATE senders SET status = ?2, decided_at = ?3 WHERE serial = ?1";

#[async_trait]
impl Senders for SqliteStore {
    async fn register(&self, sender: &Sender) -> Result<SenderRegistration, PortError> {
        let sender = sender.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.register(sender)))
            .await?
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
        let serial = serial.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.decide(serial, status, now)))
            .await?
    }

    async fn senders(&self, account: Option<&AccountId>) -> Result<Vec<Sender>, PortError> {
        let query = match account {
            None => sqlx::query(ALL),
            Some(account) => sqlx::query(OF_ACCOUNT).bind(account.as_str()),
        };
        let rows = query.fetch_all(&self.reads).await;
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
            .await
            .map_err(failed("find the senders of a name"))?;
        rows.iter().map(sender).collect()
    }
}

impl SqliteWriter {
    async fn register(&mut self, sender: Sender) -> Result<SenderRegistration, PortError> {
        let mut step = self.step().await?;
        let (account_unknown, serial_taken, name_taken): (bool, bool, bool) =
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
        wrote(inserted.rows_affected(), 1, "insert a sender")?;
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
        step.commit().await.map_err(failed("commit a decision"))?;
        Ok(decided.rows_affected() == 1)
    }
}

fn sender(row: &SqliteRow) -> Result<Sender, PortError> {
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
