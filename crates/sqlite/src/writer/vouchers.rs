//! Reading and writing codes in the step that moves their money. It must run inside that step,
//! which shuts out every other writer.

use super::rows::hex;
use crate::batches::integer;
use crate::error::{failed, refused, wrote};
use crate::rows::json;
use crate::vouchers::{
    batch_row, redemption_columns, redemption_row, redemption_tables, voucher_batch_columns,
    voucher_columns, voucher_row, voucher_tables,
};
use domain::voucher::VoucherRedemption;
use ports::PortError;
use sqlx::Row;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Sqlite, query::Query};
use storage_sql::group_commit::CommitError;
use storage_sql::planner::{VoucherPlan, VoucherReads, VoucherRows};
use storage_sql::record::VoucherBatchRow;

/// The batches under some references.
pub(crate) const BATCHES: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN voucher_batches AS b
        ON b.account = wanted.value ->> 0 AND b.reference = wanted.value ->> 1"
);

/// The batches of some numbers.
pub(crate) const NUMBERED: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN voucher_batches AS b
        ON b.account = wanted.value ->> 0 AND b.number = wanted.value ->> 1"
);

/// Some codes.
pub(crate) const CODES: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN vouchers AS v ON v.account = wanted.value ->> 0
        AND v.batch = wanted.value ->> 1 AND v.position = wanted.value ->> 2",
    voucher_tables!()
);

/// The redemptions under some references.
pub(crate) const REDEMPTIONS: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN voucher_redemptions AS r
        ON r.account = wanted.value ->> 0 AND r.reference = wanted.value ->> 1",
    redemption_tables!()
);

/// The redemptions that were rolled back under some references.
pub(crate) const ROLLBACKS: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM json_each(?) AS wanted
    CROSS JOIN voucher_rollbacks AS f
        ON f.account = wanted.value ->> 0 AND f.reference = wanted.value ->> 1
    CROSS JOIN voucher_redemptions AS r ON r.account = f.account AND r.reference = f.original",
    redemption_tables!()
);

/// Which of some payments are lowered.
pub(crate) const TARGETS: &str = "
    SELECT t.account, t.target
    FROM json_each(?) AS wanted
    CROSS JOIN voucher_targets AS t
        ON t.account = wanted.value ->> 0 AND t.target = wanted.value ->> 1";

pub(crate) const ISSUE: &str = "
    INSERT INTO voucher_batches (
        account, number, reference, kind, currency, amount, percent, issued, uses, expires_at,
        services, minimum, maximum, prefix, seed, created_at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";

pub(crate) const INSERT: &str = "
    INSERT INTO vouchers (account, batch, position, code, balance, uses_left, version)
    SELECT ?1, ?2, made.key + 1, unhex(made.value), ?4, ?5, 1 FROM json_each(?3) AS made";

pub(crate) const MOVE: &str = "
    UPDATE vouchers SET balance = ?5, uses_left = ?6, version = ?7
    WHERE account = ?1 AND batch = ?2 AND position = ?3 AND version = ?4";

pub(crate) const REDEEM: &str = "
    INSERT INTO voucher_redemptions (
        account, reference, batch, position, amount, target, discount, returned, balance_left,
        uses_left, at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

pub(crate) const ROLL_BACK: &str = "
    INSERT INTO voucher_rollbacks (
        account, original, reference, reason, balance_left, uses_left, at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

pub(crate) const VOID: &str = "
    INSERT INTO voucher_voids (account, batch, position, returned, reason, at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

pub(crate) const FREE: &str = "
    DELETE FROM voucher_targets WHERE account = ?1 AND target = ?2
        AND redemption = ?3";

pub(crate) const TARGET: &str =
    "INSERT INTO voucher_targets (account, target, redemption) VALUES (?1, ?2, ?3)";

/// Reads what the steps of codes need. Few batches have any.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    needs: &VoucherReads<'_>,
) -> Result<VoucherRows, PortError> {
    let mut rows = VoucherRows::default();
    if needs.is_empty() {
        return Ok(rows);
    }
    for (statement, names) in [
        (BATCHES, &needs.references),
        (REDEMPTIONS, &needs.redemptions),
        (ROLLBACKS, &needs.rollbacks),
    ] {
        let names = names.iter();
        let names: Vec<_> = names
            .map(|(id, name)| (id.as_str(), name.as_str()))
            .collect();
        let found = found(connection, statement, json(&names)?).await?;
        if statement == BATCHES {
            rows.batches.extend(each(&found, batch_row)?);
        } else {
            rows.redemptions.extend(each(&found, redemption_row)?);
        }
    }
    for (statement, numbers) in [(NUMBERED, &needs.numbers), (TARGETS, &needs.targets)] {
        let numbers = numbers.iter();
        let numbers: Vec<_> = numbers
            .map(|(id, number)| (id.as_str(), number.get()))
            .collect();
        let found = found(connection, statement, json(&numbers)?).await?;
        if statement == NUMBERED {
            rows.batches.extend(each(&found, batch_row)?);
        } else {
            let target = |row: &SqliteRow| Ok((row.try_get(0)?, row.try_get(1)?));
            rows.targets.extend(each(&found, target)?);
        }
    }
    let codes = needs.codes.iter();
    let codes = codes.map(|(account, id)| (account.as_str(), id.batch.get(), id.position));
    let codes: Vec<_> = codes.collect();
    let found = found(connection, CODES, json(&codes)?).await?;
    rows.codes.extend(each(&found, voucher_row)?);
    Ok(rows)
}

async fn found(
    connection: &mut SqliteConnection,
    statement: &'static str,
    wanted: String,
) -> Result<Vec<SqliteRow>, PortError> {
    let found = sqlx::query(statement).bind(wanted).fetch_all(connection);
    found.await.map_err(failed("read what is known of codes"))
}

fn each<T>(
    rows: &[SqliteRow],
    read: impl Fn(&SqliteRow) -> Result<T, sqlx::Error>,
) -> Result<Vec<T>, PortError> {
    let read: Result<Vec<T>, _> = rows.iter().map(read).collect();
    read.map_err(failed("read a row of codes"))
}

/// Writes so many rows.
async fn insert(
    connection: &mut SqliteConnection,
    statement: Query<'_, Sqlite, SqliteArguments>,
    (wanted, what): (usize, &str),
) -> Result<(), CommitError> {
    let written = statement.execute(connection).await;
    let written = written.map_err(refused(what))?;
    wrote(written.rows_affected(), wanted, what).map_err(CommitError::Refused)
}

/// Writes what becomes of codes, where anything does.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    plan: &VoucherPlan<'_>,
) -> Result<(), CommitError> {
    for issue in &plan.issues {
        let row = VoucherBatchRow::of(&issue.batch);
        issued(connection, &row).await?;
        let left = issue.batch.terms.whole();
        let hashes: Vec<String> = issue.hashes.iter().map(|hash| hex(&hash.0)).collect();
        let count = hashes.len();
        let codes = sqlx::query(INSERT)
            .bind(&row.account)
            .bind(row.number)
            .bind(json(&hashes).map_err(CommitError::Unknown)?)
            .bind(left.balance.minor())
            .bind(left.uses.map(i64::from));
        insert(connection, codes, (count, "write codes")).await?;
    }
    moved(connection, plan).await?;
    for made in &plan.redemptions {
        let query = redeemed(made);
        insert(connection, query, (1, "write a redemption")).await?;
    }
    for (back, target) in plan.freed() {
        let query = sqlx::query(FREE)
            .bind(back.account.as_str())
            .bind(integer(target.get()))
            .bind(back.reference.as_str());
        insert(connection, query, (1, "free a payment")).await?;
    }
    for back in &plan.rollbacks {
        let Some(rollback) = &back.rollback else {
            continue;
        };
        let query = sqlx::query(ROLL_BACK)
            .bind(back.account.as_str())
            .bind(back.reference.as_str())
            .bind(rollback.reference.as_str())
            .bind(rollback.reason.as_str())
            .bind(rollback.left.balance.minor())
            .bind(rollback.left.uses.map(i64::from))
            .bind(rollback.at.as_millis());
        insert(connection, query, (1, "write a rollback")).await?;
    }
    for (step, returned) in &plan.voids {
        let query = sqlx::query(VOID)
            .bind(step.account.as_str())
            .bind(integer(step.voucher.batch.get()))
            .bind(i64::from(step.voucher.position))
            .bind(returned.minor())
            .bind(step.reason.as_str())
            .bind(step.at.as_millis());
        insert(connection, query, (1, "write the end of a code")).await?;
    }
    for (made, target) in plan.targeted() {
        let query = sqlx::query(TARGET)
            .bind(made.account.as_str())
            .bind(integer(target.get()))
            .bind(made.reference.as_str());
        insert(connection, query, (1, "write a lowered payment")).await?;
    }
    Ok(())
}

async fn issued(
    connection: &mut SqliteConnection,
    row: &VoucherBatchRow,
) -> Result<(), CommitError> {
    let batch = sqlx::query(ISSUE)
        .bind(&row.account)
        .bind(row.number)
        .bind(&row.reference)
        .bind(&row.kind)
        .bind(&row.currency)
        .bind(row.amount)
        .bind(&row.percent)
        .bind(row.issued)
        .bind(row.uses)
        .bind(row.expires_at)
        .bind(&row.services)
        .bind(row.minimum)
        .bind(row.maximum)
        .bind(&row.prefix)
        .bind(&row.seed)
        .bind(row.created_at);
    insert(connection, batch, (1, "write a batch of codes")).await
}

async fn moved(
    connection: &mut SqliteConnection,
    plan: &VoucherPlan<'_>,
) -> Result<(), CommitError> {
    for movement in &plan.moved {
        let voucher = &movement.voucher;
        let query = sqlx::query(MOVE)
            .bind(voucher.account.as_str())
            .bind(integer(voucher.id.batch.get()))
            .bind(i64::from(voucher.id.position))
            .bind(i64::from(movement.from_version))
            .bind(voucher.left.balance.minor())
            .bind(voucher.left.uses.map(i64::from))
            .bind(i64::from(voucher.version));
        insert(connection, query, (1, "move a code on")).await?;
    }
    Ok(())
}

fn redeemed(made: &VoucherRedemption) -> Query<'_, Sqlite, SqliteArguments> {
    sqlx::query(REDEEM)
        .bind(made.account.as_str())
        .bind(made.reference.as_str())
        .bind(integer(made.voucher.batch.get()))
        .bind(i64::from(made.voucher.position))
        .bind(made.amount.minor())
        .bind(made.target.map(|target| integer(target.get())))
        .bind(made.discount.minor())
        .bind(made.returned.minor())
        .bind(made.left.balance.minor())
        .bind(made.left.uses.map(i64::from))
        .bind(made.at.as_millis())
}
