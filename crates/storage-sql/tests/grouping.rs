//! Many callers, one commit: nobody waits for company, nobody fails for another, nobody waits for
//! ever.
#![cfg(test)]

mod model;

use async_trait::async_trait;
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use model::Tables;
use ports::PortError;
use ports::books::Committed;
use std::sync::{Arc, Mutex};
use storage_sql::group_commit::{BATCH_MAX, BatchStore, CommitError, GroupCommit, QUEUE_MAX};
use storage_sql::planner::{BatchPlan, Needs, WorkingSet};
use testkit::builders::airtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// What a test sees of the store, and how it misbehaves.
struct Scene {
    tables: Mutex<Tables>,
    /// The size of every batch that was begun.
    begun: Mutex<Vec<usize>>,
    /// A batch begins when it gets a permit.
    gate: Semaphore,
    /// The number whose transaction breaks a constraint.
    poison: u64,
    /// Whether every commit fails without a word.
    dead: bool,
    closed: Mutex<bool>,
}

impl Scene {
    fn new(permits: usize) -> Scene {
        let tables = Tables::default().with_account("shop", 1_000_000_000, AccountStatus::Active);
        Scene {
            tables: Mutex::new(tables),
            begun: Mutex::default(),
            gate: Semaphore::new(permits),
            poison: 0,
            dead: false,
            closed: Mutex::new(false),
        }
    }

    fn begun(&self) -> Vec<usize> {
        self.begun.lock().unwrap().clone()
    }

    fn stored(&self) -> Vec<i64> {
        self.tables
            .lock()
            .unwrap()
            .transactions
            .keys()
            .copied()
            .collect()
    }
}

struct Staged(Arc<Scene>);

#[async_trait]
impl BatchStore for Staged {
    async fn begin(&mut self, needs: &Needs<'_>) -> Result<WorkingSet, PortError> {
        self.0.gate.acquire().await.unwrap().forget();
        self.0.begun.lock().unwrap().push(needs.numbers.len());
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
        if numbers.any(|number| number == self.0.poison) {
            return Err(CommitError::Refused(PortError::new(
                "test",
                "a constraint is broken",
            )));
        }
        self.0.tables.lock().unwrap().apply(plan);
        Ok(())
    }

    async fn abandon(&mut self) {}

    async fn close(self) {
        *self.0.closed.lock().unwrap() = true;
    }
}

fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

fn start(scene: Scene) -> (Arc<Scene>, Arc<GroupCommit<Staged>>) {
    let scene = Arc::new(scene);
    let queue = Arc::new(GroupCommit::new(Staged(scene.clone())));
    (scene, queue)
}

/// Hands over change sets in order, without waiting for their verdicts.
async fn hand_over(
    queue: &Arc<GroupCommit<Staged>>,
    numbers: impl IntoIterator<Item = u64>,
) -> JoinSet<(u64, Result<Committed, String>)> {
    let mut waiting = JoinSet::new();
    for n in numbers {
        let queue = queue.clone();
        let commit = async move { queue.commit(buy(n)).await };
        waiting.spawn(async move { (n, commit.await.map_err(|error| whole(&error))) });
        tokio::task::yield_now().await;
    }
    waiting
}

fn whole(error: &PortError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

#[tokio::test]
async fn a_lone_change_set_is_committed_at_once() {
    let (scene, queue) = start(Scene::new(1));
    assert_eq!(queue.commit(buy(1)).await.unwrap(), Committed::Done);
    assert_eq!(scene.begun(), [1]);
}

#[tokio::test]
async fn what_came_while_the_writer_was_busy_is_committed_together() {
    let (scene, queue) = start(Scene::new(0));
    let waiting = hand_over(&queue, 1..=10).await;
    scene.gate.add_permits(2);
    let verdicts = waiting.join_all().await;
    assert!(
        verdicts
            .iter()
            .all(|(_, verdict)| *verdict == Ok(Committed::Done)),
        "{verdicts:?}"
    );
    assert_eq!(scene.begun(), [1, 9]);
}

#[tokio::test]
async fn a_batch_has_a_greatest_size() {
    let (scene, queue) = start(Scene::new(0));
    let count = 1 + BATCH_MAX as u64 + 5;
    let waiting = hand_over(&queue, 1..=count).await;
    scene.gate.add_permits(3);
    waiting.join_all().await;
    assert_eq!(scene.begun(), [1, BATCH_MAX, 5]);
}

#[tokio::test]
async fn a_change_set_that_breaks_a_constraint_fails_alone() {
    let scene = Scene {
        poison: 4,
        ..Scene::new(0)
    };
    let (scene, queue) = start(scene);
    let waiting = hand_over(&queue, 1..=6).await;
    scene.gate.add_permits(100);
    for (n, verdict) in waiting.join_all().await {
        match n {
            4 => assert!(verdict.unwrap_err().contains("constraint is broken")),
            _ => assert_eq!(verdict, Ok(Committed::Done)),
        }
    }
    assert_eq!(scene.stored(), [1, 2, 3, 5, 6]);
    assert_eq!(scene.begun(), [1, 5, 1, 1, 1, 1, 1]);
}

#[tokio::test]
async fn when_the_store_fails_everyone_in_the_batch_is_told_and_nothing_is_tried_again() {
    let scene = Scene {
        dead: true,
        ..Scene::new(0)
    };
    let (scene, queue) = start(scene);
    let waiting = hand_over(&queue, 1..=4).await;
    scene.gate.add_permits(100);
    for (_, verdict) in waiting.join_all().await {
        assert!(verdict.unwrap_err().contains("the disk is gone"));
    }
    assert_eq!(scene.begun(), [1, 3]);
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let (scene, queue) = start(Scene::new(0));
    let waiting = hand_over(&queue, 1..=1 + QUEUE_MAX as u64).await;
    let error = queue.commit(buy(99_999)).await.unwrap_err().to_string();
    assert!(error.contains("saturated"), "{error}");
    scene.gate.add_permits(1_000);
    let verdicts = waiting.join_all().await;
    assert!(
        verdicts
            .iter()
            .all(|(_, verdict)| *verdict == Ok(Committed::Done))
    );
    assert_eq!(scene.stored().len(), 1 + QUEUE_MAX);
}

#[tokio::test]
async fn closing_finishes_what_is_queued_and_accepts_nothing_more() {
    let (scene, queue) = start(Scene::new(0));
    let waiting = hand_over(&queue, 1..=5).await;
    let closing = {
        let queue = queue.clone();
        let mut closing = JoinSet::new();
        closing.spawn(async move { queue.close().await });
        closing
    };
    tokio::task::yield_now().await;
    scene.gate.add_permits(100);
    closing.join_all().await;
    assert!(*scene.closed.lock().unwrap());
    assert_eq!(scene.stored(), [1, 2, 3, 4, 5]);
    let verdicts = waiting.join_all().await;
    assert!(
        verdicts
            .iter()
            .all(|(_, verdict)| *verdict == Ok(Committed::Done)),
        "{verdicts:?}"
    );
    let error = queue.commit(buy(6)).await.unwrap_err().to_string();
    assert!(error.contains("closed"), "{error}");
    queue.close().await;
}

#[tokio::test]
async fn a_caller_who_hangs_up_does_not_take_the_change_back() {
    let (scene, queue) = start(Scene::new(0));
    let mut waiting = hand_over(&queue, 1..=3).await;
    waiting.abort_all();
    while waiting.join_next().await.is_some() {}
    scene.gate.add_permits(100);
    queue.close().await;
    assert_eq!(scene.stored(), [1, 2, 3]);
}

#[tokio::test]
async fn work_of_its_own_runs_between_batches_in_its_turn() {
    let (scene, queue) = start(Scene::new(0));
    let before = hand_over(&queue, 1..=3).await;
    let alone = {
        let (queue, scene) = (queue.clone(), scene.clone());
        let mut alone = JoinSet::new();
        alone.spawn(async move {
            let seen = queue.alone(move |_| Box::pin(async move { scene.stored() }));
            seen.await.unwrap()
        });
        alone
    };
    tokio::task::yield_now().await;
    let after = hand_over(&queue, 4..=6).await;
    scene.gate.add_permits(100);
    before.join_all().await;
    after.join_all().await;
    assert_eq!(alone.join_all().await, [vec![1, 2, 3]]);
    assert_eq!(scene.begun(), [1, 2, 3]);
}
