//! The usage that instances publish, and its effect on the budgets of the others.

use super::{Instance, millis};
use application::peers::Budgets;
use ports::clock::Clock;
use ports::peers::{PeerEvent, PeerMessage, Peers, RateLimitClass, UsageDelta};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::account_id;

/// Budgets with scripted usage.
#[derive(Debug, Default)]
struct Ledger {
    here: Mutex<Vec<UsageDelta>>,
    elsewhere: Mutex<Vec<(Duration, UsageDelta)>>,
}

impl Budgets for Ledger {
    fn used_here(&self) -> Vec<UsageDelta> {
        std::mem::take(&mut self.here.lock().unwrap())
    }

    fn used_elsewhere(&self, spent: &[UsageDelta], uptime: Duration) {
        let entries = spent.iter().map(|entry| (uptime, entry.clone()));
        self.elsewhere.lock().unwrap().extend(entries);
    }
}

impl Ledger {
    fn spend(&self, count: usize) -> Vec<UsageDelta> {
        let entries: Vec<_> = (0..count)
            .map(|place| UsageDelta {
                account: account_id(&format!("shop-{place}")),
                class: RateLimitClass::Payments,
                count: 1,
            })
            .collect();
        self.here.lock().unwrap().extend(entries.clone());
        entries
    }
}

#[tokio::test]
async fn usage_is_published_every_200_ms_and_nothing_where_there_is_none() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::working(ledger.clone()).await;
    instance.pass(millis(10_000)).await;
    assert_eq!(instance.line.delivered_messages(), []);
    let spent = ledger.spend(2);
    instance.pass(millis(200)).await;
    assert_eq!(
        instance.line.delivered_messages(),
        [PeerMessage::Usage(spent)]
    );
    instance.pass(millis(10_000)).await;
    assert_eq!(instance.line.delivered_messages().len(), 1);
}

#[tokio::test]
async fn much_usage_is_published_in_several_messages() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::working(ledger.clone()).await;
    let spent = ledger.spend(UsageDelta::IN_A_WORD * 2 + 1);
    instance.pass(millis(200)).await;
    let reported = instance
        .line
        .delivered_messages()
        .into_iter()
        .map(|word| match word {
            PeerMessage::Usage(entries) => entries,
            PeerMessage::AccountChanged(id) => panic!("only the store publishes {id}"),
        });
    let reported: Vec<_> = reported.collect();
    assert!(
        reported
            .iter()
            .all(|word| word.len() <= UsageDelta::IN_A_WORD)
    );
    assert_eq!((reported.len(), reported.concat()), (3, spent));
}

#[tokio::test]
async fn what_others_spent_is_taken_out_of_the_budgets_here() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::working(ledger.clone()).await;
    let entry = UsageDelta {
        account: account_id("shop"),
        class: RateLimitClass::Lookups,
        count: 7,
    };
    let word = PeerMessage::Usage(vec![entry.clone()]);
    instance.hub.join().publish(word).await.unwrap();
    let uptime = instance.world.clock.uptime();
    instance.world.wall.set_back(Duration::from_hours(24));
    instance.pass(Duration::ZERO).await;
    assert_eq!(*ledger.elsewhere.lock().unwrap(), [(uptime, entry)]);
}

#[tokio::test]
async fn what_could_not_be_published_is_not_published_later() {
    let ledger = Arc::new(Ledger::default());
    let instance = Instance::working(ledger.clone()).await;
    let other = instance.hub.join();
    instance.line.cut();
    ledger.spend(1);
    instance.pass(millis(5_000)).await;
    instance.line.mend();
    instance.pass(millis(5_000)).await;
    assert_eq!(instance.line.delivered_messages().len(), 1);
    let spent = ledger.spend(1);
    instance.pass(millis(200)).await;
    let received = other.subscribe().await;
    assert_eq!(received, PeerEvent::Message(PeerMessage::Usage(spent)));
}

#[tokio::test]
async fn an_instance_that_stops_publishes_its_last_usage_and_unsubscribes() {
    let ledger = Arc::new(Ledger::default());
    let mut instance = Instance::working(ledger.clone()).await;
    instance.pass(millis(100)).await;
    let spent = ledger.spend(1);
    instance.stop.cancel();
    instance.listening.join_next().await.unwrap().unwrap();
    assert_eq!(
        instance.line.delivered_messages(),
        [PeerMessage::Usage(spent)]
    );
}
