//! What a batch writes, column by column, as the arrays that the statement takes apart again. It
//! must not decide anything: every row is one the plan holds.

mod batches;
mod deliveries;
mod ledger;
mod transactions;

pub(super) use batches::{BatchColumns, BatchItemColumns};
pub(super) use deliveries::DeliveryColumns;
pub(super) use ledger::{
    FundingColumns, SettlementColumns, TransferColumns, UserCreditColumns, WalletColumns,
};
pub(super) use transactions::{
    EventColumns, NewAttemptColumns, NewTransactionColumns, QueueColumns, RequeueColumns,
    UpdatedTransactionColumns,
};

use crate::error::PART;
use ports::PortError;
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;

pub(crate) type Statement<'q> = Query<'q, Postgres, PgArguments>;

fn json<T: serde::Serialize>(record: &T) -> Result<String, PortError> {
    serde_json::to_string(record).map_err(|error| PortError::caused(PART, "encode a record", error))
}
