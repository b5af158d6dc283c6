//! How a transaction applies an observation: one pure function for the live flow, recovery,
//! operators and the model checker alike. Truths about an attempt must be accepted from any source,
//! at any time, in any order, any number of times.

use super::StateChange;
use super::approval::ApprovalDecision;
use super::attempt::{AttemptNumber, Disproven, Proof};
use super::attempt_route::AttemptRoute;
use super::prepared::PreparedAttempt;
use super::ruling::Ruling;
use super::{CancelCause, State, Transaction};
use crate::event::{Event, EventKind};
use crate::ledger::{self, CostDifferences, Transfer};
use crate::opening::Origin;
use crate::provider::{
    AbsencePolicy, AttemptDetails, Fulfilment, QueryOutcome, Receipt, SubmitOutcome,
};
use crate::refund::GrantedRefund;
use crate::time::Timestamp;
use crate::user::Payee;

/// New information about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// The answer to submitting it.
    Answer {
        /// Which attempt.
        attempt: AttemptNumber,
        /// What came of it.
        outcome: SubmitOutcome,
    },
    /// The answer to a query, or a change that the provider reported unasked.
    Finding {
        /// Which attempt.
        attempt: AttemptNumber,
        /// What the provider says.
        finding: QueryOutcome,
    },
    /// The process that was sending it is gone; it may or may not have left.
    Takeover {
        /// Which attempt.
        attempt: AttemptNumber,
    },
    /// Its moment in the queue may have come.
    Due,
    /// It must not be sent any more.
    Cancellation(CancelCause),
    /// Another user decided whether it is sent.
    Decision(ApprovalDecision),
    /// An account has the identity that it pays.
    Claimed(Payee),
    /// Persons decided.
    Ruling(Ruling),
    /// The gateway gives a part of the price, or all of it, back.
    Refund(GrantedRefund),
    /// A journal shows that this attempt was recorded.
    Journalled {
        /// Which attempt.
        attempt: AttemptNumber,
        /// When it was recorded.
        started_at: Timestamp,
        /// Where it went.
        prepared: PreparedAttempt,
        /// Why the attempt before it did not happen.
        before: Proof,
    },
}

/// What an observation did to a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// Nothing new.
    Unchanged(Box<Transaction>),
    /// A step to commit. Its `due_at` is left open: the flow that commits it sets it.
    Changed(Box<StateChange>),
}

/// What an observation is judged by.
#[derive(Debug, Clone, Copy)]
pub struct ApplyContext<'a> {
    /// When it arrived.
    pub now: Timestamp,
    /// How silence is read.
    pub profile: &'a AbsencePolicy,
    /// The attempt that may be made next, once the current one is proven not to have happened.
    /// Only the flow that waits with its merchant has one; without one the transaction fails. Of a
    /// queued transaction its first attempt; without one it stays where it is.
    pub next: Option<&'a PreparedAttempt>,
    /// The route that it takes, where one was chosen.
    pub next_route: Option<&'a AttemptRoute>,
    /// What the provider reported beside it.
    pub reported: Option<&'a AttemptDetails>,
}

impl<'a> ApplyContext<'a> {
    /// News of a moment, with silence read by a profile: nothing follows, and nothing came beside
    /// it.
    pub const fn new(now: Timestamp, profile: &'a AbsencePolicy) -> Self {
        Self {
            now,
            profile,
            next: None,
            next_route: None,
            reported: None,
        }
    }
}

impl Transaction {
    /// Applies an observation. What the provider reported beside it is kept with its attempt, also
    /// where the observation itself changes nothing, and another cost than was quoted is booked
    /// while the delivery stands.
    pub fn apply(mut self, observation: &Observation, context: ApplyContext<'_>) -> Transition {
        let costs = CostDifferences::of(&self);
        let noted = self.take_in(observation, context.reported);
        let transition = match (self.judge(observation, context), noted) {
            (Transition::Unchanged(same), true) => {
                let state = same.state.clone();
                same.note(state, context.now)
            }
            (transition, _) => transition,
        };
        match transition {
            Transition::Changed(mut step) => {
                let booked = costs.step_to(&step.transaction, context.now);
                step.transfers.extend(booked);
                Transition::Changed(step)
            }
            unchanged @ Transition::Unchanged(_) => unchanged,
        }
    }

    /// Keeps what was reported of an attempt; `false` where there is nothing new.
    fn take_in(&mut self, observation: &Observation, reported: Option<&AttemptDetails>) -> bool {
        let (Some(attempt), Some(reported)) = (observation.of(), reported) else {
            return false;
        };
        let is_made = self.attempt() >= Some(attempt) && self.prepared.of(attempt).is_some();
        if reported.is_empty() || !is_made {
            return false;
        }
        let known = self.reported.of_mut(attempt);
        let after = known.clone().after(reported);
        let is_new = after != *known;
        *known = after;
        is_new
    }

    fn judge(mut self, observation: &Observation, context: ApplyContext<'_>) -> Transition {
        let now = context.now;
        if let Some(delivery) = observation.delivery()
            && self.disproven(delivery.0).is_some()
        {
            return self.late_delivery(delivery, now);
        }
        if let Some(attempt) = observation.reversal()
            && self.disproven(attempt).is_some()
        {
            return self.late_reversal(attempt, now);
        }
        if let Observation::Journalled {
            attempt,
            started_at,
            prepared,
            before,
        } = observation
        {
            return self.journalled((*attempt, *started_at), (prepared, before), now);
        }
        match self.state.clone() {
            State::Queued(queued) => self.while_queued(queued, observation, context),
            State::Sending(sending) => self.while_sending(sending, observation, context),
            State::InDoubt(in_doubt) => self.while_in_doubt(in_doubt, observation, context),
            State::Review(review) => self.while_in_review(&review, observation, context),
            State::Successful(delivered) => self.when_successful(delivered, observation, now),
            State::Failed(_) | State::Reversed(_) | State::Cancelled(_) | State::Booked(_) => {
                self.unchanged()
            }
        }
    }

    /// The transition of an observation that changes nothing.
    pub(super) fn unchanged(self) -> Transition {
        Transition::Unchanged(Box::new(self))
    }

    /// The step into another state, with its event.
    pub(super) fn step(
        self,
        state: State,
        (kind, transfers): (EventKind, Vec<Transfer>),
        now: Timestamp,
    ) -> Transition {
        let sequence = self.sequence.saturating_add(1);
        let event = Event {
            transaction: self.number,
            sequence,
            kind,
            at: now,
        };
        let transaction = Self {
            state,
            sequence,
            ..self
        }
        .touched(now);
        let advance = StateChange {
            transaction,
            transfers,
            event: Some(event),
            due_at: None,
            undated: Vec::new(),
            origin: Origin::Request,
        };
        Transition::Changed(Box::new(advance))
    }

    /// A change that is not visible outside: a query was counted.
    pub(super) fn note(self, state: State, now: Timestamp) -> Transition {
        let transaction = Self { state, ..self }.touched(now);
        let advance = StateChange {
            transaction,
            transfers: Vec::new(),
            event: None,
            due_at: None,
            undated: Vec::new(),
            origin: Origin::Request,
        };
        Transition::Changed(Box::new(advance))
    }

    fn touched(self, now: Timestamp) -> Self {
        Self {
            version: self.version.saturating_add(1),
            updated_at: now,
            ..self
        }
    }

    /// A delivery of an attempt that was proven not to have happened: the state stays, the loss is
    /// booked with its event, once. An older delivery that was taken back since is no loss, nor is
    /// one of an order that is still to be completed. A message in other parts than were billed is
    /// complete: it is with the network, which reports no others.
    fn late_delivery(
        mut self,
        (attempt, receipt): (AttemptNumber, &Receipt),
        now: Timestamp,
    ) -> Transition {
        let finished = !self.is_unfinished(attempt, receipt)
            || matches!(receipt.fulfilment, Fulfilment::Sms(_));
        let ended = self.disproven(attempt).filter(|_| finished);
        if !ended.is_some_and(|ended| ended.contradict(now)) {
            return self.unchanged();
        }
        let transfers = ledger::loss((&self, attempt), now);
        let state = self.state.clone();
        self.step(state, (EventKind::LateDelivered, transfers), now)
    }

    /// The provider took back what it delivered against the proof: the loss that was booked is
    /// undone, once. Where none was booked yet, none will be.
    fn late_reversal(mut self, attempt: AttemptNumber, now: Timestamp) -> Transition {
        let Some(ended) = self.disproven(attempt) else {
            return self.unchanged();
        };
        let booked = ended.is_loss();
        if !ended.take_back(now) {
            return self.unchanged();
        }
        let state = self.state.clone();
        if !booked {
            return self.note(state, now);
        }
        let transfers = ledger::reverse_loss((&self, attempt), now);
        self.step(state, (EventKind::LateReversed, transfers), now)
    }

    /// An attempt that was proven not to have happened.
    fn disproven(&mut self, attempt: AttemptNumber) -> Option<&mut Disproven> {
        let failed = match &mut self.state {
            State::Failed(disproven) => Some(disproven),
            State::Queued(_)
            | State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Successful(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => None,
        };
        let mut disproven = self.earlier.iter_mut().chain(failed);
        disproven.find(|ended| ended.attempt == attempt)
    }
}

impl Observation {
    /// The attempt that a provider's answer is about.
    const fn of(&self) -> Option<AttemptNumber> {
        match self {
            Self::Answer { attempt, .. } | Self::Finding { attempt, .. } => Some(*attempt),
            Self::Takeover { .. }
            | Self::Due
            | Self::Cancellation(_)
            | Self::Decision(_)
            | Self::Claimed(_)
            | Self::Ruling(_)
            | Self::Refund(_)
            | Self::Journalled { .. } => None,
        }
    }

    /// The attempt that it says was delivered and taken back.
    pub(super) fn reversal(&self) -> Option<AttemptNumber> {
        match self {
            Self::Answer {
                attempt,
                outcome: SubmitOutcome::Reversed,
            }
            | Self::Finding {
                attempt,
                finding: QueryOutcome::Reversed,
            } => Some(*attempt),
            Self::Answer { .. }
            | Self::Finding { .. }
            | Self::Takeover { .. }
            | Self::Due
            | Self::Cancellation(_)
            | Self::Decision(_)
            | Self::Claimed(_)
            | Self::Ruling(_)
            | Self::Refund(_)
            | Self::Journalled { .. } => None,
        }
    }

    /// A yes, and the attempt it is about.
    fn delivery(&self) -> Option<(AttemptNumber, &Receipt)> {
        match self {
            Self::Answer {
                attempt,
                outcome: SubmitOutcome::Delivered(receipt),
            }
            | Self::Finding {
                attempt,
                finding: QueryOutcome::Delivered(receipt),
            } => Some((*attempt, receipt)),
            Self::Answer { .. }
            | Self::Finding { .. }
            | Self::Takeover { .. }
            | Self::Due
            | Self::Cancellation(_)
            | Self::Decision(_)
            | Self::Claimed(_)
            | Self::Ruling(_)
            | Self::Refund(_)
            | Self::Journalled { .. } => None,
        }
    }
}
