//! Clients that buy without a pause from whatever server is up, and note what they heard. They must
//! never use a reference twice.

use std::net::SocketAddr;
use tests::chance::Chance;
use tests::merchant::{Merchant, try_send};
use tests::orders::Family;
use tests::purchases::{Heard, Purchase};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many buy at a time.
const CLIENTS: u64 = 16;

/// What numbers end in: half of them force nothing.
pub(crate) const ENDINGS: [&str; 28] = [
    "0000", "1111", "2222", "3333", "4444", "5555", "6666", "7777", "8888", "9999", "1234", "4321",
    "5678", "8765", "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010",
    "0011", "0012", "0013", "0014",
];

/// Where the server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Up(SocketAddr),
    Down,
    /// There will be no other.
    Over,
}

/// The clients.
pub(crate) struct Load {
    place: watch::Sender<Place>,
    clients: JoinSet<Vec<Purchase>>,
}

impl Load {
    /// Starts clients that wait for a server.
    pub(crate) fn start(merchant: &Merchant, chance: &mut Chance) -> Self {
        let (place, _) = watch::channel(Place::Down);
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let client = Client {
                number,
                merchant: merchant.clone(),
                place: place.subscribe(),
                chance: chance.split(),
                bought: Vec::new(),
            };
            clients.spawn(client.run());
        }
        Self { place, clients }
    }

    /// Tells the clients where the server is.
    pub(crate) fn is(&self, place: Place) {
        self.place.send_replace(place);
    }

    /// Everything that was bought, once every client has noticed that it is over.
    pub(crate) async fn end(self) -> Vec<Purchase> {
        self.is(Place::Over);
        self.clients.join_all().await.concat()
    }
}

struct Client {
    number: u64,
    merchant: Merchant,
    place: watch::Receiver<Place>,
    chance: Chance,
    bought: Vec<Purchase>,
}

impl Client {
    async fn run(mut self) -> Vec<Purchase> {
        loop {
            let place = *self
                .place
                .wait_for(|place| *place != Place::Down)
                .await
                .unwrap();
            let Place::Up(address) = place else {
                return self.bought;
            };
            let purchase = self.buy(address).await;
            let gone = purchase.heard == Heard::Nothing;
            self.bought.push(purchase);
            if gone {
                // Nobody answers there any more; the next one will be told of.
                let moved = self.place.wait_for(|now| *now != place).await;
                drop(moved.unwrap());
            }
        }
    }

    async fn buy(&mut self, address: SocketAddr) -> Purchase {
        let purchase = next(self.number, self.bought.len(), &mut self.chance);
        let order = purchase.family.order(&purchase.reference, purchase.ending);
        let merchant = self.merchant.at(address);
        let sent = merchant.buying(purchase.family, &order);
        let heard = match try_send(sent).await {
            Ok(answer) => Heard::from(&answer),
            Err(_) => Heard::Nothing,
        };
        Purchase { heard, ..purchase }
    }
}

/// The next purchase of a client, before anything was heard of it.
pub(crate) fn next(client: u64, count: usize, chance: &mut Chance) -> Purchase {
    let family = *chance.pick(&Family::ALL);
    Purchase {
        family,
        reference: format!("{}-{client}-{count}", family.word()),
        ending: chance.pick::<&'static str>(&ENDINGS),
        heard: Heard::Nothing,
    }
}
