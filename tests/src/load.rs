//! Clients that buy without a pause from whatever server is up, and note their answers. They must
//! never use a reference twice, but for the same purchase.

use crate::answer::HttpAnswer;
use crate::merchant::{TestMerchant, try_send};
use crate::orders::OrderFamily;
use crate::purchases::{LastAnswer, TestPurchase};
use crate::rng::SeededRng;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many buy at a time.
const CLIENTS: u64 = 16;

/// The longest until the first purchases are accepted.
const ACCEPTED_WITHIN: Duration = Duration::from_mins(1);

/// What numbers end in: half of them force nothing.
pub const ENDINGS: [&str; 34] = [
    "0000", "1111", "2222", "3333", "4444", "5555", "6666", "7777", "8888", "9999", "1234", "4321",
    "5678", "8765", "1357", "2468", "9753", "0001", "0002", "0003", "0004", "0005", "0006", "0007",
    "0008", "0009", "0010", "0011", "0012", "0013", "0014", "0018", "0019", "0020",
];

/// What an answer says where the outcome is unknown.
const UNKNOWN: &str = "ask for its report";

/// Where the servers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadPlace {
    /// Any of these answers, unless it is gone by now.
    Up(Vec<SocketAddr>),
    Down,
    /// There will be no other.
    Over,
}

/// What a client does that got no answer to a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unheard {
    /// It leaves it at that.
    Leaves,
    /// It sends the same again, to any server that is up.
    Repeats,
    /// It leaves it at that, and an answer that the outcome is unknown is none.
    Asks,
}

/// The clients.
#[derive(Debug)]
pub struct PaymentLoad {
    place: watch::Sender<LoadPlace>,
    accepted: watch::Receiver<usize>,
    clients: JoinSet<Vec<TestPurchase>>,
}

impl PaymentLoad {
    /// Starts clients that wait for a server.
    #[must_use]
    pub fn start(merchant: &TestMerchant, chance: &mut SeededRng, unheard: Unheard) -> Self {
        Self::after(0, merchant, chance, unheard)
    }

    /// Starts clients with other references than those of so many loads before.
    #[must_use]
    pub fn after(
        loads: u64,
        merchant: &TestMerchant,
        chance: &mut SeededRng,
        unheard: Unheard,
    ) -> Self {
        let (place, _) = watch::channel(LoadPlace::Down);
        let (count, accepted) = watch::channel(0);
        let mut clients = JoinSet::new();
        for number in loads * CLIENTS..(loads + 1) * CLIENTS {
            let client = Client {
                number,
                merchant: merchant.clone(),
                place: place.subscribe(),
                chance: chance.split(),
                unheard,
                accepted: count.clone(),
                bought: Vec::new(),
            };
            clients.spawn(client.run());
        }
        Self {
            place,
            accepted,
            clients,
        }
    }

    /// Tells the clients where the servers are.
    pub fn is(&self, place: LoadPlace) {
        self.place.send_replace(place);
    }

    /// Waits until so many purchases were accepted since the start.
    ///
    /// # Panics
    /// When they are not within a minute.
    pub async fn until_accepted(&mut self, wanted: usize) {
        let reached = self.accepted.wait_for(|count| *count >= wanted);
        let reached = tokio::time::timeout(ACCEPTED_WITHIN, reached).await;
        drop(reached.expect("purchases are accepted").unwrap());
    }

    /// Everything that was bought, once every client has noticed that it is over.
    pub async fn end(self) -> Vec<TestPurchase> {
        self.is(LoadPlace::Over);
        self.clients.join_all().await.concat()
    }
}

struct Client {
    number: u64,
    merchant: TestMerchant,
    place: watch::Receiver<LoadPlace>,
    chance: SeededRng,
    unheard: Unheard,
    accepted: watch::Sender<usize>,
    bought: Vec<TestPurchase>,
}

impl Client {
    async fn run(mut self) -> Vec<TestPurchase> {
        loop {
            let purchase = next(self.number, self.bought.len(), &mut self.chance);
            let order = purchase.family.order(&purchase.reference, purchase.ending);
            let Some(mut received) = self.buy(&purchase, &order).await else {
                return self.bought;
            };
            if received == LastAnswer::Nothing && self.unheard == Unheard::Repeats {
                received = match self.buy(&purchase, &order).await {
                    // The first one is still seen to: what comes of it is not said.
                    Some(LastAnswer::Refused(409)) | None => LastAnswer::Nothing,
                    Some(received) => received,
                };
            }
            if matches!(received, LastAnswer::Accepted(_)) {
                self.accepted.send_modify(|count| *count += 1);
            }
            self.bought.push(TestPurchase {
                received,
                ..purchase
            });
        }
    }

    /// Sends a purchase to the first server that takes the connection, as a balancer does: until
    /// then nothing was sent. Nothing once there will be no server.
    async fn buy(&mut self, purchase: &TestPurchase, order: &Value) -> Option<LastAnswer> {
        loop {
            let place = self.place.wait_for(|place| *place != LoadPlace::Down).await;
            let place = place.unwrap().clone();
            let LoadPlace::Up(addresses) = &place else {
                return None;
            };
            let first = self.chance.below(addresses.len() as u64);
            let (before, from) = addresses.split_at(usize::try_from(first).unwrap());
            for address in from.iter().chain(before) {
                match try_send(self.request(*address, purchase, order)).await {
                    Ok(answer) => return Some(self.last_answer(&answer)),
                    Err(error) if error.0.is_connect() => {}
                    Err(_) => return Some(LastAnswer::Nothing),
                }
            }
            // The server is gone; the address of the next one follows.
            let moved = self.place.wait_for(|now| *now != place).await;
            drop(moved.unwrap());
        }
    }

    fn last_answer(&self, answer: &HttpAnswer) -> LastAnswer {
        let is_unknown = answer.status == 503 && answer.body.contains(UNKNOWN);
        if self.unheard == Unheard::Asks && is_unknown {
            return LastAnswer::Nothing;
        }
        LastAnswer::from(answer)
    }

    fn request(
        &self,
        address: SocketAddr,
        purchase: &TestPurchase,
        order: &Value,
    ) -> RequestBuilder {
        let request = self.merchant.at(address).buying(purchase.family, order);
        // A lookup has no key of its own: its reference alone makes it the same.
        match (self.unheard, purchase.family.verb()) {
            (Unheard::Repeats, Method::POST) => {
                request.header("idempotency-key", &purchase.reference)
            }
            (Unheard::Leaves | Unheard::Repeats | Unheard::Asks, _) => request,
        }
    }
}

/// The next purchase of a client, before any answer to it.
pub fn next(client: u64, count: usize, chance: &mut SeededRng) -> TestPurchase {
    let family = *chance.pick(&OrderFamily::ALL);
    TestPurchase {
        family,
        reference: format!("{}-{client}-{count}", family.word()),
        ending: chance.pick::<&'static str>(&ENDINGS),
        received: LastAnswer::Nothing,
    }
}
