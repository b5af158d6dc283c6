//! Writing batches, after their payments. It must write both tables in the step that writes those.

use super::columns::{BatchColumns, BatchItemColumns};
use super::save::insert;
use sqlx::postgres::PgConnection;
use storage_sql::group_commit::CommitError;

/// Adds batches. It and the next are statements of their own because few batches of change sets
/// have any.
pub(crate) const BATCHES: &str = "
    INSERT INTO batches (
        account, number, reference, idempotency_key, request_fingerprint, kind, on_failure,
        payments, currency, total, price, opened_at
    )
    SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::text[],
        $8::integer[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[]
    )";

/// Adds the payments of batches.
pub(crate) const BATCH_ITEMS: &str = "
    INSERT INTO batch_items (account, batch, position, transaction)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::smallint[], $4::bigint[])";

/// Writes batches and their payments, where there are any.
pub(super) async fn write(
    connection: &mut PgConnection,
    (batches, items): (BatchColumns<'_>, BatchItemColumns<'_>),
) -> Result<(), CommitError> {
    let what = (batches.count(), "write batches");
    insert(connection, batches.bind(sqlx::query(BATCHES)), what).await?;
    let what = (items.count(), "write the payments of batches");
    insert(connection, items.bind(sqlx::query(BATCH_ITEMS)), what).await
}
