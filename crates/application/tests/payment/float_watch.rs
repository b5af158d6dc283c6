//! Balances at providers are read by one instance for all, kept, and warned of once when little is
//! left. A provider that does not answer delays no other.

use super::support::{World, seconds};
use application::Gateway;
use application::float_watch::{FloatSettings, FloatWatch};
use application::providers::Providers;
use domain::float_forecast::BalanceReading;
use domain::order::Service;
use domain::provider::AbsencePolicy;
use domain::time::Timestamp;
use ports::clock::Clock as _;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{naira, provider_id};
use testkit::provider::{ScriptedBalance, ScriptedProvider};

const EVERY: Duration = Duration::from_mins(5);

/// Two providers, of which little may be left at the first, and instances that read them.
struct FloatWorld {
    world: World,
    one: Arc<ScriptedProvider>,
    two: Arc<ScriptedProvider>,
}

impl FloatWorld {
    async fn new() -> Self {
        let world = World::new().await;
        let provider = |name| {
            let provider =
                ScriptedProvider::named(name, AbsencePolicy::CAUTIOUS, world.clock.clone());
            Arc::new(provider)
        };
        Self {
            one: provider("one"),
            two: provider("two"),
            world,
        }
    }

    fn gateway(&self, settings: FloatSettings) -> Gateway {
        self.world.gateway_with(|parts| {
            let providers = [self.one.clone() as _, self.two.clone() as _];
            let routed = providers.map(|it| (Service::Airtime, it));
            let floats = BTreeMap::from([(provider_id("one"), settings)]);
            parts.providers = Providers::new(routed.into()).with_floats(floats);
        })
    }

    fn watch(&self, low: Option<&str>) -> FloatWatch {
        let settings = FloatSettings {
            low: low.map(naira),
            read_every: Some(EVERY),
        };
        self.watch_with(settings)
    }

    fn watch_with(&self, settings: FloatSettings) -> FloatWatch {
        let readings = self.world.stores.readings.clone();
        FloatWatch::new(&self.gateway(settings), readings)
    }

    async fn last(&self, provider: &str) -> Option<BalanceReading> {
        let readings = &self.world.stores.readings;
        readings.last(&provider_id(provider)).await.unwrap()
    }

    /// What was read last, and whether it was low.
    async fn last_of_one(&self) -> Option<(i64, bool)> {
        let last = self.last("one").await?;
        Some((last.balance.available.minor(), last.is_low))
    }

    fn asked(&self) -> [usize; 2] {
        [&self.one, &self.two].map(|it| it.balances_asked())
    }
}

#[tokio::test]
async fn a_balance_is_read_when_it_is_due_and_kept_with_whether_it_is_low() {
    let it = FloatWorld::new().await;
    let mut watch = it.watch(Some("500.00"));
    it.one.says_left(ScriptedBalance::Left(naira("500.00")));
    watch.look().await;
    assert_eq!(it.last_of_one().await, Some((50_000, false)));
    assert_eq!(it.last("two").await, None, "it shows no balance");
    it.one.says_left(ScriptedBalance::Left(naira("499.99")));
    it.world.pass(seconds(299)).await;
    watch.look().await;
    assert_eq!(it.last_of_one().await, Some((50_000, false)));
    it.world.pass(seconds(1)).await;
    watch.look().await;
    assert_eq!(it.last_of_one().await, Some((49_999, true)));
    assert_eq!(it.asked(), [2, 2]);
}

#[tokio::test]
async fn instances_read_a_balance_once_for_all_of_them() {
    let it = FloatWorld::new().await;
    it.one.says_left(ScriptedBalance::Left(naira("7.00")));
    let mut watches = [it.watch(None), it.watch(None), it.watch(None)];
    for _ in 0..59 {
        for watch in &mut watches {
            watch.look().await;
        }
        it.world.pass(seconds(30)).await;
    }
    // Within half an hour: at once, and after each five minutes.
    assert_eq!(it.asked()[0], 6);
    let mut restarted = it.watch(None);
    restarted.look().await;
    assert_eq!(it.asked()[0], 6);
    it.world.pass(seconds(30)).await;
    restarted.look().await;
    assert_eq!(it.asked()[0], 7);
}

#[tokio::test]
async fn nothing_is_read_where_the_operator_wants_none() {
    let it = FloatWorld::new().await;
    it.one.says_left(ScriptedBalance::Left(naira("7.00")));
    let never = FloatSettings {
        low: None,
        read_every: None,
    };
    let mut watch = it.watch_with(never);
    watch.look().await;
    assert_eq!(it.asked(), [0, 1]);
}

#[tokio::test]
async fn a_provider_that_does_not_answer_delays_no_other_and_is_asked_again() {
    let it = FloatWorld::new().await;
    it.one.says_left(ScriptedBalance::Silent);
    it.two.says_left(ScriptedBalance::Left(naira("3.00")));
    let mut watch = it.watch(None);
    {
        let look = watch.look();
        tokio::pin!(look);
        tokio::select! {
            biased;
            () = &mut look => panic!("one answers nothing"),
            () = it.world.pass(seconds(1)) => {}
        }
        assert!(it.last("two").await.is_some(), "two was read meanwhile");
        tokio::join!(look, it.world.pass(seconds(60)));
    }
    assert_eq!(it.last("one").await, None);
    it.one.says_left(ScriptedBalance::Fails);
    it.world.pass(EVERY).await;
    watch.look().await;
    assert_eq!(it.last("one").await, None);
    it.one.says_left(ScriptedBalance::Left(naira("2.00")));
    it.world.pass(EVERY).await;
    watch.look().await;
    assert_eq!(it.last_of_one().await, Some((200, false)));
}

#[tokio::test]
async fn a_reading_of_a_clock_that_was_ahead_does_not_stop_the_watch() {
    let it = FloatWorld::new().await;
    it.one.says_left(ScriptedBalance::Left(naira("7.00")));
    let mut watch = it.watch(None);
    let mut ahead = BalanceReading {
        provider: provider_id("one"),
        balance: domain::float::ProviderBalance {
            available: naira("9.00"),
            held: None,
            at: it.world.clock.now(),
        },
        read_at: Timestamp::from_millis(0),
        is_low: false,
    };
    ahead.read_at = it.world.clock.now().plus(Duration::from_hours(24));
    it.world.stores.readings.keep(&ahead).await.unwrap();
    watch.look().await;
    assert_eq!(it.asked()[0], 1);
}
