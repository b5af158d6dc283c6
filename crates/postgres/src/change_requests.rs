//! What operators ask for over HTTP. Requests of several instances must follow one another: the
//! number of the next is taken once.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::operations::change_request::ChangeRequest;
use ports::PortError;
use ports::change_requests::ChangeRequestStore;
use ports::operators::Appended;
use sqlx::error::DatabaseError;
use storage_sql::change_request_columns;
use storage_sql::record::{ChangeRequestColumns, change_request, change_request_columns};

/// Inserts nothing where it does not follow the last, or another instance was faster.
const INSERT: &str = "
    INSERT INTO change_requests (number, operator, at, action, subject, reason, signature)
    SELECT $1::bigint, $2, $3::bigint, $4, $5, $6, $7
    WHERE (SELECT coalesce(max(number), 0) FROM change_requests WHERE number > 0) = $1::bigint - 1
    ON CONFLICT (number) DO NOTHING";

const LAST_NUMBER: &str = "SELECT coalesce(max(number), 0) FROM change_requests WHERE number > 0";

const NEWEST: &str = concat!(
    "SELECT ",
    change_request_columns!(),
    " FROM change_requests
      WHERE number >
          (SELECT coalesce(max(number), 0) FROM change_requests WHERE number > 0) - $1::bigint
      ORDER BY number DESC"
);

const ONE: &str = concat!(
    "SELECT ",
    change_request_columns!(),
    " FROM change_requests WHERE number = $1"
);

/// `restrict_violation`, which the trigger raises.
const OUT_OF_TURN: &str = "23001";

/// The writer that takes requests is found by a name, as that of an account is.
const WRITER: &str = "operators";

/// Every statement here.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 4] = [INSERT, LAST_NUMBER, NEWEST, ONE];

#[async_trait]
impl ChangeRequestStore for PostgresStore {
    async fn append(&self, request: &ChangeRequest) -> Result<Appended, PortError> {
        let row = change_request_columns(request);
        let writer = AccountId::parse(WRITER);
        let writer = writer.map_err(|error| PortError::caused("postgres", WRITER, error))?;
        self.alone(&writer, move |writer| Box::pin(writer.append_request(row)))
            .await
    }

    async fn newest(&self, limit: u32) -> Result<Vec<ChangeRequest>, PortError> {
        let rows: Vec<ChangeRequestColumns> = sqlx::query_as(NEWEST)
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the requests of operators"))?;
        Ok(rows.into_iter().filter_map(change_request).collect())
    }

    async fn last_number(&self) -> Result<u64, PortError> {
        let last: i64 = sqlx::query_scalar(LAST_NUMBER)
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the requests of operators"))?;
        Ok(u64::try_from(last).unwrap_or_default())
    }

    async fn request(&self, number: u64) -> Result<Option<ChangeRequest>, PortError> {
        let row: Option<ChangeRequestColumns> = sqlx::query_as(ONE)
            .bind(i64::try_from(number).unwrap_or(i64::MAX))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("read a request of an operator"))?;
        Ok(row.and_then(change_request))
    }
}

/// Whether another instance stored one between the two looks at the last number, which the trigger
/// refused.
fn is_out_of_turn(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| code == OUT_OF_TURN)
}

impl PostgresWriter {
    async fn append_request(&mut self, row: ChangeRequestColumns) -> Result<Appended, PortError> {
        let (number, by, at, action, subject, reason, signature) = row;
        let mut step = self.step().await?;
        let inserted = sqlx::query(INSERT)
            .bind(number)
            .bind(by)
            .bind(at)
            .bind(action)
            .bind(subject)
            .bind(reason)
            .bind(signature)
            .execute(&mut *step)
            .await;
        if inserted.as_ref().is_err_and(is_out_of_turn) {
            return Ok(Appended::Behind);
        }
        let inserted = inserted.map_err(failed("store a request of an operator"))?;
        if inserted.rows_affected() == 0 {
            return Ok(Appended::Behind);
        }
        step.commit()
            .await
            .map_err(failed("commit a request of an operator"))?;
        Ok(Appended::Done)
    }
}
