//! Collections of accounts, and what was paid to them. Collections must be written through the
//! writer of their account; payments are written by a change set.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::collection::{
    BankSession, CollectedPayment, Collection, CollectionSource, CollectionState,
};
use ports::PortError;
use ports::batches::PageOf;
use ports::collections::{
    CollectedPage, CollectedPayments, CollectionChange, CollectionCreation, CollectionName,
    CollectionPage, CollectionSort, Collections,
};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::{CollectedRow, CollectionRow};

/// What is stored of a collection itself.
macro_rules! collection_columns {
    () => {
        "SELECT c.account, c.number, c.reference, c.kind, c.payee, c.payer, c.amount, c.currency,
            c.expires_at, c.admission, c.version::bigint, c.created_at, c.bank, c.email, c.phone,
            c.register, c.identity, c.single, c.purpose, c.in_parts, c.redirect,
            c.items"
    };
}

/// The columns that [`collection_row`] reads, each collection with what was paid to it.
macro_rules! collections {
    () => {
        concat!(
            collection_columns!(),
            ",
            (SELECT coalesce(sum(p.amount), 0)::bigint FROM collected_payments AS p
                WHERE p.account = c.account AND p.collection = c.number),
            (SELECT coalesce(max(p.amount), 0) FROM collected_payments AS p
                WHERE p.account = c.account AND p.collection = c.number),
            (SELECT coalesce(sum(p.charge + p.vat), 0)::bigint FROM collected_payments AS p
                WHERE p.account = c.account AND p.collection = c.number),
            (SELECT count(*) FROM collected_payments AS p
                WHERE p.account = c.account AND p.collection = c.number)
        FROM collections AS c"
        )
    };
}

/// The columns that [`collected_row`] reads.
macro_rules! collected_columns {
    () => {
        "p.account, p.number, p.collection, p.reference, p.source, p.session, p.amount, p.currency,
            p.charge, p.vat, p.payer_name, p.payer_bank, p.payer_account, p.paid_at, p.at"
    };
}
pub(crate) use collected_columns;

/// What stands in the way of a collection: no such account, its number or the one that payers type,
/// its reference, and how many virtual accounts there are. One row. The account is locked, so that
/// others that are made see this one.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        EXISTS (SELECT 1 FROM collections WHERE account = $1 AND number = $2)
            OR EXISTS (SELECT 1 FROM collections WHERE payee = $4),
        EXISTS (SELECT 1 FROM collections WHERE account = $1 AND reference = $3)
            OR EXISTS (SELECT 1 FROM invoices WHERE account = $1 AND reference = $3),
        (SELECT count(*) FROM collections WHERE account = $1 AND kind = 'account')";

pub(crate) const INSERT: &str = "
    INSERT INTO collections (
        account, number, reference, kind, payee, payer, amount, currency, expires_at, admission,
        version, created_at, bank, email, phone, register, identity, single, purpose, in_parts,
        redirect, items
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
        $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) ON CONFLICT DO NOTHING";

pub(crate) const CHANGE: &str = "
    UPDATE collections SET admission = $3, version = $4
    WHERE account = $1 AND number = $2 AND version = $4 - 1";

pub(crate) const BY_REFERENCE: &str =
    concat!(collections!(), " WHERE c.account = $1 AND c.reference = $2");

pub(crate) const BY_NUMBER: &str =
    concat!(collections!(), " WHERE c.account = $1 AND c.number = $2");

/// The collection alone: a statement of a bank looks one up for each of its lines, and an account
/// number may have any number of payments.
pub(crate) const BY_PAYEE: &str = concat!(
    collection_columns!(),
    ", 0::bigint, 0::bigint, 0::bigint, 0::bigint FROM collections AS c WHERE c.payee = $1"
);

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        collections!(),
        " WHERE c.account = $1 AND c.kind = $2
        ORDER BY c.created_at, c.number LIMIT $4 OFFSET $3"
    ),
    concat!(
        collections!(),
        " WHERE c.account = $1 AND c.kind = $2
        ORDER BY c.created_at DESC, c.number DESC LIMIT $4 OFFSET $3"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM collections WHERE account = $1 AND kind = $2";

pub(crate) const OF_SESSION: &str = concat!(
    "SELECT ",
    collected_columns!(),
    " FROM collected_payments AS p WHERE p.source = $1 AND p.session = $2"
);

/// The payments of an account within some time, and those of one collection.
pub(crate) const PAYMENTS: [[&str; 2]; 2] = [
    [
        concat!(
            "SELECT ",
            collected_columns!(),
            " FROM collected_payments AS p
            WHERE p.account = $1 AND p.at >= $2 AND p.at < $3
            ORDER BY p.at, p.number LIMIT $5 OFFSET $4"
        ),
        concat!(
            "SELECT ",
            collected_columns!(),
            " FROM collected_payments AS p
            WHERE p.account = $1 AND p.at >= $2 AND p.at < $3
            ORDER BY p.at DESC, p.number DESC LIMIT $5 OFFSET $4"
        ),
    ],
    [
        concat!(
            "SELECT ",
            collected_columns!(),
            " FROM collected_payments AS p
            WHERE p.account = $1 AND p.at >= $2 AND p.at < $3 AND p.collection = $6
            ORDER BY p.at, p.number LIMIT $5 OFFSET $4"
        ),
        concat!(
            "SELECT ",
            collected_columns!(),
            " FROM collected_payments AS p
            WHERE p.account = $1 AND p.at >= $2 AND p.at < $3 AND p.collection = $6
            ORDER BY p.at DESC, p.number DESC LIMIT $5 OFFSET $4"
        ),
    ],
];

pub(crate) const PAYMENT_COUNTS: [&str; 2] = [
    "SELECT count(*) FROM collected_payments AS p
    WHERE p.account = $1 AND p.at >= $2 AND p.at < $3",
    "SELECT count(*) FROM collected_payments AS p
    WHERE p.account = $1 AND p.at >= $2 AND p.at < $3 AND p.collection = $4",
];

#[async_trait]
impl Collections for PostgresStore {
    async fn create_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionCreation, PortError> {
        let collection = collection.clone();
        self.alone(&collection.account.clone(), move |writer| {
            Box::pin(writer.create_collection(collection))
        })
        .await
    }

    async fn change_collection(
        &self,
        collection: &Collection,
    ) -> Result<CollectionChange, PortError> {
        let collection = collection.clone();
        self.alone(&collection.account.clone(), move |writer| {
            Box::pin(writer.change_collection(collection))
        })
        .await
    }

    async fn collection(
        &self,
        account: &AccountId,
        name: CollectionName<'_>,
    ) -> Result<Option<CollectionState>, PortError> {
        let found = match name {
            CollectionName::Reference(reference) => sqlx::query(BY_REFERENCE)
                .bind(account.as_str())
                .bind(reference.as_str()),
            CollectionName::Number(number) => sqlx::query(BY_NUMBER)
                .bind(account.as_str())
                .bind(bigint(number.get())),
        };
        let found = found.fetch_optional(&self.reads);
        let found = found.in_time().await.map_err(failed("find a collection"))?;
        found.as_ref().map(restored).transpose()
    }

    async fn collection_of_payee(&self, payee: &str) -> Result<Option<Collection>, PortError> {
        let found = sqlx::query(BY_PAYEE)
            .bind(payee)
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a collection by what payers type"))?;
        let found = found.as_ref().map(restored).transpose()?;
        Ok(found.map(|state| state.collection))
    }

    async fn collections(
        &self,
        account: &AccountId,
        sort: CollectionSort,
        page: PageOf,
    ) -> Result<CollectionPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(sort.code())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the collections of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .bind(sort.code())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the collections of an account"))?;
        Ok(CollectionPage {
            collections: rows.iter().map(restored).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn collected_payment(
        &self,
        source: CollectionSource,
        session: &BankSession,
    ) -> Result<Option<CollectedPayment>, PortError> {
        let found = sqlx::query(OF_SESSION)
            .bind(source.code())
            .bind(session.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find the payment of a session"))?;
        found.as_ref().map(paid).transpose()
    }

    async fn collected_payments(
        &self,
        account: &AccountId,
        wanted: CollectedPayments,
        page: PageOf,
    ) -> Result<CollectedPage, PortError> {
        let [all, of_one] = PAYMENTS;
        let [all_counted, one_counted] = PAYMENT_COUNTS;
        let (statements, counted) = match wanted.collection {
            None => (all, all_counted),
            Some(_) => (of_one, one_counted),
        };
        let mut rows = sqlx::query(in_direction(statements, page.sort))
            .bind(account.as_str())
            .bind(wanted.from.as_millis())
            .bind(wanted.to.as_millis())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length));
        let mut total = sqlx::query_scalar(counted)
            .bind(account.as_str())
            .bind(wanted.from.as_millis())
            .bind(wanted.to.as_millis());
        if let Some(number) = wanted.collection {
            rows = rows.bind(bigint(number.get()));
            total = total.bind(bigint(number.get()));
        }
        let rows = rows.fetch_all(&self.reads).in_time().await;
        let rows = rows.map_err(failed("list the payments to collections"))?;
        let total = total.fetch_one(&self.reads).in_time().await;
        let total: i64 = total.map_err(failed("count the payments to collections"))?;
        Ok(CollectedPage {
            payments: rows.iter().map(paid).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

fn restored(row: &PgRow) -> Result<CollectionState, PortError> {
    let row = collection_row(row).map_err(failed("read a collection"))?;
    row.restore()
}

fn paid(row: &PgRow) -> Result<CollectedPayment, PortError> {
    let row = collected_row(row).map_err(failed("read a payment to a collection"))?;
    row.restore()
}

fn collection_row(row: &PgRow) -> Result<CollectionRow, sqlx::Error> {
    Ok(CollectionRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        reference: row.try_get(2)?,
        kind: row.try_get(3)?,
        payee: row.try_get(4)?,
        payer: row.try_get(5)?,
        amount: row.try_get(6)?,
        currency: row.try_get(7)?,
        expires_at: row.try_get(8)?,
        admission: row.try_get(9)?,
        version: row.try_get(10)?,
        created_at: row.try_get(11)?,
        bank: row.try_get(12)?,
        email: row.try_get(13)?,
        phone: row.try_get(14)?,
        register: row.try_get(15)?,
        identity: row.try_get(16)?,
        single: row.try_get(17)?,
        purpose: row.try_get(18)?,
        in_parts: row.try_get(19)?,
        redirect: row.try_get(20)?,
        items: row.try_get(21)?,
        paid: row.try_get(22)?,
        largest: row.try_get(23)?,
        fees: row.try_get(24)?,
        payments: row.try_get(25)?,
    })
}

pub(crate) fn collected_row(row: &PgRow) -> Result<CollectedRow, sqlx::Error> {
    Ok(CollectedRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        collection: row.try_get(2)?,
        reference: row.try_get(3)?,
        source: row.try_get(4)?,
        session: row.try_get(5)?,
        amount: row.try_get(6)?,
        currency: row.try_get(7)?,
        charge: row.try_get(8)?,
        vat: row.try_get(9)?,
        payer_name: row.try_get(10)?,
        payer_bank: row.try_get(11)?,
        payer_account: row.try_get(12)?,
        paid_at: row.try_get(13)?,
        at: row.try_get(14)?,
    })
}
