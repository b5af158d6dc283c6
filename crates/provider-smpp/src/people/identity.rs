//! What messages of people are called here, for an SMSC names none. A message that the SMSC repeats
//! must be called as before, and the same words that a person sends again must not, as far as one
//! can be known from the other.

use domain::messaging::ProviderMessageId;
use domain::time::Timestamp;
use outbound_http::reference::hash_base32;
use ports::adapter::AccountSecret;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a window is in which the same words are one message where it is not known whether the
/// SMSC repeats them: longer than it takes to start again and to bind.
pub(crate) const WORDS_WINDOW: Duration = Duration::from_mins(5);

/// The same for messages of several parts, which have a reference besides.
pub(crate) const PARTS_WINDOW: Duration = Duration::from_hours(1);

/// How long a message may be being recorded until the same words are taken for a repetition: an
/// SMSC repeats in a session only what was not answered for longer than this.
const RECORDING: Duration = Duration::from_secs(5);

/// After how long an answer may have come too late for the SMSC, which then repeats in the same
/// session: half of what SMSCs usually wait.
const LATE_AFTER: Duration = Duration::from_secs(5);

/// Whether the SMSC may have given up waiting for the answer to what came at a moment.
pub(crate) fn is_late(came: Duration, uptime: Duration) -> bool {
    uptime.saturating_sub(came) > LATE_AFTER
}

/// How long messages are remembered: two of the longest windows.
const KEPT: Duration = Duration::from_hours(2);

/// Of how many different messages that is. Beyond them the oldest is as if it had come before a
/// start.
const KEPT_MAX: usize = 50_000;

/// How many of the same words are remembered each by itself.
const SAME_MAX: usize = 16;

/// What a message has in common with its repetitions, under a secret: it stands in the clear in the
/// store, and words that are easily guessed must not be found by it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(String);

impl Fingerprint {
    /// Of fields, each with its length before it.
    pub(crate) fn of(secret: &AccountSecret, fields: &[&str]) -> Self {
        let secret = std::iter::once(secret.reveal());
        let mut text = String::new();
        for field in secret.chain(fields.iter().copied()) {
            text.push_str(&field.len().to_string());
            text.push(':');
            text.push_str(field);
        }
        Self(hash_base32(&text))
    }

    /// That of a message of several parts of which only these came, each with its place: another
    /// than that of the whole, and of any others of the parts.
    pub(crate) fn of_incomplete<'a>(&self, parts: impl Iterator<Item = (u8, &'a Self)>) -> Self {
        let mut text = format!("{}.only", self.0);
        for (index, part) in parts {
            text.push('.');
            text.push_str(&index.to_string());
            text.push('.');
            text.push_str(&part.0);
        }
        Self(hash_base32(&text))
    }

    /// A name of such a message.
    fn named(&self, what: &str) -> Option<ProviderMessageId> {
        let name = hash_base32(&format!("{}.{what}", self.0));
        ProviderMessageId::parse(&name).ok()
    }

    fn in_window(&self, window: i64) -> Option<ProviderMessageId> {
        self.named(&format!("window.{window}"))
    }
}

/// When a message came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArrivalMoment {
    pub(crate) at: Timestamp,
    pub(crate) uptime: Duration,
    /// How long the windows of its kind are.
    pub(crate) window: Duration,
}

impl ArrivalMoment {
    /// The number of the window.
    fn window(self) -> i64 {
        let length = i64::try_from(self.window.as_millis()).unwrap_or(i64::MAX);
        self.at.as_millis().checked_div(length).unwrap_or_default()
    }
}

/// What a message is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClaimedId {
    pub(crate) id: ProviderMessageId,
    /// What it may have been called when it came first, if this is a repetition: where a message is
    /// recorded under it, this is that message.
    pub(crate) earlier: Option<ProviderMessageId>,
}

/// How far a message has come.
#[derive(Debug)]
enum Progress {
    /// It is being recorded.
    Recording,
    /// It was not recorded, or it is not known.
    Failed,
    /// It is recorded, and answered.
    Answered,
    /// The same, so late that the SMSC may repeat it in the session.
    AnsweredLate,
}

/// A message of some words.
#[derive(Debug)]
struct Known {
    id: ProviderMessageId,
    /// As it was claimed. It stays true of each repetition, for the message may be recorded under
    /// it and never under the other.
    earlier: Option<ProviderMessageId>,
    progress: Progress,
    /// When it came last.
    came: Duration,
    /// Cancelled once the session that brought it last has ended.
    ended: CancellationToken,
}

impl Known {
    /// Whether the SMSC may not have the answer. Words of long ago are no longer repeated.
    fn may_be_repeated(&self, arrival: ArrivalMoment) -> bool {
        let age = arrival.uptime.saturating_sub(self.came);
        let is_open = !self.ended.is_cancelled();
        let is_lately = age < arrival.window.saturating_mul(2);
        match self.progress {
            Progress::Recording => !is_open || age > RECORDING,
            Progress::Failed => is_lately,
            Progress::Answered => !is_open && is_lately,
            Progress::AnsweredLate => age < arrival.window || !is_open && is_lately,
        }
    }

    /// Whether the SMSC is still to be answered.
    const fn is_being_recorded(&self) -> bool {
        match self.progress {
            Progress::Recording => true,
            Progress::Failed | Progress::Answered | Progress::AnsweredLate => false,
        }
    }
}

/// The messages of the same words.
#[derive(Debug)]
struct SameWords {
    /// The last window in which one was named by it.
    window: i64,
    touched: Duration,
    /// How many were named by their moment.
    others: u64,
    known: Vec<Known>,
}

/// The messages that came to this process lately.
#[derive(Debug, Default)]
pub(crate) struct Arrivals(Mutex<HashMap<Fingerprint, SameWords>>);

impl Arrivals {
    /// What a message is called that came in a session. `None` where too many of the same words
    /// are on their way.
    pub(crate) fn claim(
        &self,
        print: &Fingerprint,
        arrival: ArrivalMoment,
        ended: &CancellationToken,
    ) -> Option<ClaimedId> {
        let (uptime, window) = (arrival.uptime, arrival.window());
        let known = |claim: &ClaimedId| Known {
            id: claim.id.clone(),
            earlier: claim.earlier.clone(),
            progress: Progress::Recording,
            came: uptime,
            ended: ended.clone(),
        };
        let mut words = self.words();
        let Some(same) = words.get_mut(print) else {
            let claim = ClaimedId {
                id: print.in_window(window)?,
                earlier: print.in_window(window.saturating_sub(1)),
            };
            make_room(&mut words, uptime);
            let same = SameWords {
                window,
                touched: uptime,
                others: 0,
                known: vec![known(&claim)],
            };
            words.insert(print.clone(), same);
            return Some(claim);
        };
        same.touched = uptime;
        let mut repeated = same.known.iter_mut();
        if let Some(repeated) = repeated.find(|it| it.may_be_repeated(arrival)) {
            let claim = ClaimedId {
                id: repeated.id.clone(),
                earlier: repeated.earlier.clone(),
            };
            *repeated = known(&claim);
            return Some(claim);
        }
        // The SMSC has the answers to the others, or repeats them no longer.
        same.known.retain(Known::is_being_recorded);
        if same.known.len() >= SAME_MAX {
            return None;
        }
        // The clock may have been set back, to a window that has had its message.
        let id = if window <= same.window {
            same.others = same.others.saturating_add(1);
            let (at, others) = (arrival.at.as_millis(), same.others);
            print.named(&format!("at.{at}.{}.{others}", uptime.as_nanos()))?
        } else {
            // After a start it is found by this name.
            same.window = window;
            print.in_window(window)?
        };
        let claim = ClaimedId { id, earlier: None };
        same.known.push(known(&claim));
        Some(claim)
    }

    /// Notes that a message is recorded and about to be answered in the session that brought it.
    pub(crate) fn recorded(&self, print: &Fingerprint, id: &ProviderMessageId, uptime: Duration) {
        self.set(print, id, |came| {
            if is_late(came, uptime) {
                Progress::AnsweredLate
            } else {
                Progress::Answered
            }
        });
    }

    /// Notes that a message was not recorded.
    pub(crate) fn failed(&self, print: &Fingerprint, id: &ProviderMessageId) {
        self.set(print, id, |_| Progress::Failed);
    }

    /// Takes what comes next for another message than those that were recorded or failed: it has
    /// other words under the same reference. Their windows stay used.
    pub(crate) fn follow(&self, print: &Fingerprint) {
        if let Some(same) = self.words().get_mut(print) {
            same.known.retain(Known::is_being_recorded);
        }
    }

    /// What a message was called in this or the last window, unless one of the kind came to this
    /// process: then it is known here what became of it.
    pub(crate) fn elsewhere(
        &self,
        print: &Fingerprint,
        arrival: ArrivalMoment,
    ) -> Vec<ProviderMessageId> {
        if self.words().contains_key(print) {
            return Vec::new();
        }
        let window = arrival.window();
        let windows = [window, window.saturating_sub(1)];
        windows
            .into_iter()
            .filter_map(|it| print.in_window(it))
            .collect()
    }

    /// `progress` is given when it came last.
    fn set(
        &self,
        print: &Fingerprint,
        id: &ProviderMessageId,
        progress: impl FnOnce(Duration) -> Progress,
    ) {
        let mut words = self.words();
        let same = words.get_mut(print);
        let known = same.and_then(|it| it.known.iter_mut().find(|it| it.id == *id));
        if let Some(known) = known {
            known.progress = progress(known.came);
        }
    }

    fn words(&self) -> MutexGuard<'_, HashMap<Fingerprint, SameWords>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets what is old, and the oldest where that is not enough.
fn make_room(words: &mut HashMap<Fingerprint, SameWords>, uptime: Duration) {
    if words.len() < KEPT_MAX {
        return;
    }
    words.retain(|_, same| uptime.saturating_sub(same.touched) < KEPT);
    while words.len() >= KEPT_MAX {
        let oldest = words.iter().min_by_key(|(_, same)| same.touched);
        let Some(oldest) = oldest.map(|(print, _)| print.clone()) else {
            return;
        };
        words.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> Fingerprint {
        Fingerprint::of(&AccountSecret::new("s3cret".to_owned()), &[text])
    }

    fn arrival(seconds: u64) -> ArrivalMoment {
        let uptime = Duration::from_secs(seconds);
        ArrivalMoment {
            at: Timestamp::from_millis(0).plus(uptime),
            uptime,
            window: WORDS_WINDOW,
        }
    }

    fn claimed(arrivals: &Arrivals, seconds: u64, session: &CancellationToken) -> ClaimedId {
        let claim = arrivals.claim(&print("1"), arrival(seconds), session);
        claim.unwrap()
    }

    fn answered(arrivals: &Arrivals, seconds: u64, session: &CancellationToken) -> ClaimedId {
        let claim = claimed(arrivals, seconds, session);
        let uptime = Duration::from_secs(seconds);
        arrivals.recorded(&print("1"), &claim.id, uptime);
        claim
    }

    #[test]
    fn the_same_words_after_an_answer_are_another_message() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let claims = [0, 2, 2, 299, 301, 302].map(|at| answered(&arrivals, at, &session));
        for (place, claim) in claims.iter().enumerate() {
            assert!(
                claims[..place].iter().all(|it| it.id != claim.id),
                "{place}"
            );
        }
        // Only the first may be one of before the start.
        assert!(claims[0].earlier.is_some());
        assert!(claims[1..].iter().all(|it| it.earlier.is_none()));
    }

    #[test]
    fn what_was_not_recorded_or_not_answered_is_called_as_before() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = claimed(&arrivals, 0, &session);
        arrivals.failed(&print("1"), &first.id);
        // In the next window.
        let again = answered(&arrivals, 599, &session);
        assert_eq!(again.id, first.id);
        session.cancel();
        let bound_again = CancellationToken::new();
        assert_eq!(answered(&arrivals, 600, &bound_again).id, first.id);
        assert_ne!(answered(&arrivals, 601, &bound_again).id, first.id);
    }

    /// The store may have it all the same, and would take the new one for it.
    #[test]
    fn what_failed_long_ago_is_another_message() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = claimed(&arrivals, 0, &session);
        arrivals.failed(&print("1"), &first.id);
        let later = claimed(&arrivals, 600, &session);
        assert_ne!(later.id, first.id);
        // It takes no place of those that are on their way.
        assert_eq!(arrivals.words()[&print("1")].known.len(), 1);
    }

    #[test]
    fn the_name_of_before_a_start_is_looked_up_until_the_message_is_answered() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = claimed(&arrivals, 301, &session);
        assert!(first.earlier.is_some());
        arrivals.failed(&print("1"), &first.id);
        assert_eq!(claimed(&arrivals, 302, &session), first);
        // It takes too long.
        assert_eq!(answered(&arrivals, 308, &session), first);
        // It may be recorded under that name alone, and the answer was lost.
        session.cancel();
        let bound_again = CancellationToken::new();
        assert_eq!(answered(&arrivals, 309, &bound_again), first);
        assert_eq!(answered(&arrivals, 310, &bound_again).earlier, None);
    }

    #[test]
    fn what_was_answered_late_may_be_repeated_in_the_session_for_a_window() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let record = |came, answered| {
            let claim = claimed(&arrivals, came, &session);
            arrivals.recorded(&print("1"), &claim.id, Duration::from_secs(answered));
            claim.id
        };
        let in_time = record(0, 5);
        let late = record(10, 16);
        assert_ne!(late, in_time);
        assert_eq!(record(20, 26), late);
        assert_ne!(record(320, 320), late);
    }

    #[test]
    fn a_clock_that_is_set_back_gives_no_name_twice() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let mut ids: Vec<ProviderMessageId> = Vec::new();
        // The wall clock alone steps back.
        for (uptime, at) in [(0, 0), (301, 301), (302, 10), (303, 302), (650, 620)] {
            let moment = ArrivalMoment {
                at: Timestamp::from_millis(at * 1_000),
                ..arrival(uptime)
            };
            let claim = arrivals.claim(&print("1"), moment, &session).unwrap();
            arrivals.recorded(&print("1"), &claim.id, moment.uptime);
            assert!(!ids.contains(&claim.id), "{uptime}");
            ids.push(claim.id);
        }
    }

    #[test]
    fn what_follows_under_the_same_reference_is_another_message() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = answered(&arrivals, 0, &session);
        session.cancel();
        arrivals.follow(&print("1"));
        let second = answered(&arrivals, 1, &CancellationToken::new());
        assert_ne!(second.id, first.id);
    }

    #[test]
    fn what_is_incomplete_has_a_name_by_the_parts_it_has() {
        let (one, two) = (print("one"), print("two"));
        let whole = print("whole");
        let prints = [
            whole.clone(),
            whole.of_incomplete([(1, &one)].into_iter()),
            whole.of_incomplete([(2, &one)].into_iter()),
            whole.of_incomplete([(1, &two)].into_iter()),
            whole.of_incomplete([(1, &one), (2, &two)].into_iter()),
            print("other").of_incomplete([(1, &one)].into_iter()),
        ];
        for (place, print) in prints.iter().enumerate() {
            assert!(!prints[..place].contains(print), "{place}");
        }
        let again = whole.of_incomplete([(1, &one)].into_iter());
        assert_eq!(again, prints[1]);
    }

    #[test]
    fn words_of_before_the_last_window_are_another_message_though_their_session_ended() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = answered(&arrivals, 0, &session);
        session.cancel();
        let bound_again = CancellationToken::new();
        assert_ne!(answered(&arrivals, 600, &bound_again).id, first.id);
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = answered(&arrivals, 0, &session);
        session.cancel();
        assert_eq!(answered(&arrivals, 599, &bound_again).id, first.id);
    }

    /// An SMSC hands over what piled up without waiting for answers.
    #[test]
    fn the_same_words_at_once_are_two_messages_until_the_first_takes_too_long() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = claimed(&arrivals, 0, &session);
        let second = claimed(&arrivals, 5, &session);
        assert_ne!(first.id, second.id);
        assert_eq!(claimed(&arrivals, 6, &session).id, first.id);
        session.cancel();
        let bound_again = CancellationToken::new();
        assert_eq!(claimed(&arrivals, 7, &bound_again).id, first.id);
        assert_eq!(claimed(&arrivals, 7, &bound_again).id, second.id);
    }

    /// After a start, and at another instance, only the store knows.
    #[test]
    fn a_message_of_this_or_the_last_window_is_found_after_a_start() {
        let session = CancellationToken::new();
        let before = answered(&Arrivals::default(), 299, &session);
        let soon = claimed(&Arrivals::default(), 0, &session);
        assert_eq!(soon.id, before.id);
        let next = claimed(&Arrivals::default(), 301, &session);
        assert_ne!(next.id, before.id);
        assert_eq!(next.earlier, Some(before.id.clone()));
        let later = claimed(&Arrivals::default(), 601, &session);
        assert_ne!(later.earlier, Some(before.id));
    }

    #[test]
    fn only_what_did_not_come_here_may_be_recorded_elsewhere() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let elsewhere = answered(&Arrivals::default(), 299, &session);
        let names = arrivals.elsewhere(&print("1"), arrival(301));
        assert!(names.contains(&elsewhere.id));
        claimed(&arrivals, 301, &session);
        assert_eq!(arrivals.elsewhere(&print("1"), arrival(301)), []);
    }

    #[test]
    fn so_many_of_the_same_words_at_once_are_put_off() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        for _ in 0..SAME_MAX {
            assert!(arrivals.claim(&print("1"), arrival(0), &session).is_some());
        }
        assert_eq!(arrivals.claim(&print("1"), arrival(0), &session), None);
    }

    #[test]
    fn the_oldest_is_forgotten_where_there_are_too_many() {
        let (arrivals, session) = (Arrivals::default(), CancellationToken::new());
        let first = answered(&arrivals, 0, &session);
        for n in 1..KEPT_MAX {
            let _ = arrivals.claim(&print(&format!("other {n}")), arrival(1), &session);
        }
        assert_eq!(arrivals.words().len(), KEPT_MAX);
        assert!(arrivals.words().contains_key(&print("1")));
        let _ = arrivals.claim(&print("one more"), arrival(1), &session);
        assert_eq!(arrivals.words().len(), KEPT_MAX);
        assert_eq!(claimed(&arrivals, 2, &session).id, first.id);
    }

    #[test]
    fn fields_differ_by_their_lengths() {
        let secret = AccountSecret::new(String::new());
        let of = |fields: &[&str]| Fingerprint::of(&secret, fields);
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
    }
}
