//! What results come to, column by column. Each must be bound in the order the statement numbers
//! them.

use super::Stored;
use crate::endpoints::key;
use domain::webhook::{ATTEMPTS_SHOWN, Topic};
use ports::webhooks::AttemptResult;
use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryScalar;
use storage_sql::record::{AttemptRecord, EventKey, HealthColumns, moments};
use storage_sql::webhook::{FORGOTTEN_MAX, RecordedHealth, RecordingPlan};

/// The statement that is bound to.
type Statement<'a> = QueryScalar<'a, Postgres, bool, PgArguments>;

/// Deliveries by their names.
#[derive(Default)]
struct Names<'a> {
    account: Vec<&'a str>,
    endpoint: Vec<i64>,
    number: Vec<i64>,
    sequence: Vec<i32>,
    /// Bound after all others.
    currency: Vec<&'static str>,
}

impl<'a> Names<'a> {
    fn push(&mut self, result: &'a AttemptResult) {
        self.account.push(result.account.as_str());
        self.endpoint.push(key(result.delivery.endpoint));
        // Only what has a key was found.
        let key = EventKey::of(&result.delivery.event);
        self.number.push(key.map_or(0, |key| key.number));
        self.sequence.push(key.map_or(0, |key| key.sequence));
        let currency = key.map_or("", |key| key.currency_code());
        self.currency.push(currency);
    }

    fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.endpoint)
            .bind(self.number)
            .bind(self.sequence)
    }

    /// The currencies of the names, apart.
    fn currencies(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.currency)
    }
}

/// Endpoints as they were read and as they are written.
#[derive(Default)]
struct HealthArrays<'a> {
    account: Vec<&'a str>,
    id: Vec<i64>,
    was_failing_since: Vec<Option<i64>>,
    was_disabled_at: Vec<Option<i64>>,
    failing_since: Vec<Option<i64>>,
    disabled_at: Vec<Option<i64>>,
    disabled_reason: Vec<Option<&'static str>>,
}

impl<'a> HealthArrays<'a> {
    fn push(&mut self, recorded: &'a RecordedHealth) {
        let before = HealthColumns::of(recorded.before);
        let after = HealthColumns::of(recorded.after);
        self.account.push(recorded.account.as_str());
        self.id.push(key(recorded.endpoint));
        self.was_failing_since.push(before.failing_since);
        self.was_disabled_at.push(before.disabled_at);
        self.failing_since.push(after.failing_since);
        self.disabled_at.push(after.disabled_at);
        self.disabled_reason.push(after.disabled_reason);
    }

    fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.id)
            .bind(self.was_failing_since)
            .bind(self.was_disabled_at)
            .bind(self.failing_since)
            .bind(self.disabled_at)
            .bind(self.disabled_reason)
    }
}

/// Deliveries as they were read and as they are written: `None` where no result counts.
#[derive(Default)]
struct DeliveryArrays<'a> {
    names: Names<'a>,
    was_attempts: Vec<i32>,
    was_round: Vec<i32>,
    was_due: Vec<bool>,
    attempts: Vec<Option<i32>>,
    moments: [Vec<Option<i64>>; 3],
    requested: Vec<Option<bool>>,
    answered_at: Vec<Option<i64>>,
    answer: Vec<Option<&'a str>>,
}

/// Attempts for the log.
#[derive(Default)]
struct AttemptArrays<'a> {
    names: Names<'a>,
    at: Vec<i64>,
    took: Vec<i64>,
    status: Vec<Option<i32>>,
    retry_after: Vec<Option<i64>>,
    failure: Vec<Option<&'a str>>,
}

/// Events about endpoints that are given up.
#[derive(Default)]
struct EventArrays<'a> {
    account: Vec<&'a str>,
    about: Vec<i64>,
    number: Vec<i64>,
    at: Vec<i64>,
}

/// Everything that is written of a call.
#[derive(Default)]
pub(super) struct Columns<'a> {
    health: HealthArrays<'a>,
    deliveries: DeliveryArrays<'a>,
    attempts: AttemptArrays<'a>,
    crowded: Names<'a>,
    added: Vec<i64>,
    events: EventArrays<'a>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(
        (ended, records): (&'a [AttemptResult], &'a [AttemptRecord<'a>]),
        stored: &Stored,
        recording: &'a RecordingPlan<usize>,
    ) -> Self {
        let mut columns = Self::default();
        for recorded in &recording.health {
            columns.health.push(recorded);
        }
        for (place, first) in &recording.noted {
            let (Some(result), Some(record)) = (ended.get(*place), records.get(*place)) else {
                continue;
            };
            columns.attempts.push(result, record);
            if place == first {
                columns.push_delivery(result, (*first, stored), (records, recording));
            }
            if let Some(added) = recording.crowded.get(first).filter(|_| place == first) {
                columns.crowded.push(result);
                columns.added.push(*added);
            }
        }
        for (disabled, event) in &recording.given_up {
            columns.events.account.push(disabled.account.as_str());
            columns.events.about.push(key(disabled.endpoint));
            let number = EventKey::of(&event.id).map_or(0, |key| key.number);
            columns.events.number.push(number);
            columns.events.at.push(event.at.as_millis());
        }
        columns
    }

    fn push_delivery(
        &mut self,
        result: &'a AttemptResult,
        (first, stored): (usize, &Stored),
        (records, recording): (&'a [AttemptRecord<'a>], &RecordingPlan<usize>),
    ) {
        let Some((_, read)) = stored.get(&first) else {
            return;
        };
        let to = &mut self.deliveries;
        to.names.push(result);
        to.was_attempts.push(i32::from(read.attempts));
        to.was_round
            .push(i32::try_from(read.round).unwrap_or(i32::MAX));
        to.was_due.push(read.is_due());
        let moved = recording.moved.get(&first);
        to.attempts
            .push(moved.map(|it| i32::from(it.progress.attempts)));
        let all = moved.map_or([None; 3], |it| moments(it.progress.state));
        for (column, moment) in to.moments.iter_mut().zip(all) {
            column.push(moment);
        }
        to.requested.push(moved.map(|it| it.progress.requested));
        let record = moved.and_then(|it| records.get(it.by));
        to.answered_at.push(record.map(|record| record.at));
        let answer = record.and_then(|record| record.excerpt.as_deref());
        to.answer.push(answer);
    }

    pub(super) fn bind(mut self, statement: Statement<'a>) -> Statement<'a> {
        let names = [
            &mut self.deliveries.names,
            &mut self.attempts.names,
            &mut self.crowded,
        ];
        let [of_deliveries, of_attempts, of_crowded] = names.map(Names::currencies);
        let statement = self.health.bind(statement);
        let [due_at, delivered_at, parked_at] = self.deliveries.moments;
        let statement = self.deliveries.names.bind(statement);
        let statement = statement
            .bind(self.deliveries.was_attempts)
            .bind(self.deliveries.was_round)
            .bind(self.deliveries.was_due)
            .bind(self.deliveries.attempts)
            .bind(due_at)
            .bind(delivered_at)
            .bind(parked_at)
            .bind(self.deliveries.answer);
        let statement = self.attempts.bind(statement);
        let statement = self.crowded.bind(statement).bind(self.added);
        statement
            .bind(self.events.account)
            .bind(self.events.about)
            .bind(self.events.number)
            .bind(self.events.at)
            .bind(Topic::WebhookDisabled.code())
            .bind(i64::try_from(ATTEMPTS_SHOWN).unwrap_or(i64::MAX))
            .bind(FORGOTTEN_MAX)
            .bind(self.deliveries.answered_at)
            .bind(self.deliveries.requested)
            .bind(of_deliveries)
            .bind(of_attempts)
            .bind(of_crowded)
    }
}

impl<'a> AttemptArrays<'a> {
    fn push(&mut self, result: &'a AttemptResult, record: &'a AttemptRecord<'a>) {
        self.names.push(result);
        self.at.push(record.at);
        self.took.push(record.took);
        self.status.push(record.status);
        self.retry_after.push(record.retry_after);
        self.failure.push(record.failure.as_deref());
    }

    fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        let statement = self.names.bind(statement);
        statement
            .bind(self.at)
            .bind(self.took)
            .bind(self.status)
            .bind(self.retry_after)
            .bind(self.failure)
    }
}
