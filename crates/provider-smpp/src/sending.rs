//! Sending the parts of a message and reading their answers. A part must be written once, in one
//! session, and only after a permit for the first.

use crate::binds::Room;
use crate::outcome::PartResult;
use crate::provider::SmppProvider;
use crate::receipt::in_answer;
use crate::session::{NotWritten, PartAnswer, PendingAnswer};
use domain::provider::UnknownCause;
use ports::clock::Clock;
use ports::permit::SendPermit;
use rusmpp_core::pdus::owned::{Pdu, SubmitSm};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, timeout};

/// Seconds in nanoseconds, of which a part has its share.
const SECOND_NS: u64 = 1_000_000_000;

/// The command of the answer to a message.
const SUBMIT_SM_RESP: u32 = 0x8000_0004;

/// How much of the deadline is left. A tenth is kept, to store what was accepted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget<'a> {
    clock: &'a dyn Clock,
    until: Duration,
}

impl<'a> Budget<'a> {
    pub(crate) fn of(deadline: Duration, clock: &'a dyn Clock) -> Self {
        let kept = deadline.checked_div(10).unwrap_or_default();
        let until = clock.uptime().saturating_add(deadline.saturating_sub(kept));
        Self { clock, until }
    }

    pub(crate) fn left(self) -> Duration {
        self.until.saturating_sub(self.clock.uptime())
    }
}

impl SmppProvider {
    /// Waits for the moment of the next part.
    async fn next_moment(&self) {
        let mut moments = self.throughput.lock().await;
        let moments = moments.get_or_insert_with(|| {
            let rate = u64::from(self.settings.throughput.max(1));
            let each = Duration::from_nanos(SECOND_NS.checked_div(rate).unwrap_or(SECOND_NS));
            let mut moments = tokio::time::interval(each);
            moments.set_missed_tick_behavior(MissedTickBehavior::Delay);
            moments
        });
        moments.tick().await;
    }

    /// Sends the parts: the first alone, and the others once it was accepted, so that a message
    /// that is refused is refused as a whole.
    pub(crate) async fn send(
        &self,
        pdus: Vec<SubmitSm>,
        room: &Room,
        (permit, budget): (&dyn SendPermit, Budget<'_>),
    ) -> Vec<PartResult> {
        let mut results = vec![PartResult::NotSent; pdus.len()];
        let mut pdus = pdus.into_iter();
        let (Some(first), Some(place)) = (pdus.next(), results.first_mut()) else {
            return results;
        };
        let patience = self.settings.timers.room;
        if timeout(patience, self.next_moment()).await.is_err() {
            return results;
        }
        let Ok(granted) = permit.ask().await else {
            return results;
        };
        let request = room
            .session
            .request(first.into(), || granted.begin_writing());
        *place = self.answer(request.await, budget).await;
        if !place.is_accepted() {
            return results;
        }
        let mut done: usize = 1;
        let mut rest = pdus.peekable();
        while rest.peek().is_some() {
            let chunk: Vec<SubmitSm> = rest.by_ref().take(room.at_once).collect();
            let answered = self.send_chunk(chunk, room, budget).await;
            let went_on = answered.iter().all(PartResult::is_accepted);
            for result in answered {
                if let Some(place) = results.get_mut(done) {
                    *place = result;
                }
                done = done.saturating_add(1);
            }
            if !went_on {
                break;
            }
        }
        results
    }

    /// Sends some parts, and waits for all of their answers.
    async fn send_chunk(
        &self,
        chunk: Vec<SubmitSm>,
        room: &Room,
        budget: Budget<'_>,
    ) -> Vec<PartResult> {
        let mut written = Vec::with_capacity(chunk.len());
        for pdu in chunk {
            if timeout(budget.left(), self.next_moment()).await.is_err() {
                break;
            }
            let request = room.session.request(Pdu::from(pdu), || Ok::<(), ()>(()));
            written.push(request.await);
        }
        let mut results = Vec::with_capacity(written.len());
        for request in written {
            results.push(self.answer(request, budget).await);
        }
        results
    }

    /// What one request came to.
    async fn answer(
        &self,
        request: Result<PendingAnswer, NotWritten>,
        budget: Budget<'_>,
    ) -> PartResult {
        let pending = match request {
            Ok(pending) => pending,
            Err(NotWritten::Nothing) => return PartResult::NotSent,
            Err(NotWritten::Torn) => return PartResult::Unknown(UnknownCause::ConnectionLost),
        };
        let patience = self.settings.timers.answer.min(budget.left());
        match pending.within(patience).await {
            PartAnswer::Lost => PartResult::Unknown(UnknownCause::ConnectionLost),
            PartAnswer::Late => PartResult::Unknown(UnknownCause::Timeout),
            // The SMSC could not read what it was sent, and says nothing of what it did before; or
            // it is the answer to something else, whose status is about that.
            PartAnswer::Frame(frame) if frame.id != SUBMIT_SM_RESP => {
                PartResult::Unknown(UnknownCause::Unreadable)
            }
            PartAnswer::Frame(frame) if frame.status != 0 => PartResult::Status(frame.status),
            PartAnswer::Frame(frame) => {
                let command = frame.command();
                let pdu = command.as_ref().and_then(|command| command.pdu());
                let id = if let Some(Pdu::SubmitSmResp(answer)) = pdu {
                    answer.message_id().as_str().to_owned()
                } else {
                    String::new()
                };
                if in_answer(&id, self.settings.message_ids).is_none() {
                    return PartResult::Unknown(UnknownCause::Unreadable);
                }
                PartResult::Accepted(id)
            }
        }
    }
}
