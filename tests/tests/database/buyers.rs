//! Clients that buy while the database comes and goes. Unlike others they must expect to be asked
//! that nothing was done, or that it is not known, and believe each to the letter.

use std::time::Duration;
use tests::account::{Figures, TestAccount};
use tests::answer::HttpAnswer;
use tests::connections;
use tests::folder::under_load;
use tests::load;
use tests::merchant::{TestMerchant, try_send};
use tests::process::GatewayProcess;
use tests::provider_journal::{self, ProviderJournal, minor};
use tests::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use tests::rng::SeededRng;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many buy at a time.
const CLIENTS: u64 = 12;

/// The pause of a client that was asked to retry later.
const LATER: Duration = Duration::from_millis(100);

/// What could not be recorded while the database was away is taken up again when its lease ends,
/// which is soon.
pub(crate) fn settings() -> String {
    under_load("call_deadline_ms = 3000\nsend_within_ms = 2000\nlease_ms = 6000\n")
}

/// The longest everything may take to settle.
const SETTLED_WITHIN: Duration = Duration::from_mins(2);

/// The clients.
pub(crate) struct Buyers {
    clients: JoinSet<Vec<TestPurchase>>,
    accepted: watch::Receiver<usize>,
    over: watch::Sender<bool>,
}

impl Buyers {
    pub(crate) fn start(merchant: &TestMerchant, chance: &mut SeededRng) -> Self {
        let (over, _) = watch::channel(false);
        let (count, accepted) = watch::channel(0);
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let client = Client {
                number,
                merchant: merchant.clone(),
                chance: chance.split(),
                over: over.subscribe(),
                accepted: count.clone(),
                bought: Vec::new(),
            };
            clients.spawn(client.run());
        }
        Self {
            clients,
            accepted,
            over,
        }
    }

    /// Waits until so many more purchases were accepted: the gateway works.
    pub(crate) async fn until_accepted(&mut self, more: usize) {
        let wanted = *self.accepted.borrow() + more;
        let reached = self.accepted.wait_for(|count| *count >= wanted);
        let reached = tokio::time::timeout(Duration::from_mins(1), reached).await;
        drop(reached.expect("the gateway takes payments again").unwrap());
    }

    /// Ends the load, follows everything to its end and compares it with what was said.
    pub(crate) async fn settle(self, account: &TestAccount, server: &GatewayProcess) -> Figures {
        self.over.send_replace(true);
        let purchases = self.clients.join_all().await.concat();
        let merchant = account.merchant(server);
        let follower = PurchaseFollower {
            folder: &account.folder,
            merchant: &merchant,
            identity: &account.credentials.identity,
        };
        let endings = follower.until_settled(&purchases, SETTLED_WITHIN).await;
        for ending in &endings {
            assert!(ending.keeps_its_answer(), "{ending:?}");
        }
        let held: i64 = endings.iter().map(PurchaseEnd::suspended).sum();
        assert_eq!(minor(&merchant.balance().await.1), held, "what is held");
        provider_journal::audit_is_clean(&account.folder);
        connections::none_is_left_in_a_transaction(&account.folder);
        assert!(!server.log().contains("panicked"), "{}", server.log());
        Figures::of(&endings, &ProviderJournal::read(&account.folder))
    }
}

struct Client {
    number: u64,
    merchant: TestMerchant,
    chance: SeededRng,
    over: watch::Receiver<bool>,
    accepted: watch::Sender<usize>,
    bought: Vec<TestPurchase>,
}

impl Client {
    async fn run(mut self) -> Vec<TestPurchase> {
        while !*self.over.borrow() {
            let purchase = load::next(self.number, self.bought.len(), &mut self.chance);
            let order = purchase.family.order(&purchase.reference, purchase.ending);
            let request = self.merchant.buying(purchase.family, &order);
            // The gateway itself is always there.
            let received = believed(&purchase, &try_send(request).await.unwrap());
            if matches!(received, LastAnswer::Accepted(_)) {
                self.accepted.send_modify(|count| *count += 1);
            } else {
                tokio::time::sleep(LATER).await;
            }
            self.bought.push(TestPurchase {
                received,
                ..purchase
            });
        }
        self.bought
    }
}

/// What an answer says of a purchase, to the letter.
fn believed(purchase: &TestPurchase, answer: &HttpAnswer) -> LastAnswer {
    if answer.status != 503 || purchase.ending == "0012" {
        let expected = matches!(
            (answer.status, purchase.ending),
            (200..=299, _) | (503, "0012") | (404, "0014")
        );
        assert!(expected, "{purchase:?}: {answer:?}");
        return LastAnswer::from(answer);
    }
    if answer.body.contains("nothing was done") {
        return LastAnswer::Refused(503);
    }
    assert!(answer.body.contains("ask for its report"), "{answer:?}");
    assert!(answer.header("retry-after").is_some(), "{answer:?}");
    LastAnswer::Nothing
}
