//! Balances at providers as they were read. A reading must never replace a later one.

use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::float_forecast::BalanceReading;
use domain::money::Money;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::balance_readings::BalanceReadings;
use storage_sql::float::{ReadingColumns, reading};

pub(crate) const KEEP: &str = "
    INSERT INTO balance_readings (
        provider, span, available, held, currency, said_at, read_at, is_low
    )
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (provider, span) DO UPDATE SET
        available = excluded.available, held = excluded.held, currency = excluded.currency,
        said_at = excluded.said_at, read_at = excluded.read_at, is_low = excluded.is_low
    WHERE balance_readings.read_at <= excluded.read_at";

pub(crate) const FORGET: &str = "DELETE FROM balance_readings WHERE provider = ?1 AND span < ?2";

macro_rules! columns {
    () => {
        "SELECT available, held, currency, said_at, read_at, is_low FROM balance_readings "
    };
}

pub(crate) const SINCE: &str = concat!(
    columns!(),
    "WHERE provider = ?1 AND span >= ?2 AND read_at >= ?3 ORDER BY span"
);

pub(crate) const LAST: &str = concat!(columns!(), "WHERE provider = ?1 ORDER BY span DESC LIMIT 1");

#[async_trait]
impl BalanceReadings for SqliteStore {
    async fn keep(&self, reading: &BalanceReading) -> Result<(), PortError> {
        let reading = reading.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.keep_reading(reading)))
            .await?
    }

    async fn since(
        &self,
        provider: &ProviderId,
        from: Timestamp,
    ) -> Result<Vec<BalanceReading>, PortError> {
        let rows: Vec<ReadingColumns> = sqlx::query_as(SINCE)
            .bind(provider.as_str())
            .bind(BalanceReading::span(from))
            .bind(from.as_millis())
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the balances at a provider"))?;
        rows.into_iter().map(|row| reading(provider, row)).collect()
    }

    async fn last(&self, provider: &ProviderId) -> Result<Option<BalanceReading>, PortError> {
        let row: Option<ReadingColumns> = sqlx::query_as(LAST)
            .bind(provider.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("read the last balance at a provider"))?;
        row.map(|row| reading(provider, row)).transpose()
    }
}

impl SqliteWriter {
    async fn keep_reading(&mut self, it: BalanceReading) -> Result<(), PortError> {
        let mut step = self.step().await?;
        sqlx::query(KEEP)
            .bind(it.provider.as_str())
            .bind(BalanceReading::span(it.read_at))
            .bind(it.balance.available.minor())
            .bind(it.balance.held.map(Money::minor))
            .bind(it.balance.available.currency().code())
            .bind(it.balance.at.as_millis())
            .bind(it.read_at.as_millis())
            .bind(it.is_low)
            .execute(&mut *step)
            .await
            .map_err(failed("keep the balance at a provider"))?;
        let kept_from = it.read_at.minus(BalanceReading::KEPT_FOR);
        sqlx::query(FORGET)
            .bind(it.provider.as_str())
            .bind(BalanceReading::span(kept_from))
            .execute(&mut *step)
            .await
            .map_err(failed("forget balances at a provider"))?;
        step.commit()
            .await
            .map_err(failed("commit the balance at a provider"))
    }
}
