//! A store over plain maps that waits, fails and loses races as scripted. What it did must be
//! visible from outside.

use crate::model::ModelTables;
use async_trait::async_trait;
use domain::account::AccountStatus;
use ports::{PortError, PortErrorKind};
use std::sync::{Arc, Mutex};
use storage_sql::group_commit::{BatchStore, CommitError};
use storage_sql::planner::{BatchPlan, ReadSet, WorkingSet};
use tokio::sync::Semaphore;

/// What a test sees of the store, and how it misbehaves.
pub(crate) struct Scene {
    pub(crate) tables: Mutex<ModelTables>,
    /// The size of every batch that was begun.
    pub(crate) begun: Mutex<Vec<usize>>,
    /// A batch begins when it gets a permit.
    pub(crate) gate: Semaphore,
    /// The number whose transaction breaks a constraint.
    pub(crate) poison: u64,
    /// Whether every commit fails without a word.
    pub(crate) dead: bool,
    /// How many batches begin before the store is away for good.
    pub(crate) leaves_after: usize,
    /// How many more commits lose a race.
    pub(crate) races: Mutex<Races>,
    pub(crate) closed: Mutex<bool>,
}

impl Scene {
    pub(crate) fn new(permits: usize) -> Scene {
        let tables =
            ModelTables::default().with_account("shop", 1_000_000_000, AccountStatus::Active);
        Scene {
            tables: Mutex::new(tables),
            begun: Mutex::default(),
            gate: Semaphore::new(permits),
            poison: 0,
            dead: false,
            leaves_after: usize::MAX,
            races: Mutex::default(),
            closed: Mutex::new(false),
        }
    }

    pub(crate) fn begun(&self) -> Vec<usize> {
        self.begun.lock().unwrap().clone()
    }

    pub(crate) fn stored(&self) -> Vec<i64> {
        self.tables
            .lock()
            .unwrap()
            .transactions
            .keys()
            .map(|(_, number)| *number)
            .collect()
    }
}

/// How many times each call is still in conflict with another process.
#[derive(Default)]
pub(crate) struct Races {
    pub(crate) begin: usize,
    pub(crate) commit: usize,
    /// Commits with this number among them are in conflict for ever.
    pub(crate) always: u64,
    /// How often a batch was left as it was.
    pub(crate) abandoned: usize,
}

impl Races {
    fn lost(left: &mut usize) -> bool {
        let lost = *left > 0;
        *left = left.saturating_sub(1);
        lost
    }
}

fn conflict() -> CommitError {
    CommitError::Conflict(PortError::new("test", "another commit was faster"))
}

pub(crate) struct Staged(pub(crate) Arc<Scene>);

#[async_trait]
impl BatchStore for Staged {
    async fn begin(&mut self, needs: &ReadSet<'_>) -> Result<WorkingSet, CommitError> {
        self.0.gate.acquire().await.unwrap().forget();
        self.0.begun.lock().unwrap().push(needs.numbers.len());
        if self.0.begun().len() > self.0.leaves_after {
            let away = PortError::new("test", "the store is away");
            let away = away.with_trouble(PortErrorKind::Unreachable);
            return Err(CommitError::Refused(away));
        }
        if Races::lost(&mut self.0.races.lock().unwrap().begin) {
            return Err(conflict());
        }
        Ok(self.0.tables.lock().unwrap().working_set(needs))
    }

    async fn commit(&mut self, plan: &BatchPlan<'_>) -> Result<(), CommitError> {
        if self.0.dead {
            return Err(CommitError::Unknown(PortError::new(
                "test",
                "the disk is gone",
            )));
        }
        let mut numbers = plan
            .openings
            .iter()
            .map(|opening| opening.transaction.number.get());
        if numbers.clone().any(|number| number == self.0.poison) {
            return Err(CommitError::Refused(PortError::new(
                "test",
                "a constraint is broken",
            )));
        }
        let mut races = self.0.races.lock().unwrap();
        if numbers.any(|number| number == races.always) || Races::lost(&mut races.commit) {
            return Err(conflict());
        }
        self.0.tables.lock().unwrap().apply(plan);
        Ok(())
    }

    async fn abandon(&mut self) {
        self.0.races.lock().unwrap().abandoned += 1;
    }

    async fn close(self) {
        *self.0.closed.lock().unwrap() = true;
    }
}
