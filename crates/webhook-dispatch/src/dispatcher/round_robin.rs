//! In which order endpoints take turns. It must find the next without looking at those whose turn
//! cannot come.

use super::delivery::QueueKey;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

/// What decides whether there is a place for an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueueClass {
    /// It is not known to take deliveries.
    pub(super) doubtful: bool,
    /// Its last attempt failed.
    pub(super) failed: bool,
    /// It failed too often.
    pub(super) failing: bool,
}

/// Endpoints for which something could be begun, each once. A lower number is an earlier turn.
#[derive(Debug, Default)]
pub(super) struct RoundRobin {
    queues: BTreeMap<QueueClass, BTreeMap<u64, QueueKey>>,
    places: HashMap<QueueKey, (QueueClass, u64)>,
    drawn: u64,
}

impl RoundRobin {
    /// Has an endpoint wait for its turn by its standing, or not at all. Who waits already keeps
    /// its turn.
    pub(super) fn put(&mut self, key: &QueueKey, standing: Option<QueueClass>) {
        let before = self.places.get(key).copied();
        if before.map(|(standing, _)| standing) == standing {
            return;
        }
        self.take(key);
        if let Some(standing) = standing {
            let number = before.map_or_else(|| self.draw(), |(_, number)| number);
            self.places.insert(key.clone(), (standing, number));
            let queue = self.queues.entry(standing).or_default();
            queue.insert(number, key.clone());
        }
    }

    /// Has an endpoint that had its turn wait for the next.
    pub(super) fn send_back(&mut self, key: &QueueKey) {
        if let Some(standing) = self.take(key) {
            self.put(key, Some(standing));
        }
    }

    /// The first after a turn whose standing lets it have one.
    pub(super) fn after(
        &self,
        turn: Option<u64>,
        has_place: impl Fn(QueueClass) -> bool,
    ) -> Option<(u64, QueueKey)> {
        let from = turn.map_or(Bound::Unbounded, Bound::Excluded);
        let open = self
            .queues
            .iter()
            .filter(|(standing, _)| has_place(**standing));
        let first = open.filter_map(|(_, queue)| queue.range((from, Bound::Unbounded)).next());
        let (number, key) = first.min_by_key(|(number, _)| **number)?;
        Some((*number, key.clone()))
    }

    fn take(&mut self, key: &QueueKey) -> Option<QueueClass> {
        let (standing, number) = self.places.remove(key)?;
        if let Some(queue) = self.queues.get_mut(&standing) {
            queue.remove(&number);
        }
        Some(standing)
    }

    fn draw(&mut self) -> u64 {
        self.drawn = self.drawn.saturating_add(1);
        self.drawn
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = (&QueueKey, QueueClass)> {
        let queued: usize = self.queues.values().map(BTreeMap::len).sum();
        assert_eq!(queued, self.places.len());
        self.places
            .iter()
            .map(|(key, (standing, _))| (key, *standing))
    }
}
