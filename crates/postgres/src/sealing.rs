//! Seals confidential fields of rows, and messages between instances as they stand in a
//! notification. Any role that may connect to a database may send and receive its notifications, so
//! a message is sealed under the key ring: a role without it can neither write one nor see an
//! account in one. It must never accept a message twice.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use key_ring::{KeyRing, Purpose, PurposeKeys};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use storage_sql::field_cipher::FieldCipher;

/// What names a key in a message: the beginning of a seal over nothing.
type KeyName = [u8; 8];

/// What names a process in a message. Its keys are derived from it, so no other process may have
/// the same.
type Session = [u8; 16];

/// The context of the seals that name keys; no session has its length.
const NAME_CONTEXT: &[u8] = b"which key";

/// What stands before the sealed text: the names of the key and of the process, and the counter.
const HEADER_BYTES: usize = 8 + 16 + 8;

/// Most processes whose counters are remembered.
const SENDERS_MAX: usize = 1_024;

/// So many counters of a process are remembered. Commits overtake each other, so a message may
/// come after a later one of the same process, but never after so many.
const COUNTERS_MAX: usize = 64;

/// What a process seals its messages with, and opens those of others with.
#[derive(Debug)]
pub struct MessageSealing {
    fields: FieldCipher,
    keys: PurposeKeys,
    names: Vec<(KeyName, u32)>,
    session: Session,
    /// The counter of the last message.
    last: AtomicU64,
    /// The time of the database when it was last seen, in microseconds.
    database_time: AtomicU64,
}

/// A message of a process that has the key ring.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SealedMessage {
    pub(crate) session: Session,
    pub(crate) counter: u64,
    pub(crate) body: Vec<u8>,
}

/// Why a message is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsealed {
    /// It names a key that is not in the key ring here.
    UnknownKey,
    /// It was not made with the key it names, or for another channel.
    Forged,
}

impl MessageSealing {
    /// For a process of its own, named by random bytes.
    pub fn new(ring: &KeyRing, session: [u8; 16]) -> Self {
        let keys = ring.key(Purpose::Instances);
        let numbers = ring.generations().map(|(number, _)| number);
        let names = numbers.filter_map(|number| Some((name(&keys, number)?, number)));
        Self {
            names: names.collect(),
            fields: FieldCipher::new(ring, session),
            keys,
            session,
            last: AtomicU64::new(0),
            database_time: AtomicU64::new(0),
        }
    }

    /// What seals the fields of rows.
    pub(crate) const fn fields(&self) -> &FieldCipher {
        &self.fields
    }

    pub(crate) const fn session(&self) -> Session {
        self.session
    }

    /// The database says what time it is, in microseconds. Counters follow it, so that those of
    /// processes that ended long ago are known to be old.
    pub(crate) fn at(&self, database_time: i64) {
        let time = u64::try_from(database_time).unwrap_or(0);
        self.database_time.fetch_max(time, Ordering::Relaxed);
    }

    /// The time of the database when it was last seen, as counters have it.
    pub(crate) fn seen_at(&self) -> u64 {
        self.database_time.load(Ordering::Relaxed)
    }

    /// The text of a message; none where the cipher refuses, which it does for gigabytes only.
    pub(crate) fn seal(&self, channel: &str, mut body: Vec<u8>) -> Option<String> {
        let counter = self.next();
        let generation = self.keys.newest();
        let (name, _) = self
            .names
            .iter()
            .find(|(_, number)| *number == generation)?;
        let key = self.keys.sealing_key(&self.session).ok()?;
        key.seal(counter, channel.as_bytes(), &mut body).ok()?;
        let message = [
            &name[..],
            &self.session[..],
            &counter.to_be_bytes()[..],
            &body[..],
        ];
        Some(URL_SAFE_NO_PAD.encode(message.concat()))
    }

    /// A counter that no message of this process has had; it never goes back.
    fn next(&self) -> u64 {
        let now = self.seen_at();
        let after = |last: u64| last.saturating_add(1).max(now);
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
                Some(after(last))
            });
        after(last.unwrap_or_else(|last| last))
    }

    /// What a text says, if a process with the key ring wrote it for this channel.
    pub(crate) fn open(&self, channel: &str, text: &str) -> Result<SealedMessage, Unsealed> {
        let bytes = URL_SAFE_NO_PAD.decode(text);
        let bytes = bytes.map_err(|_| Unsealed::Forged)?;
        let (header, sealed) = bytes
            .split_at_checked(HEADER_BYTES)
            .ok_or(Unsealed::Forged)?;
        let (name, session, counter) = header_of(header).ok_or(Unsealed::Forged)?;
        let known = self.names.iter().find(|(known, _)| *known == name);
        let (_, generation) = known.ok_or(Unsealed::UnknownKey)?;
        let key = self.keys.opening_key(*generation, &session);
        let key = key.map_err(|_| Unsealed::UnknownKey)?;
        let opened = key.open(counter, channel.as_bytes(), sealed);
        Ok(SealedMessage {
            session,
            counter,
            body: opened.map_err(|_| Unsealed::Forged)?,
        })
    }
}

/// What names a generation. Where the cipher refuses there is none, and nothing is sealed.
fn name(keys: &PurposeKeys, generation: u32) -> Option<KeyName> {
    let key = keys.opening_key(generation, NAME_CONTEXT).ok()?;
    let mut seal = Vec::new();
    key.seal(0, b"", &mut seal).ok()?;
    seal.first_chunk().copied()
}

fn header_of(header: &[u8]) -> Option<(KeyName, Session, u64)> {
    let (name, rest) = header.split_first_chunk()?;
    let (session, rest) = rest.split_first_chunk()?;
    let counter = rest.first_chunk()?;
    Some((*name, *session, u64::from_be_bytes(*counter)))
}

/// Which messages of which processes were accepted (a replay window, as in RFC 4303 §3.4.3).
#[derive(Debug, Default)]
pub(crate) struct ReplayWindow {
    /// Counters of unknown processes are above this.
    floor: u64,
    senders: HashMap<Session, Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    floor: u64,
    newest: BTreeSet<u64>,
}

impl ReplayWindow {
    /// Nothing from before is accepted any more.
    pub(crate) fn since(floor: u64) -> Self {
        Self {
            floor,
            senders: HashMap::new(),
        }
    }

    /// Whether a message comes for the first time; it does so once.
    pub(crate) fn is_new(&mut self, message: &SealedMessage) -> bool {
        if self.senders.len() >= SENDERS_MAX && !self.senders.contains_key(&message.session) {
            self.forget_the_oldest();
        }
        let floor = self.floor;
        let counters = self.senders.entry(message.session).or_default();
        let is_old = message.counter <= floor.max(counters.floor);
        if is_old || !counters.newest.insert(message.counter) {
            return false;
        }
        if counters.newest.len() > COUNTERS_MAX {
            counters.floor = counters.newest.pop_first().unwrap_or(counters.floor);
        }
        true
    }

    /// What is forgotten of a process is below the floor from now on, for all.
    fn forget_the_oldest(&mut self) {
        let newest = |(session, counters): (&Session, &Counters)| {
            (counters.newest.last().copied().unwrap_or(0), *session)
        };
        if let Some((counter, session)) = self.senders.iter().map(newest).min() {
            self.senders.remove(&session);
            self.floor = self.floor.max(counter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANNEL: &str = "manilla_spent";

    fn ring(secret: u8) -> KeyRing {
        KeyRing::generate([secret; 32], "2026-11-22T10:00:00Z")
    }

    fn process(ring: &KeyRing, session: u8) -> MessageSealing {
        MessageSealing::new(ring, [session; 16])
    }

    #[test]
    fn a_message_is_opened_with_the_key_ring_and_reveals_nothing_without_it() {
        let (one, other) = (process(&ring(1), 1), process(&ring(1), 2));
        let text = one.seal(CHANNEL, b"corner-shop".to_vec()).unwrap();
        let opened = other.open(CHANNEL, &text).unwrap();
        assert_eq!(
            (opened.session, &*opened.body),
            ([1; 16], &b"corner-shop"[..])
        );
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        let shows = |bytes: &[u8]| bytes.windows(4).any(|part| part == b"shop");
        assert!(!shows(&bytes) && !shows(text.as_bytes()));

        let stranger = process(&ring(2), 3);
        assert_eq!(stranger.open(CHANNEL, &text), Err(Unsealed::UnknownKey));
        assert_eq!(other.open("manilla_account", &text), Err(Unsealed::Forged));
    }

    #[test]
    fn a_message_that_was_changed_anywhere_is_not_believed() {
        let (one, other) = (process(&ring(1), 1), process(&ring(1), 2));
        let text = one.seal(CHANNEL, b"shop".to_vec()).unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(&text).unwrap();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            let changed = URL_SAFE_NO_PAD.encode(changed);
            let refused = other.open(CHANNEL, &changed).unwrap_err();
            let names_the_key = place < 8;
            assert_eq!(refused == Unsealed::UnknownKey, names_the_key, "{place}");
        }
        for garbled in ["", "x", "shop payments 7", &text[..40], "é"] {
            let refused = other.open(CHANNEL, garbled);
            assert_eq!(refused, Err(Unsealed::Forged), "{garbled}");
        }
    }

    #[test]
    fn an_older_generation_is_opened_and_the_newest_seals() {
        let (old, new) = (ring(1), ring(1).rotated([2; 32], "").unwrap());
        let (before, after) = (process(&old, 1), process(&new, 2));
        let text = before.seal(CHANNEL, vec![7]).unwrap();
        assert_eq!(after.open(CHANNEL, &text).unwrap().body, [7]);
        let text = after.seal(CHANNEL, vec![8]).unwrap();
        assert_eq!(before.open(CHANNEL, &text), Err(Unsealed::UnknownKey));
    }

    #[test]
    fn counters_follow_the_time_of_the_database_and_never_go_back() {
        let one = process(&ring(1), 1);
        let counter = || {
            let text = one.seal(CHANNEL, Vec::new()).unwrap();
            one.open(CHANNEL, &text).unwrap().counter
        };
        assert_eq!([counter(), counter()], [1, 2]);
        one.at(1_000);
        assert_eq!([counter(), counter()], [1_000, 1_001]);
        one.at(500);
        assert_eq!(counter(), 1_002);
    }

    fn message(session: u8, counter: u64) -> SealedMessage {
        SealedMessage {
            session: [session; 16],
            counter,
            body: Vec::new(),
        }
    }

    #[test]
    fn a_message_is_let_in_once_also_after_a_later_one() {
        let mut window = ReplayWindow::since(10);
        assert!(!window.is_new(&message(1, 10)), "from before");
        for counter in [11, 13, 12] {
            assert!(window.is_new(&message(1, counter)), "{counter}");
            assert!(!window.is_new(&message(1, counter)), "{counter} again");
        }
        assert!(window.is_new(&message(2, 11)), "of another process");
        for counter in 100..200 {
            assert!(window.is_new(&message(1, counter)));
        }
        assert!(!window.is_new(&message(1, 11)), "also when it is forgotten");
        assert!(!window.is_new(&message(1, 50)), "too late");
    }

    #[test]
    fn what_is_forgotten_of_a_process_is_not_let_in_again() {
        let mut window = ReplayWindow::default();
        let of = |number: usize| SealedMessage {
            session: (number as u128).to_be_bytes(),
            counter: number as u64 + 1,
            body: Vec::new(),
        };
        for number in 0..=SENDERS_MAX {
            assert!(window.is_new(&of(number)));
        }
        assert_eq!(window.senders.len(), SENDERS_MAX);
        assert!(!window.is_new(&of(0)));
    }
}
