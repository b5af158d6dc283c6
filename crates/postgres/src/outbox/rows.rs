//! Rows of deliveries, by position. The columns and their positions must be read side by side.

use crate::error::failed;
use crate::rows::{TRANSACTION_COLUMNS, transaction_row};
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::DeliveryRow;

/// The columns of [`delivery`], of a table or alias `d`, and of its transaction `t`: as it was
/// bought, and as it was after the event; and of its incoming message `i`. What a
/// transaction was has no authentication codes.
macro_rules! delivery_columns {
    () => {
        "d.account, d.endpoint, d.number, d.sequence, d.topic, d.at, d.about, d.shown, \
         d.attempts, d.replay_count, d.due_at, d.delivered_at, d.parked_at, d.requested, \
         d.currency, \
         t.number, t.account, t.reference, t.idempotency_key, t.request_fingerprint, \
         t.provider, d.state, \
         t.purchase, d.progress, d.version, d.sequence, t.opened_at, d.updated_at, t.token, \
         NULL, NULL, i.message"
    };
}
pub(super) use delivery_columns;

/// The incoming message `i` of delivery `d`, where its event is about one.
macro_rules! incoming_of_delivery {
    () => {
        " LEFT JOIN incoming_messages AS i ON i.account = ANY (ARRAY[d.account]) \
         AND i.number = d.number AND d.topic = 'message.received' "
    };
}
pub(super) use incoming_of_delivery;

/// Where among them the columns of the transaction begin.
const TRANSACTION: usize = 15;

/// Where the incoming message is.
const INCOMING: usize = TRANSACTION + TRANSACTION_COLUMNS;

/// How many columns those are.
pub(super) const DELIVERY_COLUMNS: usize = INCOMING + 1;

/// The columns, from column `first` on.
pub(super) fn delivery(row: &PgRow, first: usize) -> Result<DeliveryRow, PortError> {
    let read = || {
        let sequence = i64::from(row.try_get::<i32, _>(first + 3)?);
        let transaction = if sequence > 0 {
            Some(transaction_row(row, first + TRANSACTION)?)
        } else {
            None
        };
        Ok(DeliveryRow {
            account: row.try_get(first)?,
            endpoint: row.try_get(first + 1)?,
            number: row.try_get(first + 2)?,
            sequence,
            topic: row.try_get(first + 4)?,
            at: row.try_get(first + 5)?,
            about: row.try_get(first + 6)?,
            shown: row.try_get(first + 7)?,
            attempts: i64::from(row.try_get::<i32, _>(first + 8)?),
            round: i64::from(row.try_get::<i32, _>(first + 9)?),
            due_at: row.try_get(first + 10)?,
            delivered_at: row.try_get(first + 11)?,
            parked_at: row.try_get(first + 12)?,
            requested: row.try_get(first + 13)?,
            currency: row.try_get(first + 14)?,
            transaction,
            incoming: row.try_get(first + INCOMING)?,
        })
    };
    read().map_err(failed("read a delivery"))
}
