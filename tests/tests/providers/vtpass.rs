//! Airtime through VTpass's interface, bought of an instance that is killed with the order under
//! way and settled by another. Whatever the dead instance had done, a number must be credited once
//! at most, by the server's own record, and charged for exactly when it was.

use crate::fake_record::Fate;
use crate::faketime::FakeClock;
use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::vtpass_server::{API_KEY, FakeVtpass, SECRET_KEY};
use ports::fault_point::FaultStep;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tests::folder::{GatewayFolder, MerchantCredentials};
use tests::merchant::{TestMerchant, try_send};
use tests::orders::{AIRTIME, OrderFamily, airtime};
use tests::patience;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal::{self, ProviderJournal, minor};
use tokio::task::JoinSet;

/// What the account begins with, in minor units and as text.
const BALANCE: (i64, &str) = (10_000_000, "100000.00");

/// A moment of a payment comes within this.
const REACHED_WITHIN: Duration = Duration::from_secs(15);

/// A dead instance is taken over after ten seconds without a heartbeat; the rest is for the look,
/// the question and a busy machine.
const SETTLED_WITHIN: Duration = Duration::from_secs(45);

/// How far the clock is set at a time. Less than two minutes count whole, and three are spaced as
/// absence must be.
const STEP_S: i64 = 110;

/// Up to here "not found" proves nothing at VTpass: ten minutes, less what the instance itself has
/// waited by the time the first step is made.
const QUARANTINE_S: i64 = 600 - 60;

/// More steps than absence takes: the quarantine and four answers after it.
const STEPS_MAX: i64 = 20;

/// The event of a payment whose end is not known yet.
const NOT_AN_END: &str = "transaction.pending";

/// A gateway that buys airtime from VTpass, and from the sandbox within the program where VTpass is
/// certain not to deliver. The second must never be asked here.
fn settings(port: u16) -> String {
    format!(
        "[payment]
answer_window_ms = 3000

[recovery]
interval_ms = 200
recheck_max_ms = 1000

[webhook]
allow_loopback = true

[provider.far]
adapter = \"vtpass\"
environment = \"test\"
url = \"http://127.0.0.1:{port}/api/\"
api_key = \"{API_KEY}\"
secret_key = \"{SECRET_KEY}\"
phone = \"2348012345678\"

[[route]]
product = \"airtime\"
provider = \"far\"
priority = 1

[[route]]
product = \"airtime\"
provider = \"sandbox\"
priority = 2
"
    )
}

/// An instance that stops at a moment of each payment, one that does not, the server they buy from,
/// and the endpoint of the merchant.
struct KilledInstance {
    fake: FakeVtpass,
    events: WebhookReceiver,
    folder: GatewayFolder,
    account: MerchantCredentials,
    /// The clock of the second instance.
    clock: FakeClock,
    /// Where the first instance writes a file when it stops.
    scratch: TempDir,
    first: Option<GatewayProcess>,
    second: Option<GatewayProcess>,
}

impl KilledInstance {
    /// The first instance, over a store.
    async fn start(moment: FaultStep, folder: impl FnOnce(&str) -> GatewayFolder) -> Self {
        let fake = FakeVtpass::start().await;
        let folder = folder(&settings(fake.port));
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let file = marker(&scratch).to_str().expect("UTF-8").to_owned();
        let first = Launch {
            environment: vec![
                ("MANILLA_PAUSE_AT", moment.code().to_owned()),
                ("MANILLA_PAUSE_FILE", file),
            ],
            ..Launch::default()
        };
        Self {
            account: folder.account("Airtime", BALANCE.1),
            clock: FakeClock::new(folder.beside("clock")),
            first: Some(GatewayProcess::launch(&folder, &first)),
            second: None,
            events: WebhookReceiver::start().await,
            fake,
            folder,
            scratch,
        }
    }

    /// Has the merchant informed of what becomes of its payments.
    async fn subscribe(&self) {
        let endpoint = json!({"whkUrl": self.events.url()});
        let made = self.merchant().post("/webhook/endpoint", &endpoint).await;
        let secret = made.with_status(201).text("whkSecret");
        self.events.trust(&[&secret]);
    }

    /// Starts the instance that is not killed.
    fn start_another(&mut self, launch: &Launch) {
        self.second = Some(GatewayProcess::launch(&self.folder, launch));
    }

    /// The client of the instance that is not killed, once there is one.
    fn merchant(&self) -> TestMerchant {
        let instance = self.second.as_ref().or(self.first.as_ref());
        let address = instance.expect("it runs").address();
        TestMerchant::new(&self.folder, address, &self.account)
    }

    /// An order whose number meets a fate.
    fn fated(&self, reference: &str, (ending, fate): (&str, Fate)) -> Value {
        self.fake.book().fates.insert(local(ending), fate);
        airtime(reference, &format!("234803123{ending}"), "1,000.00")
    }

    /// Orders from the first instance and kills it where it stops.
    async fn order_and_kill(&mut self, order: Value) {
        let address = self.first.as_ref().expect("it runs").address();
        let merchant = self.merchant().at(address);
        let mut waiting = JoinSet::new();
        waiting.spawn(async move { try_send(merchant.buying(OrderFamily::Airtime, &order)).await });
        let reached = || marker(&self.scratch).exists();
        patience::eventually("the payment stops", REACHED_WITHIN, async || {
            reached().then_some(())
        })
        .await;
        self.first.take().expect("it runs").kill();
        let answer = waiting.join_next().await.expect("one").expect("no panic");
        assert!(answer.is_err(), "no process was left to answer: {answer:?}");
    }

    async fn status(&self, reference: &str) -> (String, Option<String>) {
        let report = OrderFamily::Airtime.report(reference);
        let answer = self.merchant().get(&report).await.with_status(200);
        OrderFamily::Airtime.statuses(&answer)
    }

    async fn ends_as(&self, reference: &str, statuses: (&str, &str)) {
        let promised = OrderFamily::Airtime.shown(statuses.0, statuses.1);
        patience::eventually("the end of a payment", SETTLED_WITHIN, async || {
            (self.status(reference).await == promised).then_some(())
        })
        .await;
    }

    /// How often the server was asked for something.
    fn asked(&self, path: &str) -> usize {
        let book = self.fake.book();
        book.seen.iter().filter(|it| it.path == path).count()
    }

    /// How often a number was credited, by the server's own record.
    fn credited(&self, ending: &str) -> u32 {
        let number = local(ending);
        let book = self.fake.book();
        let records = book.records.iter();
        let of_number = records.filter(|(_, record)| record.request["phone"] == number);
        let ids: Vec<String> = of_number.map(|(id, _)| id.clone()).collect();
        drop(book);
        ids.iter().map(|id| self.fake.deliveries(id)).sum()
    }

    /// What became of the price of what was bought under a reference, in order.
    fn transfers(&self, reference: &str) -> String {
        let database = self.folder.database().expect("a database");
        database.psql(&format!(
            "SELECT string_agg(kind, ' ' ORDER BY id) FROM transfers
             JOIN transactions t ON (t.account, t.number) = (transfers.account, transaction)
             WHERE t.reference = '{reference}' AND kind IN ('hold', 'capture', 'release')"
        ))
    }

    /// The events about the end of a reference that were delivered to the merchant.
    fn ends_reported(&self, reference: &str) -> Vec<String> {
        let events = self.events.events().into_iter();
        let of = |event: &ReceivedEvent| event.json()["data"]["mrcReference"] == reference;
        let topics = events.filter(of).map(|event| event.topic());
        topics.filter(|topic| topic != NOT_AN_END).collect()
    }

    /// Ends the survivor in order, so that nothing is under way any more, and checks the books.
    async fn end(mut self) -> Self {
        let second = self.second.take().expect("it runs");
        self.clock.set(0);
        assert!(second.terminate().await.success());
        assert_eq!(self.events.refused(), 0);
        let audit = self.folder.run(&["audit", "--json"]).well().json();
        assert_eq!(audit["status"], "clean", "{audit}");
        assert_eq!(audit["notCompared"], json!(["far"]), "{audit}");
        provider_journal::audit_is_clean(&self.folder);
        self
    }

    /// The provider of the second route delivered nothing: recovery never sends, and what may have
    /// been delivered goes nowhere else.
    fn nothing_went_elsewhere(&self, references: &[&str]) {
        let journal = ProviderJournal::read(&self.folder);
        for reference in references {
            let elsewhere = journal.deliveries(&self.account.identity, reference);
            assert_eq!(elsewhere, 0, "{reference}");
        }
    }
}

fn marker(folder: &TempDir) -> PathBuf {
    folder.path().join("stopped")
}

/// A number as VTpass takes it.
fn local(ending: &str) -> String {
    format!("0803123{ending}")
}

/// Over PostgreSQL whatever the run is about.
mod several_instances {
    use super::*;

    async fn two(moment: FaultStep) -> KilledInstance {
        let mut shop = KilledInstance::start(moment, GatewayFolder::shared).await;
        shop.start_another(&Launch::default());
        shop.subscribe().await;
        shop
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_delivered_unanswered_before_a_kill_another_instance_finds_by_requery() {
        let mut shop = two(FaultStep::AfterSubmit).await;

        // While its instance lives, a lost answer is found at once, and no other route delivers.
        let order = shop.fated("lives", ("4567", Fate::AnswerLost));
        let answer = shop.merchant().post(AIRTIME, &order).await.with_status(200);
        assert_eq!(answer.txn_status(), "Successful");
        let price = minor(&answer.text("price"));

        // Delivered, the connection cut, and the instance that sent it is killed.
        let order = shop.fated("killed", ("4568", Fate::AnswerLost));
        let queries = shop.asked("requery");
        shop.order_and_kill(order).await;
        assert_eq!(shop.credited("4568"), 1);
        assert_eq!(shop.asked("requery"), queries, "nothing was asked before");
        assert_eq!(shop.status("killed").await.0, "Pending");
        shop.ends_as("killed", ("Successful", "Delivered")).await;
        assert!(shop.asked("requery") > queries);
        let event = shop.events.reported("transaction.successful", "killed");
        let _ = event.await;

        assert_eq!(shop.transfers("lives"), "hold capture");
        assert_eq!(shop.transfers("killed"), "hold capture");
        let (available, held) = shop.merchant().balance().await;
        let expected = (BALANCE.0 - 2 * price, 0);
        assert_eq!((minor(&available), minor(&held)), expected);
        let shop = shop.end().await;
        assert_eq!((shop.credited("4567"), shop.credited("4568")), (1, 1));
        assert_eq!(shop.asked("pay"), 2);
        shop.nothing_went_elsewhere(&["lives", "killed"]);
        let events = shop.ends_reported("killed");
        assert_eq!(events, ["transaction.successful"]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_never_left_a_killed_instance_is_asked_about_and_never_sent() {
        let mut shop = two(FaultStep::AfterOpen).await;
        let order = shop.fated("unsent", ("4569", Fate::Delivered));
        shop.order_and_kill(order).await;

        // The identity is unknown to the provider, which proves nothing yet: the request could
        // still be on its way.
        patience::eventually("requeries", SETTLED_WITHIN, async || {
            (shop.asked("requery") >= 6).then_some(())
        })
        .await;
        let unknown = OrderFamily::Airtime.shown("Pending", "Unknown");
        assert_eq!(shop.status("unsent").await, unknown);
        assert_eq!(shop.transfers("unsent"), "hold");
        let shop = shop.end().await;
        assert_eq!((shop.credited("4569"), shop.asked("pay")), (0, 0));
        shop.nothing_went_elsewhere(&["unsent"]);
        assert!(shop.ends_reported("unsent").is_empty());
    }
}

/// How it ends. An instance whose clock is not that of its database claims nothing, so the clock
/// can be set where the store is a file.
mod embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_never_left_a_killed_process_is_given_back_once_absence_is_proven() {
        let start = KilledInstance::start(FaultStep::AfterOpen, GatewayFolder::embedded);
        let mut shop = start.await;
        let order = shop.fated("unsent", ("4569", Fate::Delivered));
        shop.order_and_kill(order).await;
        shop.start_another(&Launch {
            environment: shop.clock.environment().to_vec(),
            ..Launch::default()
        });

        let mut ahead = 0;
        while ahead < STEPS_MAX * STEP_S {
            let before = shop.asked("requery");
            let what = "the answers of a step, or the end";
            let status = patience::eventually(what, SETTLED_WITHIN, async || {
                let (status, _) = shop.status("unsent").await;
                let over = status != "Pending" || shop.asked("requery") > before + 1;
                over.then_some(status)
            })
            .await;
            if status != "Pending" {
                assert!(ahead >= QUARANTINE_S, "{status} after {ahead} s");
                break;
            }
            ahead += STEP_S;
            shop.clock.set(ahead);
        }
        shop.ends_as("unsent", ("Failed", "Unknown")).await;
        let (available, held) = shop.merchant().balance().await;
        assert_eq!((minor(&available), minor(&held)), (BALANCE.0, 0));
        let shop = shop.end().await;
        assert_eq!((shop.credited("4569"), shop.asked("pay")), (0, 0));
        shop.nothing_went_elsewhere(&["unsent"]);
    }
}
