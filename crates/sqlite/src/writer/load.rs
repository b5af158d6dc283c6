//! Reading what a batch needs, each table with one statement however large the batch is. It must run
//! inside the step that writes.

use crate::error::failed;
use crate::rows::{json, transaction_columns, transaction_row};
use ports::PortError;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use storage_sql::planner::{Needs, WorkingSet};
use storage_sql::record::{AccountRow, TransactionRow};

pub(crate) const ACCOUNTS: &str = "
    SELECT a.id, a.status, a.currency, w.available, w.held, w.debits, w.credits
    FROM json_each(?1) AS wanted
    CROSS JOIN accounts AS a ON a.id = wanted.value
    CROSS JOIN wallets AS w ON w.account = a.id";

pub(crate) const BY_NUMBER: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM json_each(?1) AS wanted
    CROSS JOIN transactions AS t ON t.number = wanted.value"
);

/// A row found in two ways is read once: the planner would take the copies for the same.
pub(crate) const BY_ANY_NAME: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM (
        SELECT t.id FROM json_each(?1) AS wanted
        CROSS JOIN transactions AS t ON t.number = wanted.value
        UNION
        SELECT t.id FROM json_each(?2) AS wanted
        CROSS JOIN transactions AS t
            ON t.account = wanted.value ->> 0 AND t.reference = wanted.value ->> 1
        UNION
        SELECT t.id FROM json_each(?3) AS wanted
        CROSS JOIN transactions AS t
            ON t.account = wanted.value ->> 0 AND t.idempotency_key = wanted.value ->> 1
    ) AS found
    CROSS JOIN transactions AS t ON t.id = found.id"
);

pub(crate) const FUNDINGS: &str = "
    SELECT f.account, f.reference
    FROM json_each(?1) AS wanted
    CROSS JOIN fundings AS f
        ON f.account = wanted.value ->> 0 AND f.reference = wanted.value ->> 1";

pub(crate) async fn working_set(
    connection: &mut SqliteConnection,
    needs: &Needs<'_>,
) -> Result<WorkingSet, PortError> {
    Ok(WorkingSet {
        accounts: accounts(connection, needs).await?,
        transactions: transactions(connection, needs).await?,
        fundings: fundings(connection, needs).await?,
    })
}

async fn accounts(
    connection: &mut SqliteConnection,
    needs: &Needs<'_>,
) -> Result<Vec<AccountRow>, PortError> {
    if needs.accounts.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = needs.accounts.iter().map(|id| id.as_str()).collect();
    let rows = sqlx::query(ACCOUNTS)
        .bind(json(&ids)?)
        .fetch_all(connection)
        .await;
    let rows = rows.map_err(failed("read the wallets of a batch"))?;
    let rows = rows.iter().map(account).collect::<Result<_, _>>();
    rows.map_err(failed("read a wallet"))
}

fn account(row: &SqliteRow) -> Result<AccountRow, sqlx::Error> {
    Ok(AccountRow {
        id: row.try_get(0)?,
        status: row.try_get(1)?,
        currency: row.try_get(2)?,
        available: row.try_get(3)?,
        held: row.try_get(4)?,
        debits: row.try_get(5)?,
        credits: row.try_get(6)?,
    })
}

async fn transactions(
    connection: &mut SqliteConnection,
    needs: &Needs<'_>,
) -> Result<Vec<TransactionRow>, PortError> {
    if needs.numbers.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: Vec<_> = needs.numbers.iter().map(|number| number.get()).collect();
    let query = if needs.references.is_empty() {
        sqlx::query(BY_NUMBER).bind(json(&numbers)?)
    } else {
        let references = needs.references.iter();
        let references: Vec<_> = references
            .map(|(id, name)| (id.as_str(), name.as_str()))
            .collect();
        let keys: Vec<_> = needs
            .keys
            .iter()
            .map(|(id, key)| (id.as_str(), key.as_str()))
            .collect();
        let query = sqlx::query(BY_ANY_NAME).bind(json(&numbers)?);
        query.bind(json(&references)?).bind(json(&keys)?)
    };
    let rows = query.fetch_all(connection).await;
    let rows = rows.map_err(failed("read the transactions of a batch"))?;
    let rows = rows.iter().map(transaction_row).collect::<Result<_, _>>();
    rows.map_err(failed("read a transaction"))
}

async fn fundings(
    connection: &mut SqliteConnection,
    needs: &Needs<'_>,
) -> Result<Vec<(String, String)>, PortError> {
    if needs.fundings.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<_> = needs
        .fundings
        .iter()
        .map(|(id, name)| (id.as_str(), name.as_str()))
        .collect();
    let rows = sqlx::query_as(FUNDINGS)
        .bind(json(&names)?)
        .fetch_all(connection)
        .await;
    rows.map_err(failed("read the fundings of a batch"))
}
