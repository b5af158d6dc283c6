//! Finding transactions by reference. A lookup must read nothing that is not committed.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::gathered::QueuedQuery;
use crate::rows::{TRANSACTION_COLUMNS, stored, transaction_columns};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::record::TransactionRow;

/// Each transaction that is there, with the place of its question.
pub(crate) const FIND: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    ", wanted.place
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (account, reference, place)
    JOIN transactions AS t ON t.account = ANY (ARRAY[wanted.account COLLATE \"POSIX\"])
        AND t.reference = wanted.reference"
);

/// Asks for the transaction an account made under a reference.
pub(crate) struct StoreLookup {
    pub(crate) account: AccountId,
    pub(crate) reference: MerchantReference,
}

#[async_trait]
impl QueuedQuery for StoreLookup {
    type Answer = Option<TransactionRow>;

    async fn ask(
        connection: &mut PgConnection,
        questions: &[Self],
    ) -> Result<Vec<Self::Answer>, PortError> {
        let columns: (Vec<&str>, Vec<&str>) = questions
            .iter()
            .map(|question| (question.account.as_str(), question.reference.as_str()))
            .unzip();
        let rows = sqlx::query(FIND)
            .bind(columns.0)
            .bind(columns.1)
            .fetch_all(connection)
            .in_time()
            .await
            .map_err(failed("find transactions by reference"))?;
        let mut found = Vec::new();
        found.resize_with(questions.len(), || None);
        for row in &rows {
            let place = place(row).map_err(failed("read the place of a transaction"))?;
            if let Some(slot) = found.get_mut(place) {
                *slot = Some(stored(row)?);
            }
        }
        Ok(found)
    }
}

/// Places are counted from 1.
fn place(row: &PgRow) -> Result<usize, sqlx::Error> {
    let place: i64 = row.try_get(TRANSACTION_COLUMNS)?;
    Ok(usize::try_from(place).unwrap_or_default().wrapping_sub(1))
}
