//! SIGKILL at random moments under load, over and over on the same data. It must count what it did:
//! a run that killed nothing or bought nothing proves nothing.

use crate::account::Account;
use crate::load::{Load, Place};
use std::time::Duration;
use tests::books::{self, Deed, Witness};
use tests::chance::Chance;
use tests::process::Server;
use tests::purchases::{Ending, Heard};

/// How often the server is killed unless `MANILLA_KILLS` says otherwise.
const KILLS: u64 = 10;

/// A server lives at most this long after it is ready, in milliseconds.
const LIFE_MS_MAX: u64 = 500;

/// The longest everything may take to settle: much is open after a hundred kills.
const SETTLED_WITHIN: Duration = Duration::from_mins(2);

/// Merchants wait 300 ms, so that what never ends does not hold the load up; answers take a few
/// milliseconds, so that kills meet them under way.
const SETTINGS: &str = "\
[payment]
answer_window_ms = 300

[sandbox]
later_ms = 500
slow_ms = 1500
quarantine_ms = 500
not_found_min = 2
not_found_spacing_ms = 200
latency_min_ms = 0
latency_max_ms = 20
";

#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_nothing_and_deliver_nothing_twice() {
    let kills = std::env::var("MANILLA_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| {
        kills.parse().expect("MANILLA_KILLS is a number")
    });
    let mut chance = Chance::from_environment("MANILLA_KILLS_SEED", 20_261_101);
    let account = Account::new(SETTINGS);
    let first = Server::start(&account.folder);
    let load = Load::start(&account.merchant(&first), &mut chance);
    let mut server = Some(first);
    for _ in 0..kills {
        let alive = server
            .take()
            .unwrap_or_else(|| Server::start(&account.folder));
        load.is(Place::Up(alive.address()));
        tokio::time::sleep(Duration::from_millis(chance.below(LIFE_MS_MAX))).await;
        alive.kill();
        load.is(Place::Down);
    }
    let purchases = load.end().await;
    // What was left behind is in order even before anyone has taken it over.
    books::audit_is_clean(&account.folder);
    let server = Server::start(&account.folder);
    let endings = account.settle(&server, (&purchases, SETTLED_WITHIN)).await;
    report(kills, &endings, &Witness::read(&account.folder));
    assert!(server.interrupt().await.success());
    books::audit_is_clean(&account.folder);
}

fn report(kills: u64, endings: &[Ending], witness: &Witness) {
    let count = |of: &dyn Fn(&Ending) -> bool| endings.iter().filter(|ending| of(ending)).count();
    let acknowledged = count(&|ending| matches!(ending.purchase.heard, Heard::Accepted(_)));
    let refused = count(&|ending| matches!(ending.purchase.heard, Heard::Refused(_)));
    let unacknowledged = count(&|ending| ending.purchase.heard == Heard::Nothing);
    let delivered = count(&|ending| ending.deed == Deed::Delivered);
    let captured = count(&|ending| ending.status.as_deref() == Some("Successful"));
    let lost = count(&|ending| !ending.keeps_what_was_said());
    let doubled = witness.doubled();
    println!(
        "kills: {kills}, acknowledged: {acknowledged}, refused: {refused}, \
         unacknowledged: {unacknowledged}, delivered: {delivered}, captured: {captured}, \
         double effects: {doubled}, lost: {lost}"
    );
    assert_eq!((doubled, lost, delivered), (0, 0, captured));
    assert_eq!(
        witness.strangers(endings),
        [""; 0],
        "delivered, and bought by nobody"
    );
    let met = count(&|ending| ending.status.is_some());
    let enough = usize::try_from(kills).unwrap();
    assert!(
        acknowledged > enough && met > acknowledged,
        "the load was too small"
    );
}
