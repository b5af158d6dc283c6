//! Writing the queue: places that are added, changed and taken away. They are statements of their
//! own because few batches have any.

use super::RowIds;
use super::rows::QueueRow;
use super::save::row_id;
use crate::error::{refused, wrote};
use crate::rows::json;
use domain::change_set::Opening;
use ports::PortError;
use sqlx::sqlite::SqliteConnection;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::BatchPlan;

/// Adds places, each after its transaction, changes others and takes some away.
pub(crate) const QUEUE: &str = "
    INSERT INTO queue (transaction_id, due_at, claim_email, claim_phone, awaits_approval)
    SELECT value ->> 'transaction_id', value ->> 'due_at', value ->> 'email', value ->> 'phone',
        value ->> 'awaits_approval'
    FROM jsonb_each(?);

    UPDATE queue SET
        due_at = again.value ->> 'due_at', leased = 0,
        awaits_approval = again.value ->> 'awaits_approval'
    FROM jsonb_each(?) AS again
    WHERE queue.transaction_id = again.value ->> 'transaction_id';

    DELETE FROM queue WHERE transaction_id IN (SELECT value FROM jsonb_each(?))";

/// What a plan changes of the queue.
pub(super) struct QueueRows<'a> {
    added: Vec<QueueRow<'a>>,
    changed: Vec<QueueRow<'a>>,
    taken: Vec<i64>,
}

impl<'a> QueueRows<'a> {
    /// What stays in the queue and what leaves it.
    pub(super) fn of(plan: &'a BatchPlan<'a>, ids: &RowIds) -> Result<Self, PortError> {
        let changed = plan.requeued.iter().map(|(tx, due_at)| {
            let id = row_id(ids, (&tx.account, tx.number))?;
            Ok(QueueRow::again(id, (tx, *due_at)))
        });
        let taken = plan.unqueued.iter();
        let taken = taken.map(|tx| row_id(ids, (&tx.account, tx.number)));
        Ok(Self {
            added: Vec::new(),
            changed: changed.collect::<Result<_, PortError>>()?,
            taken: taken.collect::<Result<_, _>>()?,
        })
    }

    /// The place of what is opened, where it has one.
    pub(super) fn add(&mut self, transaction_id: i64, opening: &'a Opening) {
        self.added.extend(QueueRow::new(transaction_id, opening));
    }

    pub(super) async fn write(&self, connection: &mut SqliteConnection) -> Result<(), CommitError> {
        let count = self.added.len() + self.changed.len() + self.taken.len();
        if count == 0 {
            return Ok(());
        }
        let added = json(&self.added).map_err(CommitError::Unknown)?;
        let changed = json(&self.changed).map_err(CommitError::Unknown)?;
        let taken = json(&self.taken).map_err(CommitError::Unknown)?;
        let done = sqlx::query(QUEUE).bind(added).bind(changed).bind(taken);
        let done = done.execute(connection).await;
        let done = done.map_err(refused("write the queue"))?;
        wrote(done.rows_affected(), count, "write the queue").map_err(CommitError::Refused)
    }
}
