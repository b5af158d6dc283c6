//! Instances that hear each other: how soon a change of an account counts everywhere, and what is
//! told of what was spent. No test may need a word that a real line could lose.

use super::support::{PEPPER, World};
use application::Gateway;
use application::credentials::{Denied, hash_key, mint_key};
use application::peers::{Budgets, NoBudgets};
use async_trait::async_trait;
use domain::credential::{Environment, KeyRecord};
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use ports::peers::{Alone, Class, Heard, Peers, Spent, Word};
use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::{account, account_id};
use testkit::clock::ManualClock;
use testkit::peers::{Hub, Member, PROVEN_EVERY};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Revocation takes effect within this.
const REVOKED_WITHIN: Duration = Duration::from_secs(1);

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A gateway that listens, and the account `kiosk` in its store.
struct Instance {
    world: World,
    hub: Arc<Hub>,
    line: Arc<Member>,
    gateway: Gateway,
    key: String,
    stop: CancellationToken,
    listening: JoinSet<()>,
}

impl Instance {
    /// One whose line is proven.
    async fn new() -> Self {
        let instance = Self::telling(Arc::new(NoBudgets)).await;
        instance.world.pass(PROVEN_EVERY).await;
        instance
    }

    /// One whose line is not yet proven.
    async fn telling(budgets: Arc<dyn Budgets>) -> Self {
        let world = World::new().await;
        let hub = Hub::new(world.clock.clone());
        let line = hub.join();
        Self::over(world, (hub, line.clone()), (line, budgets)).await
    }

    /// One that hears nothing and knows it.
    async fn alone() -> Self {
        let world = World::new().await;
        let hub = Hub::new(world.clock.clone());
        let line = hub.join();
        Self::over(world, (hub, line), (Arc::new(Alone), Arc::new(NoBudgets))).await
    }

    async fn over(
        world: World,
        (hub, line): (Arc<Hub>, Arc<Member>),
        (peers, budgets): (Arc<dyn Peers>, Arc<dyn Budgets>),
    ) -> Self {
        let gateway = world.gateway_with(|parts| parts.peers = peers);
        let key = mint_key(Environment::Test, [1; 32]);
        let stop = CancellationToken::new();
        let mut listening = JoinSet::new();
        listening.spawn(gateway.clone().listen(budgets, stop.clone()));
        let instance = Self {
            world,
            hub,
            line,
            gateway,
            key,
            stop,
            listening,
        };
        instance.opens_account().await;
        instance
    }

    async fn opens_account(&self) {
        let record = KeyRecord {
            hash: hash_key(&PEPPER, &self.key),
            ..account("kiosk").new_account().key
        };
        let new = account("kiosk").with_key(record).new_account();
        self.world.stores.accounts.create(&new).await.unwrap();
    }

    async fn lets_in(&self) -> bool {
        match self.gateway.authenticate("kiosk", &self.key).await {
            Ok(_) => true,
            Err(Denied::UnknownOrWrong) => false,
            Err(other) => panic!("{other:?}"),
        }
    }

    /// How often the account was read of late.
    fn reads(&self) -> usize {
        self.world.weather.calls()
    }

    /// Revokes every key, as another process does; the store tells whoever can be told.
    async fn revoke(&self) {
        self.revoke_unheard().await;
        self.hub.account_changed(&account_id("kiosk"));
    }

    async fn revoke_unheard(&self) {
        let (id, now) = (account_id("kiosk"), self.world.now());
        let revoked = self.world.stores.accounts.revoke_keys(&id, None, now).await;
        assert_eq!(revoked.unwrap(), 1);
    }

    async fn pass(&self, time: Duration) {
        self.world.pass(time).await;
    }
}

#[tokio::test]
async fn while_changes_are_heard_an_account_is_read_every_thirty_seconds() {
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
async fn while_nothing_is_heard_an_account_is_read_twice_a_second() {
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
async fn a_change_that_is_heard_counts_at_once() {
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
async fn an_account_that_was_unknown_is_let_in_as_soon_as_its_opening_is_heard() {
    let instance = Instance::new().await;
    let key = mint_key(Environment::Test, [2; 32]);
    let lets_in = async || instance.gateway.authenticate("late", &key).await.is_ok();
    assert!(!lets_in().await);
    let record = KeyRecord {
        hash: hash_key(&PEPPER, &key),
        ..account("late").new_account().key
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
    let instance = Instance::telling(Arc::new(NoBudgets)).await;
    instance.pass(millis(199)).await;
    assert!(instance.lets_in().await);
    // Its word found nobody who listened yet.
    instance.revoke_unheard().await;
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
    async fn tell(&self, _word: Word) -> Result<(), PortError> {
        Ok(())
    }

    async fn hear(&self) -> Heard {
        if self.proofs.fetch_sub(1, Ordering::SeqCst) == 0 {
            pending::<()>().await;
        }
        self.clock.sleep(self.takes).await;
        Heard::Alive
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
    instance.revoke_unheard().await;
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
        instance.revoke_unheard().await;
        instance.pass(millis(500)).await;
        assert!(!instance.lets_in().await, "{set_back}");
    }
}

#[tokio::test]
async fn an_answer_that_was_on_its_way_when_the_word_came_is_not_remembered() {
    let instance = Instance::new().await;
    instance.world.weather.slow_answers(millis(300));
    let (asked, ()) = tokio::join!(instance.lets_in(), async {
        instance.pass(millis(100)).await;
        instance.revoke().await;
        instance.pass(millis(250)).await;
    });
    assert!(asked, "it was asked before the key was revoked");
    instance.world.weather.clear();
    assert!(!instance.lets_in().await);
}

#[tokio::test]
async fn an_answer_that_was_on_its_way_while_the_line_was_down_is_not_remembered() {
    let instance = Instance::new().await;
    instance.world.weather.slow_answers(millis(300));
    let (asked, ()) = tokio::join!(instance.lets_in(), async {
        instance.pass(millis(100)).await;
        instance.line.cut();
        instance.revoke().await;
        instance.line.mend();
        instance.pass(millis(250)).await;
    });
    assert!(asked, "it was asked before the key was revoked");
    instance.world.weather.clear();
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
    // Nobody has asked for anything in the meantime.
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
    let before = world.weather.calls();
    let key = mint_key(Environment::Test, [1; 32]);
    for _ in 0..3 {
        assert!(gateway.authenticate("shop", &key).await.is_err());
    }
    assert_eq!(world.weather.calls() - before, 3);
}

/// Budgets that are told what to tell.
#[derive(Debug, Default)]
struct Ledger {
    here: Mutex<Vec<Spent>>,
    elsewhere: Mutex<Vec<(Timestamp, Spent)>>,
}

impl Budgets for Ledger {
    fn spent_here(&self) -> Vec<Spent> {
        std::mem::take(&mut self.here.lock().unwrap())
    }

    fn spent_elsewhere(&self, spent: &[Spent], now: Timestamp) {
        let entries = spent.iter().map(|entry| (now, entry.clone()));
        self.elsewhere.lock().unwrap().extend(entries);
    }
}

impl Ledger {
    fn spend(&self, count: usize) -> Vec<Spent> {
        let entries: Vec<_> = (0..count)
            .map(|place| Spent {
                account: account_id(&format!("shop-{place}")),
                class: Class::Payments,
                count: 1,
            })
            .collect();
        self.here.lock().unwrap().extend(entries.clone());
        entries
    }
}

#[tokio::test]
async fn what_is_spent_is_told_every_200_ms_and_nothing_where_nothing_is() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::telling(ledger.clone()).await;
    instance.pass(millis(10_000)).await;
    assert_eq!(instance.line.told(), []);
    let spent = ledger.spend(2);
    instance.pass(millis(200)).await;
    assert_eq!(instance.line.told(), [Word::Spent(spent)]);
    instance.pass(millis(10_000)).await;
    assert_eq!(instance.line.told().len(), 1);
}

#[tokio::test]
async fn much_that_was_spent_is_told_in_several_words() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::telling(ledger.clone()).await;
    let spent = ledger.spend(Spent::IN_A_WORD * 2 + 1);
    instance.pass(millis(200)).await;
    let told = instance.line.told().into_iter().map(|word| match word {
        Word::Spent(entries) => entries,
        Word::AccountChanged(id) => panic!("{id} is the store's to tell of"),
    });
    let told: Vec<_> = told.collect();
    assert!(told.iter().all(|word| word.len() <= Spent::IN_A_WORD));
    assert_eq!((told.len(), told.concat()), (3, spent));
}

#[tokio::test]
async fn what_others_spent_is_taken_out_of_the_budgets_here() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::telling(ledger.clone()).await;
    let entry = Spent {
        account: account_id("shop"),
        class: Class::Lookups,
        count: 7,
    };
    let word = Word::Spent(vec![entry.clone()]);
    instance.hub.join().tell(word).await.unwrap();
    let now = instance.world.now();
    instance.pass(Duration::ZERO).await;
    assert_eq!(*ledger.elsewhere.lock().unwrap(), [(now, entry)]);
}

#[tokio::test]
async fn what_could_not_be_told_is_not_told_later() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::telling(ledger.clone()).await;
    let other = instance.hub.join();
    instance.line.cut();
    ledger.spend(1);
    instance.pass(millis(5_000)).await;
    instance.line.mend();
    instance.pass(millis(5_000)).await;
    assert_eq!(instance.line.told().len(), 1);
    let spent = ledger.spend(1);
    instance.pass(millis(200)).await;
    let heard = other.hear().await;
    assert_eq!(heard, Heard::Word(Word::Spent(spent)));
}

#[tokio::test]
async fn who_stops_tells_what_was_spent_last_and_listens_no_more() {
    let ledger = Arc::new(Ledger::default());
    let mut instance = Instance::telling(ledger.clone()).await;
    instance.pass(millis(100)).await;
    let spent = ledger.spend(1);
    instance.stop.cancel();
    instance.listening.join_next().await.unwrap().unwrap();
    assert_eq!(instance.line.told(), [Word::Spent(spent)]);
}
