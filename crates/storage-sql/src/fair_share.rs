//! How endpoints share what a claim may take, and how much of the queue is looked at for what
//! accounts share. It is pure: it must never look at more than it is given, and says how much that
//! should be.

use ports::webhooks::DeliveryClaim;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

/// How many deliveries are looked at for the endpoints that something is due for. Where more are
/// due, the endpoints are found by leaps, for one of them may have all of these.
pub const WINDOW: i64 = 1_000;

/// How many places in the queue are looked at for those of each account: so many that became due
/// first and, where more are due, so many that became due last, where those of an account stand
/// that was idle before, and so many between, further on with each claim. These are the payments of
/// four of the greatest batches.
pub const QUEUE_WINDOW: i64 = 4_096;

/// How often it is chosen again where others took what was chosen.
pub const CHOICES_MAX: u32 = 3;

/// By how much more the endpoints are asked for where they had too little.
const GROWTH: u32 = 4;

/// An endpoint as a row names it.
pub type EndpointKey = (String, i64);

/// The sharing of one claim.
#[derive(Debug, Clone, Copy)]
pub struct Sharing {
    limit: usize,
    per_endpoint: u32,
    each: u32,
}

impl Sharing {
    /// Among so many endpoints; `None` where nothing can be taken.
    pub fn among(endpoints: usize, claim: &DeliveryClaim) -> Option<Self> {
        let count = u32::try_from(endpoints).unwrap_or(u32::MAX);
        let fair = claim.limit.checked_add(count.checked_sub(1)?)?;
        let each = fair.checked_div(count)?.min(claim.per_endpoint);
        (each > 0 && claim.limit > 0).then_some(Self {
            limit: usize::try_from(claim.limit).unwrap_or(usize::MAX),
            per_endpoint: claim.per_endpoint,
            each,
        })
    }

    /// How many deliveries of each endpoint are looked at.
    pub const fn each(&self) -> u32 {
        self.each
    }

    /// What is taken of what was found, which is in the order that it is due in: endpoints take
    /// turns. `None` where some endpoints had less than their share and others may have more: it is
    /// looked at more of each then.
    pub fn pick<T: Clone>(&mut self, found: &[(EndpointKey, T)]) -> Option<Vec<T>> {
        let mut counts = HashMap::<&EndpointKey, u32>::new();
        let mut turns = Vec::with_capacity(found.len());
        for (place, (to, _)) in found.iter().enumerate() {
            let count = counts.entry(to).or_default();
            turns.push((*count, place));
            *count = count.saturating_add(1);
        }
        let is_more = self.each < self.per_endpoint && counts.values().any(|it| *it >= self.each);
        if found.len() < self.limit && is_more {
            self.each = self.each.saturating_mul(GROWTH).min(self.per_endpoint);
            return None;
        }
        turns.sort_unstable();
        turns.truncate(self.limit);
        turns.sort_unstable_by_key(|(_, place)| *place);
        let taken = turns.into_iter().filter_map(|(_, place)| found.get(place));
        Some(taken.map(|(_, it)| it.clone()).collect())
    }
}

/// How far the claims of an instance have come between the ends of what is due in the queue: what
/// one of them looked at there and did not claim is looked at again in the next pass.
#[derive(Debug, Default)]
pub struct QueuePass(AtomicI64);

impl QueuePass {
    /// From which due time on a claim looks, where what became due first ends before.
    pub fn from(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Notes up to which due time a claim has looked that looked from another; `None` where it came
    /// to what became due last, and the next begins anew. Where more are due at one moment than are
    /// looked at, it goes on after that moment.
    pub fn reached(&self, from: i64, until: Option<i64>) {
        let next = match until {
            None => 0,
            Some(until) if until > from => until,
            Some(_) => from.saturating_add(1),
        };
        self.0.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::Timestamp;
    use std::time::Duration;

    fn sharing(endpoints: usize, limit: u32, per_endpoint: u32) -> Option<Sharing> {
        let claim = DeliveryClaim {
            now: Timestamp::from_millis(0),
            lease: Duration::ZERO,
            limit,
            per_endpoint,
            except: Vec::new(),
            only_asked_for: false,
        };
        Sharing::among(endpoints, &claim)
    }

    /// Deliveries to the endpoints, the first of which is number 0.
    fn found(endpoints: &[i64]) -> Vec<(EndpointKey, usize)> {
        let named = endpoints.iter().enumerate();
        let named = named.map(|(nth, to)| (("shop".to_owned(), *to), nth));
        named.collect()
    }

    #[test]
    fn no_more_is_looked_at_than_each_may_have() {
        assert_eq!(sharing(3, 10, 128).unwrap().each(), 4);
        assert_eq!(sharing(3, 10, 2).unwrap().each(), 2);
        assert_eq!(sharing(500, 10, 128).unwrap().each(), 1);
        for (endpoints, limit, per_endpoint) in [(0, 1, 1), (1, 0, 1), (1, 1, 0)] {
            assert!(sharing(endpoints, limit, per_endpoint).is_none());
        }
    }

    #[test]
    fn endpoints_take_turns_and_what_is_taken_stays_in_order() {
        let mut sharing = sharing(2, 2, 9).unwrap();
        assert_eq!(sharing.pick(&found(&[1, 1, 1, 2])), Some(vec![0, 3]));
    }

    #[test]
    fn what_one_endpoint_leaves_is_filled_by_others() {
        let mut sharing = sharing(2, 6, 9).unwrap();
        assert_eq!(sharing.pick(&found(&[1, 1, 1, 2])), None);
        assert_eq!(sharing.each(), 9);
        let all = found(&[1, 1, 1, 1, 1, 1, 1, 2]);
        assert_eq!(sharing.pick(&all), Some(vec![0, 1, 2, 3, 4, 7]));
    }

    #[test]
    fn one_that_had_less_than_a_share_is_not_queried_again() {
        let mut sharing = sharing(2, 6, 9).unwrap();
        assert_eq!(sharing.pick(&found(&[1, 2, 2])), Some(vec![0, 1, 2]));
    }

    #[test]
    fn a_pass_goes_on_from_where_it_was_and_begins_anew_at_its_end() {
        let pass = QueuePass::default();
        assert_eq!(pass.from(), 0);
        pass.reached(0, Some(70));
        assert_eq!(pass.from(), 70);
        pass.reached(70, Some(90));
        assert_eq!(pass.from(), 90);
        pass.reached(90, None);
        assert_eq!(pass.from(), 0);
    }

    #[test]
    fn a_pass_is_not_held_by_a_moment_at_which_very_many_are_due() {
        let pass = QueuePass::default();
        pass.reached(0, Some(70));
        pass.reached(70, Some(70));
        assert_eq!(pass.from(), 71);
    }
}
