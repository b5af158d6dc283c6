//! Waiting for another process. It must be the only place here that sleeps, and never wait for
//! ever.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than a server takes for anything on a busy machine.
const WITHIN: Duration = Duration::from_mins(1);

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Looks again and again until there is something to see.
pub(crate) fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    soon(look).unwrap_or_else(|| panic!("not within {WITHIN:?}: {what}"))
}

/// Looks again and again, but not for ever.
#[expect(
    clippy::disallowed_methods,
    reason = "another process does not say when it is done"
)]
pub(crate) fn soon<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    while started.elapsed() < WITHIN {
        if let Some(seen) = look() {
            return Some(seen);
        }
        sleep(BETWEEN_LOOKS);
    }
    None
}
