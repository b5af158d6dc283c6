//! What names mean. It must never keep an answer: who owns a name can change it at any moment, and
//! what was looked at must be what is dialled.

use super::machine::{Machine, ThisMachine};
use async_trait::async_trait;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::task::TaskTracker;

/// How many names the machine looks up at a time, 64 in all. Each holds sockets for as long as a
/// server of the DNS is silent.
const PROVEN_MAX: usize = 32;

/// How many of them for endpoints that fail or are new: names without a server are among these, and
/// cost the others nothing.
const UNPROVEN_MAX: usize = 16;

/// How many of them for merchants who make endpoints.
const MERCHANTS_MAX: usize = 16;

/// How many of these for one merchant: names that no server answers for are his own trouble.
const ONE_MERCHANT_MAX: usize = 3;

/// On whose behalf a name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookupPriority {
    /// A delivery to an endpoint that accepts deliveries.
    Proven,
    /// A delivery to an endpoint that fails, or of which nothing is known yet.
    Unproven,
    /// A merchant who makes an endpoint.
    Merchant(MerchantNumber),
}

/// Tells one merchant from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MerchantNumber(pub(super) u64);

/// Asks what a name means.
#[async_trait]
pub trait HostResolver: Send + Sync + std::fmt::Debug {
    /// Every address of a name, of both versions.
    ///
    /// # Errors
    /// When the name does not exist, or no server can be reached.
    async fn addresses(&self, name: &str, asker: LookupPriority) -> io::Result<Vec<IpAddr>>;
}

/// Resolves as every program of the machine does. A request for a name that is being looked up at
/// the same priority waits for that answer: one name is asked for once, however many wait for
/// it, and however long no server answers.
#[derive(Debug)]
pub struct SystemResolver {
    machine: Arc<dyn Machine>,
    lookups: Arc<Lookups>,
    proven: Arc<Semaphore>,
    unproven: Arc<Semaphore>,
    merchants: Arc<Semaphore>,
    shares: Shares,
    tasks: TaskTracker,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self::of(Arc::new(ThisMachine))
    }
}

impl SystemResolver {
    fn of(machine: Arc<dyn Machine>) -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self {
            machine,
            lookups: Arc::default(),
            proven: places(PROVEN_MAX),
            unproven: places(UNPROVEN_MAX),
            merchants: places(MERCHANTS_MAX),
            shares: Shares::default(),
            tasks: TaskTracker::new(),
        }
    }

    /// Joins a lookup that is under way, or begins one as soon as there is a place.
    async fn lookup(&self, lookup: Lookup) -> io::Result<Answer> {
        if let Some(answer) = self.lookups.under_way(&lookup) {
            return Ok(answer);
        }
        let places = match lookup.asker {
            LookupPriority::Proven => &self.proven,
            LookupPriority::Unproven => &self.unproven,
            LookupPriority::Merchant(_) => &self.merchants,
        };
        // Before a place of all merchants is waited for, so that what waits takes none.
        let share = match lookup.asker {
            LookupPriority::Merchant(merchant) => Some(self.shares.take(merchant).await?),
            LookupPriority::Proven | LookupPriority::Unproven => None,
        };
        let place = Arc::clone(places).acquire_owned().await;
        let place = place.map_err(io::Error::other)?;
        let (tell, answer) = match self.lookups.begin(&lookup) {
            Ok(begun) => begun,
            Err(under_way) => return Ok(under_way),
        };
        let machine = Arc::clone(&self.machine);
        let entry = Entry {
            lookups: Arc::clone(&self.lookups),
            lookup,
        };
        self.tasks.spawn(async move {
            // The slot is held until the machine answers, also where no request waits any more.
            let _held = (place, share);
            let found = machine.look_up(&entry.lookup.name).await;
            // Later requests look it up anew.
            drop(entry);
            tell.send_replace(Some(found.map_err(|error| error.kind())));
        });
        Ok(answer)
    }
}

/// What each merchant who makes endpoints may have looked up at a time.
#[derive(Debug, Default, Clone)]
struct Shares(Arc<Mutex<HashMap<MerchantNumber, Arc<Semaphore>>>>);

/// A part of a merchant's share, until dropped.
struct Share {
    shares: Shares,
    merchant: MerchantNumber,
    permit: Option<OwnedSemaphorePermit>,
}

impl Shares {
    async fn take(&self, merchant: MerchantNumber) -> io::Result<Share> {
        let places = {
            let mut all = self.all();
            let places = all.entry(merchant);
            Arc::clone(places.or_insert_with(|| Arc::new(Semaphore::new(ONE_MERCHANT_MAX))))
        };
        let mut share = Share {
            shares: self.clone(),
            merchant,
            permit: None,
        };
        share.permit = Some(places.acquire_owned().await.map_err(io::Error::other)?);
        Ok(share)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<MerchantNumber, Arc<Semaphore>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.shares.all();
        drop(self.permit.take());
        // A lookup that waits for a part, or has one, holds another handle.
        let is_unused = |places: &Arc<Semaphore>| Arc::strong_count(places) == 1;
        if all.get(&self.merchant).is_some_and(is_unused) {
            all.remove(&self.merchant);
        }
    }
}

#[async_trait]
impl HostResolver for SystemResolver {
    async fn addresses(&self, name: &str, asker: LookupPriority) -> io::Result<Vec<IpAddr>> {
        let name = name.to_owned();
        let mut answer = self.lookup(Lookup { asker, name }).await?;
        let answer = answer.wait_for(Option::is_some).await;
        match answer.map_err(io::Error::other)?.as_ref() {
            Some(Ok(addresses)) => Ok(addresses.clone()),
            Some(Err(kind)) => Err((*kind).into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// A name that is looked up. Each kind of asker waits for its own kind only: what waits for a place
/// behind silent servers must not be waited for by those who have places left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Lookup {
    asker: LookupPriority,
    name: String,
}

type Found = Option<Result<Vec<IpAddr>, io::ErrorKind>>;
type Answer = watch::Receiver<Found>;

/// What is being looked up.
#[derive(Debug, Default)]
struct Lookups(Mutex<HashMap<Lookup, Answer>>);

impl Lookups {
    fn all(&self) -> MutexGuard<'_, HashMap<Lookup, Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn under_way(&self, lookup: &Lookup) -> Option<Answer> {
        self.all().get(lookup).cloned()
    }

    /// Takes note of a lookup, unless it is under way by now.
    fn begin(&self, lookup: &Lookup) -> Result<(watch::Sender<Found>, Answer), Answer> {
        let mut all = self.all();
        if let Some(answer) = all.get(lookup) {
            return Err(answer.clone());
        }
        let (tell, answer) = watch::channel(None);
        all.insert(lookup.clone(), answer.clone());
        Ok((tell, answer))
    }
}

/// A lookup that is under way, until it ends in whichever way.
struct Entry {
    lookups: Arc<Lookups>,
    lookup: Lookup,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.lookups.all().remove(&self.lookup);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use testkit::clock::settle;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::task::JoinSet;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// Records which names are looked up, and answers names that begin with "silent" once released,
    /// all with the same beginning together.
    #[derive(Debug)]
    struct Slow {
        begun: UnboundedSender<String>,
        answers: watch::Sender<Vec<&'static str>>,
    }

    #[async_trait]
    impl Machine for Slow {
        async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
            self.begun.send(name.into()).unwrap();
            let is_released = |answers: &Vec<&str>| {
                !name.starts_with("silent") || answers.iter().any(|some| name.starts_with(some))
            };
            let mut answers = self.answers.subscribe();
            answers.wait_for(is_released).await.unwrap();
            Ok(vec![HERE])
        }
    }

    /// A resolver of a slow machine, which answers everything when the test ends, however it does.
    struct World {
        resolver: Arc<SystemResolver>,
        machine: Arc<Slow>,
        begun: UnboundedReceiver<String>,
    }

    impl World {
        fn new() -> Self {
            let (sender, begun) = unbounded_channel();
            let machine = Arc::new(Slow {
                begun: sender,
                answers: watch::Sender::default(),
            });
            Self {
                resolver: Arc::new(SystemResolver::of(machine.clone())),
                machine,
                begun,
            }
        }

        fn asks(&self, asking: &mut JoinSet<bool>, asker: LookupPriority, name: String) {
            let resolver = Arc::clone(&self.resolver);
            asking.spawn(async move {
                let found = resolver.addresses(&name, asker).await;
                found.is_ok_and(|found| found == [HERE])
            });
        }

        fn answer(&self, names: &'static str) {
            self.machine
                .answers
                .send_modify(|answers| answers.push(names));
        }
    }

    impl Drop for World {
        fn drop(&mut self) {
            self.answer("silent");
        }
    }

    #[tokio::test]
    async fn a_name_is_looked_up_once_for_all_who_wait_and_for_those_who_gave_up() {
        let mut world = World::new();
        let mut asking = JoinSet::new();
        for _ in 0..100 {
            world.asks(
                &mut asking,
                LookupPriority::Unproven,
                "silent.example".into(),
            );
        }
        assert_eq!(world.begun.recv().await.unwrap(), "silent.example");
        asking.shutdown().await;
        for _ in 0..100 {
            world.asks(
                &mut asking,
                LookupPriority::Unproven,
                "silent.example".into(),
            );
        }
        settle().await;
        world.answer("silent");
        assert!(asking.join_all().await.into_iter().all(|found| found));
        assert!(world.begun.try_recv().is_err());
        // Nothing is kept.
        let found = world
            .resolver
            .addresses("silent.example", LookupPriority::Unproven);
        assert_eq!(found.await.unwrap(), [HERE]);
        assert!(world.begun.try_recv().is_ok());
    }

    #[tokio::test]
    async fn a_name_is_looked_up_once_for_all_who_waited_for_a_place() {
        let mut world = World::new();
        let mut asking = JoinSet::new();
        for n in 0..UNPROVEN_MAX {
            world.asks(
                &mut asking,
                LookupPriority::Unproven,
                format!("silent-1.{n}"),
            );
            world.begun.recv().await.unwrap();
        }
        for _ in 0..50 {
            world.asks(&mut asking, LookupPriority::Unproven, "silent-2".into());
        }
        settle().await;
        world.answer("silent-1");
        assert_eq!(world.begun.recv().await.unwrap(), "silent-2");
        // All but one place are free again once the others found that it is under way.
        while world.resolver.unproven.available_permits() < UNPROVEN_MAX - 1 {
            let another = world.begun.try_recv();
            assert!(another.is_err(), "{another:?}");
            tokio::task::yield_now().await;
        }
        world.answer("silent-2");
        assert!(asking.join_all().await.into_iter().all(|found| found));
        assert!(world.begun.try_recv().is_err());
    }

    #[tokio::test]
    async fn names_without_an_answer_take_a_part_of_the_places() {
        let mut world = World::new();
        let mut asking = JoinSet::new();
        for n in 0..100 {
            let name = format!("silent-{n}.example");
            world.asks(&mut asking, LookupPriority::Unproven, name);
        }
        for _ in 0..UNPROVEN_MAX {
            world.begun.recv().await.unwrap();
        }
        for asker in [
            LookupPriority::Proven,
            LookupPriority::Merchant(MerchantNumber(1)),
        ] {
            let found = world.resolver.addresses("shop.example", asker);
            assert_eq!(found.await.unwrap(), [HERE]);
            assert_eq!(world.begun.recv().await.unwrap(), "shop.example");
        }
        settle().await;
        assert!(world.begun.try_recv().is_err());
        world.answer("silent");
        assert!(asking.join_all().await.into_iter().all(|found| found));
    }

    #[tokio::test]
    async fn a_merchant_whose_names_are_silent_keeps_no_other_waiting() {
        let mut world = World::new();
        let mut asking = JoinSet::new();
        let [first, second] = [1, 2].map(|number| LookupPriority::Merchant(MerchantNumber(number)));
        for n in 0..60 {
            world.asks(&mut asking, first, format!("silent-{n}.example"));
        }
        for _ in 0..ONE_MERCHANT_MAX {
            world.begun.recv().await.unwrap();
        }
        let found = world.resolver.addresses("shop.example", second);
        assert_eq!(found.await.unwrap(), [HERE]);
        assert_eq!(world.begun.recv().await.unwrap(), "shop.example");
        settle().await;
        assert!(world.begun.try_recv().is_err());
        // A caller that stops waiting leaves a lookup under way, and nothing else.
        asking.shutdown().await;
        world.answer("silent");
        while !world.resolver.shares.all().is_empty() {
            tokio::task::yield_now().await;
        }
        assert!(world.begun.try_recv().is_err());
    }
}
