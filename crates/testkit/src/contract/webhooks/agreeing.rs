//! The law that a store does what the reference store does, whatever is done to it. What a port
//! leaves open must not be drawn: the order of what is due at one moment, and with it which of it a
//! claim of few takes.

use super::setup::WebhookStores;
use crate::builders::{
    account_id, airtime, answered, apply, at, declined, delivered, delivery_claim, delivery_id,
    delivery_query, ended, endpoint, endpoint_for, endpoint_id, finding, mismatched, not_sent,
    pending, ping, receipt, reversed, unanswered,
};
use crate::contract::storage::Stores;
use crate::memory::MemoryStore;
use domain::change_set::ChangeSet;
use domain::provider::QueryOutcome;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{Observation, Transaction};
use domain::webhook::{Delivery, DeliveryFailure, DeliveryState, DisabledBecause, Topic};
use ports::ledger_store::CommitOutcome;
use ports::webhooks::{
    AttemptResult, Claimed, DeliveryClaim, DeliveryPage, EndpointChange, ReplayOf, Replayed,
};
use proptest::prelude::Rng;
use proptest::test_runner::{TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::Duration;

/// How many operations are played: each kind comes up dozens of times.
const OPERATIONS: u32 = 1_500;

/// How many endpoints an account draws from.
const ENDPOINTS: u64 = 4;

fn found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Delivered(receipt(tx)))
}

/// Two stores, and what was done to both.
struct Game<'a> {
    reference: WebhookStores,
    candidate: &'a WebhookStores,
    rng: TestRng,
    now: Timestamp,
    transactions: Vec<Transaction>,
    claimed: Vec<Delivery>,
    events: u64,
    /// How often something happened that a game without it would say nothing of.
    happened: BTreeMap<&'static str, u64>,
}

/// Asks both stores and compares what they answer.
macro_rules! both {
    ($game:expr, |$stores:ident| $ask:expr) => {{
        let expected = {
            let $stores = &$game.reference;
            $ask.await
        };
        let answer = {
            let $stores = $game.candidate;
            $ask.await
        };
        agree(stringify!($ask), expected, &answer)
    }};
}

fn agree<T: Debug + PartialEq>(what: &str, expected: T, answer: &T) -> T {
    assert!(
        expected == *answer,
        "{what}:\n reference {expected:#?}\n candidate {answer:#?}"
    );
    expected
}

/// Hundreds of operations in a drawn order, the same on every run.
pub async fn whatever_is_done_the_reference_store_agrees(stores: &WebhookStores) {
    let memory = MemoryStore::new();
    let mut game = Game {
        reference: WebhookStores::of(Stores::of(memory.clone()), memory),
        candidate: stores,
        rng: TestRunner::deterministic().rng().clone(),
        now: at(0),
        transactions: Vec::new(),
        claimed: Vec::new(),
        events: 1_000_000,
        happened: BTreeMap::new(),
    };
    for account in ["shop", "kiosk"] {
        game.reference.has_account(account, "1,000.00").await;
        game.candidate.has_account(account, "1,000.00").await;
    }
    for _ in 0..OPERATIONS {
        game.play().await;
    }
    game.read_everything().await;
    for what in [
        "claimed",
        "recorded",
        "given up",
        "replayed",
        "refused",
        "forgotten",
    ] {
        let count = game.happened.get(what).copied().unwrap_or_default();
        assert!(count > 0, "{what} never: {:?}", game.happened);
    }
    stores.must_be_clean(game.now).await;
}

impl Game<'_> {
    /// One of so many.
    fn draw(&mut self, among: u64) -> u64 {
        u64::from(self.rng.next_u32()) % among
    }

    fn endpoint(&mut self) -> u64 {
        self.draw(ENDPOINTS) + 1
    }

    fn name(&mut self) -> &'static str {
        if self.draw(3) == 0 { "kiosk" } else { "shop" }
    }

    fn count(&mut self, what: &'static str, count: u64) {
        *self.happened.entry(what).or_default() += count;
    }

    async fn play(&mut self) {
        let pause = self.draw(20) + 1;
        self.now = self.now.plus(Duration::from_secs(pause));
        match self.draw(25) {
            0 | 1 => self.register().await,
            2 | 24 => self.change().await,
            3 if self.draw(3) == 0 => self.remove().await,
            3..=8 => self.trade().await,
            9 => self.announce().await,
            10..=14 => self.claim().await,
            15..=19 => self.record().await,
            20 => self.replay().await,
            21 => self.forget().await,
            22 => self.now = self.now.plus(Duration::from_hours(20)),
            _ => self.read_everything().await,
        }
    }

    async fn register(&mut self) {
        let (name, id) = (self.name(), self.endpoint());
        let mut made = match self.draw(3) {
            0 => endpoint_for(name, id, &[Topic::TransactionSuccessful, Topic::Ping]),
            1 => endpoint_for(name, id, &[Topic::TransactionPending]),
            _ => endpoint(name, id),
        };
        made.created_at = self.now;
        both!(self, |stores| stores.register(&made));
    }

    async fn change(&mut self) {
        let (id, now) = (self.endpoint(), self.now);
        let change = match self.draw(4) {
            0 => EndpointChange::Rotate(now, 1),
            1 => EndpointChange::Disable(DisabledBecause::ByMerchant, now),
            _ => EndpointChange::Enable(now),
        };
        both!(self, |stores| stores.change(id, change));
    }

    async fn remove(&mut self) {
        let (owner, id) = (account_id(self.name()), endpoint_id(self.endpoint()));
        let now = self.now;
        both!(self, |stores| async {
            stores
                .endpoints
                .remove((&owner, id), now, &crate::builders::noted_change("shop"))
                .await
                .expect("remove")
        });
    }

    /// Opens a transaction, or applies an observation to one.
    async fn trade(&mut self) {
        let n = self.transactions.len() as u64 + 1;
        if n == 1 || self.draw(3) == 0 {
            let name = self.name();
            let purchase = airtime().by(name).nth(n).priced("1.00");
            let purchase = purchase.opened_at(self.now);
            both!(self, |stores| stores.open(&purchase));
            self.transactions.push(purchase.transaction());
            return;
        }
        let which = usize::try_from(self.draw(n - 1)).expect("few");
        let observations: [fn(&Transaction) -> Observation; 7] = [
            pending, delivered, found, declined, mismatched, reversed, not_sent,
        ];
        let observe = observations[usize::try_from(self.draw(7)).expect("few")];
        let tx = self.transactions[which].clone();
        let Some(step) = apply(&tx, &observe(&tx), self.now) else {
            return;
        };
        let change = ChangeSet::Advance(Box::new(step.clone()));
        let reported = both!(self, |stores| stores.commit(change.clone()));
        if reported == CommitOutcome::Done {
            self.transactions[which] = step.transaction;
        }
    }

    async fn announce(&mut self) {
        self.events += 1;
        let event = ping(self.events, self.now);
        let only = (self.draw(2) == 0).then(|| self.endpoint());
        both!(self, |stores| stores.announce(only, &event));
    }

    async fn claim(&mut self) {
        let except = (self.draw(2) == 0).then(|| (account_id("shop"), endpoint_id(1)));
        let claim = DeliveryClaim {
            lease: Duration::from_secs(self.draw(90)),
            limit: 100_000,
            per_endpoint: 100_000,
            except: except.into_iter().collect(),
            ..delivery_claim(self.now)
        };
        let claimed = both!(self, |stores| async { sorted(stores.take(&claim).await) });
        self.count("claimed", claimed.len() as u64);
        self.claimed
            .extend(claimed.into_iter().map(|it| it.delivery));
    }

    /// Records what became of some of what was claimed, of which some were claimed twice.
    async fn record(&mut self) {
        let mut results: Vec<AttemptResult> = Vec::new();
        for (place, delivery) in std::mem::take(&mut self.claimed).into_iter().enumerate() {
            if self.draw(4) == 0 {
                self.claimed.push(delivery);
                continue;
            }
            let begun = self.now.plus(Duration::from_millis(place as u64));
            let attempt = match self.draw(12) {
                0 => unanswered(DeliveryFailure::TimedOut, begun),
                1 if self.draw(2) == 0 => answered(410, begun),
                1..=6 => answered(500, begun),
                _ => answered(200, begun),
            };
            let mut result = ended(&delivery, attempt);
            if self.draw(6) == 0 {
                result.number = u16::try_from(self.draw(4)).expect("few");
            }
            if self.draw(12) == 0 {
                result.round = u32::try_from(self.draw(3)).expect("few");
            }
            results.push(result);
        }
        let given_up = both!(self, |stores| stores.record(&results));
        self.count("recorded", results.len() as u64);
        self.count("given up", given_up.len() as u64);
    }

    async fn replay(&mut self) {
        let (now, most) = (self.now, self.draw(12));
        let what = if self.claimed.is_empty() || self.draw(2) == 0 {
            ReplayOf::Range {
                endpoint: endpoint_id(self.endpoint()),
                from: now.minus(Duration::from_secs(self.draw(3_600))),
                until: now,
            }
        } else {
            let which = self.draw(self.claimed.len() as u64);
            let which = usize::try_from(which).expect("few");
            ReplayOf::One(delivery_id(&self.claimed[which]))
        };
        let reported = both!(self, |stores| stores.replay(what.clone(), most, now));
        match reported {
            Replayed::Done(count) => self.count("replayed", count),
            Replayed::TooMany => self.count("refused", 1),
            Replayed::Unknown => {}
        }
    }

    async fn forget(&mut self) {
        let before = self.now.minus(Duration::from_hours(30));
        let forgotten = both!(self, |stores| async {
            let forgotten = stores.outbox.forget_delivered(before, 100_000).await;
            forgotten.expect("forget")
        });
        self.count("forgotten", forgotten);
    }

    async fn read_everything(&mut self) {
        let mut query = delivery_query();
        query.length = 10_000;
        let one = self.endpoint();
        for name in ["shop", "kiosk"] {
            both!(self, |stores| stores.endpoints_of(name));
            for (endpoint, parked) in [(None, false), (Some(one), false), (None, true)] {
                query.endpoint = endpoint.map(endpoint_id);
                query.parked = parked;
                for sort in [Sort::Ascending, Sort::Descending] {
                    query.sort = sort;
                    both!(self, |stores| async {
                        due_by(self.now, stores.page(name, &query).await)
                    });
                }
            }
        }
    }
}

/// A page at a moment: what is due by then counts as due, whatever its earlier claims.
fn due_by(now: Timestamp, mut page: DeliveryPage) -> DeliveryPage {
    for (delivery, _) in &mut page.deliveries {
        if let DeliveryState::Due(at) = delivery.state {
            delivery.state = DeliveryState::Due(at.max(now));
        }
    }
    page
}

fn sorted(mut claimed: Vec<Claimed>) -> Vec<Claimed> {
    claimed.sort_by(|left, right| {
        let key = |it: &Claimed| (it.delivery.account.clone(), delivery_id(&it.delivery));
        key(left).cmp(&key(right))
    });
    claimed
}
