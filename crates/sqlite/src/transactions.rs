//! Reading what was committed. A read must use one statement, so that it sees one moment.

use crate::error::failed;
use crate::rows::{authentic_transaction, json, transaction, transaction_columns};
use crate::statement;
use crate::store::SqliteStore;
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
use sqlx::sqlite::SqliteRow;
use storage_sql::record::{AccountRow, TransferRow, event, in_order};

pub(crate) const BY_REFERENCE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions AS t WHERE t.account = ?1 AND t.reference = ?2"
);

pub(crate) const BY_PROVIDER_REFERENCE: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM attempts AS a JOIN transactions AS t ON t.id = a.transaction_id
    WHERE a.provider_reference = ?1"
);

/// The newest `?5` of each of the products `?2` between two moments, and the newest of all those.
pub(crate) const NEWEST: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM (
        SELECT k.id AS id FROM json_each(?2) AS s
        CROSS JOIN transactions AS k ON k.id IN (
            SELECT l.id FROM transactions AS l
            WHERE l.account = ?1 AND l.service = s.value
                AND l.opened_at >= ?3 AND l.opened_at < ?4
            ORDER BY l.opened_at DESC, l.number DESC LIMIT ?5
        )
        ORDER BY k.opened_at DESC, k.number DESC LIMIT ?5
    ) AS n
    CROSS JOIN transactions AS t ON t.id = n.id
    ORDER BY t.opened_at DESC, t.number DESC"
);

/// What is in a state that is not final, `$which` of it: those accepted first. No moment is before
/// zero: the conditions on it have the indexes searched.
macro_rules! unsettled {
    ($which:literal) => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            $which,
            " ORDER BY t.opened_at, t.account, t.number LIMIT ?2"
        )
    };
}

pub(crate) const QUEUED: &str = unsettled!(
    " FROM queue AS q JOIN transactions AS t ON t.id = q.transaction_id
    WHERE q.due_at >= 0 AND t.state = ?1"
);

/// What its provider is asked about, and what is on its way there.
pub(crate) const FOLLOWED: &str =
    unsettled!(" FROM transactions AS t WHERE t.due_at >= 0 AND t.state = ?1");

pub(crate) const IN_REVIEW: &str =
    unsettled!(" FROM transactions AS t WHERE t.state = 'review' AND ?1 = 'review'");

pub(crate) const DUE_AT: &str = "
    SELECT coalesce(t.due_at, q.due_at) FROM transactions AS t
    LEFT JOIN queue AS q ON q.transaction_id = t.id
    WHERE t.account = ?1 AND t.number = ?2";

pub(crate) const WALLETS: &str = "
    SELECT a.id, a.status, w.currency, w.available, w.held, w.low_balance_threshold,
        w.counted_from, w.spent
    FROM accounts AS a JOIN wallets AS w ON w.account = a.id
    WHERE a.id = ?1";

pub(crate) const TRANSFERS: &str = "
    SELECT f.id, t.number, f.kind, f.debit_kind, f.debit_holder, f.credit_kind, f.credit_holder,
        f.amount, f.currency, f.narration, f.at
    FROM transactions AS t JOIN transfers AS f ON f.transaction_id = t.id
    WHERE t.account = ?1 AND t.number = ?2 ORDER BY f.id";

pub(crate) const EVENTS: &str = "
    SELECT e.sequence, e.kind, e.at
    FROM transactions AS t JOIN events AS e ON e.transaction_id = t.id
    WHERE t.account = ?1 AND t.number = ?2 ORDER BY e.sequence";

#[async_trait]
impl Transactions for SqliteStore {
    async fn by_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        let row = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find a transaction by reference"))?;
        let found = row
            .as_ref()
            .map(|row| authentic_transaction(row, &self.cipher));
        found.transpose()
    }

    async fn newest(
        &self,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError> {
        let services: Vec<_> = range.services.iter().map(|it| it.code()).collect();
        let rows = sqlx::query(NEWEST)
            .bind(account.as_str())
            .bind(json(&services)?)
            .bind(range.from.map_or(i64::MIN, Timestamp::as_millis))
            .bind(range.until.map_or(i64::MAX, Timestamp::as_millis))
            .bind(i64::from(range.limit))
            .fetch_all(&self.pages)
            .await
            .map_err(failed("read the newest transactions"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, &self.cipher)).collect()
    }

    async fn by_provider_reference(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<Transaction>, PortError> {
        let row = sqlx::query(BY_PROVIDER_REFERENCE)
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed(
                "find a transaction by the reference of its provider",
            ))?;
        let found = row
            .as_ref()
            .map(|row| authentic_transaction(row, &self.cipher));
        found.transpose()
    }

    async fn wallets(&self, account: &AccountId) -> Result<Vec<Wallet>, PortError> {
        let rows = sqlx::query(WALLETS)
            .bind(account.as_str())
            .fetch_all(&self.reads)
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
        statement::found(&self.pages, account, query)
            .await?
            .page(query)
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
            .await
            .map_err(failed("read the transfers of a transaction"))?;
        rows.iter().map(transfer).collect()
    }

    async fn events(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Event>, PortError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(EVENTS)
            .bind(account.as_str())
            .bind(key(number))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("read the events of a transaction"))?;
        let rows = rows.iter();
        rows.map(|(sequence, kind, at)| event(number, (*sequence, kind, *at)))
            .collect()
    }

    async fn unsettled(&self, state: OpenState, limit: u32) -> Result<Vec<Transaction>, PortError> {
        let statement = match state {
            OpenState::Queued => QUEUED,
            OpenState::Sending | OpenState::InDoubt => FOLLOWED,
            OpenState::Review => IN_REVIEW,
        };
        let rows = sqlx::query(statement)
            .bind(state.code())
            .bind(i64::from(limit))
            .fetch_all(&self.reads)
            .await
            .map_err(failed("list what is not final"))?;
        let rows = rows.iter();
        rows.map(|row| transaction(row, &self.cipher)).collect()
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
            .await
            .map_err(failed("look when a transaction is due"))?;
        Ok(due.flatten().map(Timestamp::from_millis))
    }
}

/// A number as `SQLite` keeps it; it is below 2^53, so nothing is lost.
pub(crate) fn key(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

/// The wallet in a row that has identity, status, currency and balances from column `first` on.
pub(crate) fn wallet(row: &SqliteRow, first: usize) -> Result<Wallet, PortError> {
    let read = || {
        Ok(AccountRow {
            id: row.try_get(first)?,
            status: row.try_get(first + 1)?,
            currency: row.try_get(first + 2)?,
            available: row.try_get(first + 3)?,
            held: row.try_get(first + 4)?,
            low_balance_threshold: row.try_get(first + 5)?,
            counted_from: row.try_get(first + 6)?,
            spent: row.try_get(first + 7)?,
            ..AccountRow::default()
        })
    };
    let stored = read().map_err(failed("read a wallet"))?;
    let unreadable = |error| {
        let what = format!("the wallet of {} cannot be read", stored.id);
        PortError::caused(crate::error::PART, what, error)
    };
    stored.wallet().map_err(unreadable)
}

fn transfer(row: &SqliteRow) -> Result<Transfer, PortError> {
    let read = || {
        Ok(TransferRow {
            id: row.try_get(0)?,
            transaction: row.try_get(1)?,
            kind: row.try_get(2)?,
            debit: (row.try_get(3)?, row.try_get(4)?),
            credit: (row.try_get(5)?, row.try_get(6)?),
            amount: row.try_get(7)?,
            currency: row.try_get(8)?,
            narration: row.try_get(9)?,
            at: row.try_get(10)?,
        })
    };
    read().map_err(failed("read a transfer"))?.restore()
}
