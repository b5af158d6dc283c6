//! Claiming what is due. A claim must change nothing but when the transaction is due again.

use crate::error::{failed, wrote};
use crate::rows::{TRANSACTION_COLUMNS, authentic_transaction, json, transaction_columns};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::transactions::{AttemptKey, Claim, ClaimableTransfer, ClaimedPlace, Leases};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use std::time::Duration;
use storage_sql::fair_share::QUEUE_WINDOW;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::readable;
use storage_sql::record::payee;

pub(crate) const DUE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE t.due_at <= ?1 ORDER BY t.due_at, t.id LIMIT ?2"
);

pub(crate) const LEASE: &str = "
    UPDATE transactions SET due_at = ?2, leased = 1
    WHERE id IN (SELECT value FROM json_each(?1))";

/// The first `?2` places that are due at `?1` when accounts take turns among what is looked at: the
/// first `?3` of them, the last where there are as many, and where there are still more as many
/// between, due at `?4` or later; what is found of the accounts `?5` is passed over. Each with up
/// to which due time it has looked there, unless it came to the last; where there is none, in a row
/// of its own.
pub(crate) const TURNS: &str = "
    WITH first AS MATERIALIZED (
        SELECT transaction_id, due_at FROM queue
        WHERE due_at <= ?1 ORDER BY due_at, transaction_id LIMIT ?3
    ),
    last AS MATERIALIZED (
        SELECT transaction_id, due_at FROM queue
        WHERE due_at <= ?1 AND (SELECT count(*) FROM first) >= ?3
        ORDER BY due_at DESC, transaction_id DESC LIMIT ?3
    ),
    middle AS MATERIALIZED (
        SELECT transaction_id, due_at FROM queue
        WHERE due_at >= max(?4, (SELECT max(due_at) FROM first)) AND due_at <= ?1
            AND (SELECT count(*) FROM last) >= ?3
        ORDER BY due_at, transaction_id LIMIT ?3
    ),
    turns AS (
        SELECT t.id, found.due_at,
            row_number() OVER (PARTITION BY t.account ORDER BY found.due_at, t.id) AS turn
        FROM (
            SELECT * FROM first UNION SELECT * FROM middle UNION SELECT * FROM last
        ) AS found
        CROSS JOIN transactions AS t ON t.id = found.transaction_id
        WHERE t.account NOT IN (SELECT value FROM json_each(?5))
    )
    SELECT page.id, looked.until
    FROM (
        SELECT CASE WHEN max(due_at) < (SELECT min(due_at) FROM last) THEN max(due_at) END AS until
        FROM middle
    ) AS looked
    LEFT JOIN turns AS page ON true
    ORDER BY page.turn, page.due_at, page.id LIMIT ?2";

/// What of `?3` is still due at `?1`, in the order that it is named in, at most `?2`.
pub(crate) const QUEUED: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", q.confirmed FROM json_each(?3) AS chosen
    CROSS JOIN queue AS q ON q.transaction_id = chosen.value AND q.due_at <= ?1
    CROSS JOIN transactions AS t ON t.id = q.transaction_id
    ORDER BY chosen.key LIMIT ?2"
);

pub(crate) const LEASE_QUEUED: &str = "
    UPDATE queue SET due_at = ?2, leased = 1
    WHERE transaction_id IN (SELECT value FROM json_each(?1))";

/// What was claimed of the queue and not sent by a process that is gone.
pub(crate) const RECLAIM_QUEUED: &str = "
    UPDATE queue SET due_at = ?1, leased = 0 WHERE due_at > ?1 AND leased = 1";

/// What is being sent belongs to the process that sends it, claimed or not.
pub(crate) const RECLAIM: &str = "
    UPDATE transactions SET due_at = ?1, leased = 0
    WHERE due_at > ?1 AND (leased = 1 OR state = 'sending')";

pub(crate) const BOUND: &str = "UPDATE transactions SET due_at = ?1 WHERE due_at > ?1";

/// What is claimed of the queue: when it may be sent is nothing that a clock has put off.
pub(crate) const BOUND_QUEUED: &str =
    "UPDATE queue SET due_at = ?1 WHERE due_at > ?1 AND leased = 1";

/// Queued transfers by the condition under which an account has the address they wait for.
macro_rules! claimable {
    ($column:literal, $claim:literal) => {
        concat!(
            "SELECT q.transaction_id, a.id AS payee, a.name AS payee_name
            FROM queue AS q
            CROSS JOIN transactions AS t ON t.id = q.transaction_id
            CROSS JOIN accounts AS p ON p.id = t.account AND p.status = 'active'
            CROSS JOIN accounts AS a ON a.environment = p.environment AND a.",
            $column,
            " = q.",
            $claim,
            " AND a.id <> t.account AND a.status = 'active'
            WHERE q.",
            $claim,
            " IS NOT NULL AND q.confirmed = 1"
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
    " LIMIT ?1) AS c CROSS JOIN transactions AS t ON t.id = c.transaction_id"
);

pub(crate) const UNCLAIMED: &str = "
    SELECT count(*) FROM (
        SELECT transaction_id FROM queue WHERE claim_email IS NOT NULL
        UNION ALL
        SELECT transaction_id FROM queue WHERE claim_phone IS NOT NULL
    ) AS q CROSS JOIN transactions AS t ON t.id = q.transaction_id
    WHERE t.account = ?1";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 9] = [
    BOUND,
    BOUND_QUEUED,
    DUE,
    LEASE,
    LEASE_QUEUED,
    QUEUED,
    RECLAIM,
    RECLAIM_QUEUED,
    TURNS,
];

#[async_trait]
impl Leases for SqliteStore {
    async fn claim_due(&self, claim: Claim) -> Result<Vec<Transaction>, PortError> {
        self.writer
            .alone(move |writer| {
                Box::pin(writer.claim((DUE, LEASE, authentic_transaction), (claim, None)))
            })
            .await?
    }

    async fn claim_queued(
        &self,
        claim: Claim,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError> {
        // Chosen without the one writer, which payments wait for.
        let chosen = self.turns(claim, except).await?;
        if chosen.is_empty() {
            return Ok(Vec::new());
        }
        let chosen = Some(json(&chosen)?);
        self.writer
            .alone(move |writer| {
                Box::pin(writer.claim((QUEUED, LEASE_QUEUED, place), (claim, chosen)))
            })
            .await?
    }

    async fn claimable(&self, limit: u32) -> Result<Vec<ClaimableTransfer>, PortError> {
        let found = sqlx::query(CLAIMABLE)
            .bind(i64::from(limit))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("find transfers whose account is known now"))?;
        let what = "a transfer whose account is known now cannot be paid";
        let found = found.iter().map(|row| claimable(row, &self.cipher));
        Ok(readable(found, what).collect())
    }

    async fn unclaimed(&self, account: &AccountId) -> Result<u64, PortError> {
        let count: i64 = sqlx::query_scalar(UNCLAIMED)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .await
            .map_err(failed("count transfers that wait for an account"))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    async fn reclaim_orphans(&self, now: Timestamp) -> Result<u64, PortError> {
        self.writer
            .alone(move |writer| Box::pin(writer.make_due([RECLAIM, RECLAIM_QUEUED], now)))
            .await?
    }

    async fn bound_due(&self, now: Timestamp, longest: Duration) -> Result<u64, PortError> {
        let latest = now.plus(longest);
        self.writer
            .alone(move |writer| Box::pin(writer.make_due([BOUND, BOUND_QUEUED], latest)))
            .await?
    }

    /// One process owns this store: no other can take an attempt over, and the recovery of this one
    /// leaves alone what it is sending. There is no clock but that of this machine to ask, and a
    /// read would cost each payment more than it could find out.
    async fn may_send(&self, _attempt: &AttemptKey) -> Result<bool, PortError> {
        Ok(true)
    }
}

/// Reads a row that was claimed.
type Read<T> = fn(&SqliteRow, &FieldCipher) -> Result<T, PortError>;

fn place(row: &SqliteRow, cipher: &FieldCipher) -> Result<ClaimedPlace, PortError> {
    Ok(ClaimedPlace {
        transaction: authentic_transaction(row, cipher)?,
        is_confirmed: row
            .try_get(TRANSACTION_COLUMNS)
            .map_err(failed("read a place in the queue"))?,
    })
}

fn claimable(row: &SqliteRow, cipher: &FieldCipher) -> Result<ClaimableTransfer, PortError> {
    let at = |offset| row.try_get(TRANSACTION_COLUMNS + offset);
    let name = || Ok((at(0)?, at(1)?));
    let (id, name): (String, String) = name().map_err(failed("read who is paid"))?;
    Ok(ClaimableTransfer {
        transaction: authentic_transaction(row, cipher)?,
        payee: payee(&id, &name)?,
    })
}

impl SqliteStore {
    /// What a claim may take of the queue, in the order of the turns.
    async fn turns(&self, claim: Claim, except: &[AccountId]) -> Result<Vec<i64>, PortError> {
        let except = except.iter().map(AccountId::as_str).collect::<Vec<_>>();
        let from = self.pass.from();
        let chosen: Vec<(Option<i64>, Option<i64>)> = sqlx::query_as(TURNS)
            .bind(claim.now.as_millis())
            .bind(i64::from(claim.limit))
            .bind(QUEUE_WINDOW)
            .bind(from)
            .bind(json(&except)?)
            .fetch_all(&self.reads)
            .await
            .map_err(failed("look at what is queued"))?;
        if let Some((_, until)) = chosen.first() {
            self.pass.reached(from, *until);
        }
        Ok(chosen.into_iter().filter_map(|(id, _)| id).collect())
    }
}

impl SqliteWriter {
    /// Finds with the first statement, among what was chosen where something was, leases with the
    /// second, and reads what was found.
    async fn claim<T>(
        &mut self,
        (find, lease, read): (&'static str, &'static str, Read<T>),
        (claim, chosen): (Claim, Option<String>),
    ) -> Result<Vec<T>, PortError> {
        let cipher = self.cipher();
        let mut step = self.step().await?;
        let mut find = sqlx::query(find)
            .bind(claim.now.as_millis())
            .bind(i64::from(claim.limit));
        if let Some(chosen) = chosen {
            find = find.bind(chosen);
        }
        let due = find
            .fetch_all(&mut *step)
            .await
            .map_err(failed("find what is due"))?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let ids = due
            .iter()
            .map(|row| row.try_get(0))
            .collect::<Result<Vec<i64>, _>>();
        let ids = ids.map_err(failed("read what is due"))?;
        let leased = sqlx::query(lease)
            .bind(json(&ids)?)
            .bind(claim.now.plus(claim.lease).as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("lease what is due"))?;
        wrote(leased.rows_affected(), ids.len(), "lease what is due")?;
        step.commit().await.map_err(failed("commit a claim"))?;
        let what = "a transaction that is due cannot be followed up";
        let due = due.iter().map(|row| read(row, &cipher));
        Ok(readable(due, what).collect())
    }

    /// Makes due at a moment what each of the statements finds, in one step; answers how much.
    async fn make_due(
        &mut self,
        statements: [&'static str; 2],
        moment: Timestamp,
    ) -> Result<u64, PortError> {
        let mut step = self.step().await?;
        let mut count = 0_u64;
        for statement in statements {
            let done = sqlx::query(statement)
                .bind(moment.as_millis())
                .execute(&mut *step)
                .await
                .map_err(failed("change what is due"))?;
            count = count.saturating_add(done.rows_affected());
        }
        step.commit().await.map_err(failed("commit what is due"))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cipher::cipher;
    use crate::store::SqliteOptions;
    use std::collections::BTreeSet;
    use testkit::builders::at;

    /// 9,000 places of one account, then three of another, then 5,000 of the first.
    const CROWD: &str = "
        PRAGMA foreign_keys = OFF;
        INSERT INTO transactions (
            id, number, account, reference, service, provider, state, currency, amount, price,
            cost, fee, vat, levy, version, sequence, opened_at, updated_at, purchase, progress
        )
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 14003)
        SELECT n, n, iif(n BETWEEN 9001 AND 9003, 'other', 'shop'), 'order-' || n, 'airtime',
            'sandbox', 'queued', 'NGN', 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, '{}', '{}'
        FROM n;
        INSERT INTO queue (transaction_id, due_at) SELECT id, id FROM transactions;";

    /// As where an instance comes back after all of it became due.
    #[tokio::test]
    async fn what_is_far_from_both_ends_is_come_to_by_later_claims() {
        let dir = tempfile::tempdir().unwrap();
        let store = SqliteStore::connect(dir.path(), SqliteOptions::default(), cipher())
            .await
            .unwrap();
        let filled = store
            .writer
            .alone(|writer| Box::pin(sqlx::raw_sql(CROWD).execute(writer.connection())));
        filled.await.unwrap().unwrap();
        let claim = Claim {
            now: at(60),
            lease: Duration::from_mins(1),
            limit: 8,
        };
        let of_other = BTreeSet::from([9_001, 9_002, 9_003]);
        let mut found = Vec::new();
        for _ in 0..4 {
            let chosen = store.turns(claim, &[]).await.unwrap();
            assert_eq!(chosen.len(), 8);
            assert_eq!(chosen[0], 1);
            found.push(chosen.iter().filter(|id| of_other.contains(id)).count());
        }
        // Places 4,096 to 8,191 are looked at first, then those up to 12,286, and again.
        assert_eq!(found, [0, 3, 0, 3]);
        store.close().await;
    }
}
