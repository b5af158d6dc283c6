//! Changes of a provider that cannot be applied: they wait, are tried again, and stop no others.

use super::support::fault_injector::Reads;
use super::support::request::{buy, once, top_up};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::Gateway;
use application::recovery::Recovery;
use async_trait::async_trait;
use domain::change_set::{ChangeSet, Funding};
use domain::money::Money;
use domain::provider::{ProviderId, QueryOutcome};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::Status;
use ports::audit::{CheckOutcome, Serving};
use ports::changes::{
    ChangeId, Cursor, CursorMove, DeadLetter, ProviderChanges, Retried, SetAside,
};
use ports::ledger_store::CommitOutcome;
use ports::{PortError, PortErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::builders::{account_id, funding, kobo, provider_id, reference};

async fn sweep(gateway: &Gateway) {
    Recovery::new(gateway).sweep().await.unwrap();
}

async fn waiting(world: &World) -> Vec<(String, String)> {
    let open = world.stores.changes.open_letters(100).await.unwrap();
    let shown = |letter: DeadLetter| (letter.id.reference.to_string(), letter.reason);
    open.into_iter().map(shown).collect()
}

async fn cursor(world: &World) -> Option<u64> {
    let provider = provider_id("sandbox");
    let cursor = world.stores.changes.cursor(&provider).await.unwrap();
    cursor.map(|cursor| cursor.position)
}

/// Two payments that the provider takes back, the first of which cannot be read.
async fn first_of_two_is_unreadable(world: &World) {
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    buy(&gateway, "order-2").await.unwrap();
    let first = (account_id("shop"), reference("order-1"));
    world.exposed.store.make_unreadable(&first.0, &first.1);
    world.provider.take_back(&attempt("order-1", 1));
    world.provider.take_back(&attempt("order-2", 1));
}

#[tokio::test]
async fn a_record_that_cannot_be_read_does_not_stop_the_reversal_of_another() {
    let world = World::new().await;
    first_of_two_is_unreadable(&world).await;
    let gateway = world.gateway();
    let mut recovery = Recovery::new(&gateway);
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-2").await.status(), Status::Reversed);
    let waits = waiting(&world).await;
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert_eq!(waits[0].0, "shop.order-1.1");
    assert!(waits[0].1.contains("cannot be read"), "{waits:?}");
    assert_eq!(cursor(&world).await, Some(2));

    // Mended, it is tried again when it is due and not before.
    world.exposed.store.mend();
    world.pass(seconds(59)).await;
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    world.pass(seconds(1)).await;
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    assert_eq!(waiting(&world).await, []);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_wallet_that_can_hold_no_more_does_not_stop_the_reversal_of_another() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    world.provider.take_back(&attempt("order-1", 1));
    let (left, _) = world.wallet().await;
    let fill = Funding {
        amount: kobo(Money::MAX_MINOR - left),
        ..funding("shop", "fill", "1.00")
    };
    let filled = world.stores.commit(ChangeSet::Fund(fill)).await;
    assert_eq!(filled, CommitOutcome::Done);
    let other = merchant("other");
    let bought = gateway.buy_airtime(&other, once(top_up("order-9"))).await;
    bought.unwrap();
    world
        .provider
        .take_back(&ProviderReference::from_echo("other.order-9.1"));
    sweep(&gateway).await;
    let waits = waiting(&world).await;
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert!(waits[0].1.contains("cannot hold more"), "{waits:?}");
    let reversed = world.stores.read("other", "order-9").await.unwrap();
    assert_eq!(reversed.status(), Status::Reversed);

    // Once money was spent there is room for it.
    buy(&gateway, "order-2").await.unwrap();
    world.pass(minutes(1)).await;
    sweep(&gateway).await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    assert_eq!(waiting(&world).await, []);
    world.is_right().await;
}

#[tokio::test]
async fn what_waits_is_tried_with_growing_pauses() {
    let world = World::new().await;
    first_of_two_is_unreadable(&world).await;
    let gateway = world.gateway();
    let mut recovery = Recovery::new(&gateway);
    recovery.sweep().await.unwrap();
    for (pause, tries) in [
        (1, 2),
        (2, 3),
        (4, 4),
        (8, 5),
        (16, 6),
        (32, 7),
        (60, 8),
        (60, 9),
    ] {
        world.pass(seconds(pause * 60 - 1)).await;
        recovery.sweep().await.unwrap();
        let open = world.stores.changes.open_letters(1).await.unwrap();
        assert_eq!(open[0].tries, tries - 1, "after {pause} minutes");
        world.pass(seconds(1)).await;
        recovery.sweep().await.unwrap();
        let open = world.stores.changes.open_letters(1).await.unwrap();
        assert_eq!(open[0].tries, tries, "after {pause} minutes");
    }
}

#[tokio::test]
async fn the_audit_names_what_waits() {
    let world = World::new().await;
    first_of_two_is_unreadable(&world).await;
    sweep(&world.gateway()).await;
    let checks = world.stores.audit.audit(world.now(), Serving::No).await;
    let checks = checks.unwrap();
    let broken = checks.iter().find_map(|check| match &check.outcome {
        CheckOutcome::Broken { offences } => Some((check.invariant, offences)),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => None,
    });
    let (invariant, offences) = broken.expect("what waits is an offence");
    assert_eq!(invariant, "I18");
    assert!(offences[0].contains("shop.order-1.1"), "{offences:?}");
}

#[tokio::test]
async fn a_reader_goes_on_from_the_stored_cursor_and_a_window_behind_it() {
    let world = World::new().await;
    let started = |window| world.gateway_with(|parts| parts.settings.changes_window = window);
    let gateway = started(0);
    for n in 1..=4 {
        buy(&gateway, &format!("order-{n}")).await.unwrap();
        world
            .provider
            .report(&attempt(&format!("order-{n}"), 1), QueryOutcome::Pending);
    }
    sweep(&gateway).await;
    assert_eq!(
        (cursor(&world).await, world.provider.asked_from()),
        (Some(4), vec![0, 4])
    );
    sweep(&started(0)).await;
    assert_eq!(world.provider.asked_from(), [4]);
    sweep(&started(3)).await;
    assert_eq!(world.provider.asked_from(), [1, 4]);
    sweep(&started(10)).await;
    assert_eq!(world.provider.asked_from(), [0, 4]);
}

#[tokio::test]
async fn a_store_that_was_set_back_receives_everything_it_lost_again() {
    let world = World::new().await;
    let changes = Arc::new(Changes::over(&world));
    let gateway = world.gateway_with(|parts| {
        parts.settings.changes_window = 0;
        parts.changes = changes.clone();
    });
    buy(&gateway, "order-1").await.unwrap();
    world
        .provider
        .report(&attempt("order-1", 1), QueryOutcome::Pending);
    let mut recovery = Recovery::new(&gateway);
    recovery.sweep().await.unwrap();
    recovery.sweep().await.unwrap();
    assert_eq!(world.provider.asked_from(), [0, 1, 1]);
    changes.is_set_back.store(true, Ordering::Relaxed);
    recovery.sweep().await.unwrap();
    assert_eq!(world.provider.asked_from()[0], 0);
}

#[tokio::test]
async fn what_no_dead_letter_can_be_made_of_stops_the_provider_until_one_can() {
    let world = World::new().await;
    first_of_two_is_unreadable(&world).await;
    let changes = Arc::new(Changes::over(&world));
    changes.is_away.store(true, Ordering::Relaxed);
    let gateway = world.gateway_with(|parts| parts.changes = changes.clone());
    let mut recovery = Recovery::new(&gateway);
    for _ in 0..8 {
        recovery.sweep().await.unwrap();
    }
    assert_eq!(world.stored("order-2").await.status(), Status::Successful);
    assert_eq!(cursor(&world).await, None);
    changes.is_away.store(false, Ordering::Relaxed);
    recovery.sweep().await.unwrap();
    assert_eq!(world.stored("order-2").await.status(), Status::Reversed);
    assert_eq!(waiting(&world).await.len(), 1);
}

#[tokio::test]
async fn a_full_list_stops_the_provider_and_loses_nothing() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| parts.settings.dead_letters_max = 2);
    buy(&gateway, "order-1").await.unwrap();
    for foreign in ["a\u{0}b\n", "gibberish", "shop.order-7.1"] {
        let foreign = ProviderReference::from_echo(foreign);
        world.provider.report(&foreign, QueryOutcome::Reversed);
    }
    world.provider.take_back(&attempt("order-1", 1));
    let mut recovery = Recovery::new(&gateway);
    recovery.sweep().await.unwrap();
    recovery.sweep().await.unwrap();
    let waits: Vec<_> = waiting(&world).await.into_iter().map(|it| it.0).collect();
    assert_eq!(waits, ["a\u{fffd}b\u{fffd}", "gibberish"]);
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(cursor(&world).await, None);
    let open = world.stores.changes.open_letters(1).await.unwrap();
    let resolved = world.stores.changes.resolve(&open[0].id, world.now()).await;
    assert!(resolved.unwrap());
    // The first one is found in the list no more and comes back: one place is one place.
    let gateway = world.gateway_with(|parts| parts.settings.dead_letters_max = 3);
    sweep(&gateway).await;
    assert_eq!(waiting(&world).await.len(), 3);
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
}

#[tokio::test]
async fn a_failure_that_names_no_record_is_put_down_to_the_change_in_the_end() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    world.provider.take_back(&attempt("order-1", 1));
    world.faults.set_reads(Reads::Fail);
    let mut recovery = Recovery::new(&gateway);
    for _ in 0..5 {
        recovery.sweep().await.unwrap();
        assert_eq!(waiting(&world).await, []);
    }
    recovery.sweep().await.unwrap();
    assert_eq!(waiting(&world).await.len(), 1);
    world.faults.set_reads(Reads::Work);
    world.pass(minutes(1)).await;
    recovery.sweep().await.unwrap();
    assert_eq!(waiting(&world).await, []);
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    world.is_right().await;
}

/// The list and the cursors of a world, which can be away or set back.
#[derive(Debug)]
struct Changes {
    store: Arc<dyn ProviderChanges>,
    is_away: AtomicBool,
    is_set_back: AtomicBool,
}

impl Changes {
    fn over(world: &World) -> Self {
        Self {
            store: world.stores.changes.clone(),
            is_away: AtomicBool::new(false),
            is_set_back: AtomicBool::new(false),
        }
    }
}

#[async_trait]
impl ProviderChanges for Changes {
    async fn cursor(&self, provider: &ProviderId) -> Result<Option<Cursor>, PortError> {
        if self.is_set_back.load(Ordering::Relaxed) {
            return Ok(None);
        }
        self.store.cursor(provider).await
    }

    async fn advance(&self, step: &CursorMove) -> Result<u64, PortError> {
        self.store.advance(step).await
    }

    async fn set_aside(&self, letter: &DeadLetter, max: u64) -> Result<SetAside, PortError> {
        if self.is_away.load(Ordering::Relaxed) {
            let away = PortError::new("test", "the list is away");
            return Err(away.with_trouble(PortErrorKind::Unreachable));
        }
        self.store.set_aside(letter, max).await
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        self.store.due(now, limit).await
    }

    async fn retried(&self, id: &ChangeId, retried: &Retried) -> Result<bool, PortError> {
        self.store.retried(id, retried).await
    }

    async fn resolve(&self, id: &ChangeId, at: Timestamp) -> Result<bool, PortError> {
        self.store.resolve(id, at).await
    }

    async fn open_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        self.store.open_letters(limit).await
    }

    async fn make_due(&self, now: Timestamp) -> Result<u64, PortError> {
        self.store.make_due(now).await
    }
}
