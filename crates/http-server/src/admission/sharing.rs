//! Tests rate limits that several instances share, as a merchant sees them. The clock moves only
//! when a test moves it, and an instance may receive only what its channel carries.

use crate::layers::bucket::Quota;
use crate::settings::EdgeSettings;
use crate::testing::{RouteTestWorld, get};
use domain::account::AccountId;
use ports::peers::{PeerMessage, Peers, RateLimitClass, UsageDelta};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use testkit::clock::ManualClock;
use testkit::peers::{Hub, PeerMember};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const BALANCE: &str = "/account/balance";

/// The time after which the other instances have received the usage of a request.
const PUBLISHED: Duration = Duration::from_millis(200);

/// Instances that receive messages from each other, each over its own channel.
struct Instances {
    clock: Arc<ManualClock>,
    worlds: Vec<RouteTestWorld>,
    lines: Vec<Arc<PeerMember>>,
    _listening: JoinSet<()>,
}

impl Instances {
    /// `count` instances, with limits of ten reads at once and one a second.
    async fn new(count: usize) -> Self {
        let clock = ManualClock::start();
        let hub = Hub::new(clock.clone());
        let (mut worlds, mut lines, mut listening) = (Vec::new(), Vec::new(), JoinSet::new());
        for _ in 0..count {
            let line = hub.join();
            let world = RouteTestWorld::among(line.clone(), clock.clone(), ten_reads).await;
            let (gateway, budgets) = (world.gateway.clone(), world.edge.budgets());
            listening.spawn(gateway.listen(budgets, CancellationToken::new()));
            worlds.push(world);
            lines.push(line);
        }
        Self {
            clock,
            worlds,
            lines,
            _listening: listening,
        }
    }

    async fn pass(&self, time: Duration) {
        self.clock.advance(time).await;
    }

    /// The number of reads, of so many sent, that an instance answers.
    async fn reads(&self, instance: usize, count: usize) -> usize {
        let mut answered = 0;
        for _ in 0..count {
            let answer = self.worlds[instance].send(get(BALANCE)).await;
            answered += usize::from(answer.status == 200);
        }
        answered
    }

    /// The remaining allowance an instance reports after a read.
    async fn left(&self, instance: usize) -> [u64; 2] {
        let answer = self.worlds[instance].send(get(BALANCE)).await;
        ["ratelimit-remaining", "ratelimit-reset"].map(|name| answer.header(name).parse().unwrap())
    }
}

fn ten_reads(settings: &mut EdgeSettings) {
    let [a_minute, at_once] = [60, 10].map(|count| NonZeroU32::new(count).unwrap());
    settings.limits.reads = Quota::new(a_minute, at_once);
}

#[tokio::test]
async fn what_one_instance_let_through_is_missing_from_the_others() {
    let instances = Instances::new(3).await;
    assert_eq!(instances.reads(0, 4).await, 4);
    instances.pass(PUBLISHED).await;
    assert_eq!(instances.left(1).await, [5, 5]);
    instances.pass(PUBLISHED).await;
    assert_eq!(instances.left(2).await, [4, 6]);
    instances.pass(PUBLISHED).await;
    assert_eq!(instances.reads(0, 9).await, 4);
}

#[tokio::test]
async fn two_instances_give_away_one_budget_and_in_one_fifth_of_a_second_at_most_one_more() {
    let instances = Instances::new(2).await;
    let at_once = [instances.reads(0, 20).await, instances.reads(1, 20).await];
    assert_eq!(at_once, [10, 10], "neither has the usage of the other yet");
    let later = |times: usize| {
        let instances = &instances;
        async move {
            let mut answered = 0;
            // Alternating: an account refused sixty times in a minute waits for its refusals.
            for turn in 0..times {
                instances.pass(PUBLISHED).await;
                answered += instances.reads(turn % 2, 1).await;
            }
            answered
        }
    };
    let paying = later(50).await;
    assert!(paying <= 1, "{paying} while what was too much is paid for");
    let afterwards = later(100).await;
    assert!(
        (19..=21).contains(&afterwards),
        "{afterwards} in 20 seconds"
    );
}

#[tokio::test]
async fn an_instance_whose_line_is_cut_counts_by_itself_and_serves_on() {
    let instances = Instances::new(2).await;
    instances.lines[1].cut();
    assert_eq!(instances.reads(0, 4).await, 4);
    instances.pass(PUBLISHED).await;
    assert_eq!(instances.left(1).await[0], 9);
    instances.pass(Duration::from_secs(10)).await;
    assert_eq!(instances.reads(1, 20).await, 10);
    instances.lines[1].mend();
    instances.pass(Duration::from_secs(10)).await;
    assert_eq!(instances.reads(0, 4).await, 4);
    instances.pass(PUBLISHED).await;
    assert_eq!(instances.left(1).await[0], 5);
}

#[tokio::test]
async fn no_budget_is_charged_twice_for_a_request() {
    let instances = Instances::new(2).await;
    assert_eq!(instances.reads(0, 1).await, 1);
    instances.pass(PUBLISHED * 5).await;
    let reported = instances.lines[0].delivered_messages();
    let shop = AccountId::parse("shop").unwrap();
    let once = UsageDelta {
        account: shop,
        class: RateLimitClass::Reads,
        count: 1,
    };
    assert_eq!(reported, [PeerMessage::Usage(vec![once])]);
    assert_eq!(
        instances.lines[1].delivered_messages(),
        [],
        "received usage is not forwarded"
    );
}

#[tokio::test]
async fn what_others_claim_to_have_spent_costs_two_refills_at_most() {
    let instances = Instances::new(2).await;
    let word = || {
        PeerMessage::Usage(vec![UsageDelta {
            account: AccountId::parse("shop").unwrap(),
            class: RateLimitClass::Reads,
            count: u32::MAX,
        }])
    };
    for _ in 0..10 {
        instances.lines[1].publish(word()).await.unwrap();
    }
    instances.pass(Duration::ZERO).await;
    assert_eq!(instances.left(0).await, [0, 20]);
    instances.pass(Duration::from_secs(11)).await;
    assert_eq!(instances.reads(0, 2).await, 1);
}
