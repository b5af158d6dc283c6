//! How long the writer gathers entries before a sync. Every sync of the journal delays those of the
//! database on the same disk, so where several payments are opened at a time there should be few of
//! them. A lone entry must never wait.

use std::time::{Duration, Instant};

/// The longest that an entry waits for others. The commit that it is made durable beside takes
/// longer where payments come together, so this delays none of them.
const GATHER_MAX: Duration = Duration::from_millis(2);

/// The last sync: how many entries it made durable, and how long it took.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    entries: usize,
    took: Duration,
}

impl Pace {
    /// Waits for more entries.
    #[expect(
        clippy::disallowed_methods,
        reason = "the writer is a thread of its own, and it is its disk that is waited for"
    )]
    pub(crate) fn gather(&self) {
        if let Some(pause) = self.pause() {
            std::thread::sleep(pause);
        }
    }

    /// How long to wait for more entries: as long as a sync takes, and not at all where the last
    /// entry was alone.
    fn pause(&self) -> Option<Duration> {
        (self.entries > 1).then(|| self.took.min(GATHER_MAX))
    }

    /// Makes entries durable.
    #[expect(
        clippy::disallowed_methods,
        reason = "it is the disk of this machine that is measured"
    )]
    pub(crate) fn measure(&mut self, entries: usize, sync: impl FnOnce()) {
        let started = Instant::now();
        sync();
        *self = Self {
            entries,
            took: started.elapsed(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_waits_at_first_or_after_a_lone_entry() {
        let mut pace = Pace::default();
        assert_eq!(pace.pause(), None);
        pace.measure(1, || {});
        assert_eq!(pace.pause(), None);
    }

    #[test]
    fn entries_that_come_together_wait_as_long_as_a_sync_took_and_no_longer_than_the_limit() {
        let mut pace = Pace::default();
        pace.measure(2, || {});
        let pause = pace.pause().expect("a pause");
        assert!(pause <= GATHER_MAX, "{pause:?}");
        let slow = Pace {
            entries: 2,
            took: 2 * GATHER_MAX,
        };
        assert_eq!(slow.pause(), Some(GATHER_MAX));
    }
}
