//! Messages between instances over the database, and connections that break. Correct balances must
//! not depend on any message.

use crate::stage::{database, has_account, open};
use async_trait::async_trait;
use domain::account::{AccountId, AccountStatus};
use key_ring::KeyRing;
use ports::accounts::Accounts;
use ports::peers::{PeerEvent, PeerMessage, Peers, RateLimitClass, UsageDelta};
use postgres::{MessageSealing, PostgresOptions, PostgresStore};
use postgres_cluster::proxy::{Proxy, TrafficDirection};
use postgres_cluster::{Cluster, TestDatabase};
use sqlx::postgres::PgListener;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::account_id;
use testkit::contract::peers::{Instances, all};

/// Instances over one database.
struct OverOneDatabase(TestDatabase);

#[async_trait]
impl Instances for OverOneDatabase {
    async fn join(&self) -> Arc<dyn Peers> {
        open(&self.0.url()).await
    }

    async fn change(&self, id: &AccountId) {
        let beside = open(&self.0.url()).await;
        let changed = beside.set_status(id, AccountStatus::Active).await;
        assert!(changed.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_line_between_instances_obeys_the_laws() {
    let database = database().await;
    has_account(&*open(&database.url()).await, "shop", "1.00").await;
    all(&OverOneDatabase(database)).await;
}

/// The events received before the next [`PeerEvent::Alive`].
async fn words(peers: &dyn Peers) -> Vec<PeerEvent> {
    let mut words = Vec::new();
    loop {
        match soon(peers).await {
            PeerEvent::Alive => return words,
            received @ (PeerEvent::Message(_) | PeerEvent::Missed) => words.push(received),
        }
    }
}

fn spent() -> PeerMessage {
    PeerMessage::Usage(vec![UsageDelta {
        account: account_id("corner-shop"),
        class: RateLimitClass::Payments,
        count: 300,
    }])
}

/// Any role that may connect can say anything on any channel.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_another_role_says_is_not_believed() {
    let database = database().await;
    let peers = open(&database.url()).await;
    assert_eq!(soon(&*peers).await, PeerEvent::Missed);
    let _ = words(&*peers).await;
    let role = format!("{}_stranger", database.name());
    let _ = database.psql(&format!("CREATE ROLE {role} LOGIN;"));
    for payload in ["9\ncorner-shop payments 300", "corner-shop", "x", ""] {
        for channel in ["manilla_spent", "manilla_account", "manilla_call"] {
            let forged = format!("SET ROLE {role}; SELECT pg_notify('{channel}', '{payload}');");
            let _ = database.psql(&forged);
        }
    }
    assert_eq!(words(&*peers).await, []);
    assert_eq!(words(&*peers).await, []);
    let beside = open(&database.url()).await;
    beside.publish(spent()).await.unwrap();
    assert_eq!(words(&*peers).await, [PeerEvent::Message(spent())]);
}

/// Any role that may connect can receive every message and send it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_eavesdropper_sees_no_identity_and_a_message_sent_again_has_no_effect() {
    let database = database().await;
    let (one, two) = (open(&database.url()).await, open(&database.url()).await);
    has_account(&one, "corner-shop", "1.00").await;
    for instance in [&two, &one] {
        assert_eq!(soon(&**instance).await, PeerEvent::Missed);
        let _ = words(&**instance).await;
    }
    let mut eavesdropper = PgListener::connect(&database.url()).await.unwrap();
    let channels = ["manilla_spent", "manilla_account"];
    eavesdropper.listen_all(channels).await.unwrap();
    let id = account_id("corner-shop");
    let changed = PeerEvent::Message(PeerMessage::AccountChanged(id.clone()));
    for expected in [PeerEvent::Message(spent()), changed] {
        match &expected {
            PeerEvent::Message(PeerMessage::Usage(_)) => one.publish(spent()).await.unwrap(),
            PeerEvent::Message(_) | PeerEvent::Alive | PeerEvent::Missed => {
                assert!(one.set_status(&id, AccountStatus::Active).await.unwrap());
            }
        }
        let overheard = eavesdropper.recv().await.unwrap();
        let (channel, payload) = (overheard.channel(), overheard.payload());
        assert!(!payload.contains("shop"), "{payload}");
        assert_eq!(words(&*two).await, [expected]);
        for _ in 0..3 {
            let _ = database.psql(&format!("SELECT pg_notify('{channel}', '{payload}');"));
        }
        assert_eq!(words(&*two).await, []);
        assert_eq!(words(&*two).await, []);
        // An instance that begins afterwards must not believe it either, as far as it counts.
        let late = open(&database.url()).await;
        assert_eq!(soon(&*late).await, PeerEvent::Missed);
        let _ = words(&*late).await;
        let _ = database.psql(&format!("SELECT pg_notify('{channel}', '{payload}');"));
        let received = words(&*late).await;
        let counts = received
            .iter()
            .any(|received| matches!(received, PeerEvent::Message(PeerMessage::Usage(_))));
        assert!(!counts, "{received:?}");
    }
}

/// One that was given another key ring cannot say which account changed: any may have.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_change_that_is_sealed_under_another_key_ring_counts_as_missed() {
    let database = database().await;
    let peers = open(&database.url()).await;
    has_account(&peers, "shop", "1.00").await;
    assert_eq!(soon(&*peers).await, PeerEvent::Missed);
    let _ = words(&*peers).await;
    let sealing = MessageSealing::new(&KeyRing::generate([8; 32], ""), [8; 16]);
    let other = PostgresStore::connect(&database.url(), &PostgresOptions::default(), sealing).await;
    let other = other.unwrap();
    other.publish(spent()).await.unwrap();
    assert_eq!(words(&*peers).await, []);
    let id = account_id("shop");
    assert!(other.set_status(&id, AccountStatus::Active).await.unwrap());
    let received = [words(&*peers).await, words(&*peers).await].concat();
    assert_eq!(received, [PeerEvent::Missed]);
}

/// The next event, which must arrive soon.
async fn soon(peers: &dyn Peers) -> PeerEvent {
    let received = tokio::time::timeout(Duration::from_secs(8), peers.subscribe()).await;
    received.expect("a line is proven several times a second")
}

fn line() -> Proxy {
    let server = ([127, 0, 0, 1], Cluster::shared().port());
    Proxy::to(server.into())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_connection_that_is_cut_is_reported_and_restored() {
    let database = database().await;
    let line = line();
    let peers = open(&line.url(database.name())).await;
    has_account(&peers, "shop", "1.00").await;
    assert_eq!(
        soon(&*peers).await,
        PeerEvent::Missed,
        "it begins with nothing"
    );
    assert_eq!(soon(&*peers).await, PeerEvent::Alive);

    line.refuse();
    line.cut();
    assert_eq!(soon(&*peers).await, PeerEvent::Missed);
    let silent = tokio::time::timeout(Duration::from_secs(1), peers.subscribe()).await;
    assert!(silent.is_err(), "{silent:?} while the line is down");

    let id = account_id("shop");
    let beside = open(&database.url()).await;
    assert!(
        beside
            .set_status(&id, AccountStatus::Suspended)
            .await
            .unwrap()
    );
    line.accept();
    assert_eq!(soon(&*peers).await, PeerEvent::Missed, "a word was missed");
    assert_eq!(soon(&*peers).await, PeerEvent::Alive);
    assert!(beside.set_status(&id, AccountStatus::Active).await.unwrap());
    let word = PeerEvent::Message(PeerMessage::AccountChanged(id));
    assert_eq!(soon(&*peers).await, word);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_line_that_went_silent_is_not_taken_for_a_quiet_one() {
    let database = database().await;
    let line = line();
    let peers = open(&line.url(database.name())).await;
    assert_eq!(soon(&*peers).await, PeerEvent::Missed);
    assert_eq!(soon(&*peers).await, PeerEvent::Alive);
    line.hold(TrafficDirection::ToClient);
    assert_eq!(soon(&*peers).await, PeerEvent::Missed);
    line.release();
    let mut received = soon(&*peers).await;
    if received == PeerEvent::Missed {
        received = soon(&*peers).await;
    }
    assert_eq!(received, PeerEvent::Alive);
}
