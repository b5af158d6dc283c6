//! Many callers, one commit: no caller waits for a batch to fill, fails for another or waits for
//! ever.
#![cfg(test)]

mod model;
mod stage;

use domain::change_set::ChangeSet;
use ports::ledger_store::CommitOutcome;
use ports::measurements::Unmeasured;
use ports::{CommitState, PortError, PortErrorKind};
use stage::{Races, Scene, Staged};
use std::sync::Arc;
use storage_sql::group_commit::{BATCH_MAX, CONFLICTS_MAX, GroupCommit, QUEUE_MAX};
use testkit::builders::airtime;
use tokio::task::JoinSet;

fn buy(n: u64) -> ChangeSet {
    airtime().nth(n).priced("1.00").change()
}

/// An error with its cause.
fn whole(error: &PortError) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

fn start(scene: Scene) -> (Arc<Scene>, Arc<GroupCommit<Staged>>) {
    let scene = Arc::new(scene);
    let queue = Arc::new(GroupCommit::new(
        Staged(scene.clone()),
        Arc::new(Unmeasured),
    ));
    (scene, queue)
}

/// Hands over change sets in order, without waiting for their verdicts.
async fn hand_over(
    queue: &Arc<GroupCommit<Staged>>,
    numbers: impl IntoIterator<Item = u64>,
) -> JoinSet<(u64, Result<CommitOutcome, String>)> {
    let mut waiting = JoinSet::new();
    for n in numbers {
        let queue = queue.clone();
        let commit = async move { queue.commit(buy(n)).await };
        waiting.spawn(async move { (n, commit.await.map_err(|error| whole(&error))) });
        tokio::task::yield_now().await;
    }
    waiting
}

#[tokio::test]
async fn a_lone_change_set_is_committed_at_once() {
    let (scene, queue) = start(Scene::new(1));
    assert_eq!(queue.commit(buy(1)).await.unwrap(), CommitOutcome::Done);
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
            .all(|(_, verdict)| *verdict == Ok(CommitOutcome::Done)),
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
            _ => assert_eq!(verdict, Ok(CommitOutcome::Done)),
        }
    }
    assert_eq!(scene.stored(), [1, 2, 3, 5, 6]);
    assert_eq!(scene.begun(), [1, 5, 1, 1, 1, 1, 1]);
}

#[tokio::test]
async fn when_the_store_fails_every_caller_in_the_batch_fails_and_nothing_is_tried_again() {
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
async fn a_batch_another_process_was_faster_than_is_judged_again_over_what_is_stored_now() {
    for races in [
        Races {
            begin: CONFLICTS_MAX,
            ..Races::default()
        },
        Races {
            commit: CONFLICTS_MAX,
            ..Races::default()
        },
    ] {
        let (scene, queue) = start(Scene::new(0));
        let waiting = hand_over(&queue, 1..=4).await;
        scene.gate.add_permits(1);
        while scene.stored().is_empty() {
            tokio::task::yield_now().await;
        }
        *scene.races.lock().unwrap() = races;
        scene.gate.add_permits(100);
        for (_, verdict) in waiting.join_all().await {
            assert_eq!(verdict, Ok(CommitOutcome::Done));
        }
        assert_eq!(scene.stored(), [1, 2, 3, 4]);
        assert_eq!(scene.begun(), [1, 3, 3, 3, 3, 3]);
        assert_eq!(scene.races.lock().unwrap().abandoned, CONFLICTS_MAX);
    }
}

#[tokio::test]
async fn the_one_that_is_always_in_conflict_receives_the_conflict_and_fails_alone() {
    let scene = Scene::new(0);
    scene.races.lock().unwrap().always = 3;
    let (scene, queue) = start(scene);
    let waiting = hand_over(&queue, 1..=4).await;
    scene.gate.add_permits(100);
    for (n, verdict) in waiting.join_all().await {
        match n {
            3 => assert!(verdict.unwrap_err().contains("another commit was faster")),
            _ => assert_eq!(verdict, Ok(CommitOutcome::Done)),
        }
    }
    assert_eq!(scene.stored(), [1, 2, 4]);
    // The lone first, the whole batch, its parts: each is tried once and again so many times.
    let tries = 1 + CONFLICTS_MAX;
    let begun = [vec![1], vec![3; tries], vec![1], vec![1; tries], vec![1]].concat();
    assert_eq!(scene.begun(), begun);
}

#[tokio::test]
async fn a_store_that_is_away_is_not_asked_again_for_each_of_a_batch() {
    let scene = Scene {
        leaves_after: 1,
        ..Scene::new(0)
    };
    let (scene, queue) = start(scene);
    let waiting = hand_over(&queue, 1..=4).await;
    scene.gate.add_permits(100);
    for (n, verdict) in waiting.join_all().await {
        match n {
            1 => assert_eq!(verdict, Ok(CommitOutcome::Done)),
            _ => assert!(verdict.unwrap_err().contains("the store is away")),
        }
    }
    assert_eq!(scene.begun(), [1, 3]);
}

#[tokio::test]
async fn a_store_that_leaves_while_a_batch_is_tried_one_by_one_is_not_asked_for_the_rest() {
    let scene = Scene {
        poison: 2,
        leaves_after: 4,
        ..Scene::new(0)
    };
    let (scene, queue) = start(scene);
    let waiting = hand_over(&queue, 1..=6).await;
    scene.gate.add_permits(100);
    for (n, verdict) in waiting.join_all().await {
        match n {
            1 | 3 => assert_eq!(verdict, Ok(CommitOutcome::Done)),
            2 => assert!(verdict.unwrap_err().contains("constraint is broken")),
            _ => assert!(verdict.unwrap_err().contains("the store is away")),
        }
    }
    assert_eq!(scene.begun(), [1, 5, 1, 1, 1]);
}

#[tokio::test]
async fn a_failed_caller_learns_whether_anything_may_be_stored() {
    let lost = Scene {
        dead: true,
        ..Scene::new(100)
    };
    let refused = Scene {
        poison: 7,
        ..Scene::new(100)
    };
    let outrun = Scene::new(100);
    outrun.races.lock().unwrap().always = 7;
    let away = Scene {
        leaves_after: 0,
        ..Scene::new(100)
    };
    for (scene, effect) in [
        (lost, CommitState::Unknown),
        (refused, CommitState::Nothing),
        (outrun, CommitState::Nothing),
        (away, CommitState::Nothing),
    ] {
        let (_, queue) = start(scene);
        let error = queue.commit(buy(7)).await.unwrap_err();
        assert_eq!(error.effect, effect, "{error}");
        queue.close().await;
        let error = queue.commit(buy(8)).await.unwrap_err();
        assert_eq!(error.effect, CommitState::Nothing, "{error}");
    }
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let (scene, queue) = start(Scene::new(0));
    let waiting = hand_over(&queue, 1..=1 + QUEUE_MAX as u64).await;
    let error = queue.commit(buy(99_999)).await.unwrap_err();
    assert_eq!(
        (error.trouble, error.effect),
        (PortErrorKind::Busy, CommitState::Nothing)
    );
    assert!(error.to_string().contains("saturated"), "{error}");
    scene.gate.add_permits(1_000);
    let verdicts = waiting.join_all().await;
    assert!(
        verdicts
            .iter()
            .all(|(_, verdict)| *verdict == Ok(CommitOutcome::Done))
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
            .all(|(_, verdict)| *verdict == Ok(CommitOutcome::Done)),
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
