//! Gives rows of before there were authentication codes theirs. A wallet that is not what its
//! transfers leave must get none: payments from it stay refused until a person has looked at it.

use crate::error::failed;
use crate::rows::{json, transaction_columns, transaction_row, wallet_row};
use crate::store::SqliteStore;
use ports::PortError;
use sqlx::Connection;
use sqlx::sqlite::SqliteConnection;
use std::collections::HashSet;
use std::sync::Arc;
use storage_sql::row_macs::{
    AuthenticatedRows, RowAuthenticity, RowMacs, RowsWithoutCode, WalletValues,
};

const IS_DONE: &str = "SELECT EXISTS (SELECT 1 FROM rows_authenticated)";

/// Every wallet with its code.
pub(crate) const WALLETS: &str = "
    SELECT w.account, a.environment, w.currency, w.available, w.held, w.debits, w.credits,
        w.counted_from, w.spent, w.frozen, w.mac
    FROM wallets AS w JOIN accounts AS a ON a.id = w.account";

/// The account and currency of each wallet that is not the sum of the transfers that touch it.
const UNBALANCED: &str = "
    WITH legs AS (
        SELECT debit_holder AS holder, currency, debit_kind AS kind, -amount AS amount
        FROM transfers WHERE debit_kind IN ('available', 'held')
        UNION ALL
        SELECT credit_holder, currency, credit_kind, amount
        FROM transfers WHERE credit_kind IN ('available', 'held')
    ),
    booked AS (
        SELECT holder, currency,
            sum(CASE kind WHEN 'available' THEN amount ELSE 0 END) AS available,
            sum(CASE kind WHEN 'held' THEN amount ELSE 0 END) AS held
        FROM legs GROUP BY holder, currency
    )
    SELECT w.account, w.currency FROM wallets AS w
    LEFT JOIN booked AS b ON b.holder = w.account AND b.currency = w.currency
    WHERE w.available <> coalesce(b.available, 0) OR w.held <> coalesce(b.held, 0)";

const SET_WALLETS: &str = "
    UPDATE wallets SET mac = given.value ->> 2
    FROM json_each(?1) AS given
    WHERE wallets.account = given.value ->> 0 AND wallets.currency = given.value ->> 1";

/// Transactions of one step; each step is short, and what was done is kept if the process ends. One
/// that is moved on meanwhile is given its codes by the process that does it.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE t.id > ?1 ORDER BY t.id LIMIT 10000"
);

const SET_TRANSACTIONS: &str = "
    UPDATE transactions SET
        purchase_mac = given.value ->> 1,
        progress_mac = given.value ->> 2
    FROM json_each(?1) AS given
    WHERE transactions.id = given.value ->> 0 AND transactions.version = given.value ->> 3";

const DONE: &str = "INSERT OR IGNORE INTO rows_authenticated VALUES (1, unixepoch() * 1000)";

impl SqliteStore {
    /// Gives rows their authentication codes. Every row must have its own: one without is refused.
    /// The key ring must be the one that the file was used with.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub async fn authenticate_rows(
        &self,
        which: RowsWithoutCode,
    ) -> Result<AuthenticatedRows, PortError> {
        let cipher = Arc::clone(&self.cipher);
        self.writer
            .alone(move |writer| {
                Box::pin(async move { complete(writer.connection(), cipher.macs(), which).await })
            })
            .await?
    }
}

async fn complete(
    connection: &mut SqliteConnection,
    macs: &RowMacs,
    which: RowsWithoutCode,
) -> Result<AuthenticatedRows, PortError> {
    let was_done = is_done(connection).await?;
    let mut given = AuthenticatedRows {
        was_done,
        ..AuthenticatedRows::default()
    };
    if was_done && which == RowsWithoutCode::Earlier {
        return Ok(given);
    }
    given.transactions = transactions(connection, macs).await?;
    let step = connection.begin_with("BEGIN IMMEDIATE").await;
    let mut step = step.map_err(failed("begin to authenticate wallets"))?;
    wallets(&mut step, macs, &mut given).await?;
    sqlx::query(DONE)
        .execute(&mut *step)
        .await
        .map_err(failed("note that rows are authenticated"))?;
    step.commit()
        .await
        .map_err(failed("commit the codes of wallets"))?;
    Ok(given)
}

/// Whether every row has been given its code.
pub(crate) async fn is_done(connection: &mut SqliteConnection) -> Result<bool, PortError> {
    let done = sqlx::query_scalar(IS_DONE).fetch_one(connection).await;
    done.map_err(failed("look whether rows are authenticated"))
}

async fn wallets(
    connection: &mut SqliteConnection,
    macs: &RowMacs,
    given: &mut AuthenticatedRows,
) -> Result<(), PortError> {
    given.unbalanced = sqlx::query_as(UNBALANCED)
        .fetch_all(&mut *connection)
        .await
        .map_err(failed("compare wallets with their transfers"))?;
    let unbalanced: HashSet<_> = given.unbalanced.iter().cloned().collect();
    let stored = sqlx::query(WALLETS).fetch_all(&mut *connection).await;
    let mut codes = Vec::new();
    for row in &stored.map_err(failed("read the wallets"))? {
        let row = wallet_row(row)?;
        let frozen = row.frozen_services();
        let is_confirmed = macs.check_wallet(&row) == RowAuthenticity::Confirmed;
        let code = macs.wallet(&WalletValues::stored(&row, &frozen))?;
        let wallet = (row.id, row.currency);
        // Whatever code an unbalanced one has, it counts no more.
        if unbalanced.contains(&wallet) {
            codes.push((wallet.0, wallet.1, None));
        } else if !is_confirmed {
            given.wallets = given.wallets.saturating_add(1);
            codes.push((wallet.0, wallet.1, Some(code)));
        }
    }
    let set = sqlx::query(SET_WALLETS)
        .bind(json(&codes)?)
        .execute(connection);
    set.await
        .map_err(failed("authenticate the wallets"))
        .map(drop)
}

/// Answers how many were given their codes.
async fn transactions(connection: &mut SqliteConnection, macs: &RowMacs) -> Result<u64, PortError> {
    let (mut after, mut added) = (0_i64, 0_u64);
    loop {
        let page = sqlx::query(PAGE)
            .bind(after)
            .fetch_all(&mut *connection)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        let mut given = Vec::with_capacity(page.len());
        for row in &page {
            let row = transaction_row(row, 0).map_err(failed("read a transaction"))?;
            after = row.id;
            if macs.check_transaction(&row) != RowAuthenticity::Confirmed {
                let [purchase, progress] = macs.transaction(&row)?;
                given.push((row.id, purchase, progress, row.version));
            }
        }
        if page.is_empty() {
            return Ok(added);
        }
        let set = sqlx::query(SET_TRANSACTIONS)
            .bind(json(&given)?)
            .execute(&mut *connection)
            .await;
        let set = set.map_err(failed("authenticate transactions"))?;
        added = added.saturating_add(set.rows_affected());
    }
}
