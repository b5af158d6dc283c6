//! Clients that buy without a pause from whatever server is up, and note what they heard. They must
//! never use a reference twice, but for the same purchase.

use crate::chance::Chance;
use crate::merchant::{Merchant, try_send};
use crate::orders::Family;
use crate::purchases::{Heard, Purchase};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use std::net::SocketAddr;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many buy at a time.
const CLIENTS: u64 = 16;

/// What numbers end in: half of them force nothing.
pub const ENDINGS: [&str; 28] = [
    "0000", "1111", "2222", "3333", "4444", "5555", "6666", "7777", "8888", "9999", "1234", "4321",
    "5678", "8765", "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010",
    "0011", "0012", "0013", "0014",
];

/// Where the servers are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Any of these answers, unless it is gone by now.
    Up(Vec<SocketAddr>),
    Down,
    /// There will be no other.
    Over,
}

/// What a client does that heard nothing of what it bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unheard {
    /// It leaves it at that.
    Leaves,
    /// It says the same again, to whoever is there.
    Repeats,
}

/// The clients.
#[derive(Debug)]
pub struct Load {
    place: watch::Sender<Place>,
    clients: JoinSet<Vec<Purchase>>,
}

impl Load {
    /// Starts clients that wait for a server.
    #[must_use]
    pub fn start(merchant: &Merchant, chance: &mut Chance, unheard: Unheard) -> Self {
        let (place, _) = watch::channel(Place::Down);
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let client = Client {
                number,
                merchant: merchant.clone(),
                place: place.subscribe(),
                chance: chance.split(),
                unheard,
                bought: Vec::new(),
            };
            clients.spawn(client.run());
        }
        Self { place, clients }
    }

    /// Tells the clients where the servers are.
    pub fn is(&self, place: Place) {
        self.place.send_replace(place);
    }

    /// Everything that was bought, once every client has noticed that it is over.
    pub async fn end(self) -> Vec<Purchase> {
        self.is(Place::Over);
        self.clients.join_all().await.concat()
    }
}

struct Client {
    number: u64,
    merchant: Merchant,
    place: watch::Receiver<Place>,
    chance: Chance,
    unheard: Unheard,
    bought: Vec<Purchase>,
}

impl Client {
    async fn run(mut self) -> Vec<Purchase> {
        loop {
            let purchase = next(self.number, self.bought.len(), &mut self.chance);
            let order = purchase.family.order(&purchase.reference, purchase.ending);
            let Some(mut heard) = self.buy(&purchase, &order).await else {
                return self.bought;
            };
            if heard == Heard::Nothing && self.unheard == Unheard::Repeats {
                heard = match self.buy(&purchase, &order).await {
                    // The first one is still seen to: what comes of it is not said.
                    Some(Heard::Refused(409)) | None => Heard::Nothing,
                    Some(heard) => heard,
                };
            }
            self.bought.push(Purchase { heard, ..purchase });
        }
    }

    /// Sends a purchase to the first server that takes the connection, as a balancer does: until
    /// then nothing was sent. Nothing once there will be no server.
    async fn buy(&mut self, purchase: &Purchase, order: &Value) -> Option<Heard> {
        loop {
            let place = self.place.wait_for(|place| *place != Place::Down).await;
            let place = place.unwrap().clone();
            let Place::Up(addresses) = &place else {
                return None;
            };
            let first = self.chance.below(addresses.len() as u64);
            let (before, from) = addresses.split_at(usize::try_from(first).unwrap());
            for address in from.iter().chain(before) {
                match try_send(self.request(*address, purchase, order)).await {
                    Ok(answer) => return Some(Heard::from(&answer)),
                    Err(error) if error.0.is_connect() => {}
                    Err(_) => return Some(Heard::Nothing),
                }
            }
            // Nobody is there any more; the next one will be told of.
            let moved = self.place.wait_for(|now| *now != place).await;
            drop(moved.unwrap());
        }
    }

    fn request(&self, address: SocketAddr, purchase: &Purchase, order: &Value) -> RequestBuilder {
        let request = self.merchant.at(address).buying(purchase.family, order);
        // A lookup has no key of its own: its reference alone makes it the same.
        match (self.unheard, purchase.family.verb()) {
            (Unheard::Repeats, Method::POST) => {
                request.header("idempotency-key", &purchase.reference)
            }
            (Unheard::Leaves | Unheard::Repeats, _) => request,
        }
    }
}

/// The next purchase of a client, before anything was heard of it.
pub fn next(client: u64, count: usize, chance: &mut Chance) -> Purchase {
    let family = *chance.pick(&Family::ALL);
    Purchase {
        family,
        reference: format!("{}-{client}-{count}", family.word()),
        ending: chance.pick::<&'static str>(&ENDINGS),
        heard: Heard::Nothing,
    }
}
