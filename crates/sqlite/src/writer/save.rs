//! Writing a plan, each table with one statement however large the batch is. Every statement must
//! have written exactly the rows it was given.

use super::rows::{Attempted, Begun, Funded, Kept, Moved, Told, Transferred};
use crate::error::{PART, refused, wrote};
use crate::rows::json;
use domain::reference::TransactionNumber;
use ports::PortError;
use serde::Serialize;
use sqlx::sqlite::SqliteConnection;
use std::collections::HashMap;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::BatchPlan;
use storage_sql::record::attempts;

/// Rows are never deleted and there is one writer, so the next keys follow the greatest.
pub(crate) const LAST_IDS: &str = "
    SELECT
        (SELECT coalesce(max(id), 0) FROM transactions),
        (SELECT coalesce(max(id), 0) FROM transfers)";

const TRANSACTIONS: &str = "
    INSERT INTO transactions (
        id, number, account, reference, idempotency_key, meaning, service, provider, state,
        currency, amount, price, cost, fee, version, sequence, opened_at, updated_at, due_at,
        purchase, progress
    )
    SELECT
        value ->> 'id', value ->> 'number', value ->> 'account', value ->> 'reference',
        value ->> 'idempotency_key', unhex(value ->> 'meaning'), value ->> 'service',
        value ->> 'provider', value ->> 'state', value ->> 'currency', value ->> 'amount',
        value ->> 'price', value ->> 'cost', value ->> 'fee', value ->> 'version',
        value ->> 'sequence', value ->> 'opened_at', value ->> 'updated_at', value ->> 'due_at',
        value -> 'purchase', value -> 'progress'
    FROM jsonb_each(?1)";

pub(crate) const MOVEMENTS: &str = "
    UPDATE transactions SET
        state = moved.value ->> 'state',
        version = moved.value ->> 'version',
        sequence = moved.value ->> 'sequence',
        updated_at = moved.value ->> 'updated_at',
        due_at = moved.value ->> 'due_at',
        leased = 0,
        progress = moved.value -> 'progress'
    FROM jsonb_each(?1) AS moved
    WHERE transactions.id = moved.value ->> 'id'
        AND transactions.version = moved.value ->> 'from_version'";

pub(crate) const ATTEMPTS: &str = "
    INSERT INTO attempts (
        transaction_id, number, state, evidence, provider_reference, started_at, ended_at,
        contradicted_at
    )
    SELECT
        value ->> 'transaction_id', value ->> 'number', value ->> 'state', value ->> 'evidence',
        value ->> 'provider_reference', value ->> 'started_at', value ->> 'ended_at',
        value ->> 'contradicted_at'
    FROM jsonb_each(?1)
    WHERE true
    ON CONFLICT (transaction_id, number) DO UPDATE SET
        state = excluded.state,
        evidence = excluded.evidence,
        ended_at = excluded.ended_at,
        contradicted_at = excluded.contradicted_at";

const TRANSFERS: &str = "
    INSERT INTO transfers (
        id, transaction_id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount,
        currency, narration, at, account, direction, position, nth, available_after
    )
    SELECT
        value ->> 'id', value ->> 'transaction_id', value ->> 'kind', value ->> 'debit_kind',
        value ->> 'debit_holder', value ->> 'credit_kind', value ->> 'credit_holder',
        value ->> 'amount', value ->> 'currency', value ->> 'narration', value ->> 'at',
        value ->> 'account', value ->> 'direction', value ->> 'position', value ->> 'nth',
        value ->> 'available_after'
    FROM jsonb_each(?1)";

const EVENTS: &str = "
    INSERT INTO events (transaction_id, sequence, kind, at)
    SELECT value ->> 'transaction_id', value ->> 'sequence', value ->> 'kind', value ->> 'at'
    FROM jsonb_each(?1)";

pub(crate) const WALLETS: &str = "
    UPDATE wallets SET
        available = kept.value ->> 'available',
        held = kept.value ->> 'held',
        debits = kept.value ->> 'debits',
        credits = kept.value ->> 'credits'
    FROM jsonb_each(?1) AS kept
    WHERE wallets.account = kept.value ->> 'account'";

const FUNDINGS: &str = "
    INSERT INTO fundings (account, reference, transfer_id, at)
    SELECT value ->> 'account', value ->> 'reference', value ->> 'transfer_id', value ->> 'at'
    FROM jsonb_each(?1)";

/// Writes a plan inside the step under way. `ids` holds the row of every transaction the batch has
/// read, by number; those it opens are added.
pub(crate) async fn plan(
    connection: &mut SqliteConnection,
    plan: &BatchPlan<'_>,
    ids: &mut HashMap<u64, i64>,
) -> Result<(), CommitError> {
    let (last_transaction, last_transfer): (i64, i64) = sqlx::query_as(LAST_IDS)
        .fetch_one(&mut *connection)
        .await
        .map_err(refused("read the greatest keys"))?;
    let openings = plan.openings.iter();
    for (id, opening) in (last_transaction + 1..).zip(openings) {
        ids.insert(opening.transaction.number.get(), id);
    }
    let rows = Rows::of(plan, ids, last_transfer).map_err(CommitError::Unknown)?;
    write(
        connection,
        (TRANSACTIONS, "insert transactions"),
        &rows.begun,
    )
    .await?;
    write(connection, (MOVEMENTS, "update transactions"), &rows.moved).await?;
    write(connection, (ATTEMPTS, "write attempts"), &rows.attempted).await?;
    write(
        connection,
        (TRANSFERS, "append transfers"),
        &rows.transferred,
    )
    .await?;
    write(connection, (EVENTS, "append events"), &rows.told).await?;
    write(connection, (FUNDINGS, "append fundings"), &rows.funded).await?;
    write(connection, (WALLETS, "update wallets"), &rows.kept).await
}

/// Everything a plan writes, by table.
struct Rows<'a> {
    begun: Vec<Begun<'a>>,
    moved: Vec<Moved<'a>>,
    attempted: Vec<Attempted>,
    transferred: Vec<Transferred<'a>>,
    told: Vec<Told>,
    funded: Vec<Funded<'a>>,
    kept: Vec<Kept<'a>>,
}

impl<'a> Rows<'a> {
    fn of(
        plan: &'a BatchPlan<'a>,
        ids: &HashMap<u64, i64>,
        last_transfer: i64,
    ) -> Result<Self, PortError> {
        let id = |number: TransactionNumber| {
            let unread = || PortError::new(PART, format!("transaction {number} was not read"));
            ids.get(&number.get()).copied().ok_or_else(unread)
        };
        let mut rows = Self {
            begun: Vec::with_capacity(plan.openings.len()),
            moved: Vec::with_capacity(plan.movements.len()),
            attempted: Vec::with_capacity(plan.openings.len() + plan.movements.len()),
            transferred: Vec::with_capacity(plan.entries.len()),
            told: Vec::with_capacity(plan.events.len()),
            funded: Vec::with_capacity(plan.fundings.len()),
            kept: Vec::with_capacity(plan.purses.len()),
        };
        for opening in &plan.openings {
            let transaction_id = id(opening.transaction.number)?;
            rows.begun.push(Begun::new(transaction_id, opening));
            rows.attempt(transaction_id, &opening.transaction);
        }
        for movement in &plan.movements {
            let transaction_id = id(movement.advance.transaction.number)?;
            rows.moved.push(Moved::new(transaction_id, movement));
            rows.attempt(transaction_id, &movement.advance.transaction);
        }
        for (entry_id, entry) in (last_transfer + 1..).zip(&plan.entries) {
            let transaction_id = entry.transfer.transaction.map(id).transpose()?;
            rows.transferred
                .push(Transferred::new(entry_id, transaction_id, entry));
        }
        for event in &plan.events {
            rows.told.push(Told::new(id(event.transaction)?, event));
        }
        for (funding, entry) in &plan.fundings {
            let offset = i64::try_from(*entry).unwrap_or(i64::MAX);
            rows.funded.push(Funded {
                account: funding.account.as_str(),
                reference: funding.reference.as_str(),
                transfer_id: last_transfer.saturating_add(1).saturating_add(offset),
                at: funding.at.as_millis(),
            });
        }
        let kept = plan
            .purses
            .iter()
            .map(|(account, purse)| Kept::new(account, purse));
        rows.kept.extend(kept);
        Ok(rows)
    }

    fn attempt(&mut self, transaction_id: i64, tx: &domain::transaction::Transaction) {
        self.attempted.extend(attempts(tx).map(|attempt| Attempted {
            transaction_id,
            attempt,
        }));
    }
}

async fn write<T: Serialize>(
    connection: &mut SqliteConnection,
    (statement, what): (&'static str, &'static str),
    rows: &[T],
) -> Result<(), CommitError> {
    if rows.is_empty() {
        return Ok(());
    }
    let parameter = json(rows).map_err(CommitError::Unknown)?;
    let done = sqlx::query(statement)
        .bind(parameter)
        .execute(connection)
        .await;
    let done = done.map_err(refused(what))?;
    wrote(done.rows_affected(), rows.len(), what).map_err(CommitError::Refused)
}
