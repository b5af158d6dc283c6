//! What every line between instances must do. A law may wait for as long as it takes, for only the
//! adapter knows how time passes where it lives.

use crate::builders::account_id;
use async_trait::async_trait;
use domain::account::AccountId;
use ports::peers::{PeerEvent, PeerMessage, Peers, RateLimitClass, UsageDelta};
use std::sync::Arc;

/// Instances over one store.
#[async_trait]
pub trait Instances: Sync {
    /// One more instance, which receives every message sent from now on.
    async fn join(&self) -> Arc<dyn Peers>;

    /// Changes an account in the store, beside all instances.
    async fn change(&self, id: &AccountId);
}

/// Every law.
pub async fn all(instances: &dyn Instances) {
    a_message_reaches_every_other_instance_once_and_in_order(instances).await;
    a_change_of_an_account_reaches_every_instance(instances).await;
    the_longest_word_is_carried(instances).await;
    words_without_end_do_not_keep_a_line_from_being_proven(instances).await;
}

async fn a_message_reaches_every_other_instance_once_and_in_order(instances: &dyn Instances) {
    let [one, two, three] = three(instances).await;
    let words = [1, 2, 3].map(|count| PeerMessage::Usage(vec![usage("shop", count)]));
    for word in &words {
        one.publish(word.clone()).await.unwrap();
    }
    assert_eq!(next_message(&two).await, words);
    assert_eq!(next_message(&three).await, words);
    assert_eq!(next_message(&one).await, [], "the sender receives nothing");
    assert_eq!(next_message(&two).await, [], "a message is received once");
}

async fn a_change_of_an_account_reaches_every_instance(instances: &dyn Instances) {
    let id = account_id("shop");
    let all = three(instances).await;
    instances.change(&id).await;
    for instance in all {
        let word = PeerMessage::AccountChanged(id.clone());
        assert_eq!(next_message(&instance).await, [word]);
    }
}

async fn the_longest_word_is_carried(instances: &dyn Instances) {
    let [one, two, _] = three(instances).await;
    let longest = (0..UsageDelta::IN_A_WORD).map(|place| {
        let account = format!("{place:_<width$}", width = AccountId::LENGTH_MAX);
        usage(&account, u32::MAX)
    });
    let longest = PeerMessage::Usage(longest.collect());
    one.publish(longest.clone()).await.unwrap();
    assert_eq!(next_message(&two).await, [longest]);
}

/// How many messages may come in a row: more than are sent between two proofs.
const WORDS_IN_A_ROW_MAX: u32 = 10_000;

async fn words_without_end_do_not_keep_a_line_from_being_proven(instances: &dyn Instances) {
    let [one, two, _] = three(instances).await;
    for count in 1..=WORDS_IN_A_ROW_MAX {
        let word = PeerMessage::Usage(vec![usage("shop", count)]);
        two.publish(word.clone()).await.unwrap();
        match one.subscribe().await {
            PeerEvent::Alive => return,
            received @ (PeerEvent::Message(_) | PeerEvent::Missed) => {
                assert_eq!(received, PeerEvent::Message(word));
            }
        }
        // The message is on the line, and other tasks get a turn.
        tokio::task::yield_now().await;
    }
    panic!("no proof between {WORDS_IN_A_ROW_MAX} words");
}

async fn three(instances: &dyn Instances) -> [Arc<dyn Peers>; 3] {
    let mut all = Vec::new();
    for _ in 0..3 {
        let joined = instances.join().await;
        all.push(joined);
    }
    for instance in &all {
        // What other laws left on the line.
        received(instance).await;
    }
    all.try_into().expect("three were made")
}

fn usage(account: &str, count: u32) -> UsageDelta {
    UsageDelta {
        account: account_id(account),
        class: RateLimitClass::Reads,
        count,
    }
}

/// The messages an instance receives before its line is proven, none of which is missed.
async fn next_message(instance: &Arc<dyn Peers>) -> Vec<PeerMessage> {
    let all = received(instance).await.into_iter();
    let words = all.map(|received| match received {
        PeerEvent::Message(word) => word,
        PeerEvent::Alive | PeerEvent::Missed => panic!("{received:?} while the line works"),
    });
    words.collect()
}

/// Everything an instance receives before its line is proven.
async fn received(instance: &Arc<dyn Peers>) -> Vec<PeerEvent> {
    let mut all = Vec::new();
    loop {
        match instance.subscribe().await {
            PeerEvent::Alive => return all,
            received @ (PeerEvent::Message(_) | PeerEvent::Missed) => all.push(received),
        }
    }
}
