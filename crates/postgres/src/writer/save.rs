//! Writing a plan with one statement, however large the batch is, and one more where money is paid
//! in. The written rows must be exactly the given ones: the statement counts them, and a count
//! below fails the batch.

use super::batches;
use super::columns::{
    BatchColumns, BatchItemColumns, DeliveryColumns, EventColumns, FundingColumns,
    NewAttemptColumns, NewTransactionColumns, SettlementColumns, TransferColumns,
    UpdatedTransactionColumns, UserCreditColumns, WalletColumns,
};
use super::queue::{self, QueueRows};
use crate::error::{PART, refused, wrote};
use domain::change_set::StateChange;
use domain::transaction::Transaction;
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::query::Query;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::BatchPlan;
use storage_sql::record::attempts;

/// Takes every table's rows out of arrays. An undecided attempt that was decided leaves its table
/// for the other, with the moment it was begun. Answers how many rows of each kind were written,
/// the transaction of the database that did it, and how far its log had come.
pub(crate) const WRITE: &str = "
    WITH opened AS (
        INSERT INTO transactions (
            account, number, reference, idempotency_key, request_fingerprint, service,
            provider, state,
            currency, amount, price, cost, fee, vat, levy, version, sequence, opened_at,
            updated_at, purchase, progress, purchase_mac, progress_mac
        )
        SELECT * FROM unnest(
            $1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[],
            $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
            $14::bigint[], $15::bigint[], $16::integer[], $17::integer[], $18::bigint[],
            $19::bigint[], $20::text[], $21::text[], $101::text[], $102::text[]
        )
        RETURNING 1
    ),
    moved AS (
        UPDATE transactions AS t SET
            state = m.state, version = m.version, sequence = m.sequence,
            updated_at = m.updated_at, progress = m.progress, token = m.token,
            progress_mac = m.progress_mac
        FROM unnest(
            $22::text[], $23::bigint[], $24::integer[], $25::text[], $26::integer[],
            $27::integer[], $28::bigint[], $29::text[], $30::text[], $103::text[]
        ) AS m (
            account, number, from_version, state, version, sequence, updated_at, progress, token,
            progress_mac
        )
        WHERE t.account = ANY (ARRAY[m.account]) AND t.number = m.number
            AND t.version = m.from_version
        RETURNING 1
    ),
    ended AS (
        INSERT INTO attempts_ended (
            account, transaction, number, state, provider_reference, started_at, evidence,
            ended_at, contradicted_at, taken_back_at, provider
        )
        SELECT e.account, e.transaction, e.number, e.state, e.provider_reference,
            coalesce(o.started_at, e.started_at), e.evidence, e.ended_at, e.contradicted_at,
            e.taken_back_at, e.provider
        FROM unnest(
            $31::text[], $32::bigint[], $33::smallint[], $34::text[], $35::text[], $36::bigint[],
            $37::text[], $38::bigint[], $39::bigint[], $40::bigint[], $97::text[]
        ) AS e (account, transaction, number, state, provider_reference, started_at, evidence,
            ended_at, contradicted_at, taken_back_at, provider)
        LEFT JOIN attempts_open AS o ON o.account = ANY (ARRAY[e.account])
            AND o.transaction = e.transaction AND o.number = e.number
        ON CONFLICT (account, transaction, number) DO UPDATE SET
            state = excluded.state, evidence = excluded.evidence, ended_at = excluded.ended_at,
            contradicted_at = excluded.contradicted_at, taken_back_at = excluded.taken_back_at
        RETURNING 1
    ),
    decided AS (
        DELETE FROM attempts_open AS o
        USING unnest($41::text[], $42::bigint[]) AS d (account, transaction)
        WHERE o.account = ANY (ARRAY[d.account]) AND o.transaction = d.transaction
    ),
    undecided AS (
        INSERT INTO attempts_open (
            account, transaction, number, state, provider_reference, started_at, due_at, provider,
            instance
        )
        SELECT u.*, $50::bigint FROM unnest(
            $43::text[], $44::bigint[], $45::smallint[], $46::text[], $47::text[], $48::bigint[],
            $49::bigint[], $98::text[]
        ) AS u
        ON CONFLICT (account, transaction) DO UPDATE SET
            number = excluded.number, state = excluded.state,
            provider_reference = excluded.provider_reference, started_at = excluded.started_at,
            due_at = excluded.due_at, provider = excluded.provider, leased = false,
            instance = excluded.instance
        RETURNING 1
    ),
    numbered AS MATERIALIZED (
        SELECT nextval('transfers_id') AS id, f.*
        FROM unnest(
            $51::text[], $52::bigint[], $53::smallint[], $54::text[], $55::text[], $56::text[],
            $57::text[], $58::text[], $59::bigint[], $60::text[], $61::text[], $62::bigint[],
            $63::text[], $64::bigint[], $65::bigint[], $66::bigint[]
        ) AS f (account, transaction, step, kind, debit_kind, debit_holder, credit_kind,
            credit_holder, amount, currency, narration, at, direction, position, nth,
            available_after)
    ),
    transferred AS (
        INSERT INTO transfers (
            id, account, transaction, step, part, kind, debit_kind, debit_holder, credit_kind,
            credit_holder, amount, currency, narration, at, direction, position, nth,
            available_after
        )
        SELECT id, account, transaction, step,
            CASE
                WHEN kind IN (
                    'fund', 'loss', 'loss_reversal', 'settlement', 'settlement_loss',
                    'cost_difference', 'user_credit',
                    'voucher_issue', 'voucher_redeem', 'voucher_return', 'voucher_restore',
                    'collection', 'collection_charge', 'collection_vat',
                    'adjustment_credit', 'adjustment_debit'
                )
                THEN id ELSE 0
            END, kind,
            debit_kind, debit_holder, credit_kind, credit_holder, amount, currency, narration, at,
            direction, position, nth, available_after
        FROM numbered
        RETURNING 1
    ),
    reported AS (
        INSERT INTO events (account, transaction, sequence, kind, at)
        SELECT * FROM unnest($67::text[], $68::bigint[], $69::integer[], $70::text[], $71::bigint[])
        RETURNING 1
    ),
    kept AS (
        UPDATE wallets AS w SET
            available = k.available, held = k.held, debits = k.debits, credits = k.credits,
            counted_from = k.counted_from, spent = k.spent, mac = k.mac
        FROM unnest(
            $72::text[], $73::text[], $74::bigint[], $75::bigint[], $76::bigint[], $77::bigint[],
            $99::bigint[], $100::bigint[], $104::text[]
        ) AS k (account, currency, available, held, debits, credits, counted_from, spent, mac)
        WHERE w.account = ANY (ARRAY[k.account]) AND w.currency = k.currency
        RETURNING 1
    ),
    announced AS (
        INSERT INTO deliveries (
            account, endpoint, number, sequence, topic, at, state, version, updated_at, progress,
            shown, currency, due_at
        )
        SELECT a.*, a.at FROM unnest(
            $78::text[], $79::bigint[], $80::bigint[], $81::integer[], $82::text[], $83::bigint[],
            $84::text[], $85::integer[], $86::bigint[], $87::text[], $88::text[],
            $89::text[]
        ) AS a (
            account, endpoint, number, sequence, topic, at, state, version, updated_at, progress,
            shown, currency
        )
        RETURNING 1
    ),
    settled AS (
        UPDATE unsettled_references AS u SET
            settled_at = clock_timestamp(), settled_by = s.settled_by, settlement = s.settlement,
            amount = s.amount, currency = s.currency, payer = s.payer,
            payer_reference = s.payer_reference
        FROM unnest(
            $90::text[], $91::text[], $92::text[], $93::bigint[], $94::text[], $95::text[],
            $96::text[]
        ) AS s (reference, settled_by, settlement, amount, currency, payer, payer_reference)
        WHERE u.provider_reference = ANY (ARRAY[s.reference]) AND u.settled_at IS NULL
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM opened) + (SELECT count(*) FROM moved)
            + (SELECT count(*) FROM ended) + (SELECT count(*) FROM undecided)
            + (SELECT count(*) FROM transferred) + (SELECT count(*) FROM reported)
            + (SELECT count(*) FROM kept) + (SELECT count(*) FROM announced)
            + (SELECT count(*) FROM settled),
        pg_current_xact_id()::text,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint";

/// What was paid in. It is a statement of its own because a server, which pays nothing in, may not
/// write it: the rights to all that a statement names are asked for, whether it has rows or not.
pub(crate) const FUND: &str = "
    INSERT INTO fundings (account, reference, currency, amount, position, at)
    SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]
    )";

/// What other accounts were paid. It is a statement of its own because few batches have any.
pub(crate) const PAY_USERS: &str = "
    INSERT INTO user_credits (payer, transaction, account, currency, position)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])";

/// A batch that was written and waits for its commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The database's own transaction, by which its fate can be asked for.
    pub(crate) transaction: String,
    /// How far the log of the database has come at least.
    pub(crate) log_position: i64,
}

/// Writes the rows of a plan inside the step under way, in the name of an instance.
pub(crate) async fn rows(
    connection: &mut PgConnection,
    mut rows: Rows<'_>,
    instance: Option<i64>,
) -> Result<Written, CommitError> {
    let funded = std::mem::take(&mut rows.funded);
    let what = (funded.count(), "write what is paid in");
    insert(connection, funded.bind(sqlx::query(FUND)), what).await?;
    let credited = std::mem::take(&mut rows.credited);
    let what = (credited.count(), "write what other accounts are paid");
    insert(connection, credited.bind(sqlx::query(PAY_USERS)), what).await?;
    queue::write(connection, std::mem::take(&mut rows.queue)).await?;
    batches::write(connection, std::mem::take(&mut rows.batches)).await?;
    let wanted = rows.count();
    let written = rows.statement(instance).fetch_one(connection).await;
    let read = |row: PgRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
    let (count, transaction, log_position): (i64, String, i64) =
        written.and_then(read).map_err(refused("write a batch"))?;
    if i64::try_from(wanted) != Ok(count) {
        // An insert writes every row or fails, so another writer has changed a transaction.
        let what = format!("write a batch: {count} rows were as expected, not {wanted}");
        return Err(CommitError::Conflict(PortError::new(PART, what)));
    }
    Ok(Written {
        transaction,
        log_position,
    })
}

/// Writes so many rows with a statement of their own, where there are any.
pub(super) async fn insert(
    connection: &mut PgConnection,
    statement: super::columns::Statement<'_>,
    (wanted, what): (usize, &str),
) -> Result<(), CommitError> {
    if wanted == 0 {
        return Ok(());
    }
    let written = statement.execute(connection).await;
    let written = written.map_err(refused(what))?;
    wrote(written.rows_affected(), wanted, what).map_err(CommitError::Refused)
}

/// Everything a plan writes, by table.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    begun: NewTransactionColumns<'a>,
    moved: UpdatedTransactionColumns<'a>,
    ended: NewAttemptColumns<'a>,
    decided: (Vec<&'a str>, Vec<i64>),
    queue: QueueRows<'a>,
    batches: (BatchColumns<'a>, BatchItemColumns<'a>),
    undecided: NewAttemptColumns<'a>,
    transferred: TransferColumns<'a>,
    events: EventColumns<'a>,
    funded: FundingColumns<'a>,
    credited: UserCreditColumns<'a>,
    kept: WalletColumns<'a>,
    announced: DeliveryColumns<'a>,
    settled: SettlementColumns<'a>,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(plan: &'a BatchPlan<'a>, cipher: &FieldCipher) -> Result<Self, PortError> {
        let mut rows = Self::default();
        for opening in &plan.openings {
            let tx = &opening.transaction;
            rows.begun.push(opening, cipher)?;
            rows.queue.add(opening);
            rows.attempts(tx, Some(opening.due_at));
        }
        // In one order for all writers: steps that move no money lock no wallet first.
        let mut movements: Vec<_> = plan.movements.iter().collect();
        movements.sort_by_key(|it| {
            (
                &it.advance.transaction.account,
                it.advance.transaction.number,
            )
        });
        for movement in movements {
            let advance: &'a StateChange = movement.advance;
            let tx = &advance.transaction;
            rows.moved.push(movement, cipher)?;
            rows.attempts(tx, advance.due_at);
        }
        rows.queue.change(plan);
        for opening in &plan.batches {
            rows.batches.0.push(opening);
            rows.batches.1.push(opening);
        }
        for entry in &plan.entries {
            rows.transferred.push(entry);
        }
        for event in &plan.events {
            rows.events.push(event);
        }
        for (funding, entry) in &plan.fundings {
            let line = plan.entries.get(*entry).and_then(|entry| entry.line);
            let line = line.ok_or_else(unowned)?;
            rows.funded.push(funding, line.position);
        }
        for (tx, entry) in &plan.user_credits {
            let entry = plan.entries.get(*entry).ok_or_else(unowned)?;
            let line = entry.line.ok_or_else(unowned)?;
            rows.credited.push((tx, entry.owner), line.position);
        }
        for state in &plan.wallet_states {
            rows.kept.push(state, cipher.macs())?;
        }
        for settlement in &plan.settlements {
            rows.settled.push(settlement);
        }
        for announced in &plan.announced {
            rows.announced.push(announced, cipher)?;
        }
        Ok(rows)
    }

    /// The attempts of a transaction as it is now: what has ended, and what has not.
    fn attempts(&mut self, tx: &'a Transaction, due_at: Option<domain::time::Timestamp>) {
        let mut undecided = false;
        for attempt in attempts(tx) {
            if attempt.ended_at.is_some() {
                self.ended.push(tx, attempt, None);
            } else {
                undecided = true;
                self.undecided.push(tx, attempt, due_at);
            }
        }
        if !undecided {
            self.decided.0.push(tx.account.as_str());
            self.decided.1.push(crate::rows::key(tx.number));
        }
    }

    /// How many rows the statement must count.
    fn count(&self) -> usize {
        let transactions = self.begun.count() + self.moved.count();
        let attempts = self.ended.count() + self.undecided.count();
        let ledger = self.transferred.count() + self.kept.count();
        let events = self.events.count() + self.announced.count();
        transactions + attempts + ledger + events + self.settled.count()
    }

    fn statement(mut self, instance: Option<i64>) -> super::columns::Statement<'a> {
        let providers = [&mut self.ended, &mut self.undecided].map(NewAttemptColumns::providers);
        let (counted_from, spent) = self.kept.spending();
        let [purchase_macs, progress_macs] = self.begun.macs();
        let moved_macs = self.moved.macs();
        let wallet_macs = self.kept.macs();
        let statement = self.begun.bind(sqlx::query(WRITE));
        let statement = self.moved.bind(statement);
        let statement = self.ended.bind_ended(statement);
        let statement = statement.bind(self.decided.0).bind(self.decided.1);
        let statement = self.undecided.bind_open(statement).bind(instance);
        let statement = self.transferred.bind(statement);
        let statement = self.events.bind(statement);
        let statement = self.kept.bind(statement);
        let statement = self.settled.bind(self.announced.bind(statement));
        let statement = providers.into_iter().fold(statement, Query::bind);
        let statement = statement.bind(counted_from).bind(spent);
        let statement = statement.bind(purchase_macs).bind(progress_macs);
        statement.bind(moved_macs).bind(wallet_macs)
    }
}

fn unowned() -> PortError {
    PortError::new(PART, "a funding is on no statement")
}
