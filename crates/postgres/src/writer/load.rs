//! Reading what a batch needs, with one statement however large the batch is. It must run inside
//! the step that writes: the wallets are locked here, in one order for all writers.

use super::{collecting, vouchers};
use crate::database_identity::IdentityRow;
use crate::error::{PART, failed, refused};
use crate::rows::{batch_columns, batch_row};
use domain::account::AccountId;
use ports::PortError;
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};
use std::collections::BTreeSet;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::{ReadSet, WorkingSet};
use storage_sql::record::{
    AccountRow, BatchRow, FundingRow, NotedRow, SubscriberRow, TransactionRow,
};
use storage_sql::row_macs::RowAuthenticity;

/// Rows of eight kinds, each with the number of its kind in front, in columns that all share. The
/// wallets come first, locked in the order of their keys before anything else is looked for. A
/// transaction found in two ways comes twice; the planner takes the copies for the same.
///
/// Everything is seen as it was when the statement began, but for the wallets: one that had to be
/// waited for is seen as it was left to us. The last column of a wallet says whether that is so.
pub(crate) const READ: &str = "
    WITH w AS MATERIALIZED (
        SELECT w.account, a.status, a.environment, w.currency, w.available, w.held, w.debits,
            w.credits, w.low_balance_threshold, w.counted_from, w.spent, w.frozen, w.mac
        FROM unnest($1::text[], $2::text[]) AS wanted (account, currency)
        JOIN wallets AS w ON w.account = ANY (ARRAY[wanted.account])
            AND w.currency = wanted.currency
        JOIN accounts AS a ON a.id = ANY (ARRAY[wanted.account])
        ORDER BY wanted.account COLLATE \"C\", wanted.currency COLLATE \"C\"
        FOR NO KEY UPDATE OF w
    ),
    h AS MATERIALIZED (
        SELECT e.account, e.id, e.topics
        FROM unnest($11::text[]) AS wanted (account)
        JOIN endpoints AS e ON e.account = ANY (ARRAY[wanted.account])
        WHERE e.disabled_at IS NULL
    )
    SELECT 1, w.account, w.status, w.currency, w.environment, w.frozen, NULL, NULL, NULL::bytea,
        w.available, w.held, w.debits, w.credits,
        ((w.available, w.held, w.debits, w.credits)
            IS DISTINCT FROM (s.available, s.held, s.debits, s.credits))::integer::bigint,
        w.low_balance_threshold, NULL, w.counted_from, w.spent, w.mac, NULL
    FROM w JOIN wallets AS s ON s.account = ANY (ARRAY[w.account]) AND s.currency = w.currency
    UNION ALL
    SELECT 2, t.account, t.reference, t.idempotency_key, t.provider, t.state, t.purchase,
        t.progress, t.request_fingerprint, t.number, t.version, t.sequence, t.opened_at,
        t.updated_at, NULL, t.token, NULL, NULL, t.purchase_mac, t.progress_mac
    FROM unnest($3::text[], $4::bigint[]) AS wanted (account, number)
    JOIN transactions AS t ON t.account = ANY (ARRAY[wanted.account])
        AND t.number = wanted.number
    UNION ALL
    SELECT 2, t.account, t.reference, t.idempotency_key, t.provider, t.state, t.purchase,
        t.progress, t.request_fingerprint, t.number, t.version, t.sequence, t.opened_at,
        t.updated_at, NULL, t.token, NULL, NULL, t.purchase_mac, t.progress_mac
    FROM unnest($5::text[], $6::text[]) AS wanted (account, reference)
    JOIN transactions AS t ON t.account = ANY (ARRAY[wanted.account COLLATE \"POSIX\"])
        AND t.reference = wanted.reference
    UNION ALL
    SELECT 2, t.account, t.reference, t.idempotency_key, t.provider, t.state, t.purchase,
        t.progress, t.request_fingerprint, t.number, t.version, t.sequence, t.opened_at,
        t.updated_at, NULL, t.token, NULL, NULL, t.purchase_mac, t.progress_mac
    FROM unnest($7::text[], $8::text[]) AS wanted (account, idempotency_key)
    JOIN LATERAL (
        SELECT * FROM transactions AS t WHERE t.account = wanted.account COLLATE ucs_basic
            AND t.idempotency_key = wanted.idempotency_key
        LIMIT 1
    ) AS t ON true
    UNION ALL
    SELECT 3, f.account, f.reference, f.currency, NULL, NULL, NULL, NULL, NULL, f.amount, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM unnest($9::text[], $10::text[]) AS wanted (account, reference)
    JOIN fundings AS f ON f.account = ANY (ARRAY[wanted.account])
        AND f.reference = wanted.reference
    UNION ALL
    SELECT 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        (suspended_since IS NOT NULL)::integer, number,
        (rows_authenticated_at IS NOT NULL)::integer, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL
    FROM database_identity
    UNION ALL
    SELECT 5, h.account, h.topics, NULL, NULL, NULL, NULL, NULL, NULL, h.id, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL
    FROM h
    UNION ALL
    SELECT 6, u.account, u.reference, u.provider_reference, u.settlement, u.currency, NULL, NULL,
        NULL, u.amount, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM unnest($12::text[], $13::text[]) AS wanted (account, reference)
    JOIN unsettled_references AS u ON u.account = ANY (ARRAY[wanted.account])
        AND u.reference = wanted.reference
    UNION ALL
    SELECT 7, provider, environment, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM provider_environments
    UNION ALL
    SELECT 8, b.account, b.reference, b.idempotency_key, b.kind, b.on_failure, b.currency, NULL,
        b.request_fingerprint, b.number, b.payments, b.total, b.price, b.opened_at, NULL, NULL,
        NULL, NULL, NULL, NULL
    FROM unnest($5::text[], $6::text[]) AS wanted (account, reference)
    JOIN batches AS b ON b.account = ANY (ARRAY[wanted.account COLLATE \"POSIX\"])
        AND b.reference = wanted.reference";

/// The batches under some idempotency keys. It is a statement of its own because few change sets
/// open a batch; what was read before it has locked the wallets.
pub(crate) const BATCHES_BY_KEY: &str = concat!(
    "SELECT ",
    batch_columns!(),
    " FROM unnest($1::text[], $2::text[]) AS wanted (account, idempotency_key)
    JOIN LATERAL (
        SELECT * FROM batches AS b WHERE b.account = wanted.account COLLATE ucs_basic
            AND b.idempotency_key = wanted.idempotency_key
        LIMIT 1
    ) AS b ON true"
);

/// Pairs of texts as the two columns that a statement takes apart again.
fn columns<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> (Vec<&'a str>, Vec<&'a str>) {
    pairs.unzip()
}

/// Reads inside a step that has begun.
pub(crate) async fn inside(
    connection: &mut PgConnection,
    needs: &ReadSet<'_>,
) -> Result<LoadedBatchRows, CommitError> {
    let mut rows = read(connection, needs).await?;
    // The writer that held a wallet before has opened or settled something that the first read did
    // not see: an order would be refused for want of the money that it holds itself. The wallets
    // are locked now, so the second read is the last.
    if rows.iter().any(needs_second_look) {
        rows = read(connection, needs).await?;
    }
    let mut known = WorkingSet::default();
    let mut generation = None;
    for row in &rows {
        let taken = take((&mut known, &mut generation), row)
            .map_err(failed("read a row of what a batch needs"));
        taken.flatten().map_err(CommitError::Refused)?;
    }
    let Some(generation) = generation else {
        let what =
            "the row of `database_identity` is missing, so the database cannot be identified";
        return Err(CommitError::Refused(PortError::new(PART, what)));
    };
    known.held = generation.is_held;
    if !needs.batch_keys.is_empty() {
        let keys = columns(
            needs
                .batch_keys
                .iter()
                .map(|(id, key)| (id.as_str(), key.as_str())),
        );
        let rows = sqlx::query(BATCHES_BY_KEY)
            .bind(keys.0)
            .bind(keys.1)
            .fetch_all(&mut *connection)
            .await
            .map_err(refused("read batches by their keys"))?;
        for row in &rows {
            let read = batch_row(row, 0).map_err(failed("read a batch"));
            known.batches.push(read.map_err(CommitError::Refused)?);
        }
    }
    known.vouchers = vouchers::read(connection, &needs.vouchers).await?;
    known.collected = collecting::read(connection, &needs.sessions).await?;
    let low = needs.may_fall_low(&known);
    if !low.is_empty() {
        known
            .subscribers
            .extend(subscribers(connection, low).await?);
    }
    Ok(LoadedBatchRows { known, generation })
}

/// The enabled endpoints of accounts that a batch may leave with little.
pub(crate) const SUBSCRIBERS: &str = "
    SELECT e.account, e.id, e.topics
    FROM unnest($1::text[]) AS wanted (account)
    JOIN endpoints AS e ON e.account = ANY (ARRAY[wanted.account])
    WHERE e.disabled_at IS NULL";

async fn subscribers(
    connection: &mut PgConnection,
    accounts: BTreeSet<&AccountId>,
) -> Result<Vec<SubscriberRow>, CommitError> {
    let accounts: Vec<_> = accounts.into_iter().map(AccountId::as_str).collect();
    let found: Vec<(String, i64, Option<String>)> = sqlx::query_as(SUBSCRIBERS)
        .bind(accounts)
        .fetch_all(connection)
        .await
        .map_err(refused("read the endpoints of a low-balance event"))?;
    let rows = found.into_iter();
    let rows = rows.map(|(account, endpoint, topics)| SubscriberRow {
        account,
        endpoint,
        topics,
    });
    Ok(rows.collect())
}

/// What was read for a batch, and of which books.
pub(crate) struct LoadedBatchRows {
    pub(crate) known: WorkingSet,
    pub(crate) generation: IdentityRow,
}

/// Whether this is a wallet that changed since the statement began, or a reference that only a
/// provider knows: settling one may leave the wallets as they were.
fn needs_second_look(row: &PgRow) -> bool {
    let (kind, changed) = (row.try_get::<i32, _>(0), row.try_get::<i64, _>(13));
    matches!((kind, changed), (Ok(1), Ok(1)) | (Ok(6), _))
}

async fn read(
    connection: &mut PgConnection,
    needs: &ReadSet<'_>,
) -> Result<Vec<PgRow>, CommitError> {
    let wallets = needs.wallets.keys();
    let wallets = columns(wallets.map(|(id, currency)| (id.as_str(), currency.code())));
    let numbers = needs.numbers.iter();
    let numbers: (Vec<&str>, Vec<i64>) = numbers
        .map(|(id, number)| (id.as_str(), crate::rows::key(*number)))
        .unzip();
    let references = needs.references.iter();
    let references = columns(references.map(|(id, name)| (id.as_str(), name.as_str())));
    let keys = needs.keys.iter();
    let keys = columns(keys.map(|(id, key)| (id.as_str(), key.as_str())));
    let fundings = needs.fundings.iter();
    let fundings = columns(fundings.map(|(id, name)| (id.as_str(), name.as_str())));
    let hearing: Vec<&str> = needs.hearing.iter().map(|id| id.as_str()).collect();
    let noted = columns(needs.noted.iter().copied());
    let rows = sqlx::query(READ)
        .bind(wallets.0)
        .bind(wallets.1)
        .bind(numbers.0)
        .bind(numbers.1)
        .bind(references.0)
        .bind(references.1)
        .bind(keys.0)
        .bind(keys.1)
        .bind(fundings.0)
        .bind(fundings.1)
        .bind(hearing)
        .bind(noted.0)
        .bind(noted.1)
        .fetch_all(connection)
        .await;
    rows.map_err(refused("read what a batch needs"))
}

fn take(
    (known, generation): (&mut WorkingSet, &mut Option<IdentityRow>),
    row: &PgRow,
) -> Result<Result<(), PortError>, sqlx::Error> {
    match row.try_get::<i32, _>(0)? {
        1 => known.wallets.push(wallet(row)?),
        2 => known.transactions.push(transaction(row)?),
        3 => known.fundings.push(FundingRow {
            account: row.try_get(1)?,
            reference: row.try_get(2)?,
            currency: row.try_get(3)?,
            amount: row.try_get(9)?,
        }),
        4 => {
            *generation = Some(IdentityRow {
                is_held: row.try_get::<i64, _>(9)? != 0,
                number: i32::try_from(row.try_get::<i64, _>(10)?).unwrap_or(i32::MAX),
                is_authenticated: row.try_get::<i64, _>(11)? != 0,
            });
        }
        5 => known.subscribers.push(SubscriberRow {
            account: row.try_get(1)?,
            topics: row.try_get(2)?,
            endpoint: row.try_get(9)?,
        }),
        6 => known.noted.push(NotedRow {
            account: row.try_get(1)?,
            reference: row.try_get(2)?,
            provider_reference: row.try_get(3)?,
            settlement: row.try_get(4)?,
            currency: row.try_get(5)?,
            amount: row.try_get(9)?,
        }),
        7 => {
            let (provider, environment) = (row.try_get(1)?, row.try_get(2)?);
            known.environments.push((provider, environment));
        }
        8 => known.batches.push(batch(row)?),
        other => {
            let what = format!("rows of kind {other} are not known");
            return Ok(Err(PortError::new(PART, what)));
        }
    }
    Ok(Ok(()))
}

fn wallet(row: &PgRow) -> Result<AccountRow, sqlx::Error> {
    Ok(AccountRow {
        id: row.try_get(1)?,
        status: row.try_get(2)?,
        environment: row.try_get(4)?,
        currency: row.try_get(3)?,
        available: row.try_get(9)?,
        held: row.try_get(10)?,
        debits: row.try_get(11)?,
        credits: row.try_get(12)?,
        low_balance_threshold: row.try_get(14)?,
        counted_from: row.try_get(16)?,
        spent: row.try_get(17)?,
        frozen: row.try_get(5)?,
        mac: row.try_get(18)?,
        authenticity: RowAuthenticity::Unchecked,
    })
}

fn batch(row: &PgRow) -> Result<BatchRow, sqlx::Error> {
    Ok(BatchRow {
        account: row.try_get(1)?,
        reference: row.try_get(2)?,
        idempotency_key: row.try_get(3)?,
        kind: row.try_get(4)?,
        on_failure: row.try_get(5)?,
        currency: row.try_get(6)?,
        request_fingerprint: row.try_get(8)?,
        number: row.try_get(9)?,
        payments: row.try_get(10)?,
        total: row.try_get(11)?,
        price: row.try_get(12)?,
        opened_at: row.try_get(13)?,
    })
}

fn transaction(row: &PgRow) -> Result<TransactionRow, sqlx::Error> {
    Ok(TransactionRow {
        id: 0,
        account: row.try_get(1)?,
        reference: row.try_get(2)?,
        idempotency_key: row.try_get(3)?,
        provider: row.try_get(4)?,
        state: row.try_get(5)?,
        purchase: row.try_get(6)?,
        progress: row.try_get(7)?,
        request_fingerprint: row.try_get(8)?,
        number: row.try_get(9)?,
        version: row.try_get(10)?,
        sequence: row.try_get(11)?,
        opened_at: row.try_get(12)?,
        updated_at: row.try_get(13)?,
        token: row.try_get(15)?,
        purchase_mac: row.try_get(18)?,
        progress_mac: row.try_get(19)?,
        authenticity: RowAuthenticity::Unchecked,
    })
}
