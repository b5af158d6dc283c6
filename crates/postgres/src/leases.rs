//! Claiming due transactions. A claim must change nothing but the due time of the attempt and its
//! owner. Rows that another writer is claiming or settling are skipped, never waited for.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::permits::MaySend;
use crate::rows::{authentic_transaction, transaction_columns};
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::transactions::{AttemptKey, Claim, ClaimableTransfer, ClaimedPlace, Leases};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row as _};
use std::time::Duration;
use storage_sql::fair_share::QUEUE_WINDOW;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::payee;

/// Claims at most `$2` of the attempts that are due at `$1` until `$3` for instance `$4`, one
/// statement and so one commit. What it answers was read before the claim; the version every write
/// is conditional on says whether it still stands.
pub(crate) const CLAIM: &str = concat!(
    "WITH due AS MATERIALIZED (
        SELECT account, transaction, due_at FROM attempts_open
        WHERE due_at <= $1 ORDER BY due_at LIMIT $2
        FOR UPDATE SKIP LOCKED
    ),
    claimed AS (
        UPDATE attempts_open AS a SET due_at = $3, leased = true, instance = $4
        FROM due
        WHERE a.account = ANY (ARRAY[due.account]) AND a.transaction = due.transaction
        RETURNING a.account, a.transaction, due.due_at
    )
    SELECT ",
    transaction_columns!(),
    ", c.* FROM claimed AS c
    JOIN transactions AS t ON t.account = ANY (ARRAY[c.account]) AND t.number = c.transaction
    ORDER BY c.due_at, t.opened_at, t.number"
);

/// Claims of the queue in the same way, accounts taking turns among what is looked at: the first
/// `$5` places that are due, the last where there are as many, and where there are still more as
/// many between, due at `$6` or later; what is found of the accounts `$7` is passed over. It
/// answers up to which due time it has looked there, unless it came to the last: beside each that
/// it claimed, and in a row of its own where that is none.
///
/// Nothing is locked that is not claimed: places are locked one by one in the order of the turns
/// until there are enough, those that another instance is claiming passed over. The due time is
/// read again in a form that no index knows, or a plan might walk through all that is due for each.
pub(crate) const CLAIM_QUEUED: &str = concat!(
    "WITH first AS MATERIALIZED (
        SELECT account, transaction, due_at FROM queue
        WHERE due_at <= $1 ORDER BY due_at LIMIT $5
    ),
    last AS MATERIALIZED (
        SELECT account, transaction, due_at FROM queue
        WHERE due_at <= $1 AND (SELECT count(*) FROM first) >= $5
        ORDER BY due_at DESC LIMIT $5
    ),
    middle AS MATERIALIZED (
        SELECT account, transaction, due_at FROM queue
        WHERE due_at >= greatest($6, (SELECT max(due_at) FROM first)) AND due_at <= $1
            AND (SELECT count(*) FROM last) >= $5
        ORDER BY due_at LIMIT $5
    ),
    turns AS MATERIALIZED (
        SELECT account, transaction,
            row_number() OVER (PARTITION BY account ORDER BY due_at, transaction) AS turn, due_at
        FROM (
            SELECT * FROM first UNION SELECT * FROM middle UNION SELECT * FROM last
        ) AS found
        WHERE account <> ALL ($7::text[])
        ORDER BY turn, due_at, transaction
    ),
    due AS MATERIALIZED (
        SELECT x.*, w.turn
        FROM turns AS w
        CROSS JOIN LATERAL (
            SELECT q.account, q.transaction, q.due_at FROM queue AS q
            WHERE q.account = ANY (ARRAY[w.account]) AND q.transaction = w.transaction
                AND coalesce(q.due_at <= $1, false)
            LIMIT 1
            FOR UPDATE SKIP LOCKED
        ) AS x
        LIMIT $2
    ),
    claimed AS (
        UPDATE queue AS a SET due_at = $3, leased = true, instance = $4
        FROM due
        WHERE a.account = ANY (ARRAY[due.account]) AND a.transaction = due.transaction
        RETURNING a.account, a.transaction, due.due_at, due.turn, a.confirmed
    )
    SELECT ",
    transaction_columns!(),
    ", c.*, looked.until AS looked_until
    FROM (
        SELECT CASE WHEN max(due_at) < (SELECT min(due_at) FROM last) THEN max(due_at) END AS until
        FROM middle
    ) AS looked
    LEFT JOIN (
        claimed AS c
        JOIN transactions AS t ON t.account = ANY (ARRAY[c.account]) AND t.number = c.transaction
    ) ON true
    ORDER BY c.turn, c.due_at, t.opened_at, t.number"
);

/// What was claimed of the queue by an instance that shows no sign of life is due at `$1`.
pub(crate) const RECLAIM_QUEUED: &str = "
    WITH left_behind AS MATERIALIZED (
        SELECT q.account, q.transaction FROM queue AS q
        WHERE q.due_at > $1 AND q.leased AND NOT EXISTS (
            SELECT 1 FROM instances AS i
            WHERE i.token = q.instance AND i.seen_at > clock_timestamp() - interval '10 s'
        )
        FOR UPDATE OF q SKIP LOCKED
    )
    UPDATE queue AS q SET due_at = $1, leased = false
    FROM left_behind AS l
    WHERE q.account = ANY (ARRAY[l.account]) AND q.transaction = l.transaction";

/// What was claimed or is being sent by an instance that shows no sign of life is due at `$1`.
pub(crate) const RECLAIM: &str = "
    WITH left_behind AS MATERIALIZED (
        SELECT a.account, a.transaction FROM attempts_open AS a
        WHERE a.due_at > $1 AND (a.leased OR a.state = 'sending') AND NOT EXISTS (
            SELECT 1 FROM instances AS i
            WHERE i.token = a.instance AND i.seen_at > clock_timestamp() - interval '10 s'
        )
        FOR UPDATE OF a SKIP LOCKED
    )
    UPDATE attempts_open AS a SET due_at = $1, leased = false
    FROM left_behind AS l
    WHERE a.account = ANY (ARRAY[l.account]) AND a.transaction = l.transaction";

/// What is due later than `$1` is due then.
pub(crate) const BOUND: &str = "
    WITH late AS MATERIALIZED (
        SELECT account, transaction FROM attempts_open WHERE due_at > $1
        FOR UPDATE SKIP LOCKED
    )
    UPDATE attempts_open AS a SET due_at = $1
    FROM late AS l
    WHERE a.account = ANY (ARRAY[l.account]) AND a.transaction = l.transaction";

/// What is claimed of the queue: when it may be sent is nothing that a clock has put off.
pub(crate) const BOUND_QUEUED: &str = "
    WITH late AS MATERIALIZED (
        SELECT account, transaction FROM queue WHERE due_at > $1 AND leased
        FOR UPDATE SKIP LOCKED
    )
    UPDATE queue AS q SET due_at = $1
    FROM late AS l
    WHERE q.account = ANY (ARRAY[l.account]) AND q.transaction = l.transaction";

/// Queued transfers by the condition under which an account has the address they wait for.
macro_rules! claimable {
    ($column:literal, $claim:literal) => {
        concat!(
            "SELECT q.account, q.transaction, a.id AS payee, a.name AS payee_name
            FROM queue AS q
            JOIN accounts AS p ON p.id = q.account AND p.status = 'active'
            JOIN accounts AS a ON a.environment = p.environment AND a.",
            $column,
            " = q.",
            $claim,
            " AND a.id <> q.account AND a.status = 'active'
            WHERE q.",
            $claim,
            " IS NOT NULL AND q.confirmed"
        )
    };
}

pub(crate) const CLAIMABLE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", c.payee, c.payee_name FROM (",
    claimable!("email", "claim_email"),
    " UNION ALL ",
    claimable!("phone", "claim_phone"),
    " LIMIT $1) AS c
    JOIN transactions AS t ON t.account = ANY (ARRAY[c.account]) AND t.number = c.transaction"
);

pub(crate) const UNCLAIMED: &str = "
    SELECT count(*) FROM queue
    WHERE account = $1 AND (claim_email IS NOT NULL OR claim_phone IS NOT NULL)";

#[async_trait]
impl Leases for PostgresStore {
    async fn claim_due(&self, claim: Claim) -> Result<Vec<Transaction>, PortError> {
        let rows = claimed(self, claiming(self, CLAIM, claim)).await?;
        Ok(read(self, &rows, authentic_transaction))
    }

    async fn claim_queued(
        &self,
        claim: Claim,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError> {
        let except: Vec<_> = except.iter().map(|it| it.as_str().to_owned()).collect();
        let from = self.pass.from();
        let statement = claiming(self, CLAIM_QUEUED, claim);
        let statement = statement.bind(QUEUE_WINDOW).bind(from).bind(except);
        let rows = claimed(self, statement).await?;
        let Some(row) = rows.first() else {
            return Ok(Vec::new());
        };
        let looked = || Ok((row.try_get("looked_until")?, row.try_get("turn")?));
        let looked = looked().map_err(failed("read how far the queue was looked at"))?;
        let (until, turn): (Option<i64>, Option<i64>) = looked;
        self.pass.reached(from, until);
        let claimed = if turn.is_some() { &rows[..] } else { &[] };
        Ok(read(self, claimed, place))
    }

    async fn claimable(&self, limit: u32) -> Result<Vec<ClaimableTransfer>, PortError> {
        let found = sqlx::query(CLAIMABLE)
            .bind(i64::from(limit))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("find transfers whose account is known now"))?;
        let what = "a transfer whose account is known now cannot be paid";
        let found = found.iter().map(|row| claimable(row, self.cipher()));
        Ok(readable(found, what).collect())
    }

    async fn unclaimed(&self, account: &AccountId) -> Result<u64, PortError> {
        let count: i64 = sqlx::query_scalar(UNCLAIMED)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count transfers that wait for an account"))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    async fn reclaim_orphans(&self, now: Timestamp) -> Result<u64, PortError> {
        reclaim(self, now).await
    }

    async fn bound_due(&self, now: Timestamp, longest: Duration) -> Result<u64, PortError> {
        make_due(self, [BOUND, BOUND_QUEUED], now.plus(longest)).await
    }

    async fn may_send(&self, attempt: &AttemptKey) -> Result<bool, PortError> {
        let question = MaySend {
            attempt: attempt.clone(),
            instance: self.shared.place.token(),
        };
        self.permits.ask(question).await
    }
}

/// Reads a row that was claimed.
type Read<T> = fn(&PgRow, &FieldCipher) -> Result<T, PortError>;

fn place(row: &PgRow, cipher: &FieldCipher) -> Result<ClaimedPlace, PortError> {
    Ok(ClaimedPlace {
        transaction: authentic_transaction(row, cipher)?,
        is_confirmed: row
            .try_get("confirmed")
            .map_err(failed("read a place in the queue"))?,
    })
}

fn claimable(row: &PgRow, cipher: &FieldCipher) -> Result<ClaimableTransfer, PortError> {
    let name = || Ok((row.try_get("payee")?, row.try_get("payee_name")?));
    let (id, name): (String, String) = name().map_err(failed("read who is paid"))?;
    Ok(ClaimableTransfer {
        transaction: authentic_transaction(row, cipher)?,
        payee: payee(&id, &name)?,
    })
}

/// A statement with the values of each claim.
fn claiming(
    store: &PostgresStore,
    statement: &'static str,
    claim: Claim,
) -> Query<'static, Postgres, PgArguments> {
    sqlx::query(statement)
        .bind(claim.now.as_millis())
        .bind(i64::from(claim.limit))
        .bind(claim.now.plus(claim.lease).as_millis())
        .bind(store.shared.place.token())
}

/// Runs a claim.
async fn claimed(
    store: &PostgresStore,
    statement: Query<'static, Postgres, PgArguments>,
) -> Result<Vec<PgRow>, PortError> {
    if !store.shared.place.may_claim() {
        return Ok(Vec::new());
    }
    statement
        .fetch_all(&store.steps)
        .in_time()
        .await
        .map_err(failed("claim what is due"))
}

/// What can be read of what was claimed.
fn read<T>(store: &PostgresStore, rows: &[PgRow], read: Read<T>) -> Vec<T> {
    let what = "a transaction that is due cannot be followed up";
    let read = rows.iter().map(|row| read(row, store.cipher()));
    readable(read, what).collect()
}

/// Makes due what instances left that show no sign of life; answers how many.
pub(crate) async fn reclaim(store: &PostgresStore, now: Timestamp) -> Result<u64, PortError> {
    make_due(store, [RECLAIM, RECLAIM_QUEUED], now).await
}

/// Makes due at a moment what each of the statements finds; answers how much.
async fn make_due(
    store: &PostgresStore,
    statements: [&'static str; 2],
    moment: Timestamp,
) -> Result<u64, PortError> {
    let mut count = 0_u64;
    for statement in statements {
        let done = sqlx::query(statement)
            .bind(moment.as_millis())
            .execute(&store.steps)
            .in_time()
            .await
            .map_err(failed("change what is due"))?;
        count = count.saturating_add(done.rows_affected());
    }
    Ok(count)
}
