//! Parts of messages until all of them are there. They are in memory alone, so a part must not be
//! acknowledged before the message that it belongs to is recorded; and what is kept has an end.

use super::identity::Fingerprint;
use super::segment::PartPlace;
use super::text::{Octets, joined};
use ports::receipts::MessageResult;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Most messages of which parts are kept, those that are recorded included.
const MESSAGES_MAX: usize = 1_000;

/// Most octets of parts.
const OCTETS_MAX: usize = 1024 * 1024;

/// How long parts are kept after the last one came: an SMSC repeats sooner.
const KEPT: Duration = Duration::from_hours(1);

/// How long after its first part a message is recorded without those that did not come.
pub(crate) const INCOMPLETE_AFTER: Duration = Duration::from_mins(10);

/// What came of adding a part.
#[derive(Debug)]
pub(crate) enum Added {
    /// The text of the message: it is to be recorded now.
    Whole(String),
    /// Others are missing. What becomes of the message is said here.
    Waits(watch::Receiver<Option<MessageResult>>),
    /// Its message is recorded already.
    Recorded,
    /// There is no room for another.
    Full,
}

/// A part that came.
#[derive(Debug)]
struct Part {
    said: Octets,
    /// Stands for the octets once they are no longer kept.
    print: Fingerprint,
    /// The session of its answer.
    answered: Option<CancellationToken>,
}

impl Part {
    /// Whether the SMSC may not have the answer.
    fn may_be_repeated(&self) -> bool {
        let answered = self.answered.as_ref();
        answered.is_none_or(CancellationToken::is_cancelled)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Gathering,
    /// One of its parts has it recorded.
    Recording,
    Recorded,
}

#[derive(Debug)]
struct Group {
    print: Fingerprint,
    total: u8,
    parts: BTreeMap<u8, Part>,
    stage: Stage,
    began: Duration,
    touched: Duration,
    result: watch::Sender<Option<MessageResult>>,
}

impl Group {
    fn new(print: Fingerprint, total: u8, uptime: Duration) -> Self {
        Self {
            print,
            total,
            parts: BTreeMap::new(),
            stage: Stage::Gathering,
            began: uptime,
            touched: uptime,
            result: watch::channel(None).0,
        }
    }

    fn octets(&self) -> usize {
        let octets = self.parts.values().map(|part| part.said.octets.len());
        octets.fold(0, usize::saturating_add)
    }

    fn text(&self) -> String {
        let parts = (1..=self.total).map(|index| self.parts.get(&index));
        joined(parts.map(|part| part.map(|it| &it.said)))
    }

    /// Whether a part does not belong to the message: it is of another under the same reference.
    fn is_other(&self, index: u8, print: &Fingerprint) -> bool {
        match (self.stage, self.parts.get(&index)) {
            (_, Some(known)) if known.print != *print => true,
            (Stage::Recorded, Some(known)) => !known.may_be_repeated(),
            (Stage::Recorded, None) => true,
            (Stage::Gathering | Stage::Recording, _) => false,
        }
    }
}

/// The messages of which parts came.
#[derive(Debug, Default)]
pub(crate) struct Assembly(Mutex<Vec<Group>>);

impl Assembly {
    /// Adds a part to the message with this fingerprint; `part` is that of its own words.
    pub(crate) fn add(
        &self,
        (print, segment): (&Fingerprint, PartPlace),
        (said, part): (Octets, Fingerprint),
        uptime: Duration,
    ) -> Added {
        let mut groups = self.groups();
        groups.retain(|group| uptime.saturating_sub(group.touched) < KEPT);
        let index = segment.index;
        groups.retain(|group| group.print != *print || !group.is_other(index, &part));
        if !has_room(&mut groups, print, said.octets.len()) {
            return Added::Full;
        }
        let place = groups.iter().position(|group| group.print == *print);
        let place = place.unwrap_or_else(|| {
            groups.push(Group::new(print.clone(), segment.total, uptime));
            groups.len().saturating_sub(1)
        });
        let Some(group) = groups.get_mut(place) else {
            return Added::Full;
        };
        group.touched = uptime;
        match group.stage {
            Stage::Gathering => {}
            Stage::Recording => return Added::Waits(group.result.subscribe()),
            Stage::Recorded => return Added::Recorded,
        }
        group.parts.entry(index).or_insert(Part {
            said,
            print: part,
            answered: None,
        });
        // What became of an earlier attempt to record it says nothing of the next.
        group.result.send_replace(None);
        if group.parts.len() == usize::from(group.total) {
            group.stage = Stage::Recording;
            return Added::Whole(group.text());
        }
        Added::Waits(group.result.subscribe())
    }

    /// The text of a message that has waited for its other parts for long enough, with a mark in
    /// the place of each: it is to be recorded now.
    pub(crate) fn overdue(&self, print: &Fingerprint, uptime: Duration) -> Option<String> {
        let mut groups = self.groups();
        let group = groups.iter_mut().find(|group| group.print == *print)?;
        let is_overdue = group.stage == Stage::Gathering
            && uptime.saturating_sub(group.began) >= INCOMPLETE_AFTER;
        if !is_overdue {
            return None;
        }
        group.stage = Stage::Recording;
        Some(group.text())
    }

    /// Says what became of a message to the parts that wait.
    pub(crate) fn finish(&self, print: &Fingerprint, result: MessageResult) {
        let mut groups = self.groups();
        let Some(group) = groups.iter_mut().find(|group| group.print == *print) else {
            return;
        };
        match result {
            MessageResult::Taken => {
                group.stage = Stage::Recorded;
                for part in group.parts.values_mut() {
                    part.said.octets = Vec::new();
                }
            }
            MessageResult::Failed => group.stage = Stage::Gathering,
        }
        group.result.send_replace(Some(result));
    }

    /// Notes in which session a part was acknowledged.
    pub(crate) fn answered(&self, print: &Fingerprint, index: u8, ended: &CancellationToken) {
        let mut groups = self.groups();
        let group = groups.iter_mut().find(|group| group.print == *print);
        if let Some(part) = group.and_then(|group| group.parts.get_mut(&index)) {
            part.answered = Some(ended.clone());
        }
    }

    /// Forgets a message whose parts are not to be joined here.
    pub(crate) fn forget(&self, print: &Fingerprint) {
        self.groups().retain(|group| group.print != *print);
    }

    fn groups(&self) -> MutexGuard<'_, Vec<Group>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a part may be kept. What is recorded gives way, the oldest first.
fn has_room(groups: &mut Vec<Group>, print: &Fingerprint, more: usize) -> bool {
    let octets = groups.iter().map(Group::octets);
    let octets = octets.fold(more, usize::saturating_add);
    if octets > OCTETS_MAX {
        return false;
    }
    if groups.len() < MESSAGES_MAX || groups.iter().any(|group| group.print == *print) {
        return true;
    }
    let recorded = groups.iter().enumerate();
    let recorded = recorded.filter(|(_, group)| group.stage == Stage::Recorded);
    let oldest = recorded.min_by_key(|(_, group)| group.touched);
    let Some((oldest, _)) = oldest else {
        return false;
    };
    groups.remove(oldest);
    true
}

#[cfg(test)]
mod tests {
    use super::super::segment::ReferencePlace;
    use super::super::text::Alphabet;
    use super::*;
    use ports::adapter::AccountSecret;

    fn print(text: &str) -> Fingerprint {
        Fingerprint::of(&AccountSecret::new("s3cret".to_owned()), &[text])
    }

    fn add(assembly: &Assembly, message: &str, (total, index): (u8, u8), said: &str) -> Added {
        let segment = PartPlace {
            form: ReferencePlace::Short,
            reference: 1,
            total,
            index,
        };
        let octets = Octets {
            alphabet: Alphabet::Latin1,
            octets: said.as_bytes().to_vec(),
        };
        let said = (octets, print(said));
        assembly.add((&print(message), segment), said, Duration::ZERO)
    }

    fn text(added: Added) -> String {
        let Added::Whole(text) = added else {
            panic!("{added:?}");
        };
        text
    }

    fn waits(added: Added) -> watch::Receiver<Option<MessageResult>> {
        let Added::Waits(result) = added else {
            panic!("{added:?}");
        };
        result
    }

    #[test]
    fn parts_are_joined_in_their_order_whichever_comes_first() {
        let assembly = Assembly::default();
        let last = waits(add(&assembly, "a", (3, 3), "!"));
        waits(add(&assembly, "a", (3, 1), "Hello "));
        // Once more, and one of another message.
        waits(add(&assembly, "a", (3, 1), "Hello "));
        waits(add(&assembly, "b", (2, 2), "else"));
        assert_eq!(text(add(&assembly, "a", (3, 2), "there")), "Hello there!");
        assert_eq!(*last.borrow(), None);
        // Another one has it recorded meanwhile.
        waits(add(&assembly, "a", (3, 2), "there"));
        // Not recorded: any part has it tried again.
        assembly.finish(&print("a"), MessageResult::Failed);
        assert_eq!(*last.borrow(), Some(MessageResult::Failed));
        assert_eq!(text(add(&assembly, "a", (3, 1), "Hello ")), "Hello there!");
        assembly.finish(&print("a"), MessageResult::Taken);
        assert_eq!(*last.borrow(), Some(MessageResult::Taken));
    }

    #[test]
    fn a_part_of_what_is_recorded_is_a_repetition_until_it_was_answered() {
        let (assembly, session) = (Assembly::default(), CancellationToken::new());
        waits(add(&assembly, "a", (2, 1), "one"));
        text(add(&assembly, "a", (2, 2), "two"));
        assembly.finish(&print("a"), MessageResult::Taken);
        let repeated = add(&assembly, "a", (2, 1), "one");
        assert!(matches!(repeated, Added::Recorded), "{repeated:?}");
        assembly.answered(&print("a"), 1, &session);
        session.cancel();
        let repeated = add(&assembly, "a", (2, 1), "one");
        assert!(matches!(repeated, Added::Recorded), "{repeated:?}");
        // Answered in a session that goes on: another message under the same reference.
        assembly.answered(&print("a"), 1, &CancellationToken::new());
        waits(add(&assembly, "a", (2, 1), "one"));
    }

    #[test]
    fn other_words_in_the_place_of_a_part_are_of_another_message() {
        let assembly = Assembly::default();
        let waiting = waits(add(&assembly, "a", (2, 1), "one"));
        waits(add(&assembly, "a", (2, 1), "uno"));
        assert!(waiting.has_changed().is_err(), "it waits in vain");
        assert_eq!(text(add(&assembly, "a", (2, 2), " due")), "uno due");
    }

    #[test]
    fn what_waited_for_long_is_taken_with_a_mark_for_what_is_missing() {
        let assembly = Assembly::default();
        waits(add(&assembly, "a", (3, 2), "middle"));
        let soon = INCOMPLETE_AFTER.saturating_sub(Duration::from_secs(1));
        assert_eq!(assembly.overdue(&print("a"), soon), None);
        let text = assembly.overdue(&print("a"), INCOMPLETE_AFTER);
        assert_eq!(text.as_deref(), Some("…middle…"));
        // One part has it recorded.
        assert_eq!(assembly.overdue(&print("a"), INCOMPLETE_AFTER), None);
        assembly.finish(&print("a"), MessageResult::Taken);
        assert_eq!(assembly.overdue(&print("a"), INCOMPLETE_AFTER), None);
    }

    #[test]
    fn what_is_kept_has_an_end_and_what_is_recorded_gives_way() {
        let assembly = Assembly::default();
        for n in 0..MESSAGES_MAX {
            waits(add(&assembly, &format!("message {n}"), (2, 1), "one"));
        }
        let more = add(&assembly, "more", (2, 1), "one");
        assert!(matches!(more, Added::Full), "{more:?}");
        // Those that are there are completed all the same.
        text(add(&assembly, "message 7", (2, 2), "two"));
        assembly.finish(&print("message 7"), MessageResult::Taken);
        waits(add(&assembly, "more", (2, 1), "one"));
        let more = add(&assembly, "even more", (2, 1), "one");
        assert!(matches!(more, Added::Full), "{more:?}");
    }

    #[test]
    fn octets_have_an_end_and_what_is_old_is_forgotten() {
        let assembly = Assembly::default();
        let long = "a".repeat(OCTETS_MAX / 2);
        waits(add(&assembly, "a", (2, 1), &long));
        waits(add(&assembly, "b", (2, 1), &long));
        let more = add(&assembly, "c", (2, 1), "one");
        assert!(matches!(more, Added::Full), "{more:?}");
        assembly.forget(&print("a"));
        waits(add(&assembly, "c", (2, 1), "one"));
        let segment = PartPlace {
            form: ReferencePlace::Short,
            reference: 1,
            total: 2,
            index: 1,
        };
        let said = Octets {
            alphabet: Alphabet::Latin1,
            octets: Vec::new(),
        };
        assembly.add((&print("d"), segment), (said, print("d")), KEPT);
        assert_eq!(assembly.groups().len(), 1);
    }
}
