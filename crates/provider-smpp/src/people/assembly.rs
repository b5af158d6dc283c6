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

/// Most of these of one number, which must not take the places of others: far more than a person
/// has on the way at a time.
const MESSAGES_OF_NUMBER_MAX: usize = 16;

/// Most octets of parts.
const OCTETS_MAX: usize = 1024 * 1024;

/// Most of these of one number: as many messages of it as may be kept, each as long as is taken,
/// in UCS-2.
const OCTETS_OF_NUMBER_MAX: usize = MESSAGES_OF_NUMBER_MAX * 4_096 * 2;

/// How long parts are kept after the last one came: an SMSC repeats sooner.
const KEPT: Duration = Duration::from_hours(1);

/// How long after its first part a message is recorded without those that did not come.
pub(crate) const INCOMPLETE_AFTER: Duration = Duration::from_mins(10);

/// A part as it comes.
pub(crate) struct PartArrival<'a> {
    /// Stands for who wrote it.
    pub(crate) number: Fingerprint,
    /// The fingerprint of its message.
    pub(crate) print: &'a Fingerprint,
    pub(crate) segment: PartPlace,
    pub(crate) said: Octets,
    /// The fingerprint of its own words.
    pub(crate) part: Fingerprint,
}

/// What came of a part, and whether it replaced a message of other words under its reference.
#[derive(Debug)]
pub(crate) struct Addition {
    pub(crate) added: Added,
    pub(crate) has_replaced: bool,
}

/// A message that waited for too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OverdueMessage {
    pub(crate) text: String,
    /// That of the message if it is whole, else one by the parts that it has: what comes later must
    /// not be taken for a part of it.
    pub(crate) print: Fingerprint,
}

/// What came of adding a part.
#[derive(Debug)]
pub(crate) enum Added {
    /// The text of the message: it is to be recorded now.
    Whole(String),
    /// Others are missing. What becomes of the message is said here.
    Waits(watch::Receiver<Option<MessageResult>>),
    /// Its message is recorded already.
    Recorded,
    /// There is no room for it now, or its message is just being recorded without it.
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
    number: Fingerprint,
    print: Fingerprint,
    total: u8,
    parts: BTreeMap<u8, Part>,
    stage: Stage,
    began: Duration,
    touched: Duration,
    result: watch::Sender<Option<MessageResult>>,
}

impl Group {
    fn new(arrival: &PartArrival<'_>, uptime: Duration) -> Self {
        Self {
            number: arrival.number.clone(),
            print: arrival.print.clone(),
            total: arrival.segment.total,
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

    fn is_whole(&self) -> bool {
        self.parts.len() == usize::from(self.total)
    }

    /// Whether this is the only part that is missing.
    fn is_completed_by(&self, index: u8) -> bool {
        let with_it = self.parts.len().saturating_add(1);
        !self.parts.contains_key(&index) && with_it == usize::from(self.total)
    }

    fn text(&self) -> String {
        let parts = (1..=self.total).map(|index| self.parts.get(&index));
        joined(parts.map(|part| part.map(|it| &it.said)))
    }

    /// The fingerprint of what is there.
    fn print_of_parts(&self) -> Fingerprint {
        if self.is_whole() {
            return self.print.clone();
        }
        let parts = self.parts.iter().map(|(index, part)| (*index, &part.print));
        self.print.of_incomplete(parts)
    }

    /// Whether a part does not belong to the message: it is of another under the same reference.
    /// What is being recorded keeps its place until that has ended.
    fn is_other(&self, index: u8, print: &Fingerprint) -> bool {
        match (self.stage, self.parts.get(&index)) {
            (Stage::Gathering | Stage::Recorded, Some(known)) if known.print != *print => true,
            (Stage::Recorded, Some(known)) => !known.may_be_repeated(),
            (Stage::Recorded, None) => true,
            (Stage::Gathering | Stage::Recording, _) => false,
        }
    }

    /// What comes of a part where none can be added any more.
    fn closed_to(&self, index: u8, print: &Fingerprint) -> Option<Added> {
        let has_it = self.parts.get(&index).is_some_and(|it| it.print == *print);
        match self.stage {
            Stage::Gathering => None,
            Stage::Recording if has_it => Some(Added::Waits(self.result.subscribe())),
            Stage::Recording => Some(Added::Full),
            Stage::Recorded => Some(Added::Recorded),
        }
    }
}

/// The messages of which parts came.
#[derive(Debug, Default)]
pub(crate) struct Assembly(Mutex<Vec<Group>>);

impl Assembly {
    /// Adds a part to its message.
    pub(crate) fn add(&self, arrival: PartArrival<'_>, uptime: Duration) -> Addition {
        let mut groups = self.groups();
        groups.retain(|group| uptime.saturating_sub(group.touched) < KEPT);
        let before = groups.len();
        let (print, index) = (arrival.print, arrival.segment.index);
        groups.retain(|group| group.print != *print || !group.is_other(index, &arrival.part));
        Addition {
            has_replaced: groups.len() < before,
            added: added(&mut groups, arrival, uptime),
        }
    }

    /// A message that has waited for its other parts for long enough, with a mark in the place of
    /// each: it is to be recorded now.
    pub(crate) fn overdue(&self, print: &Fingerprint, uptime: Duration) -> Option<OverdueMessage> {
        let mut groups = self.groups();
        let group = groups.iter_mut().find(|group| group.print == *print)?;
        let is_overdue = group.stage == Stage::Gathering
            && uptime.saturating_sub(group.began) >= INCOMPLETE_AFTER;
        if !is_overdue {
            return None;
        }
        group.stage = Stage::Recording;
        Some(OverdueMessage {
            text: group.text(),
            print: group.print_of_parts(),
        })
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

fn added(groups: &mut Vec<Group>, arrival: PartArrival<'_>, uptime: Duration) -> Added {
    let (print, index) = (arrival.print, arrival.segment.index);
    if let Some(group) = groups.iter_mut().find(|group| group.print == *print)
        && let Some(added) = group.closed_to(index, &arrival.part)
    {
        group.touched = uptime;
        return added;
    }
    if !has_octets(groups, &arrival) || !has_place(groups, &arrival) {
        return Added::Full;
    }
    let place = groups.iter().position(|group| group.print == *print);
    let place = place.unwrap_or_else(|| {
        groups.push(Group::new(&arrival, uptime));
        groups.len().saturating_sub(1)
    });
    let Some(group) = groups.get_mut(place) else {
        return Added::Full;
    };
    group.touched = uptime;
    group.parts.entry(index).or_insert(Part {
        said: arrival.said,
        print: arrival.part,
        answered: None,
    });
    // What became of an earlier attempt to record it says nothing of the next.
    group.result.send_replace(None);
    if group.is_whole() {
        group.stage = Stage::Recording;
        return Added::Whole(group.text());
    }
    Added::Waits(group.result.subscribe())
}

/// Whether the message of a part may be kept. What is recorded gives way, the oldest first: of the
/// same number where that one has too many, else of any.
fn has_place(groups: &mut Vec<Group>, arrival: &PartArrival<'_>) -> bool {
    if groups.iter().any(|group| group.print == *arrival.print) {
        return true;
    }
    let is_own = |group: &Group| group.number == arrival.number;
    let own = groups.iter().filter(|group| is_own(group)).count();
    if own >= MESSAGES_OF_NUMBER_MAX {
        return gives_way(groups, is_own);
    }
    groups.len() < MESSAGES_MAX || gives_way(groups, |_| true)
}

/// Drops the oldest that is recorded of some messages, if there is one.
fn gives_way(groups: &mut Vec<Group>, is_one: impl Fn(&Group) -> bool) -> bool {
    let recorded = groups.iter().enumerate();
    let recorded = recorded.filter(|(_, group)| group.stage == Stage::Recorded && is_one(group));
    let oldest = recorded.min_by_key(|(_, group)| group.touched);
    let Some((oldest, _)) = oldest else {
        return false;
    };
    groups.remove(oldest);
    true
}

/// Whether the octets of a part may be kept. With the last part of a message they are kept only
/// until it is recorded.
fn has_octets(groups: &[Group], arrival: &PartArrival<'_>) -> bool {
    let (index, more) = (arrival.segment.index, arrival.said.octets.len());
    let group = groups.iter().find(|group| group.print == *arrival.print);
    let adds_none = |group: &Group| group.parts.contains_key(&index);
    if group.is_some_and(|it| adds_none(it) || it.is_completed_by(index)) {
        return true;
    }
    let of_all = groups.iter().map(Group::octets);
    let of_all = of_all.fold(more, usize::saturating_add);
    let own = groups.iter().filter(|group| group.number == arrival.number);
    let of_number = own.map(Group::octets).fold(more, usize::saturating_add);
    of_all <= OCTETS_MAX && of_number <= OCTETS_OF_NUMBER_MAX
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

    fn part<'a>(message: &'a Fingerprint, (total, index): (u8, u8), said: &str) -> PartArrival<'a> {
        PartArrival {
            number: print("number"),
            print: message,
            segment: PartPlace {
                form: ReferencePlace::Short,
                reference: 1,
                total,
                index,
            },
            said: Octets {
                alphabet: Alphabet::Latin1,
                octets: said.as_bytes().to_vec(),
            },
            part: print(said),
        }
    }

    fn add(assembly: &Assembly, message: &str, place: (u8, u8), said: &str) -> Added {
        let message = print(message);
        let part = part(&message, place, said);
        assembly.add(part, Duration::ZERO).added
    }

    /// The same of a number.
    fn add_of(assembly: &Assembly, number: &str, message: &str, said: &str) -> Added {
        let message = print(message);
        let part = PartArrival {
            number: print(number),
            ..part(&message, (2, 1), said)
        };
        assembly.add(part, Duration::ZERO).added
    }

    fn full(added: &Added) {
        assert!(matches!(added, Added::Full), "{added:?}");
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
        let overdue = assembly.overdue(&print("a"), INCOMPLETE_AFTER).unwrap();
        assert_eq!(overdue.text, "…middle…");
        assert_ne!(overdue.print, print("a"));
        // One part has it recorded.
        assert_eq!(assembly.overdue(&print("a"), INCOMPLETE_AFTER), None);
        assembly.finish(&print("a"), MessageResult::Taken);
        assert_eq!(assembly.overdue(&print("a"), INCOMPLETE_AFTER), None);
    }

    /// A wait for the others would acknowledge a part whose words are in no record.
    #[test]
    fn a_part_that_comes_while_the_others_are_recorded_is_put_off() {
        let assembly = Assembly::default();
        waits(add(&assembly, "a", (3, 1), "one"));
        assert!(assembly.overdue(&print("a"), INCOMPLETE_AFTER).is_some());
        full(&add(&assembly, "a", (3, 2), "two"));
        // Nor do other words end what is being recorded.
        full(&add(&assembly, "a", (3, 1), "uno"));
        let first = waits(add(&assembly, "a", (3, 1), "one"));
        assembly.finish(&print("a"), MessageResult::Taken);
        assert_eq!(*first.borrow(), Some(MessageResult::Taken));
        let message = print("a");
        let addition = assembly.add(part(&message, (3, 2), "two"), Duration::ZERO);
        assert!(addition.has_replaced);
        waits(addition.added);
    }

    #[test]
    fn what_is_overdue_and_whole_is_called_as_the_whole() {
        let assembly = Assembly::default();
        waits(add(&assembly, "a", (2, 1), "one"));
        text(add(&assembly, "a", (2, 2), "two"));
        assembly.finish(&print("a"), MessageResult::Failed);
        let overdue = assembly.overdue(&print("a"), INCOMPLETE_AFTER).unwrap();
        assert_eq!(
            (overdue.text, overdue.print),
            ("onetwo".to_owned(), print("a"))
        );
    }

    #[test]
    fn what_is_kept_has_an_end_and_what_is_recorded_gives_way() {
        let assembly = Assembly::default();
        for n in 0..MESSAGES_MAX {
            let (number, message) = (format!("number {n}"), format!("message {n}"));
            waits(add_of(&assembly, &number, &message, "one"));
        }
        full(&add_of(&assembly, "number", "more", "one"));
        // Those that are there are completed all the same.
        text(add(&assembly, "message 7", (2, 2), "two"));
        assembly.finish(&print("message 7"), MessageResult::Taken);
        waits(add_of(&assembly, "number", "more", "one"));
        full(&add_of(&assembly, "number", "even more", "one"));
    }

    #[test]
    fn one_number_takes_no_more_than_its_places() {
        let assembly = Assembly::default();
        waits(add_of(&assembly, "other", "of another", "one"));
        text(add(&assembly, "of another", (2, 2), "two"));
        assembly.finish(&print("of another"), MessageResult::Taken);
        for n in 0..MESSAGES_OF_NUMBER_MAX {
            waits(add_of(&assembly, "one", &format!("message {n}"), "one"));
        }
        full(&add_of(&assembly, "one", "more", "one"));
        waits(add_of(&assembly, "other", "another", "one"));
        text(add(&assembly, "message 7", (2, 2), "two"));
        assembly.finish(&print("message 7"), MessageResult::Taken);
        waits(add_of(&assembly, "one", "more", "one"));
        full(&add_of(&assembly, "one", "even more", "one"));
        // What is recorded of another did not give way.
        assert_eq!(assembly.groups().len(), MESSAGES_OF_NUMBER_MAX + 2);
    }

    #[test]
    fn octets_have_an_end_for_a_number_and_for_all() {
        let assembly = Assembly::default();
        let long = "a".repeat(OCTETS_OF_NUMBER_MAX);
        let numbers = OCTETS_MAX / OCTETS_OF_NUMBER_MAX;
        waits(add_of(&assembly, "0", "0", &long));
        full(&add_of(&assembly, "0", "more", "one"));
        for n in 1..numbers {
            let n = n.to_string();
            waits(add_of(&assembly, &n, &n, &long));
        }
        full(&add_of(&assembly, "other", "more", "one"));
        // Its octets are there already.
        waits(add_of(&assembly, "0", "0", &long));
        text(add(&assembly, "0", (2, 2), &long));
        assembly.finish(&print("0"), MessageResult::Taken);
        waits(add_of(&assembly, "other", "more", "one"));
    }

    #[test]
    fn what_is_old_is_forgotten() {
        let assembly = Assembly::default();
        waits(add(&assembly, "a", (2, 1), "one"));
        waits(add(&assembly, "b", (2, 1), "one"));
        assembly.forget(&print("a"));
        assert_eq!(assembly.groups().len(), 1);
        let message = print("c");
        let addition = assembly.add(part(&message, (2, 1), "one"), KEPT);
        assert!(!addition.has_replaced);
        assert_eq!(assembly.groups().len(), 1);
    }
}
