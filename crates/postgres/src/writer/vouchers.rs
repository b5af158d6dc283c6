//! Reading and writing codes in the step that moves their money. The wallets must be locked before:
//! what is read here is what the writers before left.

use super::save::insert;
use crate::error::{PART, failed, refused};
use crate::rows::{bigint, integer, key};
use crate::vouchers::{
    batch_row, redemption_columns, redemption_row, redemption_tables, voucher_batch_columns,
    voucher_columns, voucher_row, voucher_tables,
};
use domain::account::AccountId;
use domain::reference::MerchantReference;
use domain::voucher::VoucherRedemption;
use ports::PortError;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};
use storage_sql::group_commit::CommitError;
use storage_sql::planner::{VoucherPlan, VoucherReads, VoucherRows};
use storage_sql::record::VoucherBatchRow;

/// The batches under some references.
const BATCHES: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM unnest($1::text[], $2::text[]) AS wanted (account, reference)
    JOIN voucher_batches AS b ON b.account = ANY (ARRAY[wanted.account])
        AND b.reference = wanted.reference"
);

/// The batches of some numbers.
const NUMBERED: &str = concat!(
    "SELECT ",
    voucher_batch_columns!(),
    " FROM unnest($1::text[], $2::bigint[]) AS wanted (account, number)
    JOIN voucher_batches AS b ON b.account = ANY (ARRAY[wanted.account])
        AND b.number = wanted.number"
);

/// Some codes.
const CODES: &str = concat!(
    "SELECT ",
    voucher_columns!(),
    " FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS wanted (account, batch, position)
    JOIN vouchers AS v ON v.account = ANY (ARRAY[wanted.account]) AND v.batch = wanted.batch
        AND v.position = wanted.position",
    voucher_tables!()
);

/// The redemptions under some references.
const REDEMPTIONS: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM unnest($1::text[], $2::text[]) AS wanted (account, reference)
    JOIN voucher_redemptions AS r ON r.account = ANY (ARRAY[wanted.account])
        AND r.reference = wanted.reference",
    redemption_tables!()
);

/// The redemptions that were rolled back under some references.
const ROLLBACKS: &str = concat!(
    "SELECT ",
    redemption_columns!(),
    " FROM unnest($1::text[], $2::text[]) AS wanted (account, reference)
    JOIN voucher_rollbacks AS f ON f.account = ANY (ARRAY[wanted.account])
        AND f.reference = wanted.reference
    JOIN voucher_redemptions AS r ON r.account = ANY (ARRAY[f.account])
        AND r.reference = f.original",
    redemption_tables!()
);

/// Which of some payments are lowered.
const TARGETS: &str = "
    SELECT t.account, t.target
    FROM unnest($1::text[], $2::bigint[]) AS wanted (account, target)
    JOIN LATERAL (
        SELECT * FROM voucher_targets AS t WHERE t.account = ANY (ARRAY[wanted.account])
            AND t.target = wanted.target
        LIMIT 1
    ) AS t ON true";

const ISSUE: &str = "
    INSERT INTO voucher_batches (
        account, number, reference, kind, currency, amount, percent, issued, uses, expires_at,
        services, minimum, maximum, prefix, seed, created_at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

const INSERT: &str = "
    INSERT INTO vouchers (account, batch, position, code, balance, uses_left, version)
    SELECT $1, $2, made.position, made.code, $4, $5, 1
    FROM unnest($3::bytea[]) WITH ORDINALITY AS made (code, position)";

const MOVE: &str = "
    UPDATE vouchers AS v
    SET balance = m.balance, uses_left = m.uses_left, version = m.version
    FROM unnest(
        $1::text[], $2::bigint[], $3::integer[], $4::integer[], $5::bigint[], $6::integer[],
        $7::integer[]
    ) AS m (account, batch, position, from_version, balance, uses_left, version)
    WHERE v.account = ANY (ARRAY[m.account]) AND v.batch = m.batch AND v.position = m.position
        AND v.version = m.from_version";

const REDEEM: &str = "
    INSERT INTO voucher_redemptions (
        account, reference, batch, position, amount, target, discount, returned, balance_left,
        uses_left, at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

const ROLL_BACK: &str = "
    INSERT INTO voucher_rollbacks (
        account, original, reference, reason, balance_left, uses_left, at
    ) VALUES ($1, $2, $3, $4, $5, $6, $7)";

const VOID: &str = "
    INSERT INTO voucher_voids (account, batch, position, returned, reason, at)
    VALUES ($1, $2, $3, $4, $5, $6)";

const FREE: &str = "
    DELETE FROM voucher_targets WHERE account = ANY (ARRAY[$1::text]) AND target = $2
        AND redemption = $3";

const TARGET: &str =
    "INSERT INTO voucher_targets (account, target, redemption) VALUES ($1, $2, $3)";

/// Every statement here, for the tests of how the server runs them.
#[cfg(test)]
pub(crate) const STATEMENTS: [&str; 14] = [
    BATCHES,
    CODES,
    FREE,
    INSERT,
    ISSUE,
    MOVE,
    NUMBERED,
    REDEEM,
    REDEMPTIONS,
    ROLLBACKS,
    ROLL_BACK,
    TARGET,
    TARGETS,
    VOID,
];

/// Reads what the steps of codes need. Few batches have any.
pub(super) async fn read(
    connection: &mut PgConnection,
    needs: &VoucherReads<'_>,
) -> Result<VoucherRows, CommitError> {
    let mut rows = VoucherRows::default();
    if needs.is_empty() {
        return Ok(rows);
    }
    for (statement, found) in [
        (BATCHES, &needs.references),
        (REDEMPTIONS, &needs.redemptions),
        (ROLLBACKS, &needs.rollbacks),
    ] {
        let (accounts, names): (Vec<&str>, Vec<&str>) = found.iter().map(by_name).unzip();
        let query = sqlx::query(statement).bind(accounts).bind(names);
        let found = query.fetch_all(&mut *connection).await;
        let found = found.map_err(refused("read what is known of codes"))?;
        if statement == BATCHES {
            rows.batches.extend(each(&found, batch_row)?);
        } else {
            rows.redemptions.extend(each(&found, redemption_row)?);
        }
    }
    for (statement, numbers) in [(NUMBERED, &needs.numbers), (TARGETS, &needs.targets)] {
        let numbers = numbers.iter();
        let (accounts, numbers): (Vec<&str>, Vec<i64>) = numbers
            .map(|(account, number)| (account.as_str(), key(*number)))
            .unzip();
        let query = sqlx::query(statement).bind(accounts).bind(numbers);
        let found = query.fetch_all(&mut *connection).await;
        let found = found.map_err(refused("read what is known of codes"))?;
        if statement == NUMBERED {
            rows.batches.extend(each(&found, batch_row)?);
        } else {
            let target = |row: &PgRow| Ok((row.try_get(0)?, row.try_get(1)?));
            rows.targets.extend(each(&found, target)?);
        }
    }
    let codes = needs.codes.iter();
    let accounts: Vec<&str> = codes.clone().map(|(account, _)| account.as_str()).collect();
    let batches: Vec<i64> = codes.clone().map(|(_, id)| key(id.batch)).collect();
    let positions: Vec<i32> = codes.map(|(_, id)| integer(id.position)).collect();
    let query = sqlx::query(CODES)
        .bind(accounts)
        .bind(batches)
        .bind(positions);
    let found = query.fetch_all(connection).await;
    let found = found.map_err(refused("read codes"))?;
    rows.codes.extend(each(&found, voucher_row)?);
    Ok(rows)
}

fn by_name<'a>((account, name): &(&'a AccountId, &'a MerchantReference)) -> (&'a str, &'a str) {
    (account.as_str(), name.as_str())
}

fn each<T>(
    rows: &[PgRow],
    read: impl Fn(&PgRow) -> Result<T, sqlx::Error>,
) -> Result<Vec<T>, CommitError> {
    let read: Result<Vec<T>, _> = rows.iter().map(read).collect();
    let read = read.map_err(failed("read a row of codes"));
    read.map_err(CommitError::Refused)
}

/// Writes what becomes of codes, where anything does.
pub(super) async fn write(
    connection: &mut PgConnection,
    plan: &VoucherPlan<'_>,
) -> Result<(), CommitError> {
    for issue in &plan.issues {
        let row = VoucherBatchRow::of(&issue.batch);
        issued(connection, &row).await?;
        let left = issue.batch.terms.whole();
        let hashes: Vec<&[u8]> = issue.hashes.iter().map(|hash| hash.0.as_slice()).collect();
        let count = hashes.len();
        let codes = sqlx::query(INSERT)
            .bind(&row.account)
            .bind(row.number)
            .bind(hashes)
            .bind(left.balance.minor())
            .bind(left.uses.map(integer));
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
            .bind(key(target))
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
            .bind(rollback.left.uses.map(integer))
            .bind(rollback.at.as_millis());
        insert(connection, query, (1, "write a rollback")).await?;
    }
    for (step, returned) in &plan.voids {
        let query = sqlx::query(VOID)
            .bind(step.account.as_str())
            .bind(key(step.voucher.batch))
            .bind(integer(step.voucher.position))
            .bind(returned.minor())
            .bind(step.reason.as_str())
            .bind(step.at.as_millis());
        insert(connection, query, (1, "write the end of a code")).await?;
    }
    for (made, target) in plan.targeted() {
        let query = sqlx::query(TARGET)
            .bind(made.account.as_str())
            .bind(key(target))
            .bind(made.reference.as_str());
        insert(connection, query, (1, "write a lowered payment")).await?;
    }
    Ok(())
}

async fn issued(connection: &mut PgConnection, row: &VoucherBatchRow) -> Result<(), CommitError> {
    let batch = sqlx::query(ISSUE)
        .bind(&row.account)
        .bind(row.number)
        .bind(&row.reference)
        .bind(&row.kind)
        .bind(&row.currency)
        .bind(row.amount)
        .bind(&row.percent)
        .bind(i32::try_from(row.issued).unwrap_or(i32::MAX))
        .bind(row.uses.map(|uses| i32::try_from(uses).unwrap_or(i32::MAX)))
        .bind(row.expires_at)
        .bind(&row.services)
        .bind(row.minimum)
        .bind(row.maximum)
        .bind(&row.prefix)
        .bind(&row.seed)
        .bind(row.created_at);
    insert(connection, batch, (1, "write a batch of codes")).await
}

/// Moves codes on, in one order for all writers.
async fn moved(connection: &mut PgConnection, plan: &VoucherPlan<'_>) -> Result<(), CommitError> {
    if plan.moved.is_empty() {
        return Ok(());
    }
    let mut moved: Vec<_> = plan.moved.iter().collect();
    moved.sort_by_key(|it| (&it.voucher.account, it.voucher.id));
    let codes = || moved.iter().map(|it| &it.voucher);
    let accounts: Vec<&str> = codes().map(|it| it.account.as_str()).collect();
    let batches: Vec<i64> = codes().map(|it| bigint(it.id.batch.get())).collect();
    let positions: Vec<i32> = codes().map(|it| integer(it.id.position)).collect();
    let from: Vec<i32> = moved.iter().map(|it| integer(it.from_version)).collect();
    let balances: Vec<i64> = codes().map(|it| it.left.balance.minor()).collect();
    let uses: Vec<Option<i32>> = codes().map(|it| it.left.uses.map(integer)).collect();
    let versions: Vec<i32> = codes().map(|it| integer(it.version)).collect();
    let done = sqlx::query(MOVE)
        .bind(accounts)
        .bind(batches)
        .bind(positions)
        .bind(from)
        .bind(balances)
        .bind(uses)
        .bind(versions)
        .execute(connection)
        .await
        .map_err(refused("move codes on"))?;
    if u64::try_from(moved.len()) == Ok(done.rows_affected()) {
        return Ok(());
    }
    let what = "another writer has changed a code";
    Err(CommitError::Conflict(PortError::new(PART, what)))
}

fn redeemed(made: &VoucherRedemption) -> super::Statement<'_> {
    sqlx::query(REDEEM)
        .bind(made.account.as_str())
        .bind(made.reference.as_str())
        .bind(key(made.voucher.batch))
        .bind(integer(made.voucher.position))
        .bind(made.amount.minor())
        .bind(made.target.map(key))
        .bind(made.discount.minor())
        .bind(made.returned.minor())
        .bind(made.left.balance.minor())
        .bind(made.left.uses.map(integer))
        .bind(made.at.as_millis())
}
