//! What is to be delivered. Rows of events must be recorded by the batch that makes the events;
//! here are the events that no transaction caused, and everything that comes after.

pub(crate) mod claim;
pub(crate) mod forget;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod replay;
mod rows;

use crate::connection::StatementAnswer;
use crate::endpoints::key;
use crate::error::failed;
use crate::store::PostgresStore;
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
use std::num::NonZeroU32;
use storage_sql::record::{Announcement, EventKey, endpoint_of_key};

/// How often a call is decided again where others changed what it rests on meanwhile: each time one
/// of them has got further.
const CHOICES_MAX: u32 = 8;

/// One row for endpoint `$2` of account `$1`, or for all that subscribe to topic `$4`: every
/// endpoint does where `$3` says so. The event is of time `$6` and due since then; `$8` says
/// whether it goes before whatever waits. A row that exists is not recorded again.
pub(crate) const ANNOUNCE: &str = "
    INSERT INTO deliveries (
        account, endpoint, number, sequence, topic, at, about, due_at, requested
    )
    SELECT e.account, e.id, $5, 0, $4, $6, $7, $6, $8 FROM endpoints AS e
    WHERE e.account = $1 AND e.disabled_at IS NULL AND CASE
        WHEN $2::bigint IS NOT NULL THEN e.id = $2
        ELSE $3 OR e.topics IS NULL OR $4 = ANY (string_to_array(e.topics, ' '))
    END
    ON CONFLICT (account, endpoint, number, sequence, currency) DO NOTHING";

/// The oldest endpoint of account `$1` with a delivery of event `$2`, which no transaction caused.
pub(crate) const ANNOUNCED_TO: &str = "
    SELECT e.id FROM endpoints AS e
    JOIN deliveries AS d ON d.account = e.account AND d.endpoint = e.id
        AND d.number = $2 AND d.sequence = 0 AND d.currency = ''
    WHERE e.account = $1 AND e.removed_at IS NULL
    ORDER BY e.created_at, e.id LIMIT 1";

/// At most `$3` deliveries that were never tried and are due later than `$1`, or tried and due
/// later than `$2`, are due then. No lease ends later than one that is made now.
pub(crate) const BOUND: &str = "
    WITH late AS MATERIALIZED (
        SELECT account, endpoint, number, sequence, currency FROM deliveries
        WHERE NOT requested AND due_at > $1 AND (attempts = 0 OR due_at > $2)
        ORDER BY due_at DESC LIMIT $3
        FOR UPDATE SKIP LOCKED
    ),
    long AS MATERIALIZED (
        SELECT account, endpoint, number, sequence, currency FROM delivery_leases
        WHERE until > $1 FOR UPDATE SKIP LOCKED
    ),
    leases AS (
        UPDATE delivery_leases AS l SET until = $1 FROM long AS o
        WHERE l.account = ANY (ARRAY[o.account]) AND l.endpoint = o.endpoint
            AND l.number = o.number AND l.sequence = o.sequence AND l.currency = o.currency
    )
    UPDATE deliveries AS d SET due_at = CASE WHEN d.attempts = 0 THEN $1 ELSE $2 END
    FROM late AS l
    WHERE d.account = ANY (ARRAY[l.account]) AND d.endpoint = l.endpoint
        AND d.number = l.number AND d.sequence = l.sequence AND d.currency = l.currency";

#[async_trait]
impl Outbox for PostgresStore {
    async fn claim_deliveries(&self, claim: &DeliveryClaim) -> Result<Vec<Claimed>, PortError> {
        claim::deliveries(self, claim).await
    }

    async fn record_attempts(
        &self,
        ended: &[AttemptResult],
    ) -> Result<Vec<EndpointDisabled>, PortError> {
        record::attempts(self, ended).await
    }

    async fn announce(
        &self,
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
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("announce an event"))?;
        Ok(announced.rows_affected())
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
            .fetch_optional(&self.steps)
            .in_time()
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
        let bounded = sqlx::query(BOUND)
            .bind(latest.untried.as_millis())
            .bind(latest.retried.as_millis())
            .bind(i64::from(most))
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("bound what is to be delivered"))?;
        Ok(bounded.rows_affected())
    }
}
