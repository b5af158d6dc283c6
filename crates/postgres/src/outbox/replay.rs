//! Making deliveries due again. Their attempts are counted anew and the log of them is kept: no
//! statement here may touch it. What a replay makes of them is decided by `storage_sql::webhook`
//! and written where they are still as they were read.

use super::CHOICES_MAX;
use crate::connection::StatementAnswer;
use crate::endpoints::key;
use crate::error::{PART, failed};
use crate::store::PostgresStore;
use domain::account::AccountId;
use domain::webhook::EndpointId;
use ports::PortError;
use ports::webhooks::{Replay, ReplayOf, Replayed};
use storage_sql::record::{EventKey, moments, progress};
use storage_sql::webhook::{DeliveryProgress, replayed};

/// Whether account `$1` has endpoint `$2`.
pub(crate) const IS_THERE: &str = "
    SELECT EXISTS (
        SELECT 1 FROM endpoints WHERE account = $1 AND id = $2 AND removed_at IS NULL
    )";

/// At most `$5` events of endpoint `$2` of account `$1` from `$3` until before `$4`.
pub(crate) const RANGE: &str = "
    SELECT number, sequence, currency, attempts, replay_count, requested, due_at, delivered_at,
        parked_at
    FROM deliveries
    WHERE account = $1 COLLATE \"POSIX\" AND endpoint = $2 AND at >= $3 AND at < $4 LIMIT $5";

/// The one that tells of `$3`, `$4` and `$6`.
pub(crate) const ONE: &str = "
    SELECT number, sequence, currency, attempts, replay_count, requested, due_at, delivered_at,
        parked_at
    FROM deliveries
    WHERE account = ANY (ARRAY[$1]) AND endpoint = $2 AND number = $3 AND sequence = $4
        AND currency = $6
    LIMIT $5";

/// Writes the deliveries `$3`, `$4` and `$12` of endpoint `$2` of account `$1` if all of them are
/// in the rounds `$5` still. The endpoint is locked first, like everywhere. Answers how many it
/// wrote: all or none.
pub(crate) const AGAIN: &str = "
    WITH there AS MATERIALIZED (
        SELECT 1 FROM endpoints WHERE account = $1 AND id = $2 AND removed_at IS NULL
        FOR NO KEY UPDATE
    ),
    held AS MATERIALIZED (
        SELECT d.number, d.sequence
        FROM unnest($3::bigint[], $4::integer[], $12::text[], $5::integer[])
            AS x (number, sequence, currency, round)
        JOIN deliveries AS d ON d.account = ANY (ARRAY[$1]) AND d.endpoint = $2
            AND d.number = x.number AND d.sequence = x.sequence AND d.currency = x.currency
            AND d.replay_count = x.round
        WHERE (SELECT count(*) FROM there) = 1
        FOR NO KEY UPDATE OF d
    ),
    again AS (
        UPDATE deliveries AS d SET
            attempts = x.attempts, replay_count = x.replay_count, due_at = x.due_at,
            delivered_at = x.delivered_at, parked_at = x.parked_at, requested = x.requested
        FROM unnest(
            $3::bigint[], $4::integer[], $6::integer[], $7::integer[], $8::bigint[],
            $9::bigint[], $10::bigint[], $11::boolean[], $12::text[]
        ) AS x (
            number, sequence, attempts, replay_count, due_at, delivered_at, parked_at, requested,
            currency
        )
        WHERE d.account = ANY (ARRAY[$1]) AND d.endpoint = $2
            AND d.number = x.number AND d.sequence = x.sequence AND d.currency = x.currency
            AND (SELECT count(*) FROM held) = cardinality($3)
        RETURNING 1
    )
    SELECT count(*) FROM again";

/// What bounds a replay: two moments, or what names one delivery, with its currency.
type Within = ((i64, i64), Option<&'static str>);

/// A row of [`RANGE`] and [`ONE`].
type Found = (
    i64,
    i32,
    String,
    i32,
    i32,
    bool,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

/// A delivery to one endpoint, by the numbers that name it.
type Stored = ((i64, i32, String), DeliveryProgress);

pub(super) async fn replay(
    store: &PostgresStore,
    account: &AccountId,
    replay: &Replay,
) -> Result<Replayed, PortError> {
    for _ in 0..CHOICES_MAX {
        let (endpoint, found) = match &replay.what {
            ReplayOf::One(id) => {
                let Some(name) = EventKey::of(&id.event) else {
                    return Ok(Replayed::Unknown);
                };
                let within = (name.number, i64::from(name.sequence));
                let within = (within, Some(name.currency_code()));
                let of = (account, id.endpoint, ONE);
                (id.endpoint, found(store, of, (within, replay.most)).await?)
            }
            ReplayOf::Range {
                endpoint,
                from,
                until,
            } => {
                let within = ((from.as_millis(), until.as_millis()), None);
                let of = (account, *endpoint, RANGE);
                (*endpoint, found(store, of, (within, replay.most)).await?)
            }
        };
        let again = match replayed(found.as_deref(), replay) {
            Ok(again) => again,
            Err(answer) => return Ok(answer),
        };
        let read = found.unwrap_or_default();
        if again.is_empty() || write(store, (account, endpoint), (&read, &again)).await? {
            return Ok(Replayed::Done(
                u64::try_from(again.len()).unwrap_or(u64::MAX),
            ));
        }
    }
    Err(PortError::new(
        PART,
        "make deliveries due again: others change them at the same time",
    ))
}

/// What a replay is of, at most one more than it may be; `None` where there is no such endpoint.
async fn found(
    store: &PostgresStore,
    (account, endpoint, statement): (&AccountId, EndpointId, &'static str),
    ((within, currency), most): (Within, u64),
) -> Result<Option<Vec<Stored>>, PortError> {
    let is_there: bool = sqlx::query_scalar(IS_THERE)
        .bind(account.as_str())
        .bind(key(endpoint))
        .fetch_one(&store.steps)
        .in_time()
        .await
        .map_err(failed("look for an endpoint"))?;
    if !is_there {
        return Ok(None);
    }
    let mut query = sqlx::query_as(statement)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(within.0)
        .bind(within.1)
        .bind(i64::try_from(most.saturating_add(1)).unwrap_or(i64::MAX));
    if let Some(currency) = currency {
        query = query.bind(currency);
    }
    let rows: Vec<Found> = query
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("look for deliveries to make again"))?;
    let rows = rows.into_iter().map(|row| {
        let (
            number,
            sequence,
            currency,
            attempts,
            round,
            requested,
            due_at,
            delivered_at,
            parked_at,
        ) = row;
        let counts = (i64::from(attempts), i64::from(round), requested);
        let progress = progress(counts, [due_at, delivered_at, parked_at])?;
        Ok(((number, sequence, currency), progress))
    });
    rows.collect::<Result<_, _>>().map(Some)
}

/// Writes what a replay makes of deliveries, unless one of them is not as it was read any more.
async fn write(
    store: &PostgresStore,
    (account, endpoint): (&AccountId, EndpointId),
    (read, again): (&[Stored], &[Stored]),
) -> Result<bool, PortError> {
    let count = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let numbers: Vec<i64> = again.iter().map(|(key, _)| key.0).collect();
    let sequences: Vec<i32> = again.iter().map(|(key, _)| key.1).collect();
    let currencies: Vec<&str> = again.iter().map(|(key, _)| key.2.as_str()).collect();
    let after = || again.iter().map(|(_, progress)| progress);
    let moment = |which: usize| -> Vec<Option<i64>> {
        let all = after().map(|it| moments(it.state));
        all.map(|all| all.get(which).copied().flatten()).collect()
    };
    let written: i64 = sqlx::query_scalar(AGAIN)
        .bind(account.as_str())
        .bind(key(endpoint))
        .bind(&numbers)
        .bind(sequences)
        .bind(
            read.iter()
                .map(|(_, it)| count(it.round))
                .collect::<Vec<_>>(),
        )
        .bind(after().map(|it| i32::from(it.attempts)).collect::<Vec<_>>())
        .bind(after().map(|it| count(it.round)).collect::<Vec<_>>())
        .bind(moment(0))
        .bind(moment(1))
        .bind(moment(2))
        .bind(after().map(|it| it.requested).collect::<Vec<_>>())
        .bind(currencies)
        .fetch_one(&store.steps)
        .in_time()
        .await
        .map_err(failed("make deliveries due again"))?;
    Ok(usize::try_from(written) == Ok(numbers.len()))
}
