//! The clock of the sandbox provider: wall time as it was when the provider was first started on
//! this boot of the machine, and the uptime since. It must not follow the wall clock of the
//! gateway: the provider plays another company, whose time no setting here changes.
//!
//! All processes of one boot that share a data folder share the note of the difference, so that
//! they are one provider with one time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;

use crate::clock::SystemClock;

/// The note beside the journal: the boot it is of, and what to add to the uptime, in milliseconds.
const NOTE: &str = "sandbox.clock";

/// The time of the provider.
#[derive(Debug, Clone, Copy)]
pub(super) struct SandboxClock {
    /// What the wall clock showed when the uptime was zero.
    zero: Timestamp,
    clock: SystemClock,
}

impl SandboxClock {
    /// The clock of the provider whose journal is in a folder; begins it where this boot has none.
    pub(super) fn open(data: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(data.join(NOTE))?;
        file.lock()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let boot = boot();
        if let Some(zero) = noted(&text, &boot) {
            return Ok(Self::at(zero));
        }
        let begun = Self::of_now();
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{boot} {}", begun.zero.as_millis())?;
        Ok(begun)
    }

    /// The clock as a command reads it, which changes nothing.
    pub(super) fn read(data: &Path) -> Self {
        let note = shared(&data.join(NOTE)).unwrap_or_default();
        noted(&note, &boot()).map_or_else(Self::of_now, Self::at)
    }

    fn of_now() -> Self {
        Self::at(SystemClock.now().minus(SystemClock.uptime()))
    }

    const fn at(zero: Timestamp) -> Self {
        Self {
            zero,
            clock: SystemClock,
        }
    }
}

/// The note, when no process writes it.
fn shared(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    file.lock_shared()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

fn noted(text: &str, boot: &str) -> Option<Timestamp> {
    let (of, zero_ms) = text.trim_end().split_once(' ')?;
    let zero = zero_ms.parse().ok().map(Timestamp::from_millis);
    zero.filter(|_| of == boot)
}

/// The identity of this boot of the machine. Where the system has none, the note counts for every
/// boot, and the provider's time stops while the machine is off.
fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map_or_else(|_| "any".to_owned(), |id| id.trim().to_owned())
}

#[async_trait]
impl Clock for SandboxClock {
    fn now(&self) -> Timestamp {
        self.zero.plus(self.clock.uptime())
    }

    fn uptime(&self) -> Duration {
        self.clock.uptime()
    }

    fn suspended(&self) -> Duration {
        self.clock.suspended()
    }

    async fn sleep(&self, duration: Duration) {
        self.clock.sleep(duration).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const AN_HOUR_MS: i64 = 3_600_000;

    #[test]
    fn every_process_of_one_boot_has_the_time_of_the_first_whatever_the_wall_clock_shows() {
        let folder = TempDir::new().unwrap();
        let first = SandboxClock::open(folder.path()).unwrap();
        // As if the wall clock had been set forward by an hour since.
        let noted_ms = first.zero.as_millis() - AN_HOUR_MS;
        fs::write(folder.path().join(NOTE), format!("{} {noted_ms}", boot())).unwrap();
        let second = SandboxClock::open(folder.path()).unwrap();
        assert_eq!(second.zero.as_millis(), noted_ms);
        assert_eq!(SandboxClock::read(folder.path()).zero, second.zero);
        assert_ne!(second.zero, first.zero);
    }

    #[test]
    fn another_boot_begins_with_the_wall_clock() {
        let folder = TempDir::new().unwrap();
        for note in ["another-boot 5", "", "torn"] {
            fs::write(folder.path().join(NOTE), note).unwrap();
            let begun = SandboxClock::open(folder.path()).unwrap();
            let apart = begun.now().since(SystemClock.now());
            assert!(apart < Duration::from_secs(5), "{note}: {apart:?}");
            let apart = SystemClock.now().since(begun.now());
            assert!(apart < Duration::from_secs(5), "{note}: {apart:?}");
        }
    }
}
