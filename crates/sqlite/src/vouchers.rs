//! Codes of merchants, read. They are written as all money is, by the one writer.

use crate::batches::integer;
use crate::error::failed;
use crate::store::SqliteStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::voucher::{Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherRedemption};
use ports::PortError;
use ports::vouchers::Vouchers;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;
use storage_sql::record::{VoucherBatchRow, VoucherRedemptionRow, VoucherRollbackRow, VoucherRow};

/// The columns that [`batch_row`] reads.
macro_rules! voucher_batch_columns {
    () => {
        "b.account, b.number, b.reference, b.kind, b.currency, b.amount, b.percent,
            b.issued, b.uses, b.expires_at, b.services, b.minimum, b.maximum,
            b.prefix, b.seed, b.created_at"
    };
}

/// The columns that [`voucher_row`] reads.
macro_rules! voucher_columns {
    () => {
        concat!(
            $crate::vouchers::voucher_batch_columns!(),
            ", v.position, v.balance, v.uses_left, v.version, x.at"
        )
    };
}

/// What the columns of a code are read from, once its row is found.
macro_rules! voucher_tables {
    () => {
        "
    JOIN voucher_batches AS b ON b.account = v.account AND b.number = v.batch
    LEFT JOIN voucher_voids AS x ON x.account = v.account AND x.batch = v.batch
        AND x.position = v.position"
    };
}

/// The columns that [`redemption_row`] reads.
macro_rules! redemption_columns {
    () => {
        "r.account, r.reference, r.batch, r.position, b.currency, r.amount, r.target,
            r.discount, r.returned, r.balance_left, r.uses_left, r.at,
            k.reference, k.reason, k.balance_left, k.uses_left, k.at"
    };
}

/// What the columns of a redemption are read from, once its row is found.
macro_rules! redemption_tables {
    () => {
        "
    JOIN voucher_batches AS b ON b.account = r.account AND b.number = r.batch
    LEFT JOIN voucher_rollbacks AS k ON k.account = r.account
        AND k.original = r.reference"
    };
}

pub(crate) use {
    redemption_columns, redemption_tables, voucher_batch_columns, voucher_columns, voucher_tables,
};

pub(crate) const BATCH: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM voucher_batches AS b WHERE b.account = ?1 AND b.reference = ?2"
);

pub(crate) const OF_CODE: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM vouchers AS v",
    voucher_tables!(),
    " WHERE v.account = ?1 AND v.code = ?2"
);

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM vouchers AS v",
    voucher_tables!(),
    " WHERE v.account = ?1 AND v.batch = ?2 AND v.position = ?3"
);

pub(crate) const REDEMPTION: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM voucher_redemptions AS r",
    redemption_tables!(),
    " WHERE r.account = ?1 AND r.reference = ?2"
);

pub(crate) const ROLLED_BACK: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM voucher_rollbacks AS f
    JOIN voucher_redemptions AS r ON r.account = f.account
        AND r.reference = f.original",
    redemption_tables!(),
    " WHERE f.account = ?1 AND f.reference = ?2"
);

#[async_trait]
impl Vouchers for SqliteStore {
    async fn voucher_batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherBatch>, PortError> {
        let found = sqlx::query(BATCH)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
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
            .bind(integer(id.batch.get()))
            .bind(i64::from(id.position))
            .fetch_optional(&self.reads)
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

impl SqliteStore {
    async fn redemption_by(
        &self,
        statement: &'static str,
        (account, reference): (&AccountId, &MerchantReference),
    ) -> Result<Option<VoucherRedemption>, PortError> {
        let found = sqlx::query(statement)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .await
            .map_err(failed("find a redemption"))?;
        let row = found.as_ref().map(redemption_row).transpose();
        let row = row.map_err(failed("read a redemption"))?;
        row.map(|row| row.restore()).transpose()
    }
}

fn voucher(row: &SqliteRow) -> Result<Voucher, PortError> {
    voucher_row(row).map_err(failed("read a code"))?.restore()
}

pub(crate) fn batch_row(row: &SqliteRow) -> Result<VoucherBatchRow, sqlx::Error> {
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

pub(crate) fn voucher_row(row: &SqliteRow) -> Result<VoucherRow, sqlx::Error> {
    Ok(VoucherRow {
        batch: batch_row(row)?,
        position: row.try_get(16)?,
        balance: row.try_get(17)?,
        uses_left: row.try_get(18)?,
        version: row.try_get(19)?,
        voided_at: row.try_get(20)?,
    })
}

pub(crate) fn redemption_row(row: &SqliteRow) -> Result<VoucherRedemptionRow, sqlx::Error> {
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
