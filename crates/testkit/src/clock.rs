//! A clock that stands still until a test moves it. It must never look at the real time, so that a
//! run depends on nothing but what the test does.

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Where every manual clock starts: 2026-01-15T09:00:00Z, ten o'clock in Lagos.
pub const START: Timestamp = Timestamp::from_millis(1_768_467_600_000);

/// How often [`settle`] lets other tasks run: far more than any chain of tasks in our tests is
/// long.
const SETTLE_TURNS: usize = 200;

/// Lets every other task run until it waits for something. Meant for a runtime of one thread, where
/// a yield gives every ready task its turn.
pub async fn settle() {
    for _ in 0..SETTLE_TURNS {
        tokio::task::yield_now().await;
    }
}

/// A clock that moves only when a test advances it.
#[derive(Debug)]
pub struct ManualClock {
    face: Mutex<Face>,
}

#[derive(Debug)]
struct Face {
    now: Timestamp,
    uptime: Duration,
    suspended: Duration,
    /// Sleepers by the moment they wake; the number distinguishes and orders those that wake at
    /// one moment.
    sleepers: BTreeMap<(Timestamp, u64), oneshot::Sender<()>>,
    registered: u64,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::at(START)
    }
}

impl ManualClock {
    /// A clock that stands at [`START`], shared as the core wants it.
    pub fn start() -> Arc<Self> {
        Arc::default()
    }

    /// A clock that stands at a moment.
    pub fn at(now: Timestamp) -> Self {
        let face = Face {
            now,
            uptime: Duration::from_hours(1),
            suspended: Duration::ZERO,
            sleepers: BTreeMap::new(),
            registered: 0,
        };
        Self {
            face: Mutex::new(face),
        }
    }

    /// Moves time on, stopping at every sleeper on the way: each wakes at its own moment and gets
    /// to run before the next, and what it goes to sleep for in between counts as well.
    pub async fn advance(&self, duration: Duration) {
        settle().await;
        let end = self.now().plus(duration);
        while self.wake_next(end) {
            settle().await;
        }
        self.face().run_on_to(end);
        settle().await;
    }

    /// Moves the wall clock on at once, without letting anything run, and leaves the uptime as it
    /// is; sleepers that are due are woken in order.
    pub fn jump(&self, duration: Duration) {
        let uptime = self.face().uptime;
        let end = self.now().plus(duration);
        while self.wake_next(end) {}
        let mut face = self.face();
        face.now = end;
        face.uptime = uptime;
    }

    /// Moves the wall clock and the uptime on at once, without letting anything run, as a machine
    /// does that was suspended; sleepers that are due are woken in order.
    pub fn suspend(&self, duration: Duration) {
        let end = self.now().plus(duration);
        while self.wake_next(end) {}
        let mut face = self.face();
        face.run_on_to(end);
        face.suspended = face.suspended.saturating_add(duration);
    }

    /// Advances time to the next sleeper and wakes it; `false` without a sleeper.
    pub async fn advance_to_next(&self) -> bool {
        settle().await;
        let woke = self.wake_next(Timestamp::from_millis(i64::MAX));
        settle().await;
        woke
    }

    /// How many sleep.
    pub fn sleepers(&self) -> usize {
        let mut face = self.face();
        face.forget_gone();
        face.sleepers.len()
    }

    /// Waits, without moving time, until so many sleep. It never returns where they never do: the
    /// test's own limit then says so.
    pub async fn until_sleepers(&self, count: usize) {
        while self.sleepers() < count {
            tokio::task::yield_now().await;
        }
    }

    /// Wakes the next sleeper due by `end` with the clock at its moment.
    fn wake_next(&self, end: Timestamp) -> bool {
        let mut face = self.face();
        face.forget_gone();
        let due = face.sleepers.first_entry();
        let Some(sleeper) = due.filter(|sleeper| sleeper.key().0 <= end) else {
            return false;
        };
        let ((moment, _), wake) = sleeper.remove_entry();
        face.run_on_to(moment);
        // A sleeper that was cancelled meanwhile needs no waking.
        let _ = wake.send(());
        true
    }

    fn face(&self) -> MutexGuard<'_, Face> {
        self.face.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Face {
    fn run_on_to(&mut self, moment: Timestamp) {
        self.uptime = self.uptime.saturating_add(moment.since(self.now));
        self.now = self.now.max(moment);
    }

    fn forget_gone(&mut self) {
        self.sleepers.retain(|_, wake| !wake.is_closed());
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.face().now
    }

    fn uptime(&self) -> Duration {
        self.face().uptime
    }

    fn suspended(&self) -> Duration {
        self.face().suspended
    }

    async fn sleep(&self, duration: Duration) {
        let woken = {
            let mut face = self.face();
            let moment = face.now.plus(duration);
            if moment <= face.now {
                return;
            }
            let (wake, woken) = oneshot::channel();
            face.registered += 1;
            let place = (moment, face.registered);
            face.sleepers.insert(place, wake);
            woken
        };
        // The sender lives in the clock until it wakes this task, which borrows the clock.
        let _ = woken.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinSet;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[tokio::test]
    async fn sleepers_wake_in_order_each_at_its_own_moment() {
        let clock = ManualClock::start();
        let woken = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = JoinSet::new();
        for wait in [5, 1, 3] {
            let (clock, woken) = (clock.clone(), woken.clone());
            tasks.spawn(async move {
                clock.sleep(seconds(wait)).await;
                let moment = clock.now().since(START);
                woken.lock().unwrap().push((wait, moment));
                clock.sleep(seconds(1)).await;
                woken
                    .lock()
                    .unwrap()
                    .push((wait * 10, clock.now().since(START)));
            });
        }
        clock.advance(seconds(5)).await;
        let expected = [(1, 1), (10, 2), (3, 3), (30, 4), (5, 5)].map(|(n, s)| (n, seconds(s)));
        assert_eq!(*woken.lock().unwrap(), expected);
        assert_eq!(clock.sleepers(), 1);
        assert!(clock.advance_to_next().await);
        assert_eq!(clock.now(), START.plus(seconds(6)));
        assert!(!clock.advance_to_next().await);
    }

    #[tokio::test]
    async fn a_sleeper_that_gave_up_is_forgotten() {
        let clock = ManualClock::start();
        let mut tasks = JoinSet::new();
        let sleeper = clock.clone();
        tasks.spawn(async move { sleeper.sleep(seconds(9)).await });
        clock.until_sleepers(1).await;
        tasks.shutdown().await;
        assert_eq!(clock.sleepers(), 0);
        clock.jump(seconds(10));
        assert_eq!(clock.now(), START.plus(seconds(10)));
    }

    #[tokio::test]
    async fn the_uptime_counts_what_passes_and_suspension_but_no_setting_of_the_clock() {
        let clock = ManualClock::start();
        let before = clock.uptime();
        let passed = || clock.uptime().saturating_sub(before);
        clock.advance(seconds(3)).await;
        assert_eq!(passed(), seconds(3));
        clock.jump(seconds(10));
        assert_eq!(passed(), seconds(3));
        clock.suspend(seconds(24));
        assert_eq!(passed(), seconds(27));
        assert_eq!(clock.suspended(), seconds(24));
        assert_eq!(clock.now(), START.plus(seconds(37)));
    }

    #[tokio::test]
    async fn sleeping_for_no_time_returns_at_once() {
        ManualClock::start().sleep(Duration::ZERO).await;
    }
}
