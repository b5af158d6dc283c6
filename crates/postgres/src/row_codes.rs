//! Gives rows of before there were authentication codes theirs, beside instances at work. A wallet
//! that is not what its transfers leave must get none: payments from it stay refused until a person
//! has looked at it.

use crate::connection;
use crate::error::failed;
use crate::rows::{stored, transaction_columns, wallet_row};
use crate::store::PostgresStore;
use ports::PortError;
use sqlx::Connection;
use sqlx::postgres::{PgConnection, PgExecutor};
use std::collections::HashSet;
use storage_sql::record::AccountRow;
use storage_sql::row_macs::{
    AuthenticatedRows, RowAuthenticity, RowMacs, RowsWithoutCode, WalletValues,
};

const ARE_REQUIRED: &str = "SELECT rows_authenticated_at IS NOT NULL FROM public.database_identity";

/// A page of transactions after an account and a number.
const PAGE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE (t.account, t.number) > ($1, $2)
    ORDER BY t.account, t.number LIMIT 1000"
);

/// One that was moved on meanwhile was given its codes by the instance that did it.
const SET_TRANSACTIONS: &str = "
    UPDATE transactions AS t SET purchase_mac = g.purchase_mac, progress_mac = g.progress_mac
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
        AS g (account, number, version, purchase_mac, progress_mac)
    WHERE t.account = g.account AND t.number = g.number AND t.version = g.version";

/// The wallets of accounts after one, locked in the order that all writers lock them in.
const WALLETS: &str = "
    SELECT w.account, a.environment, w.currency, w.available, w.held, w.debits, w.credits,
        w.counted_from, w.spent, w.frozen, w.mac
    FROM wallets AS w JOIN accounts AS a ON a.id = w.account
    WHERE w.account IN (SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT 5000)
    ORDER BY w.account COLLATE \"C\", w.currency COLLATE \"C\" FOR NO KEY UPDATE OF w";

/// Wallets of these accounts that are not the sum of the transfers that touch them.
const UNBALANCED_OF: &str = "
    WITH legs AS (
        SELECT debit_holder AS holder, currency, debit_kind AS kind, -amount AS amount
        FROM transfers
        WHERE debit_kind IN ('available', 'held') AND debit_holder = ANY ($1::text[])
        UNION ALL
        SELECT credit_holder, currency, credit_kind, amount FROM transfers
        WHERE credit_kind IN ('available', 'held') AND credit_holder = ANY ($1::text[])
    ),
    booked AS (
        SELECT holder, currency,
            sum(CASE kind WHEN 'available' THEN amount ELSE 0 END) AS available,
            sum(CASE kind WHEN 'held' THEN amount ELSE 0 END) AS held
        FROM legs GROUP BY holder, currency
    )
    SELECT w.account, w.currency FROM wallets AS w
    LEFT JOIN booked AS b ON b.holder = w.account AND b.currency = w.currency
    WHERE w.account = ANY ($1::text[])
        AND (w.available <> coalesce(b.available, 0) OR w.held <> coalesce(b.held, 0))";

const SET_WALLETS: &str = "
    UPDATE wallets AS w SET mac = g.mac
    FROM unnest($1::text[], $2::text[], $3::text[]) AS g (account, currency, mac)
    WHERE w.account = g.account AND w.currency = g.currency";

const DONE: &str = "UPDATE database_identity SET rows_authenticated_at = clock_timestamp()";

/// Programs that write no codes may not be started any more.
const REFUSE_OLDER: &str = "
    UPDATE schema_versions SET compatible_since = NULL
    WHERE version = 42 AND compatible_since IS NOT NULL";

impl PostgresStore {
    /// Gives rows their authentication codes; from then on each must have its own. No instance of a
    /// version that writes none may run.
    ///
    /// # Errors
    /// When the database cannot be reached, or its role may not change what never changes.
    pub async fn authenticate_rows(
        &self,
        which: RowsWithoutCode,
    ) -> Result<AuthenticatedRows, PortError> {
        let options = self.shared.options.clone();
        let mut connection =
            connection::connect(&options.options([("statement_timeout", "0")])).await?;
        let given = complete(&mut connection, self.cipher().macs(), which).await;
        connection::close(connection).await;
        given
    }
}

/// Whether every row must have its code.
pub(crate) async fn are_required(executor: impl PgExecutor<'_>) -> Result<bool, PortError> {
    let required = sqlx::query_scalar(ARE_REQUIRED).fetch_one(executor).await;
    required.map_err(failed("look whether rows are authenticated"))
}

/// Keeps programs that write no codes from being started.
pub(crate) async fn refuse_older(connection: &mut PgConnection) -> Result<(), PortError> {
    let refused = sqlx::query(REFUSE_OLDER).execute(connection).await;
    refused.map_err(failed("refuse older programs")).map(drop)
}

async fn complete(
    connection: &mut PgConnection,
    macs: &RowMacs,
    which: RowsWithoutCode,
) -> Result<AuthenticatedRows, PortError> {
    let was_done = are_required(&mut *connection).await?;
    let mut given = AuthenticatedRows {
        was_done,
        ..AuthenticatedRows::default()
    };
    if was_done && which == RowsWithoutCode::Earlier {
        return Ok(given);
    }
    given.transactions = transactions(connection, macs).await?;
    wallets(connection, macs, &mut given).await?;
    let done = sqlx::query(DONE).execute(&mut *connection).await;
    done.map_err(failed("note that rows are authenticated"))?;
    refuse_older(connection).await?;
    Ok(given)
}

async fn transactions(connection: &mut PgConnection, macs: &RowMacs) -> Result<u64, PortError> {
    let (mut after, mut added) = ((String::new(), 0_i64), 0_u64);
    loop {
        let page = sqlx::query(PAGE)
            .bind(&after.0)
            .bind(after.1)
            .fetch_all(&mut *connection)
            .await;
        let page = page.map_err(failed("read the transactions"))?;
        if page.is_empty() {
            return Ok(added);
        }
        let (mut keys, mut versions) = ((Vec::new(), Vec::new()), Vec::new());
        let mut codes = (Vec::new(), Vec::new());
        for row in &page {
            let row = stored(row)?;
            if macs.check_transaction(&row) != RowAuthenticity::Confirmed {
                let [purchase, progress] = macs.transaction(&row)?;
                codes.0.push(purchase);
                codes.1.push(progress);
                keys.0.push(row.account.clone());
                keys.1.push(row.number);
                versions.push(row.version);
            }
            after = (row.account, row.number);
        }
        let set = sqlx::query(SET_TRANSACTIONS)
            .bind(keys.0)
            .bind(keys.1)
            .bind(versions)
            .bind(codes.0)
            .bind(codes.1)
            .execute(&mut *connection)
            .await;
        let set = set.map_err(failed("authenticate transactions"))?;
        added = added.saturating_add(set.rows_affected());
    }
}

/// Each page is compared with its transfers under the locks of its wallets.
async fn wallets(
    connection: &mut PgConnection,
    macs: &RowMacs,
    given: &mut AuthenticatedRows,
) -> Result<(), PortError> {
    let mut after = String::new();
    loop {
        let step = connection.begin().await;
        let mut step = step.map_err(failed("begin to authenticate wallets"))?;
        let page = sqlx::query(WALLETS)
            .bind(&after)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("read the wallets"))?;
        let rows: Vec<AccountRow> = page.iter().map(wallet_row).collect::<Result<_, _>>()?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after.clone_from(&last.id);
        let accounts: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let unbalanced: Vec<(String, String)> = sqlx::query_as(UNBALANCED_OF)
            .bind(accounts)
            .fetch_all(&mut *step)
            .await
            .map_err(failed("compare wallets with their transfers"))?;
        let unbalanced: HashSet<_> = unbalanced.into_iter().collect();
        given.wallets = given
            .wallets
            .saturating_add(page_of_wallets(&mut step, macs, (rows, &unbalanced)).await?);
        step.commit()
            .await
            .map_err(failed("commit the codes of wallets"))?;
        given.unbalanced.extend(unbalanced);
    }
}

/// Answers how many were given their codes. Whatever code an unbalanced one has, it counts no more.
async fn page_of_wallets(
    step: &mut PgConnection,
    macs: &RowMacs,
    (rows, unbalanced): (Vec<AccountRow>, &HashSet<(String, String)>),
) -> Result<u64, PortError> {
    let (mut accounts, mut currencies, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    let mut added = 0_u64;
    for row in rows {
        let is_confirmed = macs.check_wallet(&row) == RowAuthenticity::Confirmed;
        let frozen = row.frozen_services();
        let code = macs.wallet(&WalletValues::stored(&row, &frozen))?;
        let wallet = (row.id, row.currency);
        let code = match (unbalanced.contains(&wallet), is_confirmed) {
            (true, _) => None,
            (false, true) => continue,
            (false, false) => {
                added = added.saturating_add(1);
                Some(code)
            }
        };
        codes.push(code);
        accounts.push(wallet.0);
        currencies.push(wallet.1);
    }
    let set = sqlx::query(SET_WALLETS)
        .bind(accounts)
        .bind(currencies)
        .bind(codes)
        .execute(step)
        .await;
    set.map_err(failed("authenticate wallets"))?;
    Ok(added)
}
