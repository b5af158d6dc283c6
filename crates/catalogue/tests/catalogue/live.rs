//! Versions that begin at their moment, on instances whose clocks differ, and an instance that
//! misses one.

use crate::base;
use async_trait::async_trait;
use catalogue::{LiveCatalogue, POLL_EVERY, STALE_AFTER, digest_of};
use domain::money::Money;
use ports::PortError;
use ports::catalogue::{Catalogue, CatalogueSource};
use ports::catalogue_versions::{
    CataloguePublication, CatalogueReading, CatalogueVersions, LEAD_MIN, NewCatalogueVersion,
};
use ports::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testkit::builders::{naira, plan_code};
use testkit::clock::{ManualClock, START};
use testkit::memory::MemoryStore;
use tokio_util::sync::CancellationToken;

/// A store, its clock, and one instance whose wall clock shows something else.
struct World {
    store_clock: Arc<ManualClock>,
    store: Arc<Switched>,
    clock: Arc<ManualClock>,
    live: Arc<LiveCatalogue>,
}

/// A store that can be cut off.
#[derive(Debug)]
struct Switched {
    store: Arc<MemoryStore>,
    is_down: AtomicBool,
    has_no_documents: AtomicBool,
}

fn reach(switch: &AtomicBool) -> Result<(), PortError> {
    if switch.load(Ordering::SeqCst) {
        return Err(PortError::new("store", "is cut off"));
    }
    Ok(())
}

#[async_trait]
impl CatalogueVersions for Switched {
    async fn versions(&self, after: u32) -> Result<CatalogueReading, PortError> {
        reach(&self.is_down)?;
        self.store.versions(after).await
    }

    async fn document(&self, number: u32) -> Result<Option<String>, PortError> {
        reach(&self.has_no_documents)?;
        self.store.document(number).await
    }

    async fn publish(&self, new: &NewCatalogueVersion) -> Result<CataloguePublication, PortError> {
        self.store.publish(new).await
    }
}

impl World {
    fn new() -> Self {
        let store_clock = ManualClock::start();
        let store = Arc::new(Switched {
            store: MemoryStore::with_clock(store_clock.clone()),
            is_down: AtomicBool::new(false),
            has_no_documents: AtomicBool::new(false),
        });
        // An hour fast: versions begin by the time of the store.
        let clock = Arc::new(ManualClock::at(START.plus(Duration::from_hours(1))));
        let live = LiveCatalogue::new(base(), store.clone(), clock.clone());
        Self {
            store_clock,
            store,
            clock,
            live: Arc::new(live),
        }
    }

    async fn pass(&self, time: Duration) {
        self.store_clock.advance(time).await;
        self.clock.advance(time).await;
    }

    /// Publishes a document that begins after some seconds.
    async fn publish(&self, number: u32, document: &str, seconds: u64) {
        let new = NewCatalogueVersion {
            number,
            effective_from: self.store_clock.now().plus(Duration::from_secs(seconds)),
            published_by: "alpha".to_owned(),
            reason: "test".to_owned(),
            digest: digest_of(document),
            changes: vec!["internet.1".to_owned()],
            document: document.to_owned(),
        };
        let published = self.store.publish(&new).await.unwrap();
        assert_eq!(published, CataloguePublication::Done);
    }

    fn price(&self) -> Money {
        price(&*self.live.in_force())
    }

    fn withholds(&self, product: &str) -> bool {
        self.live.in_force().withholds(product)
    }
}

fn price(catalogue: &dyn Catalogue) -> Money {
    catalogue.data_plan(&plan_code("105")).unwrap().1.amount
}

fn costs(amount: &str) -> String {
    format!("[[plan]]\nproduct = \"internet.1\"\ncode = \"105\"\namount = \"{amount}\"\n")
}

#[tokio::test]
async fn a_version_begins_at_its_moment_by_the_time_of_the_store() {
    let world = World::new();
    world.live.refresh().await.unwrap();
    world.publish(1, &costs("1,300.00"), 60).await;
    world.live.refresh().await.unwrap();
    let held = world.live.in_force();
    world.pass(Duration::from_millis(29_999)).await;
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_secs(30)).await;
    assert_eq!(world.price(), naira("1,200.00"));
    world.pass(Duration::from_millis(1)).await;
    assert_eq!(world.price(), naira("1,300.00"));
    assert_eq!(world.live.in_force().version(), 1);
    // A request in flight goes on with the snapshot that it holds.
    assert_eq!((held.version(), price(&*held)), (0, naira("1,200.00")));
}

#[tokio::test]
async fn a_later_version_takes_the_place_of_one_that_has_not_begun() {
    let world = World::new();
    world.publish(1, &costs("1,300.00"), 100).await;
    world.publish(2, &costs("1,400.00"), 61).await;
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_secs(40)).await;
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_secs(21)).await;
    assert_eq!(world.price(), naira("1,400.00"));
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_secs(40)).await;
    assert_eq!(world.price(), naira("1,400.00"));
}

#[tokio::test]
async fn nothing_is_sold_before_the_versions_were_read_or_once_one_may_be_missed() {
    let world = World::new();
    assert!(world.withholds("internet.1"));
    world.live.refresh().await.unwrap();
    assert!(!world.withholds("internet.1"));
    world.store.is_down.store(true, Ordering::SeqCst);
    world
        .publish(1, &costs("1,300.00"), LEAD_MIN.as_secs())
        .await;
    world.pass(STALE_AFTER).await;
    assert!(!world.withholds("internet.1"));
    world.pass(Duration::from_millis(1)).await;
    assert!(world.live.refresh().await.is_err());
    assert!(world.withholds("internet.1") && world.withholds("bank"));
    world.store.is_down.store(false, Ordering::SeqCst);
    world.live.refresh().await.unwrap();
    assert!(!world.withholds("internet.1"));
    world.pass(Duration::from_secs(15)).await;
    assert_eq!(world.price(), naira("1,300.00"));
}

#[tokio::test]
async fn a_version_that_was_not_loaded_withholds_what_it_changes_until_it_is() {
    let world = World::new();
    world.publish(1, &costs("1,300.00"), 60).await;
    world.store.has_no_documents.store(true, Ordering::SeqCst);
    assert!(world.live.refresh().await.is_err());
    world.pass(Duration::from_millis(59_999)).await;
    assert!(world.live.refresh().await.is_err());
    assert!(!world.withholds("internet.1"));
    world.pass(Duration::from_millis(1)).await;
    assert!(world.withholds("internet.1"));
    assert!(!world.withholds("internet.4") && !world.withholds("cabletv.2"));
    world.store.has_no_documents.store(false, Ordering::SeqCst);
    world.live.refresh().await.unwrap();
    assert!(!world.withholds("internet.1"));
    assert_eq!(world.price(), naira("1,300.00"));
}

#[tokio::test]
async fn a_version_that_cannot_be_read_withholds_until_one_that_can_takes_its_place() {
    let world = World::new();
    world.publish(1, "[[toll]]\ncode = \"1\"\n", 60).await;
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_mins(1)).await;
    world.live.refresh().await.unwrap();
    assert!(world.withholds("internet.1") && !world.withholds("internet.4"));
    world.publish(2, &costs("1,400.00"), 60).await;
    world.live.refresh().await.unwrap();
    world.pass(Duration::from_mins(1)).await;
    world.live.refresh().await.unwrap();
    assert!(!world.withholds("internet.1"));
    assert_eq!(world.price(), naira("1,400.00"));
}

#[tokio::test]
async fn a_document_that_was_changed_after_it_was_published_is_not_sold_by() {
    let world = World::new();
    let new = NewCatalogueVersion {
        number: 1,
        effective_from: world.store_clock.now().plus(LEAD_MIN),
        published_by: "alpha".to_owned(),
        reason: "test".to_owned(),
        digest: digest_of(&costs("1,300.00")),
        changes: vec!["internet.1".to_owned()],
        document: costs("1.00"),
    };
    world.store.publish(&new).await.unwrap();
    world.live.refresh().await.unwrap();
    world.pass(LEAD_MIN).await;
    world.live.refresh().await.unwrap();
    assert!(world.withholds("internet.1"));
    assert_eq!(world.price(), naira("1,200.00"));
}

#[tokio::test]
async fn versions_are_read_in_time_by_themselves() {
    let world = World::new();
    world.live.refresh().await.unwrap();
    let stop = CancellationToken::new();
    let mut running = tokio::task::JoinSet::new();
    running.spawn(world.live.clone().keep_current(stop.clone()));
    world.publish(1, &costs("1,300.00"), 60).await;
    for _ in 0..60 {
        world.pass(Duration::from_secs(1)).await;
        assert!(!world.withholds("internet.1"));
    }
    assert_eq!(world.price(), naira("1,300.00"));
    assert!(POLL_EVERY * 5 < STALE_AFTER);
    stop.cancel();
    running.join_next().await.unwrap().unwrap();
}
