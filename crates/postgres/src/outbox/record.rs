//! Recording attempts that ended, all of a call with one statement and so one commit. Endpoints are
//! locked before their deliveries, in one order for all, so that no deadlock arises.

use crate::connection::StatementAnswer;
use crate::endpoints::{endpoint, endpoint_columns, key};
use crate::error::{PART, failed};
use crate::store::PostgresStore;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::webhook::{ATTEMPTS_SHOWN, DisabledBecause, Endpoint, EndpointId, FAILING_MAX, Topic};
use ports::PortError;
use ports::webhooks::{AttemptResult, EndpointDisabled};
use sqlx::Row;
use sqlx::postgres::PgRow;
use std::collections::{BTreeSet, HashSet};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::{AttemptRecord, NoticeKey, moments};
use storage_sql::webhook::{FORGOTTEN_MAX, PRUNE_FROM_REPLAY};

/// The endpoints `$1` and `$2`, as many as there are.
pub(crate) const ENDPOINTS: &str = concat!(
    "SELECT ",
    endpoint_columns!(),
    " FROM unnest($1::text[], $2::bigint[]) AS w (account, endpoint)
    JOIN endpoints AS e ON e.account = ANY (ARRAY[w.account]) AND e.id = w.endpoint"
);

/// Takes results out of arrays. Each whose delivery is there goes into the log. Of each delivery
/// the first that is its next attempt, begun since its last replay, updates it and counts for its
/// endpoint, then the first after it that is the next one then, and so on while it is due. A
/// success ends the failing of an endpoint; which failures came after the last success is decided
/// by when they ended. Answers the endpoints that are disabled by it, of which the others are
/// notified by topic `$20`: `$18` is how long one may fail. From replay `$22` on, at most `$24`
/// attempts of a delivery are deleted, none of which is among its newest `$23`. The due time is
/// written in a form that no index knows, or a plan might walk through the index of due deliveries.
pub(crate) const RECORD: &str = "
    WITH RECURSIVE said AS MATERIALIZED (
        SELECT * FROM unnest(
            $1::text[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[], $6::bigint[],
            $7::bigint[], $8::integer[], $9::bigint[], $10::text[], $11::text[], $12::bigint[],
            $13::boolean[], $14::boolean[], $15::bigint[], $16::bigint[], $17::bigint[],
            $19::bigint[], $21::integer[]
        ) WITH ORDINALITY AS s (
            account, endpoint, number, sequence, nth, at, took, status, retry_after, excerpt,
            failure, ended_at, success, gone, due_at, delivered_at, parked_at, notice, begun_in,
            place
        )
    ),
    told AS MATERIALIZED (
        SELECT e.account, e.id, e.failing_since, e.disabled_at
        FROM (SELECT DISTINCT account, endpoint FROM said) AS s
        JOIN endpoints AS e ON e.account = ANY (ARRAY[s.account]) AND e.id = s.endpoint
        ORDER BY s.account COLLATE \"C\", s.endpoint
        FOR NO KEY UPDATE OF e
    ),
    known AS MATERIALIZED (
        SELECT s.*, d.attempts, d.replay_count, d.due_at IS NOT NULL AS is_due,
            min(s.place) OVER of_one AS which, count(*) OVER of_one AS together
        FROM said AS s
        JOIN told AS t ON t.account = s.account AND t.id = s.endpoint
        JOIN deliveries AS d ON d.account = ANY (ARRAY[s.account]) AND d.endpoint = s.endpoint
            AND d.number = s.number AND d.sequence = s.sequence
        WINDOW of_one AS (PARTITION BY s.account, s.endpoint, s.number, s.sequence)
    ),
    noted AS (
        INSERT INTO delivery_attempts (
            account, endpoint, number, sequence, at, took, status, retry_after, failure
        )
        SELECT account, endpoint, number, sequence, at, took, status, retry_after, failure
        FROM known ORDER BY place
    ),
    counting AS (
        SELECT first.* FROM (
            SELECT DISTINCT ON (which) * FROM known
            WHERE is_due AND nth = attempts + 1 AND begun_in = replay_count
            ORDER BY which, place
        ) AS first
        UNION ALL
        SELECT n.* FROM counting AS c CROSS JOIN LATERAL (
            SELECT * FROM known AS k
            WHERE k.which = c.which AND k.nth = c.nth + 1 AND k.begun_in = c.replay_count
                AND k.place > c.place
            ORDER BY k.place LIMIT 1
        ) AS n
        WHERE c.together > 1 AND c.due_at IS NOT NULL
    ),
    moved AS (
        UPDATE deliveries AS d SET
            attempts = n.nth, due_at = n.due_at, delivered_at = n.delivered_at,
            parked_at = n.parked_at, answered_at = n.at, answer = n.excerpt
        FROM (
            SELECT DISTINCT ON (which) * FROM counting ORDER BY which, place DESC
        ) AS n
        WHERE d.account = ANY (ARRAY[n.account]) AND d.endpoint = n.endpoint
            AND d.number = n.number AND d.sequence = n.sequence
            AND d.attempts = n.attempts AND d.replay_count = n.replay_count
            AND num_nonnulls(d.due_at) = 1
        RETURNING n.*
    ),
    counted AS (
        SELECT account, endpoint, ended_at, success, gone, notice, place FROM moved
        UNION ALL
        SELECT e.* FROM moved AS m CROSS JOIN LATERAL (
            SELECT account, endpoint, ended_at, success, gone, notice, place FROM counting AS c
            WHERE c.which = m.which AND c.place < m.place
            OFFSET 0
        ) AS e
        WHERE m.together > 1
    ),
    forgotten AS (
        DELETE FROM delivery_attempts AS a
        USING (
            SELECT o.* FROM (
                SELECT DISTINCT account, endpoint, number, sequence, together FROM known
                WHERE replay_count >= $22
            ) AS m CROSS JOIN LATERAL (
                SELECT n.account, n.endpoint, n.number, n.sequence, n.id
                FROM delivery_attempts AS n
                WHERE n.account = ANY (ARRAY[m.account]) AND n.endpoint = m.endpoint
                    AND n.number = m.number AND n.sequence = m.sequence
                ORDER BY n.id DESC LIMIT $24 OFFSET greatest($23 - m.together, 0)
            ) AS o
        ) AS old
        WHERE a.account = ANY (ARRAY[old.account]) AND a.endpoint = old.endpoint
            AND a.number = old.number AND a.sequence = old.sequence AND a.id = old.id
    ),
    heard AS (
        SELECT account, endpoint, bool_or(success) AS succeeded, bool_or(gone) AS gone,
            max(ended_at) FILTER (WHERE NOT success) AS failed_at,
            (array_agg(notice ORDER BY place))[1] AS notice,
            min(ended_at) FILTER (
                WHERE NOT success AND (succeeded_at IS NULL OR ended_at > succeeded_at)
            ) AS failed_from
        FROM (
            SELECT *, max(ended_at) FILTER (WHERE success)
                OVER (PARTITION BY account, endpoint) AS succeeded_at
            FROM counted
        ) AS c
        GROUP BY account, endpoint
    ),
    judged AS MATERIALIZED (
        SELECT j.*, j.disabled_at IS NULL
            AND (j.gone OR coalesce(j.failed_at - j.failing_since >= $18, false)) AS is_given_up
        FROM (
            SELECT t.account, t.id, t.disabled_at, h.gone, h.failed_at, h.notice,
                CASE WHEN h.succeeded THEN h.failed_from
                    ELSE coalesce(t.failing_since, h.failed_from)
                END AS failing_since
            FROM heard AS h JOIN told AS t ON t.account = h.account AND t.id = h.endpoint
        ) AS j
    ),
    learned AS (
        UPDATE endpoints AS e SET
            failing_since = j.failing_since,
            disabled_at = CASE WHEN j.is_given_up THEN j.failed_at ELSE e.disabled_at END,
            disabled_reason = CASE
                WHEN NOT j.is_given_up THEN e.disabled_reason
                WHEN j.gone THEN 'gone'
                ELSE 'failing'
            END
        FROM judged AS j
        WHERE e.account = ANY (ARRAY[j.account]) AND e.id = j.id
            AND (j.is_given_up OR e.failing_since IS DISTINCT FROM j.failing_since)
    ),
    announced AS (
        INSERT INTO deliveries (account, endpoint, number, sequence, topic, at, about, due_at)
        SELECT e.account, e.id, j.notice, 0, $20, j.failed_at, j.id, j.failed_at
        FROM judged AS j
        CROSS JOIN LATERAL (
            SELECT account, id FROM endpoints
            WHERE account = ANY (ARRAY[j.account]) AND disabled_at IS NULL
                AND (topics IS NULL OR $20 = ANY (string_to_array(topics, ' ')))
            OFFSET 0
        ) AS e
        WHERE j.is_given_up AND NOT EXISTS (
            SELECT 1 FROM judged AS o
            WHERE o.is_given_up AND o.account = e.account AND o.id = e.id
        )
        ON CONFLICT (account, endpoint, number, sequence) DO NOTHING
    )
    SELECT account, id, CASE WHEN gone THEN 'gone' ELSE 'failing' END
    FROM judged WHERE is_given_up ORDER BY account, id";

/// Results, column by column.
#[derive(Default)]
struct Columns<'a> {
    account: Vec<&'a str>,
    endpoint: Vec<i64>,
    number: Vec<i64>,
    sequence: Vec<i32>,
    nth: Vec<i32>,
    at: Vec<i64>,
    took: Vec<i64>,
    status: Vec<Option<i32>>,
    retry_after: Vec<Option<i64>>,
    excerpt: Vec<Option<String>>,
    failure: Vec<Option<String>>,
    ended_at: Vec<i64>,
    success: Vec<bool>,
    gone: Vec<bool>,
    moments: [Vec<Option<i64>>; 3],
    notice: Vec<i64>,
    round: Vec<i32>,
}

impl<'a> Columns<'a> {
    fn of(
        ended: &'a [AttemptResult],
        known: &[Endpoint],
        cipher: &FieldCipher,
    ) -> Result<Self, PortError> {
        let known = known.iter().map(|it| (&it.account, it.id));
        let known: HashSet<_> = known.collect();
        let mut columns = Self::default();
        for one in ended {
            if !known.contains(&(&one.account, one.delivery.endpoint)) {
                continue;
            }
            // What no store can name is nowhere.
            if let Some(notice) = NoticeKey::of(&one.delivery.notice) {
                columns.push(one, (notice, AttemptRecord::of(one, cipher)?));
            }
        }
        Ok(columns)
    }

    fn push(&mut self, one: &'a AttemptResult, (notice, attempt): (NoticeKey, AttemptRecord<'a>)) {
        self.account.push(one.account.as_str());
        self.endpoint.push(key(one.delivery.endpoint));
        self.number.push(notice.number);
        self.sequence.push(notice.sequence);
        self.nth.push(i32::from(one.number));
        self.at.push(attempt.at);
        self.took.push(attempt.took);
        self.status.push(attempt.status);
        self.retry_after.push(attempt.retry_after);
        self.excerpt.push(attempt.excerpt);
        self.failure.push(attempt.failure.map(Into::into));
        self.ended_at.push(one.attempt.ended_at().as_millis());
        self.success.push(one.outcome.success);
        self.gone.push(one.outcome.gone);
        self.notice.push(number(one.notice));
        // No delivery was asked for so often.
        self.round
            .push(i32::try_from(one.round).unwrap_or(i32::MAX));
        for (column, moment) in self.moments.iter_mut().zip(moments(one.outcome.state)) {
            column.push(moment);
        }
    }
}

pub(super) async fn attempts(
    store: &PostgresStore,
    ended: &[AttemptResult],
) -> Result<Vec<EndpointDisabled>, PortError> {
    let known = endpoints(store, ended).await?;
    let columns = Columns::of(ended, &known, store.cipher())?;
    if columns.account.is_empty() {
        return Ok(Vec::new());
    }
    let [due_at, delivered_at, parked_at] = columns.moments;
    let rows = sqlx::query(RECORD)
        .bind(columns.account)
        .bind(columns.endpoint)
        .bind(columns.number)
        .bind(columns.sequence)
        .bind(columns.nth)
        .bind(columns.at)
        .bind(columns.took)
        .bind(columns.status)
        .bind(columns.retry_after)
        .bind(columns.excerpt)
        .bind(columns.failure)
        .bind(columns.ended_at)
        .bind(columns.success)
        .bind(columns.gone)
        .bind(due_at)
        .bind(delivered_at)
        .bind(parked_at)
        .bind(i64::try_from(FAILING_MAX.as_millis()).unwrap_or(i64::MAX))
        .bind(columns.notice)
        .bind(Topic::WebhookDisabled.code())
        .bind(columns.round)
        .bind(i64::from(PRUNE_FROM_REPLAY))
        .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
        .bind(FORGOTTEN_MAX)
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("record attempts"))?;
    // What is recorded stays so, whatever cannot be read of whom.
    let report = |error: PortError| tracing::error!(%error, "disabled endpoint row is unreadable");
    let rows = rows.iter();
    Ok(rows
        .filter_map(|row| given_up(row).map_err(report).ok())
        .collect())
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

/// A number as the server keeps it; it is below 2^53, so nothing is lost.
fn number(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

fn given_up(row: &PgRow) -> Result<EndpointDisabled, PortError> {
    let read = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
    let columns: Result<(String, i64, String), sqlx::Error> = read();
    let (account, id, because) = columns.map_err(failed("read who was given up"))?;
    let unreadable = || PortError::new(PART, format!("endpoint {id} of {account} cannot be read"));
    let number = u64::try_from(id).unwrap_or_default();
    Ok(EndpointDisabled {
        endpoint: EndpointId::new(number).ok_or_else(unreadable)?,
        because: DisabledBecause::from_code(&because).ok_or_else(unreadable)?,
        account: AccountId::parse(&account).map_err(|_| unreadable())?,
    })
}
