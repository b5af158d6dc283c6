//! Messages that people send. Each is recorded before it is acknowledged, so that the SMSC repeats
//! it where this process dies; and neither its words nor a number of it may be logged.

mod assembly;
mod identity;
mod reading;
mod segment;
mod text;

pub(crate) use reading::plain;

use crate::deliveries::{LATER, answer};
use crate::reply_numbers::ReplyNumbers;
use crate::session::Session;
use assembly::{Added, Assembly, PartArrival};
use domain::messaging::{IncomingContent, MessageChannel, ReceivedMessage};
use identity::{
    ArrivalMoment, Arrivals, ClaimedId, Fingerprint, PARTS_WINDOW, WORDS_WINDOW, is_late,
};
use ports::PortError;
use ports::adapter::AccountSecret;
use ports::callbacks::MessageReport;
use ports::clock::Clock;
use ports::receipts::{MessageResult, ReceiptBook};
use reading::Piece;
use rusmpp_core::pdus::owned::DeliverSm;
use segment::PartPlace;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio_util::task::TaskTracker;

/// Messages that may be recorded at a time: beyond them the SMSC is asked to repeat.
const AT_ONCE: usize = 64;

/// Parts that may wait for others at a time.
const WAITING_MAX: usize = 256;

/// What of an account messages of people are read by.
pub(crate) struct PeopleSettings {
    pub(crate) numbers: ReplyNumbers,
    /// What their identities are made with.
    pub(crate) secret: AccountSecret,
    /// How long a part waits for the others before the SMSC is asked to repeat it.
    pub(crate) patience: Duration,
}

/// What takes messages of people to one account.
pub(crate) struct People {
    settings: PeopleSettings,
    book: Arc<dyn ReceiptBook>,
    clock: Arc<dyn Clock>,
    arrivals: Arrivals,
    assembly: Assembly,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// Of how many nothing could be made since the start.
    untaken: AtomicU64,
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").finish_non_exhaustive()
    }
}

/// A message ready to be recorded.
struct Writing {
    print: Fingerprint,
    window: Duration,
    text: String,
}

/// A part on its way.
struct PartOf {
    piece: Piece,
    /// The fingerprint of its message.
    print: Fingerprint,
    index: u8,
    /// When it came.
    came: Duration,
}

impl People {
    pub(crate) fn new(
        settings: PeopleSettings,
        book: Arc<dyn ReceiptBook>,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            settings,
            book,
            clock,
            arrivals: Arrivals::default(),
            assembly: Assembly::default(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            untaken: AtomicU64::new(0),
        })
    }

    /// Takes a message, and answers it in a task of its own.
    pub(crate) async fn take(
        self: &Arc<Self>,
        (session, sequence): (&Arc<Session>, u32),
        pdu: &DeliverSm,
        tracker: &TaskTracker,
    ) {
        let piece = match reading::read(pdu, &self.settings.numbers) {
            Ok(piece) => piece,
            Err(why) => {
                // Repeating it would change nothing.
                let count = self
                    .untaken
                    .fetch_add(1, Ordering::Relaxed)
                    .saturating_add(1);
                tracing::warn!(%why, count, "a message of a person was not taken");
                return answer(session, sequence, 0).await;
            }
        };
        let own = Arc::clone(session);
        let people = Arc::clone(self);
        if let Some(segment) = piece.segment {
            self.take_part((session, sequence), (piece, segment), tracker)
                .await;
            return;
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return answer(session, sequence, LATER).await;
        };
        tracker.spawn(async move {
            let text = piece.said.alphabet.text(&piece.said.octets);
            let writing = Writing {
                print: piece.fingerprint(&people.settings.secret, &text),
                window: WORDS_WINDOW,
                text,
            };
            let result = people.record(&piece, writing, &own).await;
            answer(&own, sequence, status(result)).await;
            drop(place);
        });
    }

    async fn take_part(
        self: &Arc<Self>,
        (session, sequence): (&Arc<Session>, u32),
        (piece, segment): (Piece, PartPlace),
        tracker: &TaskTracker,
    ) {
        let secret = &self.settings.secret;
        let print = piece.joint_fingerprint(secret, segment);
        let words = piece.said.alphabet.text(&piece.said.octets);
        let arrival = PartArrival {
            number: piece.number_fingerprint(secret),
            print: &print,
            segment,
            said: piece.said.clone(),
            part: piece.fingerprint(secret, &words),
        };
        let came = self.clock.uptime();
        let addition = self.assembly.add(arrival, came);
        if addition.has_replaced {
            self.arrivals.follow(&print);
        }
        let added = addition.added;
        let part = PartOf {
            piece,
            print,
            index: segment.index,
            came,
        };
        let places = match added {
            Added::Whole(_) => &self.places,
            Added::Waits(_) => &self.waiting,
            Added::Recorded => {
                self.answered(&part, session);
                return answer(session, sequence, 0).await;
            }
            Added::Full => {
                tracing::warn!("a part of a message of a person finds no place now and is put off");
                return answer(session, sequence, LATER).await;
            }
        };
        let Ok(place) = Arc::clone(places).try_acquire_owned() else {
            if let Added::Whole(_) = added {
                self.assembly.finish(&part.print, MessageResult::Failed);
            }
            return answer(session, sequence, LATER).await;
        };
        let (people, session) = (Arc::clone(self), Arc::clone(session));
        tracker.spawn(async move {
            let result = people.joined(&part, added, &session).await;
            match result {
                MessageResult::Taken => people.answered(&part, &session),
                MessageResult::Failed => {}
            }
            answer(&session, sequence, status(result)).await;
            drop(place);
        });
    }

    /// Notes that a part is acknowledged, unless the SMSC may no longer wait for that.
    fn answered(&self, part: &PartOf, session: &Session) {
        if !is_late(part.came, self.clock.uptime()) {
            let (print, index) = (&part.print, part.index);
            self.assembly.answered(print, index, &session.ended);
        }
    }

    /// What becomes of the message of a part.
    async fn joined(&self, part: &PartOf, added: Added, session: &Session) -> MessageResult {
        match added {
            Added::Whole(text) => {
                let print = part.print.clone();
                self.record_joint(part, (print, text), session).await
            }
            Added::Waits(result) => self.wait(part, result, session).await,
            Added::Recorded => MessageResult::Taken,
            Added::Full => MessageResult::Failed,
        }
    }

    async fn wait(
        &self,
        part: &PartOf,
        mut result: watch::Receiver<Option<MessageResult>>,
        session: &Session,
    ) -> MessageResult {
        let said = tokio::select! {
            said = result.wait_for(Option::is_some) => said.ok().and_then(|said| *said),
            () = tokio::time::sleep(self.settings.patience) => None,
            // There is no way left to answer.
            () = session.ended.cancelled() => return MessageResult::Failed,
        };
        if let Some(result) = said {
            return result;
        }
        match self.is_recorded_elsewhere(&part.print).await {
            Ok(false) => {}
            Ok(true) => {
                self.assembly.forget(&part.print);
                return MessageResult::Taken;
            }
            Err(error) => {
                tracing::warn!(%error, "it was not looked up whether a message is recorded");
                return MessageResult::Failed;
            }
        }
        let uptime = self.clock.uptime();
        let Some(overdue) = self.assembly.overdue(&part.print, uptime) else {
            return MessageResult::Failed;
        };
        tracing::warn!("a part of a message of a person never came; the others are taken");
        let joint = (overdue.print, overdue.text);
        self.record_joint(part, joint, session).await
    }

    /// Whether the whole message of a part was recorded before a start, or by another instance. One
    /// without some parts has another name, for this part may be one of those.
    async fn is_recorded_elsewhere(&self, print: &Fingerprint) -> Result<bool, PortError> {
        let names = self.arrivals.elsewhere(print, self.arrival(PARTS_WINDOW));
        for id in names {
            if self.book.has_message(&id).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records a message of several parts under a fingerprint, and says so to those that wait.
    async fn record_joint(
        &self,
        part: &PartOf,
        (print, text): (Fingerprint, String),
        session: &Session,
    ) -> MessageResult {
        let writing = Writing {
            print,
            window: PARTS_WINDOW,
            text,
        };
        let result = self.record(&part.piece, writing, session).await;
        self.assembly.finish(&part.print, result);
        result
    }

    async fn record(&self, piece: &Piece, writing: Writing, session: &Session) -> MessageResult {
        let Some(content) = content(&writing.text) else {
            return MessageResult::Taken;
        };
        let print = &writing.print;
        let arrival = self.arrival(writing.window);
        let Some(claim) = self.arrivals.claim(print, arrival, &session.ended) else {
            tracing::warn!("too many of the same words at once; they are put off");
            return MessageResult::Failed;
        };
        let message = ReceivedMessage {
            id: claim.id.clone(),
            channel: MessageChannel::Sms,
            number: piece.number.clone(),
            sender: piece.sender.clone(),
            content,
            received_at: arrival.at,
        };
        let result = self.recorded(&claim, message).await;
        match result {
            MessageResult::Taken => {
                let uptime = self.clock.uptime();
                self.arrivals.recorded(print, &claim.id, uptime);
            }
            MessageResult::Failed => self.arrivals.failed(print, &claim.id),
        }
        result
    }

    async fn recorded(&self, claim: &ClaimedId, message: ReceivedMessage) -> MessageResult {
        if let Some(earlier) = &claim.earlier {
            match self.book.has_message(earlier).await {
                Ok(false) => {}
                Ok(true) => return MessageResult::Taken,
                Err(error) => {
                    tracing::warn!(%error, "it was not looked up whether a message is recorded");
                    return MessageResult::Failed;
                }
            }
        }
        let report = MessageReport {
            message,
            reference: None,
        };
        self.book.take_message(report).await
    }

    fn arrival(&self, window: Duration) -> ArrivalMoment {
        ArrivalMoment {
            at: self.clock.now(),
            uptime: self.clock.uptime(),
            window,
        }
    }
}

/// What a message says, cut where it is longer than any that is taken.
fn content(text: &str) -> Option<IncomingContent> {
    let kept: String = text.chars().take(IncomingContent::TEXT_MAX).collect();
    if kept.len() < text.len() {
        tracing::warn!("a message of a person is longer than any that is taken, and cut");
    }
    let content = IncomingContent::new(MessageChannel::Sms, Some(&kept), None);
    let content = content.inspect_err(|error| {
        tracing::warn!(%error, "a message of a person was not taken");
    });
    content.ok()
}

const fn status(result: MessageResult) -> u32 {
    match result {
        MessageResult::Taken => 0,
        MessageResult::Failed => LATER,
    }
}
