//! What instances tell each other over the database, and what a line does that breaks. Nothing that
//! is said here may be needed for money to be right.

use crate::stage::{database, has_account, open};
use async_trait::async_trait;
use domain::account::{AccountId, AccountStatus};
use ports::accounts::Accounts;
use ports::peers::{Heard, Peers, Word};
use postgres_cluster::proxy::{Direction, Proxy};
use postgres_cluster::{Cluster, Database};
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::account_id;
use testkit::contract::peers::{Instances, all};

/// Instances over one database.
struct OverOneDatabase(Database);

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

/// What is heard next, which must be soon.
async fn soon(peers: &dyn Peers) -> Heard {
    let heard = tokio::time::timeout(Duration::from_secs(8), peers.hear()).await;
    heard.expect("a line is proven several times a second")
}

fn line() -> Proxy {
    let server = ([127, 0, 0, 1], Cluster::shared().port());
    Proxy::to(server.into())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_line_that_is_cut_is_told_of_and_mended() {
    let database = database().await;
    let line = line();
    let peers = open(&line.url(database.name())).await;
    has_account(&peers, "shop", "1.00").await;
    assert_eq!(soon(&*peers).await, Heard::Missed, "it begins with nothing");
    assert_eq!(soon(&*peers).await, Heard::Alive);

    line.refuse();
    line.cut();
    assert_eq!(soon(&*peers).await, Heard::Missed);
    let silent = tokio::time::timeout(Duration::from_secs(1), peers.hear()).await;
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
    assert_eq!(soon(&*peers).await, Heard::Missed, "a word was missed");
    assert_eq!(soon(&*peers).await, Heard::Alive);
    assert!(beside.set_status(&id, AccountStatus::Active).await.unwrap());
    let word = Heard::Word(Word::AccountChanged(id));
    assert_eq!(soon(&*peers).await, word);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_line_that_went_silent_is_not_taken_for_a_quiet_one() {
    let database = database().await;
    let line = line();
    let peers = open(&line.url(database.name())).await;
    assert_eq!(soon(&*peers).await, Heard::Missed);
    assert_eq!(soon(&*peers).await, Heard::Alive);
    line.hold(Direction::ToClient);
    assert_eq!(soon(&*peers).await, Heard::Missed);
    line.release();
    let mut heard = soon(&*peers).await;
    if heard == Heard::Missed {
        heard = soon(&*peers).await;
    }
    assert_eq!(heard, Heard::Alive);
}
