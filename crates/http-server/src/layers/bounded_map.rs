//! An in-memory map with a bounded number of entries. It must never grow beyond its capacity, for
//! any load.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of shards, each with a lock of its own, taken for some hundred nanoseconds: more than
/// the cores that use it at a time.
const SHARDS: usize = 16;

/// An entry that can be evicted.
pub(crate) trait Evictable: Default {
    /// The uptime from which it equals a new entry.
    fn idle_at(&self) -> Duration;
}

/// A bounded map from hashed keys to entries.
pub(crate) struct BoundedMap<S> {
    hasher: RandomState,
    shards: [Mutex<HashMap<BoundedMapKey, S>>; SHARDS],
    shard_max: usize,
}

/// The key of an entry: a keyed hash, so that a lookup allocates nothing and a long name takes no
/// more memory than a short one. An attacker cannot make two of them equal, and by chance it takes
/// billions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BoundedMapKey(u64);

impl<S> fmt::Debug for BoundedMap<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembered")
            .field("shard_max", &self.shard_max)
            .finish_non_exhaustive()
    }
}

impl<S: Evictable> BoundedMap<S> {
    /// A map of at most `capacity` entries.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
            shard_max: (capacity / SHARDS).max(1),
        }
    }

    pub(crate) fn key(&self, of: impl Hash) -> BoundedMapKey {
        BoundedMapKey(self.hasher.hash_one(of))
    }

    /// Runs `act` on the entry under a key, or on a new one, which is stored.
    pub(crate) fn with<T>(
        &self,
        key: BoundedMapKey,
        now: Duration,
        act: impl FnOnce(&mut S) -> T,
    ) -> T {
        let mut shard = self.shard(key);
        if let Some(known) = shard.get_mut(&key) {
            return act(known);
        }
        if shard.len() >= self.shard_max {
            make_room(&mut shard, now);
        }
        act(shard.entry(key).or_default())
    }

    /// Runs `act` on the entry under a key, if there is one.
    pub(crate) fn with_known<T>(
        &self,
        key: BoundedMapKey,
        act: impl FnOnce(&mut S) -> T,
    ) -> Option<T> {
        self.shard(key).get_mut(&key).map(act)
    }

    /// A copy of the entry under a key; a new one is not stored.
    pub(crate) fn get(&self, key: BoundedMapKey) -> S
    where
        S: Copy,
    {
        self.shard(key).get(&key).copied().unwrap_or_default()
    }

    fn shard(
        &self,
        BoundedMapKey(hash): BoundedMapKey,
    ) -> MutexGuard<'_, HashMap<BoundedMapKey, S>> {
        let [first, ..] = &self.shards;
        let place = usize::try_from(hash % SHARDS as u64).unwrap_or(0);
        let shard = self.shards.get(place).unwrap_or(first);
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        let lengths = self.shards.iter().map(|shard| shard.lock().unwrap().len());
        lengths.sum()
    }
}

/// Evicts all idle entries; where none is idle, the one that would be idle first.
fn make_room<S: Evictable>(shard: &mut HashMap<BoundedMapKey, S>, now: Duration) {
    let before = shard.len();
    shard.retain(|_, kept| kept.idle_at() > now);
    if shard.len() < before {
        return;
    }
    let least = shard.iter().min_by_key(|(_, kept)| kept.idle_at());
    if let Some(key) = least.map(|(key, _)| *key) {
        shard.remove(&key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_hours(1);

    /// Busy until a moment.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Busy(Duration);

    impl Default for Busy {
        fn default() -> Self {
            Self(Duration::ZERO)
        }
    }

    impl Evictable for Busy {
        fn idle_at(&self) -> Duration {
            self.0
        }
    }

    fn after(seconds: u64) -> Duration {
        NOW + Duration::from_secs(seconds)
    }

    fn put(remembered: &BoundedMap<Busy>, name: u64, until: Duration) {
        let key = remembered.key(name);
        remembered.with(key, NOW, |busy| *busy = Busy(until));
    }

    #[test]
    fn never_more_are_remembered_than_there_is_room_for() {
        let remembered = BoundedMap::new(64);
        for name in 0..10_000 {
            put(&remembered, name, after(name));
        }
        assert!(remembered.count() <= 64, "{}", remembered.count());
    }

    #[test]
    fn who_is_idle_is_forgotten_before_who_is_not() {
        let remembered = BoundedMap::new(SHARDS * 200);
        put(&remembered, 0, after(1));
        for name in 1..10_000 {
            put(&remembered, name, NOW);
        }
        assert_eq!(remembered.get(remembered.key(0_u64)), Busy(after(1)));
    }

    /// Names whose keys share a shard.
    fn neighbours(remembered: &BoundedMap<Busy>) -> impl Iterator<Item = u64> {
        let shard = |name: u64| remembered.key(name).0 % SHARDS as u64;
        let theirs = shard(0);
        (0..10_000).filter(move |name| shard(*name) == theirs)
    }

    #[test]
    fn the_idle_are_forgotten_all_at_once() {
        let remembered = BoundedMap::new(SHARDS * 50);
        let names: Vec<u64> = neighbours(&remembered).take(51).collect();
        for name in names {
            put(&remembered, name, NOW);
        }
        assert_eq!(remembered.count(), 1);
    }

    #[test]
    fn among_the_busy_the_one_is_forgotten_who_would_be_idle_first() {
        let remembered = BoundedMap::new(SHARDS * 3);
        let names: Vec<u64> = neighbours(&remembered).take(4).collect();
        for (name, until) in names.iter().zip([30, 10, 20, 40]) {
            put(&remembered, *name, after(until));
        }
        let kept = names
            .iter()
            .map(|name| remembered.get(remembered.key(*name)));
        let expected = [after(30), Busy::default().0, after(20), after(40)];
        assert_eq!(kept.collect::<Vec<_>>(), expected.map(Busy));
    }

    #[test]
    fn a_lookup_adds_no_entry() {
        let remembered = BoundedMap::<Busy>::new(64);
        remembered.get(remembered.key("nobody"));
        let known = remembered.with_known(remembered.key("nobody"), |_| ());
        assert_eq!(known, None);
        assert_eq!(remembered.count(), 0);
    }
}
