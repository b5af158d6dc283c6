//! Three instances that share the deliveries, two of which are killed under load: everything is
//! delivered, in order, by more than one. It must use PostgreSQL whatever the run is about, and
//! count what came twice: what a killed instance was at is delivered again, and nothing else is.

use crate::order;
use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::shop::ShopEndpoint;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;
use tests::account::Figures;
use tests::fleet::{Fleet, THREE};
use tests::folder::under_load;
use tests::load::{LoadPlace, PaymentLoad, Unheard};
use tests::patience::eventually;
use tests::provider_journal::{self, ProviderJournal};
use tests::rng::SeededRng;

const ENDPOINTS: usize = 4;

const KILLS: u32 = 2;

/// What an instance has under way at most: so many may come twice for each that is killed. What has
/// just ended and waits to be recorded comes twice as well, but four endpoints have 32 under way.
const IN_FLIGHT_MAX: usize = 256;

/// Each instance that is there delivers so many more before the next is killed.
const EACH: usize = 100;

/// Longest from then until it is killed, in milliseconds.
const PAUSE_MS_MAX: u64 = 500;

/// How long the receiver takes to answer: long enough that a killed instance has something under
/// way.
const ANSWERED_AFTER: Duration = Duration::from_millis(100);

/// Half a minute of load on a busy machine.
const SHARED_WITHIN: Duration = Duration::from_mins(1);

const SETTLED_WITHIN: Duration = Duration::from_mins(2);

/// A claim lasts a minute, and its delivery is behind whatever is due earlier.
const DELIVERED_EVENTS_WITHIN: Duration = Duration::from_mins(2);

/// Every event that is delivered, by its name.
const DELIVERED_EVENTS: &str = "
    SELECT 'evt_' || transaction || '_' || sequence FROM events
    WHERE kind NOT IN ('opened', 'resent', 'late_delivered', 'late_reversed')";

#[tokio::test(flavor = "multi_thread")]
async fn whichever_instances_are_killed_every_event_is_delivered_in_order() {
    let mut chance = SeededRng::from_environment("MANILLA_KILLS_SEED", 20_261_121);
    let settings = under_load("replay_wait_ms = 200\n") + "[webhook]\nallow_loopback = true\n";
    let (mut fleet, receiver) = (Fleet::start(&settings), WebhookReceiver::start().await);
    receiver.take(ANSWERED_AFTER);
    let instances = fleet.processes();
    receiver.distinguish(&instances);
    let [merchant, ..] = fleet.merchants();
    let mut secrets = Vec::new();
    for place in 0..ENDPOINTS {
        let body = json!({"whkUrl": receiver.url_of(place)});
        secrets.push(ShopEndpoint::make(&merchant, &body).await.secret);
    }
    receiver.trust(&secrets.iter().map(String::as_str).collect::<Vec<_>>());

    let load = PaymentLoad::start(&merchant, &mut chance, Unheard::Repeats);
    let mut killed = Vec::new();
    for left in (1..THREE as u64).rev() {
        load.is(LoadPlace::Up(fleet.addresses()));
        until_all_have_delivered(&receiver, &fleet).await;
        tokio::time::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX))).await;
        let doomed = fleet.take(usize::try_from(chance.below(left + 1)).unwrap());
        until_it_delivers(&receiver, doomed.process()).await;
        killed.push(doomed.process());
        doomed.kill();
    }
    load.is(LoadPlace::Up(fleet.addresses()));
    until_all_have_delivered(&receiver, &fleet).await;
    let purchases = load.end().await;

    let within = (&*purchases, SETTLED_WITHIN);
    let endings = fleet.account.settle(fleet.instance(0), within).await;
    let figures = Figures::of(&endings, &ProviderJournal::read(&fleet.account.folder));
    until_everything_is_delivered(&receiver, &fleet).await;
    let reported = InstanceView {
        events: receiver.events(),
        instances,
        killed,
    };
    println!("instances: {THREE}, kills: {KILLS}, {figures}, {reported}");
    reported.check();
    assert_eq!(receiver.refused(), 0);
    assert!(figures.acknowledged > 100, "the load was too small");
    let known = names(&fleet);
    let strangers = reported
        .events
        .iter()
        .filter(|event| !known.contains(&event.id));
    assert_eq!(strangers.count(), 0, "what never was is delivered");
    fleet.end().await;
    provider_journal::audit_is_clean(&fleet.account.folder);
}

/// Waits until every instance that is there has delivered more than it has by now.
async fn until_all_have_delivered(receiver: &WebhookReceiver, fleet: &Fleet) {
    let already = receiver.look(<[ReceivedEvent]>::len);
    let what = "every instance delivers";
    eventually(what, SHARED_WITHIN, async || {
        let count = |process: u32| {
            let of = |event: &&ReceivedEvent| event.caller == Some(process);
            receiver.look(|events| events[already..].iter().filter(of).count())
        };
        let all = fleet.processes().into_iter().all(|it| count(it) >= EACH);
        all.then_some(())
    })
    .await;
}

/// Waits until a delivery of an instance has come that is not answered yet.
async fn until_it_delivers(receiver: &WebhookReceiver, instance: u32) {
    let of = |event: &&ReceivedEvent| event.caller == Some(instance);
    let count = || receiver.look(|events| events.iter().filter(of).count());
    let already = count();
    let what = "the next delivery comes";
    eventually(what, SHARED_WITHIN, async || {
        (count() > already).then_some(())
    })
    .await;
}

async fn until_everything_is_delivered(receiver: &WebhookReceiver, fleet: &Fleet) {
    let what = "every event is delivered to every endpoint";
    eventually(what, DELIVERED_EVENTS_WITHIN, async || {
        let mut missing = BTreeMap::new();
        let names = names(fleet);
        for place in 0..ENDPOINTS {
            let _ = missing.insert(format!("/{place}"), names.clone());
        }
        receiver.look(|events| {
            for event in events {
                missing.get_mut(&event.path).unwrap().remove(&event.id);
            }
        });
        missing.values().all(BTreeSet::is_empty).then_some(())
    })
    .await;
}

fn names(fleet: &Fleet) -> BTreeSet<String> {
    let database = fleet.account.folder.database().expect("a database");
    database
        .psql(DELIVERED_EVENTS)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// What came, who brought it, and who of those was killed.
struct InstanceView {
    events: Vec<ReceivedEvent>,
    instances: Vec<u32>,
    killed: Vec<u32>,
}

impl InstanceView {
    /// What came twice: first and then again.
    fn repeats(&self) -> Vec<(&ReceivedEvent, &ReceivedEvent)> {
        let mut first = HashMap::new();
        let mut repeats = Vec::new();
        for event in &self.events {
            let earlier = *first.entry((&event.path, &event.id)).or_insert(event);
            if !std::ptr::eq(earlier, event) {
                repeats.push((earlier, event));
            }
        }
        repeats
    }

    fn by(&self, instance: u32) -> usize {
        let of = |event: &&ReceivedEvent| event.caller == Some(instance);
        self.events.iter().filter(of).count()
    }

    fn check(&self) {
        let repeats = self.repeats();
        let most = IN_FLIGHT_MAX * self.killed.len();
        let twice = repeats.len();
        assert!(
            twice > 0,
            "nothing was under way when an instance was killed"
        );
        assert!(twice <= most, "{twice} came twice");
        for (first, again) in repeats {
            assert_eq!(first.body, again.body);
            let by_a_killed_one = first.caller.is_none_or(|it| self.killed.contains(&it));
            assert!(
                by_a_killed_one,
                "a living instance delivered it twice: {first:?}"
            );
        }
        assert!(self.instances.iter().all(|it| self.by(*it) >= EACH));
        order::check(&self.events);
    }
}

impl std::fmt::Display for InstanceView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let by: Vec<_> = self.instances.iter().map(|it| self.by(*it)).collect();
        let (all, twice) = (self.events.len(), self.repeats().len());
        let unknown = self.events.iter().filter(|it| it.caller.is_none()).count();
        write!(
            f,
            "deliveries: {all}, by instance: {by:?}, by one that was gone: {unknown}, \
             endpoints: {ENDPOINTS}, twice: {twice}, missing: 0"
        )
    }
}
