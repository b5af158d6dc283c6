//! What an instance has claimed of the queue and not started yet. Accounts must take turns in it,
//! however much of it is one's, and nothing is started so late that another instance may have it.

use domain::account::AccountId;
use ports::transactions::ClaimedPlace;
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

/// Places in the order in which they are started.
#[derive(Debug, Default)]
pub(super) struct ClaimedPlaces {
    waiting: VecDeque<WaitingPlace>,
    /// When something was claimed last, in uptime.
    claimed_at: Option<Duration>,
    /// Whether as many were due as could be claimed: there may be more.
    is_full: bool,
}

#[derive(Debug)]
struct WaitingPlace {
    place: ClaimedPlace,
    /// Until when it may be started, in uptime: well before its lease ends.
    start_before: Duration,
}

impl ClaimedPlaces {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whose they are: what waits of an account must be started before more of it is claimed, or
    /// the accounts whose payments became due first would have all that is claimed.
    pub(super) fn accounts(&self) -> Vec<AccountId> {
        let accounts = self.waiting.iter().map(|it| &it.place.transaction.account);
        let accounts: HashSet<_> = accounts.collect();
        accounts.into_iter().cloned().collect()
    }

    /// Whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether more may be started, or claimed, than was.
    pub(super) fn has_more(&self) -> bool {
        self.is_full || !self.waiting.is_empty()
    }

    /// Whether it is time to claim: nothing waits, or what became due since the last claim would
    /// wait longer than `pause` for what does.
    pub(super) fn is_claim_due(&self, now: Duration, pause: Duration) -> bool {
        let waited = self.claimed_at.map(|at| now.saturating_sub(at));
        self.waiting.is_empty() || waited.is_none_or(|waited| waited >= pause)
    }

    /// Leaves to other instances what would be started too late: it comes back when its lease ends.
    pub(super) fn drop_late(&mut self, now: Duration) {
        self.waiting.retain(|it| now < it.start_before);
    }

    /// Leaves all of it in the queue.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Adds what was claimed: the first that waits of each account goes first, then the second of
    /// each, and so on. What waits already goes before what an account has besides.
    pub(super) fn add(&mut self, claimed: Vec<ClaimedPlace>, terms: &ClaimTerms) {
        // Where some wait, accounts that have more were passed over.
        self.is_full = claimed.len() >= terms.limit || (self.is_full && !self.is_empty());
        self.claimed_at = Some(terms.now);
        let start_before = terms.now.saturating_add(terms.lease / 2);
        let new = claimed.into_iter().map(|place| WaitingPlace {
            place,
            start_before,
        });
        let mut counts = HashMap::<AccountId, usize>::new();
        let mut turns = Vec::new();
        for it in self.waiting.drain(..).chain(new) {
            let account = it.place.transaction.account.clone();
            let count = counts.entry(account).or_default();
            turns.push((*count, it));
            *count = count.saturating_add(1);
        }
        turns.sort_by_key(|(turn, _)| *turn);
        self.waiting.extend(turns.into_iter().map(|(_, it)| it));
    }

    /// Takes the next of them, at most so many.
    pub(super) fn take(&mut self, count: usize) -> Vec<ClaimedPlace> {
        let count = count.min(self.waiting.len());
        self.waiting.drain(..count).map(|it| it.place).collect()
    }
}

/// How something was claimed.
#[derive(Debug)]
pub(super) struct ClaimTerms {
    /// When, in uptime.
    pub(super) now: Duration,
    /// For how long.
    pub(super) lease: Duration,
    /// How much could have been.
    pub(super) limit: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::Timestamp;
    use testkit::builders::{account_id, airtime, at};

    const SECOND: Duration = Duration::from_secs(1);

    const MINUTE: Duration = Duration::from_mins(1);

    const FAR: Timestamp = Timestamp::from_millis(4_102_444_800_000);

    fn place(account: &str, n: u64) -> ClaimedPlace {
        let purchase = airtime().by(account).nth(n).queued(at(1), FAR);
        ClaimedPlace {
            transaction: purchase.transaction(),
            is_confirmed: true,
        }
    }

    /// Adds the places of an account.
    fn add(places: &mut ClaimedPlaces, (account, numbers): (&str, &[u64]), now: Duration) {
        let claimed = numbers.iter().map(|n| place(account, *n)).collect();
        let terms = ClaimTerms {
            now,
            lease: MINUTE,
            limit: 3,
        };
        places.add(claimed, &terms);
    }

    fn taken(places: &mut ClaimedPlaces, count: usize) -> Vec<u64> {
        let taken = places.take(count).into_iter();
        taken.map(|it| it.transaction.number.get()).collect()
    }

    #[test]
    fn an_account_that_comes_later_has_its_turn_after_one_of_each_other() {
        let mut places = ClaimedPlaces::default();
        add(&mut places, ("shop", &[1, 2, 3, 4]), SECOND);
        assert_eq!(taken(&mut places, 1), [1]);
        add(&mut places, ("other", &[11, 12]), SECOND);
        add(&mut places, ("third", &[21]), SECOND);
        add(&mut places, ("shop", &[5]), SECOND);
        assert_eq!(places.len(), 7);
        let mut accounts = places.accounts();
        accounts.sort_unstable();
        assert_eq!(accounts, ["other", "shop", "third"].map(account_id));
        assert_eq!(taken(&mut places, 10), [2, 11, 21, 3, 12, 4, 5]);
        assert_eq!(places.len(), 0);
    }

    #[test]
    fn what_would_be_started_too_late_is_left_and_what_was_claimed_later_stays() {
        let mut places = ClaimedPlaces::default();
        add(&mut places, ("shop", &[1, 2]), Duration::ZERO);
        add(&mut places, ("shop", &[3]), SECOND);
        places.drop_late(Duration::from_millis(29_999));
        assert_eq!(places.len(), 3);
        places.drop_late(MINUTE / 2);
        assert_eq!(taken(&mut places, 10), [3]);
        add(&mut places, ("shop", &[4]), SECOND);
        places.clear();
        assert_eq!(taken(&mut places, 10), []);
    }

    #[test]
    fn more_is_claimed_where_nothing_waits_or_after_a_pause() {
        let mut places = ClaimedPlaces::default();
        assert!(places.is_claim_due(Duration::ZERO, SECOND));
        add(&mut places, ("shop", &[1]), Duration::ZERO);
        assert!(!places.is_claim_due(SECOND / 2, SECOND));
        assert!(places.is_claim_due(SECOND, SECOND));
        assert_eq!(taken(&mut places, 1), [1]);
        assert!(places.is_claim_due(SECOND / 2, SECOND));
    }

    #[test]
    fn there_may_be_more_where_something_waits_or_all_was_claimed_that_could_be() {
        let mut places = ClaimedPlaces::default();
        assert!(!places.has_more());
        add(&mut places, ("shop", &[1, 2]), SECOND);
        assert!(places.has_more());
        assert_eq!(taken(&mut places, 2), [1, 2]);
        assert!(!places.has_more());
        add(&mut places, ("shop", &[3, 4, 5]), SECOND);
        add(&mut places, ("other", &[11]), SECOND);
        assert_eq!(taken(&mut places, 4), [3, 11, 4, 5]);
        assert!(places.has_more(), "more of the first was passed over");
        add(&mut places, ("other", &[12]), SECOND);
        assert_eq!(taken(&mut places, 1), [12]);
        assert!(!places.has_more());
    }
}
