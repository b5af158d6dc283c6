//! A read-through cache of credentials. A revocation must take effect within a second, whatever the
//! state of the channel to the other instances. It must measure by the uptime: the wall clock may
//! be set at any time.
//!
//! While the channel is alive, an entry is valid until a message says that its account changed.
//! Otherwise no message would come, and it is valid for a moment only.

use crate::settings::Settings;
use domain::account::AccountId;
use ports::accounts::Credentials;
use ports::clock::Clock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most accounts remembered at a time, so that asking for names that do not exist fills no memory;
/// beyond it the memory starts anew.
const REMEMBERED_MAX: usize = 10_000;

/// Credentials of many accounts. That an account is unknown is cached too: the time of an answer
/// must not reveal which accounts exist.
#[derive(Debug)]
pub(crate) struct CredentialCache {
    clock: Arc<dyn Clock>,
    settings: Settings,
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    entries: HashMap<AccountId, Entry>,
    /// How often something was forgotten because it may be wrong.
    forgotten: u64,
    /// The last uptime up to which all messages have been received; `None` where the channel is
    /// silent.
    alive_until: Option<Duration>,
    /// The latest uptime.
    latest: Duration,
}

#[derive(Debug)]
struct Entry {
    credentials: Option<Arc<Credentials>>,
    read_at: Duration,
}

/// A question that is about to be asked, to the store or down the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CacheReadToken {
    /// What happens from then on may not be in the answer.
    at: Duration,
    forgotten: u64,
}

impl CredentialCache {
    pub(crate) fn new(clock: Arc<dyn Clock>, settings: &Settings) -> Self {
        let memory = Memory {
            entries: HashMap::new(),
            forgotten: 0,
            alive_until: None,
            latest: clock.uptime(),
        };
        Self {
            clock,
            settings: *settings,
            memory: Mutex::new(memory),
        }
    }

    /// What is believed of an account, or that it is to be read.
    pub(crate) fn recall(
        &self,
        id: &AccountId,
    ) -> Result<Option<Arc<Credentials>>, CacheReadToken> {
        let memory = self.look();
        let believed_for = self.believed_for(&memory);
        let known = memory.entries.get(id);
        let believed = known.filter(|entry| memory.is_within(entry.read_at, believed_for));
        let credentials = believed.map(|entry| entry.credentials.clone());
        credentials.ok_or_else(|| memory.ask())
    }

    /// Remembers what was read, unless something was forgotten meanwhile: the answer may be the one
    /// that a word has just called wrong.
    pub(crate) fn keep(
        &self,
        id: &AccountId,
        credentials: Option<Arc<Credentials>>,
        asked: CacheReadToken,
    ) {
        let mut memory = self.look();
        if memory.forgotten != asked.forgotten {
            return;
        }
        if memory.entries.len() >= REMEMBERED_MAX {
            memory.entries.clear();
        }
        let entry = Entry {
            credentials,
            read_at: asked.at,
        };
        memory.entries.insert(id.clone(), entry);
    }

    /// An account changed.
    pub(crate) fn forget(&self, id: &AccountId) {
        let mut memory = self.look();
        memory.forgotten = memory.forgotten.wrapping_add(1);
        memory.entries.remove(id);
    }

    /// Any account may have changed.
    pub(crate) fn forget_all(&self) {
        self.look().forget_all();
    }

    /// The line is tried from now on.
    pub(crate) fn ask(&self) -> CacheReadToken {
        self.look().ask()
    }

    /// The channel was tested since, and works: every message from before has been received.
    pub(crate) fn changes_seen_until(&self, asked: CacheReadToken) {
        let mut memory = self.look();
        if !memory.is_within(asked.at, self.settings.peers_silence_max) {
            return;
        }
        if memory.alive_until.is_none() {
            // Messages during the silence were missed.
            memory.forget_all();
            tracing::info!("messages of the other instances arrive");
        }
        memory.alive_until = Some(asked.at);
    }

    /// Notices, and logs, that the line has been silent for too long.
    pub(crate) fn look_for_silence(&self) {
        drop(self.look());
    }

    fn look(&self) -> MutexGuard<'_, Memory> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // Asked for under the lock, so that no thread's moment comes before another's.
        memory.see(self.clock.uptime(), self.settings.peers_silence_max);
        memory
    }

    fn believed_for(&self, memory: &Memory) -> Duration {
        let alone = self.settings.credential_ttl;
        match memory.alive_until {
            // A TTL of zero switches the cache off.
            Some(_) if !alone.is_zero() => self.settings.credential_ttl_announced,
            Some(_) | None => alone,
        }
    }
}

impl Memory {
    fn see(&mut self, uptime: Duration, silence_max: Duration) {
        self.latest = uptime;
        if self
            .alive_until
            .is_some_and(|until| !self.is_within(until, silence_max))
        {
            self.alive_until = None;
            tracing::warn!(
                "no messages of the other instances arrive; accounts are read more often"
            );
        }
    }

    fn ask(&self) -> CacheReadToken {
        CacheReadToken {
            at: self.latest,
            forgotten: self.forgotten,
        }
    }

    /// Whether a moment was within the last so long.
    fn is_within(&self, moment: Duration, time: Duration) -> bool {
        self.latest.saturating_sub(moment) < time
    }

    fn forget_all(&mut self) {
        self.forgotten = self.forgotten.wrapping_add(1);
        self.entries.clear();
    }
}
