//! Writing a plan, each table with one statement however large the batch is, and all of them in one
//! call to the database's thread. What was written must be exactly the rows that were given.

use super::RowIds;
use super::load::LastIds;
use super::queue::QueueRows;
use super::rows::{
    BatchItemRow, BatchRow, EventRow, NewAttemptRow, NewFundingRow, NewTransactionRow,
    NewTransferRow, SettlementRow, UpdatedTransactionRow, UserCreditRow, transfer_id,
};
use super::wallet_row::WalletRow;
use crate::error::{PART, refused, wrote};
use crate::rows::json;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::BatchPlan;
use storage_sql::record::{AnnouncedRow, attempts};

/// The statements that write, each taking the rows of its table out of one JSON parameter; the
/// parameters have no numbers because the driver counts them from statement to statement. An event
/// or transfer follows its transaction, a funding its transfer.
macro_rules! writes {
    () => {
        "
    INSERT INTO transactions (
        id, number, account, reference, idempotency_key, request_fingerprint, service,
        provider, state,
        currency, amount, price, cost, fee, vat, levy, version, sequence, opened_at, updated_at,
        due_at, purchase, progress, purchase_mac, progress_mac
    )
    SELECT
        value ->> 'id', value ->> 'number', value ->> 'account', value ->> 'reference',
        value ->> 'idempotency_key', unhex(value ->> 'request_fingerprint'), value ->> 'service',
        value ->> 'provider', value ->> 'state', value ->> 'currency', value ->> 'amount',
        value ->> 'price', value ->> 'cost', value ->> 'fee', value ->> 'vat', value ->> 'levy',
        value ->> 'version', value ->> 'sequence', value ->> 'opened_at', value ->> 'updated_at',
        value ->> 'due_at',
        value ->> 'purchase', value ->> 'progress', value ->> 'purchase_mac',
        value ->> 'progress_mac'
    FROM jsonb_each(?);

    UPDATE transactions SET
        state = moved.value ->> 'state',
        version = moved.value ->> 'version',
        sequence = moved.value ->> 'sequence',
        updated_at = moved.value ->> 'updated_at',
        due_at = moved.value ->> 'due_at',
        leased = 0,
        progress = moved.value ->> 'progress',
        token = moved.value ->> 'token',
        progress_mac = moved.value ->> 'progress_mac'
    FROM jsonb_each(?) AS moved
    WHERE transactions.id = moved.value ->> 'id'
        AND transactions.version = moved.value ->> 'from_version';

    INSERT INTO attempts (
        transaction_id, number, state, evidence, provider_reference, provider, started_at, ended_at,
        contradicted_at, taken_back_at
    )
    SELECT
        value ->> 'transaction_id', value ->> 'number', value ->> 'state', value ->> 'evidence',
        value ->> 'provider_reference', value ->> 'provider', value ->> 'started_at',
        value ->> 'ended_at', value ->> 'contradicted_at', value ->> 'taken_back_at'
    FROM jsonb_each(?)
    WHERE true
    ON CONFLICT (transaction_id, number) DO UPDATE SET
        state = excluded.state,
        evidence = excluded.evidence,
        ended_at = excluded.ended_at,
        contradicted_at = excluded.contradicted_at,
        taken_back_at = excluded.taken_back_at;

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
    FROM jsonb_each(?);

    INSERT INTO events (transaction_id, sequence, kind, at)
    SELECT value ->> 'transaction_id', value ->> 'sequence', value ->> 'kind', value ->> 'at'
    FROM jsonb_each(?);

    INSERT INTO fundings (account, reference, transfer_id, at)
    SELECT value ->> 'account', value ->> 'reference', value ->> 'transfer_id', value ->> 'at'
    FROM jsonb_each(?);

    UPDATE wallets SET
        available = kept.value ->> 'available',
        held = kept.value ->> 'held',
        debits = kept.value ->> 'debits',
        credits = kept.value ->> 'credits',
        counted_from = kept.value ->> 'counted_from',
        spent = kept.value ->> 'spent',
        mac = kept.value ->> 'mac'
    FROM jsonb_each(?) AS kept
    WHERE wallets.account = kept.value ->> 'account'
        AND wallets.currency = kept.value ->> 'currency';

    UPDATE unsettled_references SET
        settled_at = unixepoch() * 1000,
        settled_by = settled.value ->> 'by',
        settlement = settled.value ->> 'settlement',
        amount = settled.value ->> 'amount',
        currency = settled.value ->> 'currency',
        payer = settled.value ->> 'payer',
        payer_reference = settled.value ->> 'payer_reference'
    FROM jsonb_each(?) AS settled
    WHERE unsettled_references.provider_reference = settled.value ->> 'reference'
        AND unsettled_references.settled_at IS NULL"
    };
}

const WRITES: &str = writes!();

/// The same of a batch that leaves something to be delivered, which follows its transaction.
pub(crate) const WRITES_WITH_DELIVERIES: &str = concat!(
    writes!(),
    ";

    INSERT INTO deliveries (
        account, endpoint, number, sequence, topic, at, state, version, updated_at, progress,
        shown, currency, due_at
    )
    SELECT
        value ->> 'account', value ->> 'endpoint', value ->> 'number', value ->> 'sequence',
        value ->> 'topic', value ->> 'at', value ->> 'state', value ->> 'version',
        value ->> 'updated_at', value ->> 'progress', value ->> 'shown', value ->> 'currency',
        value ->> 'at'
    FROM jsonb_each(?)"
);

/// What other accounts were paid. It is a statement of its own because few batches have any.
pub(crate) const PAY_USERS: &str = "
    INSERT INTO user_credits (transaction_id, account, transfer_id)
    SELECT value ->> 'transaction_id', value ->> 'account', value ->> 'transfer_id'
    FROM jsonb_each(?)";

/// Adds batches, each with its payments, which are there already. They are statements of their own
/// because few batches of change sets have any.
pub(crate) const BATCHES: &str = "
    INSERT INTO batches (
        account, number, reference, idempotency_key, request_fingerprint, kind, on_failure,
        payments, currency, total, price, opened_at
    )
    SELECT
        value ->> 'account', value ->> 'number', value ->> 'reference', value ->> 'idempotency_key',
        unhex(value ->> 'request_fingerprint'), value ->> 'kind', value ->> 'on_failure',
        value ->> 'payments', value ->> 'currency', value ->> 'total', value ->> 'price',
        value ->> 'opened_at'
    FROM jsonb_each(?);

    INSERT INTO batch_items (batch_id, position, transaction_id)
    SELECT b.id, item.value ->> 'position', t.id
    FROM jsonb_each(?) AS item
    CROSS JOIN batches AS b
        ON b.account = item.value ->> 'account' AND b.number = item.value ->> 'batch'
    CROSS JOIN transactions AS t
        ON t.account = item.value ->> 'account' AND t.number = item.value ->> 'transaction'";

/// Writes a plan inside the step under way. `ids` holds the row of every transaction the batch has
/// read; those it opens are added.
pub(crate) async fn plan(
    connection: &mut SqliteConnection,
    plan: &BatchPlan<'_>,
    (ids, last, cipher): (&mut RowIds, LastIds, &FieldCipher),
) -> Result<(), CommitError> {
    for (id, opening) in (last.transaction + 1..).zip(&plan.openings) {
        let tx = &opening.transaction;
        ids.insert(tx.account.as_str(), tx.number.get(), id);
    }
    let rows = Rows::of(plan, ids, (last.transfer, cipher)).map_err(CommitError::Unknown)?;
    rows.write(connection).await
}

/// Everything a plan writes, by table.
struct Rows<'a> {
    begun: Vec<NewTransactionRow<'a>>,
    moved: Vec<UpdatedTransactionRow>,
    queue: QueueRows<'a>,
    batches: (Vec<BatchRow<'a>>, Vec<BatchItemRow<'a>>),
    attempted: Vec<NewAttemptRow>,
    transferred: Vec<NewTransferRow<'a>>,
    reported: Vec<EventRow>,
    funded: Vec<NewFundingRow<'a>>,
    credited: Vec<UserCreditRow<'a>>,
    kept: Vec<WalletRow<'a>>,
    settled: Vec<SettlementRow<'a>>,
    announced: Vec<AnnouncedRow<'a>>,
}

pub(super) fn row_id(
    ids: &RowIds,
    (account, number): (&AccountId, TransactionNumber),
) -> Result<i64, PortError> {
    let unread = || {
        let what = format!("transaction {number} of {account} was not read");
        PortError::new(PART, what)
    };
    ids.get(account.as_str(), number.get()).ok_or_else(unread)
}

/// What other accounts are paid.
fn credited<'a>(
    plan: &'a BatchPlan<'a>,
    ids: &RowIds,
    last_transfer: i64,
) -> Result<Vec<UserCreditRow<'a>>, PortError> {
    let mut rows = Vec::with_capacity(plan.user_credits.len());
    for (tx, entry) in &plan.user_credits {
        let paid_by = row_id(ids, (&tx.account, tx.number))?;
        let payee = plan.entries.get(*entry).map(|it| it.owner);
        let transfer = transfer_id(last_transfer, *entry);
        rows.extend(payee.map(|payee| UserCreditRow::new(paid_by, payee, transfer)));
    }
    Ok(rows)
}

impl<'a> Rows<'a> {
    fn of(
        plan: &'a BatchPlan<'a>,
        ids: &RowIds,
        (last_transfer, cipher): (i64, &FieldCipher),
    ) -> Result<Self, PortError> {
        let id = |account: &AccountId, number: TransactionNumber| row_id(ids, (account, number));
        let announced = plan.announced.iter();
        let announced = announced.map(|it| AnnouncedRow::of(it, cipher));
        let settled = plan.settlements.iter();
        let mut rows = Self {
            begun: Vec::with_capacity(plan.openings.len()),
            moved: Vec::with_capacity(plan.movements.len()),
            queue: QueueRows::of(plan, ids)?,
            batches: batch_rows(plan),
            attempted: Vec::with_capacity(plan.openings.len() + plan.movements.len()),
            transferred: Vec::with_capacity(plan.entries.len()),
            reported: Vec::with_capacity(plan.events.len()),
            funded: Vec::with_capacity(plan.fundings.len()),
            credited: credited(plan, ids, last_transfer)?,
            kept: Vec::with_capacity(plan.wallet_states.len()),
            settled: settled.map(|it| SettlementRow::new(it)).collect(),
            announced: announced.collect::<Result<_, _>>()?,
        };
        for opening in &plan.openings {
            let tx = &opening.transaction;
            let transaction_id = id(&tx.account, tx.number)?;
            rows.begun
                .push(NewTransactionRow::new(transaction_id, opening, cipher)?);
            rows.queue.add(transaction_id, opening);
            rows.attempt(transaction_id, tx);
        }
        for movement in &plan.movements {
            let tx = &movement.advance.transaction;
            let transaction_id = id(&tx.account, tx.number)?;
            rows.moved.push(UpdatedTransactionRow::new(
                transaction_id,
                movement,
                cipher,
            )?);
            rows.attempt(transaction_id, tx);
        }
        for (entry_id, entry) in (last_transfer + 1..).zip(&plan.entries) {
            let of_account = |number| id(entry.owner, number);
            let transaction_id = entry.transfer.transaction.map(of_account).transpose()?;
            rows.transferred
                .push(NewTransferRow::new(entry_id, transaction_id, entry));
        }
        for reported in &plan.events {
            let transaction_id = id(reported.account, reported.event.transaction)?;
            rows.reported
                .push(EventRow::new(transaction_id, reported.event));
        }
        for (funding, entry) in &plan.fundings {
            let funded = NewFundingRow::new(funding, (last_transfer, *entry));
            rows.funded.push(funded);
        }
        for state in &plan.wallet_states {
            rows.kept.push(WalletRow::new(state, cipher.macs())?);
        }
        Ok(rows)
    }

    async fn write(&self, connection: &mut SqliteConnection) -> Result<(), CommitError> {
        let query = || {
            let statements = if self.announced.is_empty() {
                WRITES
            } else {
                WRITES_WITH_DELIVERIES
            };
            let query = sqlx::query(statements)
                .bind(json(&self.begun)?)
                .bind(json(&self.moved)?)
                .bind(json(&self.attempted)?)
                .bind(json(&self.transferred)?)
                .bind(json(&self.reported)?)
                .bind(json(&self.funded)?)
                .bind(json(&self.kept)?)
                .bind(json(&self.settled)?);
            if self.announced.is_empty() {
                return Ok(query);
            }
            Ok(query.bind(json(&self.announced)?))
        };
        let done = query()
            .map_err(CommitError::Unknown)?
            .execute(&mut *connection)
            .await;
        let done = done.map_err(refused("write a batch"))?;
        // An insert writes every row or fails, so a shortfall is an update that found no row.
        wrote(done.rows_affected(), self.count(), "write a batch").map_err(CommitError::Refused)?;
        self.queue.write(&mut *connection).await?;
        self.pay_users(&mut *connection).await?;
        self.batches(connection).await
    }

    async fn pay_users(&self, connection: &mut SqliteConnection) -> Result<(), CommitError> {
        if self.credited.is_empty() {
            return Ok(());
        }
        let credited = json(&self.credited).map_err(CommitError::Unknown)?;
        let done = sqlx::query(PAY_USERS).bind(credited).execute(connection);
        let what = "write what other accounts are paid";
        let done = done.await.map_err(refused(what))?;
        wrote(done.rows_affected(), self.credited.len(), what).map_err(CommitError::Refused)
    }

    async fn batches(&self, connection: &mut SqliteConnection) -> Result<(), CommitError> {
        let (batches, items) = &self.batches;
        let count = batches.len() + items.len();
        if count == 0 {
            return Ok(());
        }
        let batches = json(batches).map_err(CommitError::Unknown)?;
        let items = json(items).map_err(CommitError::Unknown)?;
        let done = sqlx::query(BATCHES).bind(batches).bind(items);
        let done = done.execute(connection).await;
        let done = done.map_err(refused("write batches"))?;
        wrote(done.rows_affected(), count, "write batches").map_err(CommitError::Refused)
    }

    fn count(&self) -> usize {
        let transactions = self.begun.len() + self.moved.len() + self.attempted.len();
        let ledger = self.transferred.len() + self.funded.len() + self.kept.len();
        let settled = self.settled.len();
        transactions + ledger + settled + self.reported.len() + self.announced.len()
    }

    fn attempt(&mut self, transaction_id: i64, tx: &domain::transaction::Transaction) {
        self.attempted
            .extend(attempts(tx).map(|attempt| NewAttemptRow {
                transaction_id,
                attempt,
            }));
    }
}

/// The rows of batches, and of their payments.
fn batch_rows<'a>(plan: &BatchPlan<'a>) -> (Vec<BatchRow<'a>>, Vec<BatchItemRow<'a>>) {
    let batches = || plan.batches.iter().copied();
    let rows = batches().map(|opening| opening.batch().into());
    (
        rows.collect(),
        batches().flat_map(BatchItemRow::of).collect(),
    )
}
