//! Clients that move money in every way but by a plain purchase: transfers to accounts and between
//! wallets, bulk transfers, payrolls, approvals, refunds, subscriptions, codes, collections,
//! checkouts, invoices, top-ups and files of reports. A request that was not answered is sent again
//! until it is, the same under the same key, so that what the statement must say is known.

mod client;
mod expected;
mod statement;
mod steps;

pub use expected::{AnnouncedTopUp, ExpectedBooks};
pub use statement::check;

use crate::load::LoadPlace;
use crate::merchant::TestMerchant;
use crate::rng::SeededRng;
use client::Client;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How many kinds of steps there are.
pub const STEPS: usize = steps::Step::ALL.len();

/// How many clients there are.
const CLIENTS: u64 = 8;

/// The accounts that money moves between.
#[derive(Debug)]
pub struct MovementAccounts {
    pub payer: TestMerchant,
    /// A user of the payer, whose larger payouts wait for an approval.
    pub user: TestMerchant,
    /// What the payer is called on the statement of the recipient.
    pub payer_name: &'static str,
    pub recipient_identity: String,
}

impl MovementAccounts {
    /// Has payouts above 400,000.00 wait for an approval, and a user who asks for them.
    pub async fn prepare(
        payer: TestMerchant,
        (payer_name, recipient_identity): (&'static str, String),
    ) -> Self {
        let limit = json!({"lmtService": "bank", "lmtApprovalAbove": "400000.00"});
        payer.post("/account/limits", &limit).await.with_status(200);
        let (_, secret) = payer.make_key_of_user().await;
        Self {
            user: payer.as_key(&secret),
            payer,
            payer_name,
            recipient_identity,
        }
    }
}

/// The clients.
#[derive(Debug)]
pub struct MovementLoad {
    place: watch::Sender<LoadPlace>,
    ends: watch::Sender<bool>,
    announced: Arc<Mutex<Vec<AnnouncedTopUp>>>,
    clients: JoinSet<ExpectedBooks>,
}

impl MovementLoad {
    /// Starts clients that wait for a server.
    #[must_use]
    pub fn start(accounts: MovementAccounts, chance: &mut SeededRng) -> Self {
        let (place, _) = watch::channel(LoadPlace::Down);
        let (ends, _) = watch::channel(false);
        let announced = Arc::default();
        let accounts = Arc::new(accounts);
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let client = Client {
                number,
                steps: 0,
                accounts: Arc::clone(&accounts),
                place: place.subscribe(),
                ends: ends.subscribe(),
                chance: chance.split(),
                announced: Arc::clone(&announced),
                expected: ExpectedBooks::default(),
            };
            clients.spawn(client.run());
        }
        Self {
            place,
            ends,
            announced,
            clients,
        }
    }

    /// Says where the servers are; there is always another one to come.
    pub fn is(&self, place: LoadPlace) {
        self.place.send_replace(place);
    }

    /// The top-ups that were announced since this was asked last. The operator confirms each.
    #[must_use]
    pub fn announced(&self) -> Vec<AnnouncedTopUp> {
        let mut announced = self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *announced)
    }

    /// What the books must say once every client has brought its last step to an end, at a server
    /// that stays; and the top-ups that are still to be confirmed.
    pub async fn end(mut self, address: SocketAddr) -> (ExpectedBooks, Vec<AnnouncedTopUp>) {
        self.ends.send_replace(true);
        self.is(LoadPlace::Up(vec![address]));
        let mut expected = ExpectedBooks::default();
        while let Some(client) = self.clients.join_next().await {
            expected.merge(client.expect("a client comes to its end"));
        }
        (expected, self.announced())
    }
}
