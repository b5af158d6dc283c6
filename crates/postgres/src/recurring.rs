//! Subscriptions. They must be written through the writer of their account, each step on the
//! condition that the version is unchanged.

mod statements;

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::rows::bigint;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::recurring::{RecurringRun, RecurringStep, RecurringVersion};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use ports::PortError;
use ports::batches::PageOf;
use ports::recurring::{
    RecurringChange, RecurringCreation, RecurringKey, RecurringPage, RecurringPayments,
    SealedRecurring,
};
use sqlx::postgres::PgRow;
use sqlx::{Postgres, Row, Transaction};
use std::ops::RangeInclusive;
use storage_sql::readable;
use storage_sql::record::{
    RecurringProgressRow, RecurringRow, RecurringRunRow, TopUpObstacles, recurring_number,
    recurring_obstacle,
};

pub(crate) use statements::{
    ADD_RUN, BOUND, BY_NUMBER, BY_REFERENCE, CHANGE_RUN, COUNT, DUE, INSERT, OBSTACLES, PAGES,
    PUT_OFF, RUNS, STEP,
};

#[async_trait]
impl RecurringPayments for PostgresStore {
    async fn create_recurring(
        &self,
        recurring: &SealedRecurring,
    ) -> Result<RecurringCreation, PortError> {
        let recurring = recurring.clone();
        self.alone(&recurring.payment.terms.account.clone(), move |writer| {
            Box::pin(writer.create_recurring(recurring))
        })
        .await
    }

    async fn recurring(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<SealedRecurring>, PortError> {
        let found = sqlx::query(BY_REFERENCE)
            .bind(account.as_str())
            .bind(reference.as_str())
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a subscription"))?;
        let found = found.as_ref();
        found
            .map(|row| subscription(row)?.restore(self.cipher()))
            .transpose()
    }

    async fn numbered_recurring(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<SealedRecurring>, PortError> {
        let found = sqlx::query(BY_NUMBER)
            .bind(account.as_str())
            .bind(recurring_number(number))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a subscription by its number"))?;
        let found = found.as_ref();
        found
            .map(|row| subscription(row)?.restore(self.cipher()))
            .transpose()
    }

    async fn recurring_page(
        &self,
        account: &AccountId,
        page: PageOf,
    ) -> Result<RecurringPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the subscriptions of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the subscriptions of an account"))?;
        let restored = |row| Ok(subscription(row)?.restore(self.cipher())?.payment);
        Ok(RecurringPage {
            payments: rows
                .iter()
                .map(restored)
                .collect::<Result<_, PortError>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }

    async fn due_recurring(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SealedRecurring>, PortError> {
        if !self.shared.place.may_claim() {
            return Ok(Vec::new());
        }
        let found = sqlx::query(DUE)
            .bind(now.as_millis())
            .bind(i64::from(limit))
            .fetch_all(&self.pages)
            .in_time()
            .await
            .map_err(failed("find the subscriptions that are due"))?;
        let found = found
            .iter()
            .map(|row| subscription(row)?.restore(self.cipher()));
        let what = "a subscription that is due cannot be read; nothing is bought for it";
        Ok(readable(found, what).collect())
    }

    async fn step_recurring(
        &self,
        key: RecurringKey<'_>,
        step: &RecurringStep,
    ) -> Result<RecurringChange, PortError> {
        let (account, step) = (key.account.clone(), *step);
        let key = (key.number, key.version);
        self.alone(&account.clone(), move |writer| {
            Box::pin(writer.step_recurring(account, key, step))
        })
        .await
    }

    async fn put_off_recurring(
        &self,
        key: RecurringKey<'_>,
        until: Timestamp,
    ) -> Result<RecurringChange, PortError> {
        let account = key.account.clone();
        let key = (key.number, key.version);
        self.alone(&account.clone(), move |writer| {
            Box::pin(writer.put_off_recurring(account, key, until))
        })
        .await
    }

    async fn bound_recurring_pauses(&self, latest: Timestamp) -> Result<u64, PortError> {
        if !self.shared.place.may_claim() {
            return Ok(0);
        }
        let done = sqlx::query(BOUND)
            .bind(latest.as_millis())
            .execute(&self.steps)
            .in_time()
            .await
            .map_err(failed("bound the pauses of subscriptions"))?;
        Ok(done.rows_affected())
    }

    async fn recurring_runs(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        runs: RangeInclusive<u32>,
    ) -> Result<Vec<RecurringRun>, PortError> {
        let rows = sqlx::query(RUNS)
            .bind(account.as_str())
            .bind(recurring_number(number))
            .bind(i64::from(*runs.start()))
            .bind(i64::from(*runs.end()))
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the runs of a subscription"))?;
        let read = |row| run(row, 0).map_err(failed("read a run"))?.restore();
        rows.iter().map(read).collect()
    }
}

impl PostgresWriter {
    async fn create_recurring(
        &mut self,
        recurring: SealedRecurring,
    ) -> Result<RecurringCreation, PortError> {
        let row = RecurringRow::of(&recurring, self.shared().sealing.fields())?;
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(&row.account)
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let found: TopUpObstacles = sqlx::query_as(OBSTACLES)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a subscription"))?;
        if let Some(obstacle) = recurring_obstacle(found) {
            return Ok(obstacle);
        }
        let inserted = sqlx::query(INSERT)
            .bind(&row.account)
            .bind(row.number)
            .bind(&row.reference)
            .bind(&row.service)
            .bind(&row.purchase)
            .bind(&row.run_interval)
            .bind(row.start_at)
            .bind(row.run_limit)
            .bind(&row.time_zone)
            .bind(&row.on_failure)
            .bind(row.made_by)
            .bind(row.made_by_user)
            .bind(&row.asked)
            .bind(&row.seal)
            .bind(row.created_at)
            .bind(row.version)
            .bind(&row.progress.status)
            .bind(row.progress.next_run)
            .bind(row.progress.bought)
            .bind(row.progress.last_at)
            .bind(row.progress.look_at)
            .bind(row.progress.is_pause)
            .execute(&mut *step)
            .await
            .map_err(failed("insert a subscription"))?;
        wrote(inserted.rows_affected(), 1, "insert a subscription")?;
        step.commit()
            .await
            .map_err(failed("commit a subscription"))?;
        Ok(RecurringCreation::Done)
    }

    async fn step_recurring(
        &mut self,
        account: AccountId,
        (number, version): (TransactionNumber, RecurringVersion),
        change: RecurringStep,
    ) -> Result<RecurringChange, PortError> {
        let row = RecurringProgressRow::of(&change.progress);
        let mut step = self.step().await?;
        let changed = sqlx::query(STEP)
            .bind(account.as_str())
            .bind(recurring_number(number))
            .bind(i64::from(version.get()))
            .bind(&row.status)
            .bind(row.next_run)
            .bind(row.open_run)
            .bind(row.bought)
            .bind(row.last_at)
            .bind(row.look_at)
            .bind(row.is_pause)
            .execute(&mut *step)
            .await
            .map_err(failed("change a subscription"))?;
        if changed.rows_affected() == 0 {
            return Ok(RecurringChange::VersionConflict);
        }
        if let Some(run) = &change.run {
            write_run(&mut step, (&account, number), run).await?;
        }
        step.commit()
            .await
            .map_err(failed("commit a step of a subscription"))?;
        Ok(RecurringChange::Done)
    }

    async fn put_off_recurring(
        &mut self,
        account: AccountId,
        (number, version): (TransactionNumber, RecurringVersion),
        until: Timestamp,
    ) -> Result<RecurringChange, PortError> {
        let mut step = self.step().await?;
        let changed = sqlx::query(PUT_OFF)
            .bind(account.as_str())
            .bind(recurring_number(number))
            .bind(i64::from(version.get()))
            .bind(until.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("put a subscription off"))?;
        if changed.rows_affected() == 0 {
            return Ok(RecurringChange::VersionConflict);
        }
        step.commit()
            .await
            .map_err(failed("commit a pause of a subscription"))?;
        Ok(RecurringChange::Done)
    }
}

/// Changes the row of a run, or adds it.
async fn write_run(
    step: &mut Transaction<'_, Postgres>,
    (account, subscription): (&AccountId, TransactionNumber),
    run: &RecurringRun,
) -> Result<(), PortError> {
    let row = RecurringRunRow::of(run);
    let reference = run.reference_of(subscription);
    let with_values = |statement: &'static str| {
        sqlx::query(statement)
            .bind(account.as_str().to_owned())
            .bind(recurring_number(subscription))
            .bind(row.run)
            .bind(row.tries)
            .bind(row.retries)
            .bind(row.state.clone())
            .bind(row.refusal.clone())
            .bind(reference.as_str().to_owned())
            .bind(row.at)
    };
    let changed = with_values(CHANGE_RUN)
        .execute(&mut **step)
        .await
        .map_err(failed("change a run"))?;
    if changed.rows_affected() == 0 {
        let added = with_values(ADD_RUN)
            .bind(row.due_at)
            .execute(&mut **step)
            .await
            .map_err(failed("add a run"))?;
        wrote(added.rows_affected(), 1, "add a run")?;
    }
    Ok(())
}

fn subscription(row: &PgRow) -> Result<RecurringRow, PortError> {
    subscription_row(row).map_err(failed("read a subscription"))
}

fn subscription_row(row: &PgRow) -> Result<RecurringRow, sqlx::Error> {
    let open_run: Option<i64> = row.try_get(18)?;
    let has_run = row.try_get::<Option<i64>, _>(23)?.is_some();
    Ok(RecurringRow {
        account: row.try_get(0)?,
        number: row.try_get(1)?,
        reference: row.try_get(2)?,
        service: row.try_get(3)?,
        purchase: row.try_get(4)?,
        run_interval: row.try_get(5)?,
        start_at: row.try_get(6)?,
        run_limit: row.try_get(7)?,
        time_zone: row.try_get(8)?,
        on_failure: row.try_get(9)?,
        made_by: row.try_get(10)?,
        made_by_user: row.try_get(11)?,
        asked: row.try_get(12)?,
        seal: row.try_get(13)?,
        created_at: row.try_get(14)?,
        version: row.try_get(15)?,
        progress: RecurringProgressRow {
            status: row.try_get(16)?,
            next_run: row.try_get(17)?,
            open_run,
            bought: row.try_get(19)?,
            last_at: row.try_get(20)?,
            look_at: row.try_get(21)?,
            is_pause: row.try_get(22)?,
        },
        open: has_run.then(|| run(row, 23)).transpose()?,
    })
}

/// The run whose columns begin at a place.
fn run(row: &PgRow, first: usize) -> Result<RecurringRunRow, sqlx::Error> {
    Ok(RecurringRunRow {
        run: row.try_get(first)?,
        due_at: row.try_get(first.saturating_add(1))?,
        tries: row.try_get(first.saturating_add(2))?,
        retries: row.try_get(first.saturating_add(3))?,
        state: row.try_get(first.saturating_add(4))?,
        refusal: row.try_get(first.saturating_add(5))?,
        at: row.try_get(first.saturating_add(6))?,
    })
}
