//! Writing the queue: places that are added, changed and taken away, each with a statement of its
//! own because few batches have any. One that is not there any more was another writer's.

use super::columns::{QueueColumns, RequeueColumns};
use super::save::insert;
use crate::error::{PART, refused};
use domain::change_set::Opening;
use ports::PortError;
use sqlx::postgres::PgConnection;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::BatchPlan;

/// Adds places to the queue.
pub(crate) const QUEUE: &str = "
    INSERT INTO queue (account, transaction, due_at, claim_email, claim_phone, awaits_approval)
    SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::boolean[]
    )";

/// Changes when transactions that stay in the queue may be sent.
pub(crate) const REQUEUE: &str = "
    UPDATE queue AS q SET
        due_at = u.due_at, awaits_approval = u.awaits_approval, leased = false, instance = NULL
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[])
        AS u (account, transaction, due_at, awaits_approval)
    WHERE q.account = ANY (ARRAY[u.account]) AND q.transaction = u.transaction";

/// Takes places from the queue.
pub(crate) const UNQUEUE: &str = "
    DELETE FROM queue AS q
    USING unnest($1::text[], $2::bigint[]) AS u (account, transaction)
    WHERE q.account = ANY (ARRAY[u.account]) AND q.transaction = u.transaction";

/// What a plan changes of the queue.
#[derive(Default)]
pub(super) struct QueueRows<'a> {
    added: QueueColumns<'a>,
    changed: RequeueColumns<'a>,
    taken: (Vec<&'a str>, Vec<i64>),
}

impl<'a> QueueRows<'a> {
    /// The place of what is opened, where it has one.
    pub(super) fn add(&mut self, opening: &'a Opening) {
        self.added.push(opening);
    }

    /// What stays in the queue and what leaves it, in one order for all writers.
    pub(super) fn change(&mut self, plan: &'a BatchPlan<'a>) {
        let mut changed = plan.requeued.clone();
        changed.sort_by_key(|(tx, _)| (&tx.account, tx.number));
        for (tx, due_at) in changed {
            self.changed.push(tx, due_at);
        }
        let mut taken = plan.unqueued.clone();
        taken.sort_by_key(|tx| (&tx.account, tx.number));
        for tx in taken {
            self.taken.0.push(tx.account.as_str());
            self.taken.1.push(crate::rows::key(tx.number));
        }
    }
}

/// Writes what changes of the queue.
pub(super) async fn write(
    connection: &mut PgConnection,
    rows: QueueRows<'_>,
) -> Result<(), CommitError> {
    let QueueRows {
        added,
        changed,
        taken,
    } = rows;
    let what = (added.count(), "write the queue");
    insert(connection, added.bind(sqlx::query(QUEUE)), what).await?;
    let what = (changed.count(), "change the queue");
    rewrite(connection, changed.bind(sqlx::query(REQUEUE)), what).await?;
    let what = (taken.1.len(), "take from the queue");
    let statement = sqlx::query(UNQUEUE).bind(taken.0).bind(taken.1);
    rewrite(connection, statement, what).await
}

/// Changes places that must be there. Where one is not, another writer has sent, decided or
/// cancelled it, and the change sets are judged again.
async fn rewrite(
    connection: &mut PgConnection,
    statement: super::columns::Statement<'_>,
    (wanted, what): (usize, &str),
) -> Result<(), CommitError> {
    if wanted == 0 {
        return Ok(());
    }
    let written = statement.execute(connection).await;
    let written = written.map_err(refused(what))?.rows_affected();
    if usize::try_from(written) != Ok(wanted) {
        let what = format!("{what}: {written} places were there, not {wanted}");
        return Err(CommitError::Conflict(PortError::new(PART, what)));
    }
    Ok(())
}
