//! What is to be delivered. Rows of events must be recorded by the batch that makes the events;
//! here are the events that no transaction caused, and everything that comes after.

pub(crate) mod claim;
pub(crate) mod forget;
pub(crate) mod lease_table;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod replay;
mod rows;

use crate::endpoints::key;
use crate::error::failed;
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::webhook::{Attempt, Delivery, EndpointId, Topic, WebhookEvent, WebhookEventId};
use ports::PortError;
use ports::webhooks::{
    AttemptResult, Claimed, DeliveryClaim, DeliveryPage, DeliveryQuery, EndpointDisabled,
    LatestDue, Outbox, Replay, Replayed, StorageExcess,
};
use sqlx::sqlite::SqliteConnection;
use std::num::NonZeroU32;
use storage_sql::record::{Announcement, EventKey, endpoint_of_key};

/// One row for endpoint `?2` of account `?1`, or for all that subscribe to topic `?4`: every
/// endpoint does where `?3` says so. The event is of time `?6` and due since then; `?8` says
/// whether it goes before whatever waits. A row that exists is not recorded again.
pub(crate) const ANNOUNCE: &str = "
    INSERT INTO deliveries (
        account, endpoint, number, sequence, topic, at, about, due_at, requested
    )
    SELECT e.account, e.id, ?5, 0, ?4, ?6, ?7, ?6, ?8
    FROM endpoints AS e
    WHERE e.account = ?1 AND e.disabled_at IS NULL AND CASE
        WHEN ?2 IS NOT NULL THEN e.id = ?2
        ELSE ?3 OR e.topics IS NULL OR instr(' ' || e.topics || ' ', ' ' || ?4 || ' ') > 0
    END
    ON CONFLICT (account, endpoint, number, sequence, currency) DO NOTHING";

/// The oldest endpoint of account `?1` with a delivery of event `?2`, which no transaction caused.
pub(crate) const ANNOUNCED_TO: &str = "
    SELECT e.id FROM endpoints AS e
    JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id
        AND d.number = ?2 AND d.sequence = 0 AND d.currency = ''
    WHERE e.account = ?1 AND e.removed_at IS NULL
    ORDER BY e.created_at, e.id LIMIT 1";

/// At most `?3` deliveries that were never tried and are due later than `?1`, or tried and due
/// later than `?2`, are due then.
pub(crate) const BOUND: &str = "
    UPDATE deliveries SET due_at = CASE WHEN attempts = 0 THEN ?1 ELSE ?2 END
    WHERE id IN (
        SELECT id FROM deliveries
        WHERE requested = 0 AND due_at > ?1 AND (attempts = 0 OR due_at > ?2)
        ORDER BY due_at DESC LIMIT ?3
    )";

#[async_trait]
impl Outbox for SqliteStore {
    async fn claim_deliveries(&self, claim: &DeliveryClaim) -> Result<Vec<Claimed>, PortError> {
        claim::deliveries(self, claim).await
    }

    async fn record_attempts(
        &self,
        ended: &[AttemptResult],
    ) -> Result<Vec<EndpointDisabled>, PortError> {
        if ended.is_empty() {
            return Ok(Vec::new());
        }
        let ended = ended.to_vec();
        self.writer
            .alone(move |writer| Box::pin(writer.record_attempts(ended)))
            .await?
    }

    async fn announce(
        &self,
        account: &AccountId,
        endpoint: Option<EndpointId>,
        event: &WebhookEvent,
    ) -> Result<u64, PortError> {
        let (account, event) = (account.clone(), event.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.announce(account, endpoint, event)))
            .await?
    }

    async fn announced_to(
        &self,
        account: &AccountId,
        event: &WebhookEventId,
    ) -> Result<Option<EndpointId>, PortError> {
        let Some(key) = EventKey::of(event).filter(EventKey::is_of_no_cause) else {
            return Ok(None);
        };
        let found: Option<i64> = sqlx::query_scalar(ANNOUNCED_TO)
            .bind(account.as_str())
            .bind(key.number)
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("look for an event"))?;
        found.map(endpoint_of_key).transpose()
    }

    async fn deliveries(
        &self,
        account: &AccountId,
        query: &DeliveryQuery,
    ) -> Result<DeliveryPage, PortError> {
        list::page(self, account, query).await
    }

    async fn deliveries_of(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError> {
        list::of_transaction(self, account, number).await
    }

    async fn replay(&self, account: &AccountId, replay: &Replay) -> Result<Replayed, PortError> {
        replay::replay(self, account, replay).await
    }

    async fn forget_delivered(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        forget::forget(self, before, most).await
    }

    async fn excess(&self, kept: NonZeroU32) -> Result<Vec<StorageExcess>, PortError> {
        forget::excess(self, kept).await
    }

    async fn forget_excess(&self, excess: &StorageExcess, most: u32) -> Result<u64, PortError> {
        forget::forget_excess(self, excess, most).await
    }

    async fn bound_due(&self, latest: LatestDue, most: u32) -> Result<u64, PortError> {
        self.writer
            .alone(move |writer| Box::pin(writer.bound_deliveries(latest, most)))
            .await?
    }
}

impl SqliteWriter {
    async fn bound_deliveries(&mut self, latest: LatestDue, most: u32) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let bounded = sqlx::query(BOUND)
            .bind(latest.untried.as_millis())
            .bind(latest.retried.as_millis())
            .bind(i64::from(most))
            .execute(&mut *step)
            .await
            .map_err(failed("bound what is to be delivered"))?;
        step.commit()
            .await
            .map_err(failed("commit what was bounded"))?;
        Ok(bounded.rows_affected())
    }

    async fn announce(
        &mut self,
        account: AccountId,
        endpoint: Option<EndpointId>,
        event: WebhookEvent,
    ) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let reported = announce(&mut step, &account, endpoint, &event).await?;
        step.commit().await.map_err(failed("commit an event"))?;
        Ok(reported)
    }
}

/// Records an event inside the step under way; answers for how many endpoints.
async fn announce(
    step: &mut SqliteConnection,
    account: &AccountId,
    endpoint: Option<EndpointId>,
    event: &WebhookEvent,
) -> Result<u64, PortError> {
    let Announcement { number, about } = Announcement::of(event)?;
    let announced = sqlx::query(ANNOUNCE)
        .bind(account.as_str())
        .bind(endpoint.map(key))
        .bind(event.topic == Topic::Ping)
        .bind(event.topic.code())
        .bind(number)
        .bind(event.at.as_millis())
        .bind(about)
        .bind(event.is_requested())
        .execute(step)
        .await
        .map_err(failed("announce an event"))?;
    Ok(announced.rows_affected())
}
