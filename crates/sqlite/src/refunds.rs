//! Refunds that merchants ask for, and what operators decide of them. They must be written through
//! the one writer, like accounts.

use crate::batches::{in_direction, integer};
use crate::error::{failed, wrote};
use crate::store::SqliteStore;
use crate::writer::SqliteWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{RefundDecision, RefundRequest, RefundState};
use ports::PortError;
use ports::batches::PageOf;
use ports::refunds::{RefundCreation, RefundDeciding, RefundPage, Refunds};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::{RefundDecisionRow, RefundObstacles, RefundRow, refund_obstacle};

/// The columns that [`refund_row`] reads, each refund with what was decided, and with what the
/// ledger says of its payment: what the gateway gave back, and what the provider did.
macro_rules! refunds {
    () => {
        "SELECT r.account, r.number, r.reference, r.original, r.payment, r.amount, r.currency,
            r.is_whole, r.reason, r.forced, r.created_at, d.verdict, d.decided_by, d.confirmed_by,
            d.at, g.amount, g.at, v.amount, v.at
        FROM refunds AS r
        LEFT JOIN refund_decisions AS d ON d.account = r.account AND d.number = r.number
        LEFT JOIN transactions AS t ON t.account = r.account AND t.number = r.payment
        LEFT JOIN transfers AS g ON g.transaction_id = t.id AND g.kind = 'refund'
        LEFT JOIN transfers AS v ON v.transaction_id = t.id AND v.kind = 'reversal'"
    };
}

/// What stands in the way of a refund: no such account, its number, its reference, another refund
/// of the payment that was not refused, and how many wait. One row.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        EXISTS (SELECT 1 FROM refunds WHERE account = ?1 AND number = ?2),
        EXISTS (SELECT 1 FROM refunds WHERE account = ?1 AND reference = ?3),
        EXISTS (
            SELECT 1 FROM refunds AS r
            LEFT JOIN refund_decisions AS d ON d.account = r.account AND d.number = r.number
            WHERE r.account = ?1 AND r.payment = ?4
                AND coalesce(d.verdict, r.forced, '') <> 'refused'
        ),
        (
            SELECT count(*) FROM refunds AS r
            WHERE r.account = ?1 AND r.forced IS NULL AND NOT EXISTS (
                SELECT 1 FROM refund_decisions AS d
                WHERE d.account = r.account AND d.number = r.number
            ) AND NOT EXISTS (
                SELECT 1 FROM transactions AS t
                JOIN transfers AS v ON v.transaction_id = t.id AND v.kind = 'reversal'
                WHERE t.account = r.account AND t.number = r.payment
            )
        )";

pub(crate) const INSERT: &str = "
    INSERT INTO refunds (
        account, number, reference, original, payment, amount, currency, is_whole, reason, forced,
        created_at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

/// Whether there is such a refund, and whether it was decided.
pub(crate) const DECIDED: &str = "
    SELECT r.forced IS NOT NULL OR d.account IS NOT NULL
    FROM refunds AS r
    LEFT JOIN refund_decisions AS d ON d.account = r.account AND d.number = r.number
    WHERE r.account = ?1 AND r.number = ?2";

pub(crate) const DECIDE: &str = "
    INSERT INTO refund_decisions (account, number, verdict, decided_by, confirmed_by, at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

pub(crate) const BY_REFERENCE: &str =
    concat!(refunds!(), " WHERE r.account = ?1 AND r.reference = ?2");

pub(crate) const BY_NUMBER: &str = concat!(refunds!(), " WHERE r.account = ?1 AND r.number = ?2");

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        refunds!(),
        " WHERE r.account = ?1 ORDER BY r.created_at, r.number LIMIT ?3 OFFSET ?2"
    ),
    concat!(
        refunds!(),
        " WHERE r.account = ?1 ORDER BY r.created_at DESC, r.number DESC LIMIT ?3 OFFSET ?2"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM refunds WHERE account = ?1";

/// Those that are neither given nor refused, of one account or all. Operators ask for them, now and
/// then.
const WAITING: &str = concat!(
    refunds!(),
    " WHERE (?1 IS NULL OR r.account = ?1)
        AND coalesce(d.verdict, r.forced, '') <> 'refused' AND g.amount IS NULL AND v.amount IS NULL
    ORDER BY r.created_at, r.account, r.number LIMIT ?2"
);

#[async_trait]
impl Refunds for SqliteStore {
    async fn create_refund(&self, refund: &RefundRequest) -> Result<RefundCreation, PortError> {
        let refund = refund.clone();
        self.writer
            .alone(move |writer| Box::pin(writer.create_refund(refund)))
            .await?
    }

    async fn decide_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        decision: &RefundDecision,
    ) -> Result<RefundDeciding, PortError> {
        let (owner, decision) = (account.clone(), decision.clone());
        self.writer
            .alone(move |writer| Box::pin(writer.decide_refund(owner, number, decision)))
            .await?
    }

    async fn refund(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<RefundState>, PortError> {
        let found = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find a refund"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn numbered_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<RefundState>, PortError> {
        let found = sqlx::query(BY_NUMBER)
            .bind(account.as_str())
            .bind(integer(number.get()))
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find a refund by its number"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn refunds(&self, account: &AccountId, page: PageOf) -> Result<RefundPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(integer(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the refunds of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .await
            .map_err(failed("count the refunds of an account"))?;
        Ok(RefundPage {
            refunds: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn waiting_refunds(
        &self,
        account: Option<&AccountId>,
        limit: u32,
    ) -> Result<Vec<RefundState>, PortError> {
        let rows = sqlx::query(WAITING)
            .bind(account.map(AccountId::as_str))
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list the refunds that wait"))?;
        rows.iter().map(restored).collect()
    }
}

impl SqliteWriter {
    async fn create_refund(&mut self, refund: RefundRequest) -> Result<RefundCreation, PortError> {
        let row = RefundRow::of(&refund);
        let mut step = self.step().await?;
        let found: RefundObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(row.payment)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a refund"))?;
        if let Some(obstacle) = refund_obstacle(found) {
            return Ok(obstacle);
        }
        let inserted = sqlx::query(INSERT)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(&row.original)
            .bind(row.payment)
            .bind(row.amount)
            .bind(&row.currency)
            .bind(row.is_whole)
            .bind(&row.reason)
            .bind(&row.forced)
            .bind(row.created_at)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a refund"))?;
        wrote(inserted.rows_affected(), 1, "insert a refund")?;
        step.commit().await.map_err(failed("commit a refund"))?;
        Ok(RefundCreation::Done)
    }

    async fn decide_refund(
        &mut self,
        account: AccountId,
        number: TransactionNumber,
        decision: RefundDecision,
    ) -> Result<RefundDeciding, PortError> {
        let row = RefundDecisionRow::of(&decision);
        let mut step = self.step().await?;
        let found: Option<bool> = sqlx::query_scalar(DECIDED)
            .bind(account.as_str())
            .bind(integer(number.get()))
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look for the decision of a refund"))?;
        match found {
            None => return Ok(RefundDeciding::Unknown),
            Some(true) => return Ok(RefundDeciding::Decided),
            Some(false) => {}
        }
        let inserted = sqlx::query(DECIDE)
            .bind(account.as_str())
            .bind(integer(number.get()))
            .bind(&row.verdict)
            .bind(&row.decided_by)
            .bind(&row.confirmed_by)
            .bind(row.at)
            .execute(&mut *step)
            .await
            .map_err(failed("insert the decision of a refund"))?;
        wrote(
            inserted.rows_affected(),
            1,
            "insert the decision of a refund",
        )?;
        let committed = step.commit().await;
        committed.map_err(failed("commit the decision of a refund"))?;
        Ok(RefundDeciding::Done)
    }
}

fn restored(row: &SqliteRow) -> Result<RefundState, PortError> {
    refund_row(row).map_err(failed("read a refund"))?.restore()
}

fn refund_row(row: &SqliteRow) -> Result<RefundRow, sqlx::Error> {
    let verdict: Option<String> = row.try_get(11)?;
    let decision = match verdict {
        None => None,
        Some(verdict) => Some(RefundDecisionRow {
            verdict,
            decided_by: row.try_get(12)?,
            confirmed_by: row.try_get(13)?,
            at: row.try_get(14)?,
        }),
    };
    let (credited, credited_at): (Option<i64>, Option<i64>) = (row.try_get(15)?, row.try_get(16)?);
    let (returned, returned_at): (Option<i64>, Option<i64>) = (row.try_get(17)?, row.try_get(18)?);
    Ok(RefundRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        reference: row.try_get(2)?,
        original: row.try_get(3)?,
        payment: row.try_get(4)?,
        amount: row.try_get(5)?,
        currency: row.try_get(6)?,
        is_whole: row.try_get(7)?,
        reason: row.try_get(8)?,
        forced: row.try_get(9)?,
        created_at: row.try_get(10)?,
        decision,
        credited: credited.zip(credited_at),
        returned: returned.zip(returned_at),
    })
}
