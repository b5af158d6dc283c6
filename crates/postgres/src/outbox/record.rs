//! Recording attempts that ended, all of a call with one statement and so one commit. What they
//! make of deliveries and endpoints is decided by `storage_sql::webhook` from what was read before,
//! and written if all of it is still as it was read. Endpoints are locked before their deliveries,
//! in one order for all, so that no deadlock arises.

mod columns;

use self::columns::Columns;
use super::CHOICES_MAX;
use crate::connection::StatementAnswer;
use crate::endpoints::{endpoint, endpoint_columns, key};
use crate::error::{PART, failed};
use crate::store::PostgresStore;
use domain::webhook::Endpoint;
use ports::PortError;
use ports::webhooks::{AttemptResult, EndpointDisabled};
use std::collections::{BTreeMap, BTreeSet};
use storage_sql::readable;
use storage_sql::record::{AttemptRecord, EventKey, progress};
use storage_sql::webhook::{DeliveryProgress, RecordingPlan};

/// The endpoints `$1` and `$2`, as many as there are.
pub(crate) const ENDPOINTS: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    " FROM unnest($1::text[], $2::bigint[]) AS w (account, endpoint)
    JOIN endpoints AS e ON e.account = ANY (ARRAY[w.account]) AND e.id = w.endpoint"
);

/// The deliveries `$1` to `$5`, as many as there are, each with its place in the arrays.
pub(crate) const ATTEMPTED: &str = "
    SELECT w.place, d.attempts, d.replay_count, d.requested, d.due_at, d.delivered_at,
        d.parked_at
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::integer[], $5::text[])
        WITH ORDINALITY AS w (account, endpoint, number, sequence, currency, place)
    JOIN deliveries AS d ON d.account = ANY (ARRAY[w.account]) AND d.endpoint = w.endpoint
        AND d.number = w.number AND d.sequence = w.sequence AND d.currency = w.currency";

/// Writes what results come to, if all that it rests on is as it was read: the health of the
/// endpoints `$1` to `$4`, and how far the deliveries `$8` to `$14` are. Those with attempts in
/// `$15` move on and are leased no longer, all attempts `$20` to `$28` go into the log, endpoints
/// learn `$5` to `$7`, and those that are subscribed to topic `$38` get the events `$34` to `$37`.
/// Of each of the deliveries `$29` to `$33` at most `$40` attempts are deleted, none of which is
/// among its newest `$39`. Answers whether it wrote. The due time is written in a form that no
/// index knows, or a plan might walk through the index of due deliveries.
pub(crate) const RECORD: &str = "
    WITH recorded AS MATERIALIZED (
        SELECT e.account, e.id
        FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
            AS x (account, id, failing_since, disabled_at)
        JOIN endpoints AS e ON e.account = ANY (ARRAY[x.account]) AND e.id = x.id
            AND e.failing_since IS NOT DISTINCT FROM x.failing_since
            AND e.disabled_at IS NOT DISTINCT FROM x.disabled_at
        ORDER BY x.account COLLATE \"C\", x.id
        FOR NO KEY UPDATE OF e
    ),
    held AS MATERIALIZED (
        SELECT d.number
        FROM unnest(
            $8::text[], $9::bigint[], $10::bigint[], $11::integer[], $12::integer[],
            $13::integer[], $14::boolean[], $43::text[]
        ) AS x (account, endpoint, number, sequence, attempts, replay_count, is_due, currency)
        JOIN deliveries AS d ON d.account = ANY (ARRAY[x.account]) AND d.endpoint = x.endpoint
            AND d.number = x.number AND d.sequence = x.sequence AND d.currency = x.currency
            AND d.attempts = x.attempts AND d.replay_count = x.replay_count
            AND (num_nonnulls(d.due_at) = 1) = x.is_due
        WHERE (SELECT count(*) FROM recorded) = cardinality($1)
        FOR NO KEY UPDATE OF d
    ),
    same AS MATERIALIZED (SELECT count(*) = cardinality($8) AS is_it FROM held),
    moved AS (
        UPDATE deliveries AS d SET
            attempts = x.attempts, due_at = x.due_at, delivered_at = x.delivered_at,
            parked_at = x.parked_at, answered_at = x.answered_at, answer = x.answer,
            requested = x.requested
        FROM unnest(
            $8::text[], $9::bigint[], $10::bigint[], $11::integer[], $15::integer[],
            $16::bigint[], $17::bigint[], $18::bigint[], $41::bigint[], $19::text[],
            $42::boolean[], $43::text[]
        ) AS x (
            account, endpoint, number, sequence, attempts, due_at, delivered_at, parked_at,
            answered_at, answer, requested, currency
        )
        WHERE x.attempts IS NOT NULL AND d.account = ANY (ARRAY[x.account])
            AND d.endpoint = x.endpoint AND d.number = x.number AND d.sequence = x.sequence
            AND d.currency = x.currency AND (SELECT is_it FROM same)
    ),
    released AS (
        DELETE FROM delivery_leases AS l
        USING unnest(
            $8::text[], $9::bigint[], $10::bigint[], $11::integer[], $43::text[],
            $13::integer[], $15::integer[]
        ) AS x (account, endpoint, number, sequence, currency, round, attempts)
        WHERE x.attempts IS NOT NULL AND l.account = ANY (ARRAY[x.account])
            AND l.endpoint = x.endpoint AND l.number = x.number AND l.sequence = x.sequence
            AND l.currency = x.currency AND l.round = x.round AND (SELECT is_it FROM same)
    ),
    noted AS (
        INSERT INTO delivery_attempts (
            account, endpoint, number, sequence, at, took, status, retry_after, failure, currency
        )
        SELECT * FROM unnest(
            $20::text[], $21::bigint[], $22::bigint[], $23::integer[], $24::bigint[],
            $25::bigint[], $26::integer[], $27::bigint[], $28::text[], $44::text[]
        )
        WHERE (SELECT is_it FROM same)
    ),
    forgotten AS (
        DELETE FROM delivery_attempts AS a
        USING (
            SELECT o.* FROM unnest(
                $29::text[], $30::bigint[], $31::bigint[], $32::integer[], $45::text[],
                $33::bigint[]
            ) AS m (account, endpoint, number, sequence, currency, added)
            CROSS JOIN LATERAL (
                SELECT n.account, n.endpoint, n.number, n.sequence, n.currency, n.id
                FROM delivery_attempts AS n
                WHERE n.account = ANY (ARRAY[m.account]) AND n.endpoint = m.endpoint
                    AND n.number = m.number AND n.sequence = m.sequence
                    AND n.currency = m.currency
                ORDER BY n.id DESC LIMIT $40 OFFSET greatest($39 - m.added, 0)
            ) AS o
            WHERE (SELECT is_it FROM same)
        ) AS old
        WHERE a.account = ANY (ARRAY[old.account]) AND a.endpoint = old.endpoint
            AND a.number = old.number AND a.sequence = old.sequence AND a.currency = old.currency
            AND a.id = old.id
    ),
    learned AS (
        UPDATE endpoints AS e SET
            failing_since = x.failing_since, disabled_at = x.disabled_at,
            disabled_reason = x.disabled_reason
        FROM unnest($1::text[], $2::bigint[], $5::bigint[], $6::bigint[], $7::text[])
            AS x (account, id, failing_since, disabled_at, disabled_reason)
        WHERE e.account = ANY (ARRAY[x.account]) AND e.id = x.id AND (SELECT is_it FROM same)
            AND (
                e.failing_since IS DISTINCT FROM x.failing_since
                OR e.disabled_at IS DISTINCT FROM x.disabled_at
            )
    ),
    announced AS (
        INSERT INTO deliveries (account, endpoint, number, sequence, topic, at, about, due_at)
        SELECT e.account, e.id, x.number, 0, $38, x.at, x.about, x.at
        FROM unnest($34::text[], $35::bigint[], $36::bigint[], $37::bigint[])
            AS x (account, about, number, at)
        CROSS JOIN LATERAL (
            SELECT account, id FROM endpoints
            WHERE account = ANY (ARRAY[x.account]) AND disabled_at IS NULL
                AND (topics IS NULL OR $38 = ANY (string_to_array(topics, ' ')))
            OFFSET 0
        ) AS e
        WHERE (SELECT is_it FROM same) AND NOT EXISTS (
            SELECT 1 FROM unnest($34::text[], $35::bigint[]) AS o (account, id)
            WHERE o.account = e.account AND o.id = e.id
        )
        ON CONFLICT (account, endpoint, number, sequence, currency) DO NOTHING
    )
    SELECT is_it FROM same";

/// The deliveries of results, by the places of these: the place of the first result of each, which
/// names it here, and how far it is.
type Stored = BTreeMap<usize, (usize, DeliveryProgress)>;

/// A row of [`ATTEMPTED`].
type Attempted = (i64, i32, i32, bool, Option<i64>, Option<i64>, Option<i64>);

pub(super) async fn attempts(
    store: &PostgresStore,
    ended: &[AttemptResult],
) -> Result<Vec<EndpointDisabled>, PortError> {
    let records = ended
        .iter()
        .map(|one| AttemptRecord::of(one, store.cipher()));
    let records: Vec<_> = records.collect::<Result<_, _>>()?;
    for _ in 0..CHOICES_MAX {
        let known = endpoints(store, ended).await?;
        let stored = attempted(store, ended).await?;
        let recording = RecordingPlan::of(ended, &stored, &known);
        if recording.is_empty() {
            return Ok(Vec::new());
        }
        let columns = Columns::of((ended, &records), &stored, &recording);
        let written: bool = columns
            .bind(sqlx::query_scalar(RECORD))
            .fetch_one(&store.steps)
            .in_time()
            .await
            .map_err(failed("record attempts"))?;
        if written {
            let given_up = recording.given_up.into_iter();
            return Ok(given_up.map(|(it, _)| it).collect());
        }
    }
    Err(PortError::new(
        PART,
        "record attempts: others change the same deliveries at the same time",
    ))
}

/// How far the deliveries of results are; what is gone is left out.
async fn attempted(store: &PostgresStore, ended: &[AttemptResult]) -> Result<Stored, PortError> {
    let (mut account, mut endpoint) = (Vec::new(), Vec::new());
    let (mut number, mut sequence) = (Vec::new(), Vec::new());
    let mut currency = Vec::new();
    let mut places = BTreeMap::<_, Vec<usize>>::new();
    for (place, one) in ended.iter().enumerate() {
        // What no store can name is nowhere.
        let Some(event) = EventKey::of(&one.delivery.event) else {
            continue;
        };
        let name = (one.account.as_str(), key(one.delivery.endpoint), event);
        places.entry(name).or_default().push(place);
    }
    for (of, to, event) in places.keys() {
        account.push(*of);
        endpoint.push(*to);
        number.push(event.number);
        sequence.push(event.sequence);
        currency.push(event.currency_code());
    }
    let rows: Vec<Attempted> = sqlx::query_as(ATTEMPTED)
        .bind(account)
        .bind(endpoint)
        .bind(number)
        .bind(sequence)
        .bind(currency)
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("find what was attempted"))?;
    let places: Vec<_> = places.into_values().collect();
    let stored = rows.into_iter().map(|row| {
        let (nth, attempts, round, requested, due_at, delivered_at, parked_at) = row;
        let counts = (i64::from(attempts), i64::from(round), requested);
        let progress = progress(counts, [due_at, delivered_at, parked_at])?;
        let nth = usize::try_from(nth.saturating_sub(1)).unwrap_or(usize::MAX);
        let places = places.get(nth).map_or(&[][..], Vec::as_slice);
        let first = places.first().copied().unwrap_or_default();
        Ok(places.iter().map(move |place| (*place, (first, progress))))
    });
    let stored = readable(stored, "results of a delivery are passed over");
    Ok(stored.flatten().collect())
}

/// The endpoints of results. One that cannot be read must not keep all others from being recorded.
async fn endpoints(
    store: &PostgresStore,
    ended: &[AttemptResult],
) -> Result<Vec<Endpoint>, PortError> {
    let wanted = ended.iter();
    let wanted: BTreeSet<_> = wanted
        .map(|one| (one.account.as_str(), key(one.delivery.endpoint)))
        .collect();
    let (accounts, ids): (Vec<&str>, Vec<i64>) = wanted.into_iter().unzip();
    let rows = sqlx::query(ENDPOINTS)
        .bind(accounts)
        .bind(ids)
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("find the endpoints of attempts"))?;
    let known = rows.iter().map(|row| endpoint(row, 0, store.cipher()));
    Ok(readable(known, "results of an endpoint are passed over").collect())
}
