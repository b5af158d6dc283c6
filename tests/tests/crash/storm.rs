//! Clients that hang up whenever they like: in the middle of a request, and while they wait for its
//! answer. It must show that a client that is gone changes nothing of what was begun.

use std::sync::Arc;
use std::time::Duration;
use tests::account::TestAccount;
use tests::folder::{MerchantCredentials, under_load};
use tests::http_line::Dialler;
use tests::load::next;
use tests::merchant::{TestMerchant, basic};
use tests::process::GatewayProcess;
use tests::provider_journal::ProviderAction;
use tests::purchases::TestPurchase;
use tests::rng::SeededRng;
use tests::size;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// How many hang up unless `MANILLA_STORM` says otherwise.
const CLIENTS: u32 = 500;

/// How many are connected at a time.
const AT_A_TIME: usize = 32;

/// The longest a client waits before it hangs up, in milliseconds: about what an answer takes.
const WAIT_MS_MAX: u64 = 40;

/// One in so many hangs up before it has sent its whole request.
const CUT_ONE_IN: u64 = 4;

/// The longest everything may take to settle, and more for each client: reports are read one by
/// one.
const SETTLED_WITHIN: (Duration, Duration) = (Duration::from_mins(1), Duration::from_millis(10));

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_hang_up_leave_nothing_open_and_nothing_half_done() {
    let clients = size::of_run("MANILLA_STORM", CLIENTS);
    let mut chance = SeededRng::from_environment("MANILLA_STORM_SEED", 500);
    let account = TestAccount::new(&under_load(""));
    let server = GatewayProcess::start(&account.folder);
    let dialler = Dialler::new(&account.folder, server.address());
    let merchant = TestMerchant::new(&account.folder, server.address(), &account.credentials);
    let places = Arc::new(Semaphore::new(AT_A_TIME));
    let mut storm = JoinSet::new();
    for number in 0..clients {
        let caller = Caller {
            dialler: dialler.clone(),
            credentials: account.credentials.clone(),
            merchant: merchant.clone(),
            chance: chance.split(),
        };
        let places = Arc::clone(&places);
        storm.spawn(async move {
            let _place = places.acquire_owned().await.unwrap();
            caller.call(number.into()).await
        });
    }
    let purchases = storm.join_all().await;
    let within = SETTLED_WITHIN.0 + SETTLED_WITHIN.1 * clients;
    let endings = account.settle(&server, (&purchases, within)).await;
    let stored = endings
        .iter()
        .filter(|ending| ending.status.is_some())
        .count();
    let delivered = endings
        .iter()
        .filter(|ending| ending.action == ProviderAction::Delivered)
        .count();
    println!("hung up: {clients}, stored: {stored}, delivered: {delivered}");
    assert!(
        stored > 0 && stored < endings.len(),
        "all hung up at the same moment"
    );
    assert!(server.interrupt().await.success());
}

struct Caller {
    dialler: Dialler,
    credentials: MerchantCredentials,
    merchant: TestMerchant,
    chance: SeededRng,
}

impl Caller {
    /// Sends a purchase, or a part of it, and hangs up.
    async fn call(mut self, number: u64) -> TestPurchase {
        let purchase = next(number, 0, &mut self.chance);
        let request = self.request(&purchase);
        let cut = self.chance.below(CUT_ONE_IN) == 0;
        let length = request.len() as u64;
        let sent = if cut {
            self.chance.below(length)
        } else {
            length
        };
        let mut line = self.dialler.secure().await;
        line.send(&request[..usize::try_from(sent).unwrap()]).await;
        let wait = Duration::from_millis(self.chance.below(WAIT_MS_MAX));
        tokio::time::sleep(wait).await;
        purchase
    }

    fn request(&self, purchase: &TestPurchase) -> String {
        let family = purchase.family;
        let order = family.order(&purchase.reference, purchase.ending);
        let body = self.merchant.completed(&family.body(&order));
        format!(
            "{} {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            family.verb(),
            family.target(&order),
            basic(&self.credentials.identity, &self.credentials.key),
            body.len()
        )
    }
}
