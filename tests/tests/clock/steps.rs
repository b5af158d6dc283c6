//! Steps of seconds to days in both directions, and pauses of the process, at random moments under
//! load. It must set the clock right before it judges anything: what is undecided while the clock
//! is wrong is no fault.

use crate::faketime::FakeClock;
use domain::transaction::Age;
use reqwest::Method;
use std::fmt::Write;
use std::time::Duration;
use tests::account::TestAccount;
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::merchant::try_send;
use tests::orders::OrderFamily;
use tests::patience::{self, Deadline};
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal::{self, ProviderAction, ProviderJournal};
use tests::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use tests::rng::SeededRng;
use tests::size;

/// How many steps unless `MANILLA_CLOCK_STEPS` says otherwise.
const STEPS: u32 = 3;

/// How far the clock is set, in seconds, one way or the other.
const OFFSETS_S: [i64; 8] = [1, 5, 30, 120, 900, 3_600, 86_400, 3 * 86_400];

/// How long a wrong clock stays, in milliseconds at most.
const STAYS_MS_MAX: u64 = 1_500;

/// The process is stopped after one step in so many, for so long at most.
const PAUSED_ONE_IN: u64 = 3;
const PAUSED_MS_MAX: u64 = 3_000;

/// The longest everything may take to be decided once the clock is right: some twenty times what it
/// takes where the clock was never touched, after the longest time for which an age of doubt stands
/// still. A clock that was ahead by no more than that is not known to have been set back.
const DECIDED_WITHIN: Duration = Age::STEP_MAX.saturating_add(Duration::from_secs(90));

/// A server whose clock is right again lets a client in within this.
const SERVES_WITHIN: Duration = Duration::from_secs(5);

/// So many of each violation are shown.
const SHOWN_MAX: usize = 10;

/// Every bound a second or a few: what waits for one is decided while the suite looks.
const SETTINGS: &str = "\
[payment]
answer_window_ms = 400
call_deadline_ms = 3000
send_within_ms = 2000
lease_ms = 6000

[recovery]
interval_ms = 200
recheck_max_ms = 2000

[sandbox]
pending_delay_ms = 500
slow_ms = 2500
quarantine_ms = 4000
not_found_min = 2
not_found_spacing_ms = 500
latency_min_ms = 0
latency_max_ms = 30
";

#[tokio::test(flavor = "multi_thread")]
async fn steps_of_the_clock_lose_nothing_and_everything_is_decided_in_the_end() {
    let steps = size::of_run("MANILLA_CLOCK_STEPS", STEPS);
    let mut chance = SeededRng::from_environment("MANILLA_CLOCK_STEPS_SEED", 20_261_123);
    let account = TestAccount::new(SETTINGS);
    let clock = FakeClock::new(account.folder.beside("clock"));
    let launch = Launch {
        environment: clock.environment().to_vec(),
        ..Launch::default()
    };
    let mut server = GatewayProcess::launch(&account.folder, &launch);
    let load = PaymentLoad::start(&account.merchant(&server), &mut chance, Unheard::Leaves);
    load.is(LoadPlace::Up(vec![server.address()]));
    let pauses = step(steps, (&clock, &server), &mut chance).await;
    clock.set(0);
    let purchases = load.end().await;
    if !serves(&account, &server).await {
        println!("the server turns everyone away although the clock is right again");
        assert!(server.terminate().await.success());
        server = GatewayProcess::launch(&account.folder, &launch);
    }
    let endings = decided(&account, &server, &purchases).await;
    let audit = provider_journal::audit(&account.folder);
    let checks = audit.json();
    for check in checks["checks"].as_array().into_iter().flatten() {
        if check["status"] == "broken" {
            println!("the audit found: {check}");
        }
    }
    report(
        (steps, pauses),
        &endings,
        &ProviderJournal::read(&account.folder),
    );
    provider_journal::audit_is_clean(&account.folder);
    assert!(!server.log().contains("panicked"), "{}", server.log());
    assert!(server.terminate().await.success());
}

/// Sets the clock at random, and now and then stops the process for a while. The number of pauses.
async fn step(
    steps: u32,
    (clock, server): (&FakeClock, &GatewayProcess),
    chance: &mut SeededRng,
) -> u32 {
    let mut pauses = 0;
    for _ in 0..steps {
        let sign = if chance.below(2) == 0 { 1 } else { -1 };
        clock.set(sign * *chance.pick(&OFFSETS_S));
        tokio::time::sleep(Duration::from_millis(chance.below(STAYS_MS_MAX))).await;
        if chance.below(PAUSED_ONE_IN) == 0 {
            server.pause();
            // The clock may be another one when the process goes on.
            clock.set(sign * *chance.pick(&OFFSETS_S));
            tokio::time::sleep(Duration::from_millis(chance.below(PAUSED_MS_MAX))).await;
            server.resume();
            pauses += 1;
        }
        if chance.below(2) == 0 {
            clock.set(0);
            tokio::time::sleep(Duration::from_millis(chance.below(STAYS_MS_MAX))).await;
        }
    }
    pauses
}

/// Whether a client is let in everywhere within some seconds; its limits are far away.
async fn serves(account: &TestAccount, server: &GatewayProcess) -> bool {
    let merchant = account.merchant(server);
    let deadline = Deadline::after(SERVES_WITHIN);
    for family in OrderFamily::ALL {
        let report = family.report("unknown");
        // A report of what was never bought is not found, unless nothing is answered at all.
        let is_served = async || {
            let asked = try_send(merchant.request(Method::GET, &report)).await;
            asked.is_ok_and(|answer| answer.status == 404)
        };
        while !is_served().await {
            if deadline.is_over() {
                return false;
            }
            patience::pause().await;
        }
    }
    true
}

/// What purchases have come to once all are decided, or the time for it is over.
async fn decided(
    account: &TestAccount,
    server: &GatewayProcess,
    purchases: &[TestPurchase],
) -> Vec<PurchaseEnd> {
    let merchant = account.merchant(server);
    let follower = PurchaseFollower {
        folder: &account.folder,
        merchant: &merchant,
        identity: &account.credentials.identity,
    };
    let deadline = Deadline::after(DECIDED_WITHIN);
    let mut open = purchases.to_vec();
    let mut endings = Vec::new();
    loop {
        let (ended, left): (Vec<_>, Vec<_>) = follower
            .endings(open)
            .await
            .into_iter()
            .partition(PurchaseEnd::is_final);
        endings.extend(ended);
        // What contradicts itself never ends: the report is final, and the journal says otherwise.
        let (contradicting, left): (Vec<_>, Vec<_>) =
            left.into_iter().partition(is_failed_and_delivered);
        endings.extend(contradicting);
        if left.is_empty() || deadline.is_over() {
            endings.extend(left);
            return endings;
        }
        open = left.into_iter().map(|ending| ending.purchase).collect();
        patience::pause().await;
    }
}

/// Whether money was returned for something the customer has.
fn is_failed_and_delivered(ending: &PurchaseEnd) -> bool {
    let has_it = matches!(
        ending.action,
        ProviderAction::Delivered | ProviderAction::DeliveredOther
    );
    has_it && ending.status.as_deref() == Some("Failed")
}

/// Whether the report says that it is not decided.
fn is_pending(ending: &PurchaseEnd) -> bool {
    ending.status.as_deref() == Some("Pending")
}

fn report((steps, pauses): (u32, u32), endings: &[PurchaseEnd], journal: &ProviderJournal) {
    type Is<'a> = &'a dyn Fn(&PurchaseEnd) -> bool;
    let accepted = endings
        .iter()
        .filter(|ending| matches!(ending.purchase.received, LastAnswer::Accepted(_)))
        .count();
    let mut figures = format!(
        "steps of the clock: {steps}, pauses: {pauses}, payments: {}, acknowledged: {accepted}, \
         double effects: {}",
        endings.len(),
        journal.doubled(),
    );
    let violations: [(&str, Is<'_>); 5] = [
        ("turned away", &|ending| {
            ending.purchase.received == LastAnswer::Refused(429)
        }),
        ("failed and delivered", &is_failed_and_delivered),
        ("stuck", &|ending| is_pending(ending) && !ending.is_final()),
        ("report and provider differ", &|ending| {
            !is_pending(ending) && !ending.is_final() && !is_failed_and_delivered(ending)
        }),
        ("lost", &|ending| !ending.keeps_its_answer()),
    ];
    let mut violated = journal.doubled();
    for (name, is) in violations {
        let found: Vec<_> = endings.iter().filter(|ending| is(ending)).collect();
        for ending in found.iter().take(SHOWN_MAX) {
            println!("{name}: {ending:?}");
        }
        let _ = write!(figures, ", {name}: {}", found.len());
        violated += found.len();
    }
    println!("{figures}");
    assert!(
        accepted > usize::try_from(steps).unwrap(),
        "too small a load"
    );
    assert_eq!(violated, 0, "{figures}");
}
