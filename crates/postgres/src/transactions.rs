//! Reading what was committed. A read must use one statement, so that it sees one moment.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::lookups::StoreLookup;
use crate::rows::{authentic_transaction, key, transaction, transaction_columns, wallet};
use crate::statement;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::event::Event;
use domain::ledger::{Transfer, Wallet};
use domain::reference::{MerchantReference, ProviderReference, TransactionNumber};
use domain::statement::{StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::backlog::OpenState;
use ports::transactions::{TransactionRange, Transactions};
use sqlx::Row;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgRow, Postgres};
use storage_sql::record::{TransferRow, event, in_order};

/// The newest `$5` of each of the products `$2` between two moments, and the newest of all those.
/// Account and number are written as the one index has them that is meant for it; which they are is
/// read from it alone, so that no row is read that is not answered.
pub(crate) const NEWEST: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM (
        SELECT l.account, l.number, l.opened_at
        FROM unnest($2::text[]) AS s (service)
        CROSS JOIN LATERAL (
            SELECT k.account, k.number, k.opened_at FROM transactions AS k
            WHERE k.account || '' = $1 AND k.service = s.service
                AND k.opened_at >= $3 AND k.opened_at < $4
            ORDER BY k.opened_at DESC, -k.number LIMIT $5
        ) AS l
        ORDER BY l.opened_at DESC, l.number DESC LIMIT $5
    ) AS n
    JOIN transactions AS t ON t.account = ANY (ARRAY[n.account]) AND t.number = n.number
    ORDER BY n.opened_at DESC, n.number DESC"
);

/// What is in a state that is not final, of a table that has nothing else: those accepted first.
macro_rules! unsettled {
    ($open:literal) => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM ",
            $open,
            " AS a
            JOIN transactions AS t ON t.account = ANY (ARRAY[a.account])
                AND t.number = a.transaction
            WHERE t.state = $1 ORDER BY t.opened_at, t.account, t.number LIMIT $2"
        )
    };
}

pub(crate) const QUEUED: &str = unsettled!("queue");
pub(crate) const ATTEMPTED: &str = unsettled!("attempts_open");

const DUE_AT: &str = "
    SELECT due_at FROM attempts_open WHERE account = $1 AND transaction = $2
    UNION ALL
    SELECT due_at FROM queue WHERE account = $1 AND transaction = $2";

pub(crate) const BY_PROVIDER_REFERENCE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM (
        SELECT account, transaction FROM attempts_open
        WHERE provider_reference = $1 AND strpos(provider_reference, '.') = 0
        UNION
        SELECT account, transaction FROM attempts_ended
        WHERE provider_reference = $1 AND strpos(provider_reference, '.') = 0
        LIMIT 1
    ) AS a
    JOIN transactions AS t ON t.account = ANY (ARRAY[a.account]) AND t.number = a.transaction"
);

pub(crate) const WALLETS: &str = "
    SELECT a.id, a.status, w.currency, w.available, w.held, w.low_balance_threshold,
        w.counted_from, w.spent
    FROM accounts AS a JOIN wallets AS w ON w.account = a.id
    WHERE a.id = $1";

pub(crate) const TRANSFERS: &str = "
    SELECT id, kind, debit_kind, debit_holder, credit_kind, credit_holder, amount, currency,
        narration, at
    FROM transfers WHERE account = $1 AND transaction = $2 ORDER BY id";

pub(crate) const EVENTS: &str = "
    SELECT sequence, kind, at FROM events WHERE account = $1 AND transaction = $2
    ORDER BY sequence";

impl PostgresStore {
    async fn newest_in(
        &self,
        lists: &mut PgConnection,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError> {
        let services: Vec<_> = range.services.iter().map(|it| it.code()).collect();
        let rows = sqlx::query(NEWEST)
            .bind(account.as_str())
            .bind(services)
            .bind(range.from.map_or(i64::MIN, Timestamp::as_millis))
            .bind(range.until.map_or(i64::MAX, Timestamp::as_millis))
            .bind(i64::from(range.limit))
            .fetch_all(lists)
            .in_time()
            .await
            .map_err(failed("read the newest transactions"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, self.cipher())).collect()
    }
}

#[async_trait]
impl Transactions for PostgresStore {
    async fn by_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        let lookup = StoreLookup {
            account: account.clone(),
            reference: reference.clone(),
        };
        let found = self.lookups.ask(lookup).await?;
        found
            .map(|it| it.authenticated(self.cipher()).restore())
            .transpose()
    }

    async fn newest(
        &self,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError> {
        let read = |mut lists: PoolConnection<Postgres>| async move {
            self.newest_in(&mut lists, account, range).await
        };
        self.listed(read).await
    }

    async fn by_provider_reference(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<Transaction>, PortError> {
        let row = sqlx::query(BY_PROVIDER_REFERENCE)
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed(
                "find a transaction by the reference of its provider",
            ))?;
        let found = row
            .as_ref()
            .map(|row| authentic_transaction(row, self.cipher()));
        found.transpose()
    }

    async fn wallets(&self, account: &AccountId) -> Result<Vec<Wallet>, PortError> {
        let rows = sqlx::query(WALLETS)
            .bind(account.as_str())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("find the wallets of an account"))?;
        let wallets = rows.iter().map(|row| wallet(row, 0));
        wallets.collect::<Result<_, _>>().map(in_order)
    }

    async fn statement(
        &self,
        account: &AccountId,
        query: &StatementQuery,
    ) -> Result<StatementPage, PortError> {
        let read = |mut lists: PoolConnection<Postgres>| async move {
            statement::found(&mut lists, account, query).await
        };
        self.listed(read).await?.page(query)
    }

    async fn transfers(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Transfer>, PortError> {
        let rows = sqlx::query(TRANSFERS)
            .bind(account.as_str())
            .bind(key(number))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the transfers of a transaction"))?;
        rows.iter().map(|row| transfer(number, row)).collect()
    }

    async fn events(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Event>, PortError> {
        let rows: Vec<(i32, String, i64)> = sqlx::query_as(EVENTS)
            .bind(account.as_str())
            .bind(key(number))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("read the events of a transaction"))?;
        let rows = rows.iter();
        rows.map(|(sequence, kind, at)| event(number, (i64::from(*sequence), kind, *at)))
            .collect()
    }

    async fn unsettled(&self, state: OpenState, limit: u32) -> Result<Vec<Transaction>, PortError> {
        let statement = match state {
            OpenState::Queued => QUEUED,
            OpenState::Sending | OpenState::InDoubt | OpenState::Review => ATTEMPTED,
        };
        let rows = sqlx::query(statement)
            .bind(state.code())
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list what is not final"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, self.cipher())).collect()
    }

    async fn due_at(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<Timestamp>, PortError> {
        let due: Option<Option<i64>> = sqlx::query_scalar(DUE_AT)
            .bind(account.as_str())
            .bind(key(number))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("look when a transaction is due"))?;
        Ok(due.flatten().map(Timestamp::from_millis))
    }
}

fn transfer(number: TransactionNumber, row: &PgRow) -> Result<Transfer, PortError> {
    let read = || {
        Ok(TransferRow {
            id: row.try_get(0)?,
            transaction: Some(key(number)),
            kind: row.try_get(1)?,
            debit: (row.try_get(2)?, row.try_get(3)?),
            credit: (row.try_get(4)?, row.try_get(5)?),
            amount: row.try_get(6)?,
            currency: row.try_get(7)?,
            narration: row.try_get(8)?,
            at: row.try_get(9)?,
        })
    };
    read().map_err(failed("read a transfer"))?.restore()
}
