//! How soon a change of an account counts everywhere. No test may need a word that a real line
//! could lose.

use super::{Instance, millis};
use crate::support::{PEPPER, World};
use application::credentials::{hash_key, mint_key};
use application::peers::NoBudgets;
use async_trait::async_trait;
use domain::credential::KeyRecord;
use domain::environment::Environment;
use ports::PortError;
use ports::clock::Clock;
use ports::peers::{PeerEvent, PeerMessage, Peers};
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use testkit::builders::{account, account_id};
use testkit::clock::ManualClock;
use testkit::peers::{Hub, PROVEN_EVERY};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Revocation takes effect within this.
const REVOKED_WITHIN: Duration = Duration::from_secs(1);

#[tokio::test]
async fn while_changes_are_received_an_account_is_read_every_thirty_seconds() {
    let instance = Instance::new().await;
    let before = instance.reads();
    for _ in 0..299 {
        assert!(instance.lets_in().await);
        instance.pass(millis(100)).await;
    }
    assert_eq!(instance.reads() - before, 1);
    instance.pass(millis(100)).await;
    assert!(instance.lets_in().await);
    assert_eq!(instance.reads() - before, 2);
}

#[tokio::test]
async fn while_nothing_is_received_an_account_is_read_twice_a_second() {
    for instance in [Instance::alone().await, Instance::new().await] {
        instance.line.cut();
        instance.pass(REVOKED_WITHIN).await;
        let before = instance.reads();
        for _ in 0..10 {
            assert!(instance.lets_in().await);
            instance.pass(millis(250)).await;
        }
        assert_eq!(instance.reads() - before, 5);
    }
}

#[tokio::test]
async fn a_change_that_is_received_counts_at_once() {
    let instance = Instance::new().await;
    assert!(instance.lets_in().await);
    instance.revoke().await;
    instance.pass(Duration::ZERO).await;
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn a_change_of_another_account_costs_no_read() {
    let instance = Instance::new().await;
    assert!(instance.lets_in().await);
    let before = instance.reads();
    instance.hub.account_changed(&account_id("other"));
    instance.pass(millis(5000)).await;
    assert!(instance.lets_in().await);
    assert_eq!(instance.reads(), before);
}

#[tokio::test]
async fn an_account_that_was_unknown_is_let_in_as_soon_as_its_opening_is_received() {
    let instance = Instance::new().await;
    let key = mint_key(Environment::Test, [2; 32]);
    let lets_in = async || instance.gateway.authenticate("late", &key).await.is_ok();
    assert!(!lets_in().await);
    let new = account("late").new_account();
    let record = KeyRecord {
        hash: hash_key(&PEPPER, &new.account.id, new.key.id, &key),
        ..new.key
    };
    let new = account("late").with_key(record).new_account();
    instance.world.stores.accounts.create(&new).await.unwrap();
    instance.hub.account_changed(&account_id("late"));
    instance.pass(Duration::ZERO).await;
    assert!(lets_in().await);
}

#[tokio::test]
async fn a_line_that_dies_without_a_word_delays_a_revocation_by_less_than_a_second() {
    for dead_for in (0..=1000).step_by(50) {
        let instance = Instance::new().await;
        assert!(instance.lets_in().await);
        // Proofs come every 200 ms: it dies at any moment between two.
        instance.pass(millis(dead_for % 230)).await;
        instance.line.cut();
        instance.pass(millis(dead_for)).await;
        // Entries made after its death are believed no longer.
        assert!(instance.lets_in().await);
        instance.revoke().await;
        instance.pass(REVOKED_WITHIN).await;
        assert!(!instance.lets_in().await, "{dead_for}");
    }
}

#[tokio::test]
async fn what_was_missed_is_read_anew_as_soon_as_the_line_works_again() {
    let instance = Instance::new().await;
    assert!(instance.lets_in().await);
    instance.line.cut();
    instance.revoke().await;
    instance.pass(millis(50)).await;
    instance.line.mend();
    instance.pass(Duration::ZERO).await;
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn what_was_read_before_the_line_worked_is_not_believed_for_long() {
    let instance = Instance::working(Arc::new(NoBudgets)).await;
    instance.pass(millis(199)).await;
    assert!(instance.lets_in().await);
    // No instance was subscribed when its message was published.
    instance.revoke_silently().await;
    instance.pass(REVOKED_WITHIN).await;
    assert!(!instance.lets_in().await);
}

/// A line that is proven so many times and takes its time about it.
#[derive(Debug)]
struct Sluggish {
    clock: Arc<ManualClock>,
    takes: Duration,
    proofs: AtomicU32,
}

#[async_trait]
impl Peers for Sluggish {
    async fn publish(&self, _word: PeerMessage) -> Result<(), PortError> {
        Ok(())
    }

    async fn subscribe(&self) -> PeerEvent {
        if self.proofs.fetch_sub(1, Ordering::SeqCst) == 0 {
            pending::<()>().await;
        }
        self.clock.sleep(self.takes).await;
        PeerEvent::Alive
    }
}

impl Instance {
    /// One whose line is proven so many times and takes its time about it.
    async fn sluggish(proofs: u32, takes: Duration) -> Self {
        let world = World::new().await;
        let line = Sluggish {
            clock: world.clock.clone(),
            takes,
            proofs: AtomicU32::new(proofs),
        };
        let hub = Hub::new(world.clock.clone());
        let unused = (hub.clone(), hub.join());
        Self::over(world, unused, (Arc::new(line), Arc::new(NoBudgets))).await
    }
}

#[tokio::test]
async fn a_proof_that_took_long_counts_from_before_it_was_tried() {
    let instance = Instance::sluggish(2, millis(600)).await;
    instance.pass(millis(610)).await;
    assert!(instance.lets_in().await);
    instance.revoke_silently().await;
    instance.pass(REVOKED_WITHIN).await;
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn a_proof_that_took_too_long_proves_nothing_whatever_the_clock_shows() {
    for set_back in [0, 240, 1400] {
        let instance = Instance::sluggish(9, millis(1500)).await;
        instance.pass(millis(1400)).await;
        instance.world.wall.set_back(millis(set_back));
        instance.pass(millis(100)).await;
        assert!(instance.lets_in().await);
        instance.revoke_silently().await;
        instance.pass(millis(500)).await;
        assert!(!instance.lets_in().await, "{set_back}");
    }
}

#[tokio::test]
async fn an_answer_that_was_on_its_way_when_the_word_came_is_not_remembered() {
    let instance = Instance::new().await;
    instance.world.faults.slow_answers(millis(300));
    let (asked, ()) = tokio::join!(instance.lets_in(), async {
        instance.pass(millis(100)).await;
        instance.revoke().await;
        instance.pass(millis(250)).await;
    });
    assert!(asked, "it was asked before the key was revoked");
    instance.world.faults.clear();
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn an_answer_that_was_on_its_way_while_the_line_was_down_is_not_remembered() {
    let instance = Instance::new().await;
    instance.world.faults.slow_answers(millis(300));
    let (asked, ()) = tokio::join!(instance.lets_in(), async {
        instance.pass(millis(100)).await;
        instance.line.cut();
        instance.revoke().await;
        instance.line.mend();
        instance.pass(millis(250)).await;
    });
    assert!(asked, "it was asked before the key was revoked");
    instance.world.faults.clear();
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn a_clock_that_is_set_back_while_the_line_is_dead_lengthens_nothing() {
    for (dead_for, by) in [(0, 650), (300, 650), (600, 600), (650, 649), (690, 30_000)] {
        let instance = Instance::new().await;
        assert!(instance.lets_in().await);
        instance.line.cut();
        instance.revoke().await;
        instance.pass(millis(dead_for)).await;
        instance.world.wall.set_back(millis(by));
        instance.pass(millis(1000 - dead_for)).await;
        assert!(!instance.lets_in().await, "{dead_for} {by}");
    }
}

#[tokio::test]
async fn a_clock_that_shows_an_old_moment_again_does_not_bring_an_old_entry_back() {
    let instance = Instance::alone().await;
    assert!(instance.lets_in().await);
    instance.pass(millis(60_000)).await;
    instance.revoke().await;
    instance.pass(millis(60_000)).await;
    // No request was made in the meantime.
    instance.world.wall.set_back(millis(120_000 - 100));
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn who_wants_nothing_remembered_has_every_request_read() {
    let world = World::new().await;
    let line = Hub::new(world.clock.clone()).join();
    let gateway = world.gateway_with(|parts| {
        parts.settings.credential_ttl = Duration::ZERO;
        parts.peers = line;
    });
    let mut listening = JoinSet::new();
    let (budgets, stop) = (Arc::new(NoBudgets), CancellationToken::new());
    listening.spawn(gateway.clone().listen(budgets, stop));
    world.pass(PROVEN_EVERY).await;
    let before = world.faults.calls();
    let key = mint_key(Environment::Test, [1; 32]);
    for _ in 0..3 {
        assert!(gateway.authenticate("shop", &key).await.is_err());
    }
    assert_eq!(world.faults.calls() - before, 3);
}
