//! All changes the provider reports unasked, in the order they are due. The place of a change must
//! not move once the change was reported: cursors count places.

use super::entry::SandboxEntry;
use crate::change::changes;
use domain::time::Timestamp;

/// Bits of a place that count the changes of one entry: a message has 255 parts at most, and each
/// of them is reported four times at most.
const NTH_BITS: u32 = 10;

/// Where a change is found: the entry's place in the file, and which of its changes it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SequencePosition {
    pub(super) offset: u64,
    pub(super) nth: usize,
}

/// One change, in 16 bytes: journals of messages have many. The order of the fields is that of the
/// sequence: by when it is due, and by the order of the journal among those due at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    due: Timestamp,
    place: u64,
}

/// The sequence. An entry's changes are due at the moment it is recorded at the earliest, and the
/// provider's time never goes back. So a new change comes after every change that was due, and
/// could be reported, before: it is inserted among those not due yet, and no reported place moves.
///
/// After the machine's clock was set back, another process may record changes as due before the
/// latest time seen here. They are reported as if they were due at that time, and not skipped.
#[derive(Debug)]
pub(super) struct Sequence {
    slots: Vec<Slot>,
    /// The latest moment anything was asked for as of.
    asked: Timestamp,
}

impl Default for Sequence {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            asked: Timestamp::from_millis(i64::MIN),
        }
    }
}

impl Sequence {
    /// Takes the changes of an entry in.
    pub(super) fn insert(&mut self, entry: &SandboxEntry, offset: u64) {
        for mut slot in slots(entry, offset) {
            slot.due = slot.due.max(self.asked);
            let index = self.slots.partition_point(|other| *other < slot);
            self.slots.insert(index, slot);
        }
    }

    /// Takes the changes of an entry in without their order; [`Self::sort`] must follow.
    pub(super) fn push(&mut self, entry: &SandboxEntry, offset: u64) {
        self.slots.extend(slots(entry, offset));
    }

    /// Puts what was pushed in order: once for a whole journal, not once for each entry.
    pub(super) fn sort(&mut self) {
        self.slots.sort_unstable();
    }

    /// The slots of the changes that are due, after the first `reported`, at most `limit`.
    pub(super) fn due(
        &mut self,
        reported: usize,
        (limit, now): (usize, Timestamp),
    ) -> Vec<SequencePosition> {
        self.asked = self.asked.max(now);
        let unreported = self.slots.get(reported..).unwrap_or_default().iter();
        let due = unreported.take_while(|slot| slot.due <= now).take(limit);
        due.map(|slot| SequencePosition {
            offset: slot.place >> NTH_BITS,
            nth: usize::try_from(slot.place & ((1 << NTH_BITS) - 1)).unwrap_or(usize::MAX),
        })
        .collect()
    }
}

fn slots(entry: &SandboxEntry, offset: u64) -> impl Iterator<Item = Slot> {
    let changes = changes(entry).into_iter().zip(0_u64..1 << NTH_BITS);
    changes.map(move |((due, _), nth)| Slot {
        due,
        place: (offset << NTH_BITS) | nth,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::airtime::AirtimeProduct;
    use crate::draw::Draw;
    use crate::journal::EntryOutcome;
    use crate::product::SandboxProduct;
    use crate::sms::MessageProduct;
    use domain::money::{Currency, Money};
    use domain::phone::PhoneNumber;
    use domain::reference::ProviderReference;
    use std::time::Duration;

    const ALL: usize = usize::MAX;
    const THE_END: Timestamp = Timestamp::from_millis(i64::MAX);

    fn entry(n: u64, at: Timestamp, later: Duration) -> SandboxEntry {
        let amount = Money::from_minor(100, Currency::Ngn);
        let number = PhoneNumber::parse("2348035554567").unwrap();
        let (product, outcome) = if n.is_multiple_of(3) {
            let due = at.plus(later);
            (
                SandboxProduct::Airtime(AirtimeProduct { number }),
                EntryOutcome::Reversed { due },
            )
        } else {
            (
                SandboxProduct::Sms(MessageProduct {
                    number,
                    parts: 2,
                    replied: None,
                }),
                EntryOutcome::Delivered,
            )
        };
        SandboxEntry {
            reference: ProviderReference::from_echo(format!("a.{n}.1")),
            product,
            ordered: amount,
            amount,
            at,
            outcome,
            seed: 1,
            later,
        }
    }

    #[test]
    fn a_reported_place_never_moves_and_the_file_gives_the_same_sequence() {
        let draw = Draw::new(1, &["sequence"]);
        let (mut sequence, mut reported) = (Sequence::default(), Vec::new());
        let (mut now_ms, mut entries) = (0, Vec::new());
        for n in 0..400 {
            // Several at one moment, and often due at that same moment.
            now_ms += draw.below(&format!("pause {n}"), 3);
            let now = Timestamp::from_millis(now_ms.cast_signed());
            let later_ms = draw.below(&format!("later {n}"), 40).saturating_sub(10);
            let entry = entry(n, now, Duration::from_millis(later_ms));
            sequence.insert(&entry, n * 100);
            entries.push(entry);
            if draw.one_in(&format!("reads {n}"), 2) {
                let limit = usize::try_from(draw.between(&format!("most {n}"), (1, 5))).unwrap();
                reported.extend(sequence.due(reported.len(), (limit, now)));
            }
            let so_far = sequence.due(0, (reported.len(), now));
            assert_eq!(so_far, reported, "after entry {n}");
        }
        reported.extend(sequence.due(reported.len(), (ALL, THE_END)));
        assert_eq!(reported, sequence.due(0, (ALL, THE_END)));
        let there: usize = entries.iter().map(|entry| changes(entry).len()).sum();
        assert_eq!(reported.len(), there);

        let mut read = Sequence::default();
        for (n, entry) in (0..).zip(&entries) {
            read.push(entry, n * 100);
        }
        read.sort();
        assert_eq!(read.due(0, (ALL, THE_END)), reported);
    }

    #[test]
    fn nothing_is_reported_before_it_is_due() {
        let mut sequence = Sequence::default();
        let at = Timestamp::from_millis;
        sequence.insert(&entry(0, at(0), Duration::from_millis(100)), 7);
        // Recorded later and due earlier: it does not wait for the other.
        sequence.insert(&entry(3, at(10), Duration::from_millis(20)), 8);
        let mut offsets = |now| {
            let due = sequence.due(0, (ALL, at(now)));
            due.iter().map(|place| place.offset).collect::<Vec<_>>()
        };
        assert_eq!(offsets(29), []);
        assert_eq!(offsets(30), [8]);
        assert_eq!(offsets(99), [8]);
        assert_eq!(offsets(100), [8, 7]);
    }

    #[test]
    fn what_another_recorded_by_a_clock_that_was_set_back_is_reported_once_like_the_rest() {
        let at = Timestamp::from_millis;
        let (mut sequence, later) = (Sequence::default(), Duration::from_millis(10));
        sequence.insert(&entry(0, at(0), later), 1);
        sequence.insert(&entry(3, at(990), later), 2);
        sequence.insert(&entry(6, at(991), later), 3);
        let mut reported = sequence.due(0, (2, at(1_000)));
        sequence.insert(&entry(9, at(500), later), 4);
        reported.extend(sequence.due(reported.len(), (ALL, at(1_000))));
        reported.extend(sequence.due(reported.len(), (ALL, THE_END)));
        let offsets: Vec<_> = reported.iter().map(|place| place.offset).collect();
        assert_eq!(offsets, [1, 2, 4, 3]);
    }

    #[test]
    fn the_longest_message_has_room_for_all_its_reports() {
        let mut entry = entry(1, Timestamp::from_millis(0), Duration::from_secs(5));
        let number = PhoneNumber::parse("2348035550016").unwrap();
        let parts = u8::MAX;
        entry.product = SandboxProduct::Sms(MessageProduct {
            number,
            parts,
            replied: None,
        });
        let mut sequence = Sequence::default();
        sequence.insert(&entry, 1);
        let reported = sequence.due(0, (ALL, THE_END));
        assert_eq!(reported.len(), changes(&entry).len());
        assert!(reported.iter().all(|place| place.offset == 1));
    }
}
