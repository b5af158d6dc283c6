//! The slot of this instance among those that share the database. An instance without a heartbeat
//! for a while counts as dead; one that counts as dead wrongly may still write, because every write
//! is conditional on what it read.

use crate::connection::{ANSWER_WITHIN, StatementAnswer};
use crate::database_identity::{HEARTBEAT_LOST, Heartbeat};
use crate::error::{PART, failed, unreachable};
use crate::inspection::apart;
use crate::leases;
use crate::store::PostgresStore;
use domain::time::Timestamp;
use ports::PortError;
use ports::audit::Serving;
use ports::clock::Clock;
use ports::reconciliation::{Clearance, Reconciliation as _};
use std::future::Future;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often an instance shows that it is alive.
const BEAT: Duration = Duration::from_secs(1);

/// After so many beats it looks for work that dead instances left.
const BEATS_PER_RECLAIM: u32 = 5;

/// How far our clock may be from the database's. Moments of different instances are compared with
/// one another, and the pauses between questions to a provider are many times as long.
pub const SKEW_MAX: Duration = Duration::from_secs(3);

/// Takes the place that has been unused for the longest; one that was used a moment ago may still
/// be drawing numbers. One row, unless all are taken.
const JOIN: &str = "
    UPDATE instances SET token = nextval('instances_token'), seen_at = clock_timestamp()
    WHERE slot = (
        SELECT slot FROM instances
        WHERE seen_at IS NULL OR seen_at < clock_timestamp() - interval '30 s'
        ORDER BY seen_at NULLS FIRST, slot LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING slot, token, (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Finds no row where another instance has taken the place. It answers the server's time in
/// milliseconds, and the heartbeat that was stored before and that is stored now, in microseconds.
const STAY: &str = "
    UPDATE instances AS i SET seen_at = clock_timestamp()
    FROM instances AS b
    WHERE i.slot = $1 AND i.token = $2 AND b.slot = i.slot
    RETURNING (extract(epoch FROM i.seen_at) * 1000)::bigint,
        (extract(epoch FROM b.seen_at) * 1000000)::bigint,
        (extract(epoch FROM i.seen_at) * 1000000)::bigint";

const LEAVE: &str = "UPDATE instances SET token = NULL WHERE slot = $1 AND token = $2";

const SELL_AT: &str = "UPDATE instances SET prices = $3 WHERE slot = $1 AND token = $2";

/// Whether an instance that is alive sells at other prices than `$1`.
const SELLS_OTHERWISE: &str = "
    SELECT EXISTS (
        SELECT 1 FROM instances
        WHERE token IS NOT NULL AND seen_at > clock_timestamp() - interval '10 s' AND prices <> $1
    )";

const ANY_SERVING: &str = "
    SELECT EXISTS (
        SELECT 1 FROM instances
        WHERE token IS NOT NULL AND seen_at > clock_timestamp() - interval '10 s'
    )";

impl PostgresStore {
    /// Takes a place among the instances that serve. Wait for it before numbers are drawn.
    ///
    /// # Errors
    /// When the database failed, all places are taken, or the clocks are too far apart.
    pub async fn join(&self, clock: &dyn Clock) -> Result<(), PortError> {
        let asked_at = clock.now();
        let free: Option<(i16, i64, i64)> = sqlx::query_as(JOIN)
            .fetch_optional(&self.steps)
            .in_time()
            .await
            .map_err(failed("take a place among the instances"))?;
        let Some((slot, token, theirs)) = free else {
            return Err(PortError::new(
                PART,
                "all 64 places of instances are taken; one that ended is free after 30 seconds",
            ));
        };
        self.shared.place.take(slot, token)?;
        self.shared.generation.joined();
        let skew = apart(asked_at, clock.now(), Timestamp::from_millis(theirs));
        if skew > SKEW_MAX {
            self.leave().await;
            return Err(PortError::new(
                PART,
                format!(
                    "the clock of this machine is {} ms from the database's, more than {} ms; \
                     have both set by NTP",
                    skew.as_millis(),
                    SKEW_MAX.as_millis()
                ),
            ));
        }
        Ok(())
    }

    /// Notes a fingerprint of the prices this instance sells at, once it has joined. Answers
    /// whether another one sells at others.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn sells_at(&self, prices: &str) -> Result<bool, PortError> {
        if let Some((slot, token)) = self.shared.place.identity() {
            sqlx::query(SELL_AT)
                .bind(slot)
                .bind(token)
                .bind(prices)
                .execute(&self.steps)
                .in_time()
                .await
                .map_err(failed("note the prices of this instance"))?;
        }
        sqlx::query_scalar(SELLS_OTHERWISE)
            .bind(prices)
            .fetch_one(&self.steps)
            .in_time()
            .await
            .map_err(failed("compare the prices of instances"))
    }

    /// Renews the heartbeat, checks the identity of the database, and recovers transactions of dead
    /// instances, until it is stopped.
    pub async fn renew_slot(&self, clock: &dyn Clock, stop: impl Future<Output = ()> + Send) {
        tokio::pin!(stop);
        let mut beats = 0_u32;
        loop {
            tokio::select! {
                () = &mut stop => break,
                () = tokio::time::sleep(BEAT) => {}
            }
            beats = beats.wrapping_add(1);
            if let Err(error) = self.beat(clock).await {
                tracing::warn!(%error, "this instance could not renew its lease in the database");
                continue;
            }
            if beats.is_multiple_of(BEATS_PER_RECLAIM) {
                self.reclaim(clock.now()).await;
            }
        }
        self.leave().await;
    }

    /// Whether any instance serves these books.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn serving(&self) -> Result<Serving, PortError> {
        let any_serving: bool = sqlx::query_scalar(ANY_SERVING)
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("look for instances"))?;
        Ok(if any_serving {
            Serving::Yes
        } else {
            Serving::No
        })
    }

    async fn beat(&self, clock: &dyn Clock) -> Result<(), PortError> {
        let place = &self.shared.place;
        let asked_at = clock.now();
        let heartbeat: Option<(i64, i64, i64)> = sqlx::query_as(STAY)
            .bind(i16::from(place.slot.load(Ordering::Relaxed)))
            .bind(place.token())
            .fetch_optional(&self.steps)
            .in_time()
            .await
            .map_err(failed("say that this instance is alive"))?;
        let Some((theirs, before, now)) = heartbeat else {
            tracing::warn!("this instance was taken for dead and takes another place");
            return self.join(clock).await;
        };
        let skew = apart(asked_at, clock.now(), Timestamp::from_millis(theirs));
        let skewed = skew > SKEW_MAX;
        if place.skewed.swap(skewed, Ordering::Relaxed) != skewed {
            let skew_ms = skew.as_millis();
            tracing::error!(skew_ms, skewed, "clock skew against the database");
        }
        if self.shared.generation.heartbeat(before, now) == Heartbeat::Lost {
            tracing::error!("payments are suspended: the database lacks a heartbeat it confirmed");
            self.suspend(HEARTBEAT_LOST, Clearance::Journals).await?;
        }
        let mut connection = self.steps.acquire().await.map_err(failed("look"))?;
        let look = self.shared.generation.look(&mut connection);
        let looked = tokio::time::timeout(ANSWER_WITHIN, look).await;
        looked.map_err(|elapsed| unreachable("look which books these are", elapsed))?
    }

    async fn reclaim(&self, now: Timestamp) {
        match leases::reclaim(self, now).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "recovering transactions of a dead instance"),
            Err(error) => tracing::warn!(%error, "orphans could not be reclaimed"),
        }
    }

    async fn leave(&self) {
        let place = &self.shared.place;
        let left = sqlx::query(LEAVE)
            .bind(i16::from(place.slot.load(Ordering::Relaxed)))
            .bind(place.token())
            .execute(&self.steps)
            .in_time()
            .await;
        if let Err(error) = left {
            tracing::debug!(%error, "the place of this instance stays taken for a while");
        }
    }
}
