//! Codes of merchants, read. They are written as all money is, by the writer of their account.

use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::rows::bigint;
use crate::store::PostgresStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::voucher::{Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherRedemption};
use ports::PortError;
use ports::vouchers::Vouchers;
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::{VoucherBatchRow, VoucherRedemptionRow, VoucherRollbackRow, VoucherRow};

/// The columns that [`batch_row`] reads.
macro_rules! voucher_batch_columns {
    () => {
        "b.account, b.number, b.reference, b.kind, b.currency, b.amount, b.percent,
            b.issued::bigint, b.uses::bigint, b.expires_at, b.services, b.minimum, b.maximum,
            b.prefix, b.seed, b.created_at"
    };
}

/// The columns that [`voucher_row`] reads.
macro_rules! voucher_columns {
    () => {
        concat!(
            $crate::vouchers::voucher_batch_columns!(),
            ", v.position::bigint, v.balance, v.uses_left::bigint, v.version::bigint, x.at"
        )
    };
}

/// What the columns of a code are read from, once its row is found.
macro_rules! voucher_tables {
    () => {
        "
    JOIN voucher_batches AS b ON b.account = ANY (ARRAY[v.account]) AND b.number = v.batch
    LEFT JOIN voucher_voids AS x ON x.account = ANY (ARRAY[v.account]) AND x.batch = v.batch
        AND x.position = v.position"
    };
}

/// The columns that [`redemption_row`] reads.
macro_rules! redemption_columns {
    () => {
        "r.account, r.reference, r.batch, r.position::bigint, b.currency, r.amount, r.target,
            r.discount, r.returned, r.balance_left, r.uses_left::bigint, r.at,
            k.reference, k.reason, k.balance_left, k.uses_left::bigint, k.at"
    };
}

/// What the columns of a redemption are read from, once its row is found.
macro_rules! redemption_tables {
    () => {
        "
    JOIN voucher_batches AS b ON b.account = ANY (ARRAY[r.account]) AND b.number = r.batch
    LEFT JOIN voucher_rollbacks AS k ON k.account = ANY (ARRAY[r.account])
        AND k.original = r.reference"
    };
}

pub(crate) use {
    redemption_columns, redemption_tables, voucher_batch_columns, voucher_columns, voucher_tables,
};

pub(crate) const BATCH: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM voucher_batches AS b WHERE b.account = ANY (ARRAY[$1::text]) AND b.reference = $2"
);

pub(crate) const OF_CODE: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM vouchers AS v",
    voucher_tables!(),
    " WHERE v.account = ANY (ARRAY[$1::text]) AND v.code = $2"
);

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM vouchers AS v",
    voucher_tables!(),
    " WHERE v.account = ANY (ARRAY[$1::text]) AND v.batch = $2 AND v.position = $3"
);

pub(crate) const REDEMPTION: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM voucher_redemptions AS r",
    redemption_tables!(),
    " WHERE r.account = ANY (ARRAY[$1::text]) AND r.reference = $2"
);

pub(crate) const ROLLED_BACK: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM voucher_rollbacks AS f
    JOIN voucher_redemptions AS r ON r.account = ANY (ARRAY[f.account])
        AND r.reference = f.original",
    redemption_tables!(),
    " WHERE f.account = ANY (ARRAY[$1::text]) AND f.reference = $2"
);

#[async_trait]
impl Vouchers for PostgresStore {
    async fn voucher_batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherBatch>, PortError> {
        let found = sqlx::query(BATCH)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a batch of codes"))?;
        let row = found.as_ref().map(batch_row).transpose();
        let row = row.map_err(failed("read a batch of codes"))?;
        row.map(|row| row.restore()).transpose()
    }

    async fn voucher_of_code(
        &self,
        account: &AccountId,
        code: VoucherCodeHash,
    ) -> Result<Option<Voucher>, PortError> {
        let found = sqlx::query(OF_CODE)
            .bind(account.as_str())
            .bind(code.0.as_slice())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a code"))?;
        found.as_ref().map(voucher).transpose()
    }

    async fn voucher(
        &self,
        account: &AccountId,
        id: VoucherId,
    ) -> Result<Option<Voucher>, PortError> {
        let found = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(bigint(id.batch.get()))
            .bind(i64::from(id.position))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a code by its place"))?;
        found.as_ref().map(voucher).transpose()
    }

    async fn voucher_redemption(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError> {
        self.redemption_by(REDEMPTION, (account, reference)).await
    }

    async fn voucher_rolled_back(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError> {
        self.redemption_by(ROLLED_BACK, (account, reference)).await
    }
}

impl PostgresStore {
    async fn redemption_by(
        &self,
        statement: &'static str,
        (account, reference): (&AccountId, &MerchantReference),
    ) -> Result<Option<VoucherRedemption>, PortError> {
        let found = sqlx::query(statement)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a redemption"))?;
        let row = found.as_ref().map(redemption_row).transpose();
        let row = row.map_err(failed("read a redemption"))?;
        row.map(|row| row.restore()).transpose()
    }
}

fn voucher(row: &PgRow) -> Result<Voucher, PortError> {
    voucher_row(row).map_err(failed("read a code"))?.restore()
}

pub(crate) fn batch_row(row: &PgRow) -> Result<VoucherBatchRow, sqlx::Error> {
    Ok(VoucherBatchRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        reference: row.try_get(2)?,
        kind: row.try_get(3)?,
        currency: row.try_get(4)?,
        amount: row.try_get(5)?,
        percent: row.try_get(6)?,
        issued: row.try_get(7)?,
        uses: row.try_get(8)?,
        expires_at: row.try_get(9)?,
        services: row.try_get(10)?,
        minimum: row.try_get(11)?,
        maximum: row.try_get(12)?,
        prefix: row.try_get(13)?,
        seed: row.try_get(14)?,
        created_at: row.try_get(15)?,
    })
}

pub(crate) fn voucher_row(row: &PgRow) -> Result<VoucherRow, sqlx::Error> {
    Ok(VoucherRow {
        batch: batch_row(row)?,
        position: row.try_get(16)?,
        balance: row.try_get(17)?,
        uses_left: row.try_get(18)?,
        version: row.try_get(19)?,
        voided_at: row.try_get(20)?,
    })
}

pub(crate) fn redemption_row(row: &PgRow) -> Result<VoucherRedemptionRow, sqlx::Error> {
    let rolled_back: Option<String> = row.try_get(12)?;
    let rollback = rolled_back.map(|reference| {
        Ok::<_, sqlx::Error>(VoucherRollbackRow {
            reference,
            reason: row.try_get(13)?,
            balance_left: row.try_get(14)?,
            uses_left: row.try_get(15)?,
            at: row.try_get(16)?,
        })
    });
    Ok(VoucherRedemptionRow {
        account: row.try_get(0)?,
        reference: row.try_get(1)?,
        batch: row.try_get(2)?,
        position: row.try_get(3)?,
        currency: row.try_get(4)?,
        amount: row.try_get(5)?,
        target: row.try_get(6)?,
        discount: row.try_get(7)?,
        returned: row.try_get(8)?,
        balance_left: row.try_get(9)?,
        uses_left: row.try_get(10)?,
        at: row.try_get(11)?,
        rollback: rollback.transpose()?,
    })
}
