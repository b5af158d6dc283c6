//! One account over a database that is set back again and again: the load, the steps of
//! reconciliation, and the comparison at the end. It must never forget a purchase.

use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tests::account::{Figures, TestAccount};
use tests::folder::{GatewayFolder, MerchantCredentials};
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal, minor};
use tests::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use tests::rng::SeededRng;

/// How many purchases are accepted at least before a server ends.
const ACCEPTED_MIN: usize = 10;

/// The longest that clients buy after that, in milliseconds.
const LOAD_MS_MAX: u64 = 500;

/// A journal that lacks rows is compared again every five seconds.
const WHOLE_WITHIN: Duration = Duration::from_secs(40);

/// How long a server may take to notice that payments are resumed.
const RESUMED_WITHIN: Duration = Duration::from_secs(20);

/// The longest everything may take to settle.
const SETTLED_WITHIN: Duration = Duration::from_mins(2);

/// What a number ends in whose delivery is taken back some time after it was confirmed.
const TAKEN_BACK: &str = "0009";

/// What is credited to an account after a backup, and then once more.
const CREDIT: (&str, i64) = ("50,000.00", 5_000_000);

/// Payments out of that credit.
const OUT_OF_CREDIT: usize = 5;

/// An account, everything it bought, and what was seen of it.
pub(crate) struct Trial {
    pub(crate) account: TestAccount,
    pub(crate) chance: SeededRng,
    purchases: Vec<TestPurchase>,
    /// Accounts that live on a credit, and what they bought.
    credited: Vec<(MerchantCredentials, Vec<TestPurchase>)>,
    loads: u64,
    reopened: usize,
}

/// An account that is credited after the backup.
pub(crate) struct Credited {
    credentials: MerchantCredentials,
    reference: String,
    purchases: Vec<TestPurchase>,
}

impl Trial {
    pub(crate) fn new(folder: GatewayFolder, chance: SeededRng) -> Self {
        Self {
            account: TestAccount::within(folder),
            chance,
            purchases: Vec::new(),
            credited: Vec::new(),
            loads: 0,
            reopened: 0,
        }
    }

    pub(crate) const fn folder(&self) -> &GatewayFolder {
        &self.account.folder
    }

    pub(crate) fn start(&self) -> GatewayProcess {
        GatewayProcess::start(self.folder())
    }

    /// Clients that buy of a server from now on.
    pub(crate) fn load(&mut self, server: &GatewayProcess) -> PaymentLoad {
        let merchant = self.account.merchant(server);
        let load = PaymentLoad::after(self.loads, &merchant, &mut self.chance, Unheard::Asks);
        self.loads += 1;
        load.is(LoadPlace::Up(vec![server.address()]));
        load
    }

    /// Lets clients buy until a random moment.
    pub(crate) async fn a_while(&mut self, load: &mut PaymentLoad) {
        load.until_accepted(ACCEPTED_MIN).await;
        let while_ms = self.chance.below(LOAD_MS_MAX);
        tokio::time::sleep(Duration::from_millis(while_ms)).await;
    }

    /// Ends a load, and keeps what was bought.
    pub(crate) async fn ended(&mut self, load: PaymentLoad) -> Vec<TestPurchase> {
        let bought = load.end().await;
        self.purchases.extend_from_slice(&bought);
        bought
    }

    /// Clients buy of a server until it is killed.
    pub(crate) async fn until_killed(&mut self, server: GatewayProcess) -> Vec<TestPurchase> {
        let mut load = self.load(&server);
        self.a_while(&mut load).await;
        server.kill();
        self.ended(load).await
    }

    /// Clients buy of a server, which is stopped in order once they were answered.
    pub(crate) async fn until_stopped(&mut self, server: GatewayProcess) -> Vec<TestPurchase> {
        let mut load = self.load(&server);
        self.a_while(&mut load).await;
        let bought = self.ended(load).await;
        assert!(server.terminate().await.success());
        bought
    }

    /// Clients buy of a server that ends in either way.
    pub(crate) async fn until_ended(&mut self, server: GatewayProcess) -> Vec<TestPurchase> {
        if self.chance.below(2) == 0 {
            self.until_killed(server).await
        } else {
            self.until_stopped(server).await
        }
    }

    /// What `manilla reconcile` says with further arguments.
    pub(crate) fn reconcile(&self, arguments: &[&str]) -> Value {
        let arguments = [&["reconcile", "--json"], arguments].concat();
        self.folder().run(&arguments).json()
    }

    /// Waits until every journal is whole in the database and payments wait for a person.
    async fn is_whole(&self) {
        let look = async || {
            let state = self.reconcile(&[]);
            (state["needs"] == "person" && is_whole(&state)).then_some(())
        };
        eventually("every journal is whole", WHOLE_WITHIN, look).await;
    }

    /// The page on restores from its third step on, over a server that runs on a database which
    /// lacks these purchases.
    pub(crate) async fn reconciles(&mut self, server: &GatewayProcess, lost: &[TestPurchase]) {
        self.is_whole().await;
        let merchant = self.account.merchant(server);
        let probe = TestPurchase {
            family: OrderFamily::Airtime,
            reference: format!("probe-{}", self.loads),
            ending: "0000",
            received: LastAnswer::Nothing,
        };
        is_suspended(&merchant, &probe.reference).await;
        let acknowledged = accepted(lost);
        assert!(!acknowledged.is_empty(), "nothing was lost");
        for purchase in &acknowledged {
            is_found(&merchant, purchase).await;
        }
        self.reopened += acknowledged.len();
        self.may_have_lost(lost);
        let said = self.reconcile(&["--acknowledge"]);
        assert_eq!(said["acknowledged"], true, "{said}");
        self.goes_on(server, probe).await;
    }

    /// Payments are taken again.
    pub(crate) async fn goes_on(&mut self, server: &GatewayProcess, probe: TestPurchase) {
        let merchant = self.account.merchant(server);
        let order = probe.family.order(&probe.reference, probe.ending);
        let buy = async || {
            let answer = merchant.buy(probe.family, &order).await;
            (answer.status != 503).then(|| LastAnswer::from(&answer))
        };
        let received = eventually("payments are taken", RESUMED_WITHIN, buy).await;
        assert!(matches!(received, LastAnswer::Accepted(_)), "{received:?}");
        self.purchases.push(TestPurchase { received, ..probe });
    }

    /// Keeps a purchase that a suite made by itself.
    pub(crate) fn keep(&mut self, purchase: TestPurchase) {
        self.purchases.push(purchase);
    }

    /// An account without money, made before a backup.
    pub(crate) fn account_to_credit(&self) -> Credited {
        let name = format!("Credited {}", self.loads);
        Credited {
            credentials: self.folder().account(&name, "1.00"),
            reference: format!("credit-{}", self.loads),
            purchases: Vec::new(),
        }
    }

    /// Credits an account, and has it buy: what a backup taken before lacks.
    pub(crate) async fn credit(&self, server: &GatewayProcess, credited: &mut Credited) {
        assert_eq!(self.credits(credited), true);
        let merchant = self.account.merchant(server);
        let merchant = merchant.as_account(&credited.credentials);
        for number in 0..OUT_OF_CREDIT {
            let reference = format!("{}-{number}", credited.reference);
            let order = OrderFamily::Airtime.order(&reference, "0000");
            let answer = merchant.buy(OrderFamily::Airtime, &order).await;
            credited.purchases.push(TestPurchase {
                family: OrderFamily::Airtime,
                reference,
                ending: "0000",
                received: LastAnswer::from(&answer.with_status(200)),
            });
        }
    }

    /// Step 4: the credit is repeated under its reference, and only then every payment is there.
    pub(crate) async fn repeats_credit(&mut self, server: &GatewayProcess, credited: Credited) {
        let look = async || {
            let state = self.reconcile(&[]);
            let missing = state["journals"][0]["missing"].as_u64();
            let compared = state["journals"][0]["compared"] == true;
            (compared && missing > Some(0)).then_some(missing)
        };
        let missing = eventually("payments lack their credit", WHOLE_WITHIN, look).await;
        assert_eq!(missing, u64::try_from(OUT_OF_CREDIT).ok());
        let refused = self.folder().run(&["reconcile", "--acknowledge"]);
        let refused = refused.refused();
        assert!(refused.stderr.contains("compared and whole"), "{refused:?}");
        assert_eq!(self.credits(&credited), true);
        assert_eq!(self.credits(&credited), false);
        self.is_whole().await;
        let merchant = self.account.merchant(server);
        let merchant = merchant.as_account(&credited.credentials);
        for purchase in &credited.purchases {
            is_found(&merchant, purchase).await;
        }
        self.credited
            .push((credited.credentials, credited.purchases));
    }

    fn credits(&self, credited: &Credited) -> Value {
        let identity = &credited.credentials.identity;
        let who = ["account", "credit", "--identity", identity];
        let what = ["--amount", CREDIT.0, "--reference", &credited.reference];
        let said = self.folder().run(&[&who[..], &what, &["--json"]].concat());
        said.well().json()["credited"].clone()
    }

    /// Follows every purchase to its end, and checks the balances and the books.
    pub(crate) async fn settle(&self, server: &GatewayProcess) -> Vec<PurchaseEnd> {
        let merchant = self.account.merchant(server);
        let purchases = self.purchases.iter().cloned();
        let (turned_away, bought): (Vec<_>, Vec<_>) = purchases.partition(is_turned_away);
        let mut endings = self.account.settle(server, (&bought, SETTLED_WITHIN)).await;
        let main = (&merchant, &self.account.credentials);
        endings.extend(self.follow(main, &turned_away).await);
        for (credentials, purchases) in &self.credited {
            let merchant = merchant.as_account(credentials);
            let others = self.follow((&merchant, credentials), purchases).await;
            let charged: i64 = others.iter().map(PurchaseEnd::charged).sum();
            let (balance, _) = merchant.balance().await;
            assert_eq!(minor(&balance), 100 + CREDIT.1 - charged, "{credentials:?}");
            endings.extend(others);
        }
        endings
    }

    /// Follows every purchase to its end, but those that were lost with their journal.
    pub(crate) async fn settle_but(&self, server: &GatewayProcess, lost: &[TestPurchase]) {
        let lost: BTreeSet<_> = lost.iter().map(|it| &it.reference).collect();
        let kept = |it: &&TestPurchase| !lost.contains(&it.reference);
        let purchases: Vec<_> = self.purchases.iter().filter(kept).cloned().collect();
        let merchant = self.account.merchant(server);
        let main = (&merchant, &self.account.credentials);
        let endings = self.follow(main, &purchases).await;
        assert!(!endings.is_empty(), "nothing was bought");
    }

    async fn follow(
        &self,
        (merchant, credentials): (&TestMerchant, &MerchantCredentials),
        purchases: &[TestPurchase],
    ) -> Vec<PurchaseEnd> {
        let follower = PurchaseFollower {
            folder: self.folder(),
            merchant,
            identity: &credentials.identity,
        };
        let endings = follower.until_settled(purchases, SETTLED_WITHIN).await;
        let broken = endings.iter().find(|it| !it.keeps_its_answer());
        assert!(broken.is_none(), "{broken:?}");
        endings
    }

    /// The journal does not hold how an attempt ended. One that was delivered and taken back again
    /// is reported as failed once it was asked about, and as reversed where its end is stored.
    pub(crate) fn may_have_lost(&mut self, lost: &[TestPurchase]) {
        let lost: BTreeSet<_> = lost.iter().map(|it| it.reference.as_str()).collect();
        let mut purchases = self.purchases.iter_mut();
        let reported = LastAnswer::Accepted("Successful".to_owned());
        while let Some(purchase) =
            purchases.find(|it| it.ending == TAKEN_BACK && it.received == reported)
        {
            if lost.contains(purchase.reference.as_str()) {
                purchase.received = LastAnswer::Accepted("Pending".to_owned());
            }
        }
    }

    /// Settles everything, says what the run came to and demands that it was enough.
    pub(crate) async fn end(self, server: GatewayProcess, rounds: u32) {
        let endings = self.settle(&server).await;
        let figures = Figures::of(&endings, &ProviderJournal::read(self.folder()));
        let reopened = self.reopened;
        println!("restores: {rounds}, acknowledged and not in the copy: {reopened}, {figures}");
        let rounds = usize::try_from(rounds).unwrap();
        let enough = reopened >= rounds && figures.acknowledged > reopened;
        assert!(enough, "the load was too small");
        assert!(server.terminate().await.success());
        provider_journal::audit_is_clean(self.folder());
    }
}

/// Whether every journal was compared and lacks no row.
pub(crate) fn is_whole(state: &Value) -> bool {
    let journals = state["journals"].as_array().expect("a list of journals");
    let whole = |it: &Value| it["compared"] == true && it["missing"] == 0;
    !journals.is_empty() && journals.iter().all(whole)
}

/// Those of purchases that were acknowledged.
pub(crate) fn accepted(purchases: &[TestPurchase]) -> Vec<&TestPurchase> {
    let accepted = |it: &&TestPurchase| matches!(it.received, LastAnswer::Accepted(_));
    purchases.iter().filter(accepted).collect()
}

/// Whether a purchase was refused because the database was away.
fn is_turned_away(purchase: &TestPurchase) -> bool {
    purchase.received == LastAnswer::Refused(503) && purchase.ending != "0012"
}

/// A new payment is refused as a whole, with a message on what to do.
pub(crate) async fn is_suspended(merchant: &TestMerchant, reference: &str) {
    let order = OrderFamily::Airtime.order(reference, "0000");
    let refused = merchant
        .buy(OrderFamily::Airtime, &order)
        .await
        .with_status(503);
    assert_eq!(refused.header("retry-after"), Some("60"), "{refused:?}");
    assert!(refused.body.contains("nothing was charged"), "{refused:?}");
}

/// An acknowledged payment has its report, and its reference is taken.
async fn is_found(merchant: &TestMerchant, purchase: &TestPurchase) {
    let family = purchase.family;
    let report = merchant.get(&family.report(&purchase.reference)).await;
    let status = report.with_status(200).txn_status();
    let known = ["Pending", "Successful", "Failed", "Reversed"];
    assert!(known.contains(&status.as_str()), "{purchase:?}: {status}");
    let order = family.order(&purchase.reference, purchase.ending);
    let repeated = merchant.buy(family, &order).await;
    if family.is_lookup() {
        // The reference of a lookup is its key as well.
        let replayed = repeated.header("idempotency-replayed");
        assert_eq!(replayed, Some("true"), "{repeated:?}");
    } else {
        repeated.with_status(422);
    }
}
