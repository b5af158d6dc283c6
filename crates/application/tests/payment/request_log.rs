//! The log of requests: written in the background, a batch at a time, whatever the store does.

use super::support::World;
use application::Gateway;
use application::request_log::{KEPT_MAX, RequestLogWriter};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::request_log::{LoggedRequest, RequestLogQuery};
use domain::statement::Sort;
use ports::PortError;
use ports::request_log::{RequestExcess, RequestLog, RequestLogPage};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::{account_id, answered_request};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// What the store was asked for.
#[derive(Debug, Default)]
struct Asked {
    batches: Vec<usize>,
    forgotten: Vec<(AccountId, u32)>,
}

/// A store that counts what it is asked for, and may fail or never answer.
#[derive(Debug, Default)]
struct CountingLog {
    asked: Mutex<Asked>,
    fails: bool,
    hangs: bool,
}

#[async_trait]
impl RequestLog for CountingLog {
    async fn record_requests(&self, requests: &[LoggedRequest]) -> Result<(), PortError> {
        self.asked.lock().unwrap().batches.push(requests.len());
        if self.hangs {
            std::future::pending::<()>().await;
        }
        match self.fails.then_some("the disk is full") {
            Some(why) => Err(PortError::new("test", why)),
            None => Ok(()),
        }
    }

    async fn logged_requests(
        &self,
        _: &AccountId,
        _: &RequestLogQuery,
    ) -> Result<RequestLogPage, PortError> {
        Ok(RequestLogPage::default())
    }

    async fn forget_excess(&self, excess: RequestExcess<'_>) -> Result<u64, PortError> {
        let asked = (excess.account.clone(), excess.kept);
        self.asked.lock().unwrap().forgotten.push(asked);
        Ok(0)
    }
}

impl CountingLog {
    fn batches(&self) -> Vec<usize> {
        self.asked.lock().unwrap().batches.clone()
    }
}

fn over(world: &World, log: CountingLog) -> (Arc<CountingLog>, Gateway) {
    let log = Arc::new(log);
    let gateway = world.gateway_with(|parts| parts.request_log = log.clone());
    (log, gateway)
}

fn notes(gateway: &Gateway, account: &str, count: u64) {
    for second in 0..count {
        gateway.note_request(answered_request(account, second));
    }
}

/// A writer that runs until it is stopped.
fn writing(gateway: &Gateway) -> (JoinSet<()>, CancellationToken) {
    let stop = CancellationToken::new();
    let mut running = JoinSet::new();
    running.spawn(RequestLogWriter::new(gateway).run(stop.clone()));
    (running, stop)
}

#[tokio::test]
async fn a_batch_is_written_when_it_is_full_and_the_rest_after_a_second() {
    let world = World::new().await;
    let (log, gateway) = over(&world, CountingLog::default());
    let (running, stop) = writing(&gateway);
    world.pass(Duration::ZERO).await;
    notes(&gateway, "shop", 1_200);
    world.pass(Duration::from_millis(50)).await;
    assert_eq!(log.batches(), [500]);
    world.pass(Duration::from_millis(100)).await;
    assert_eq!(log.batches(), [500, 500]);
    world.pass(Duration::from_millis(500)).await;
    assert_eq!(log.batches(), [500, 500]);
    world.pass(Duration::from_secs(1)).await;
    assert_eq!(log.batches(), [500, 500, 200]);
    stop.cancel();
    running.join_all().await;
    assert_eq!(gateway.unrecorded_requests(), 0);
}

#[tokio::test]
async fn what_waits_at_the_end_is_written() {
    let world = World::new().await;
    let (log, gateway) = over(&world, CountingLog::default());
    let (running, stop) = writing(&gateway);
    notes(&gateway, "shop", 1_100);
    stop.cancel();
    running.join_all().await;
    assert_eq!(log.batches().iter().sum::<usize>(), 1_100);
}

#[tokio::test]
async fn a_store_that_does_not_answer_holds_the_end_up_for_two_seconds_at_most() {
    let world = World::new().await;
    let hanging = CountingLog {
        hangs: true,
        ..CountingLog::default()
    };
    let (_, gateway) = over(&world, hanging);
    let (running, stop) = writing(&gateway);
    stop.cancel();
    notes(&gateway, "shop", 1);
    for _ in 0..3 {
        world.pass(Duration::from_secs(1)).await;
    }
    running.join_all().await;
}

#[tokio::test]
async fn a_batch_that_was_begun_before_the_end_holds_it_up_for_two_seconds_at_most() {
    let world = World::new().await;
    let hanging = CountingLog {
        hangs: true,
        ..CountingLog::default()
    };
    let (log, gateway) = over(&world, hanging);
    let (running, stop) = writing(&gateway);
    notes(&gateway, "shop", 1);
    world.pass(Duration::from_secs(1)).await;
    assert_eq!(log.batches(), [1], "it is under way");
    stop.cancel();
    for _ in 0..3 {
        world.pass(Duration::from_secs(1)).await;
    }
    running.join_all().await;
}

#[tokio::test]
async fn what_the_store_does_not_take_is_counted_and_the_next_is_written() {
    let world = World::new().await;
    let failing = CountingLog {
        fails: true,
        ..CountingLog::default()
    };
    let (log, gateway) = over(&world, failing);
    let mut writer = RequestLogWriter::new(&gateway);
    notes(&gateway, "shop", 700);
    writer.write_all().await;
    assert_eq!(gateway.unrecorded_requests(), 700);
    notes(&gateway, "shop", 1);
    writer.write_all().await;
    assert_eq!(log.batches(), [500, 200, 1]);
}

#[tokio::test]
async fn the_oldest_of_an_account_are_looked_for_at_first_and_after_each_thousand() {
    let world = World::new().await;
    let (log, gateway) = over(&world, CountingLog::default());
    let mut writer = RequestLogWriter::new(&gateway);
    notes(&gateway, "shop", 1);
    notes(&gateway, "other", 1);
    writer.write_all().await;
    notes(&gateway, "shop", 1_000);
    writer.write_all().await;
    notes(&gateway, "shop", 1);
    writer.write_all().await;
    let [shop, other] = ["shop", "other"].map(|id| (account_id(id), KEPT_MAX));
    let forgotten = log.asked.lock().unwrap().forgotten.clone();
    assert_eq!(forgotten, [shop.clone(), other, shop]);
}

#[tokio::test]
async fn what_is_written_is_found() {
    let world = World::new().await;
    let gateway = world.gateway();
    notes(&gateway, "shop", 2);
    RequestLogWriter::new(&gateway).write_all().await;
    let query = RequestLogQuery {
        from: None,
        before: None,
        status: None,
        request_id: None,
        offset: 0,
        length: 10,
        sort: Sort::Descending,
    };
    let shop = super::support::merchant("shop");
    let page = gateway.logged_requests(&shop, &query).await.unwrap();
    let found: Vec<_> = page.requests.into_iter().map(|it| it.request).collect();
    assert_eq!(
        found,
        [answered_request("shop", 1), answered_request("shop", 0)]
    );
}
