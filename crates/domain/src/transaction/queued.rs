//! While a transaction waits for its first attempt. It must leave the queue once: with an attempt
//! that is recorded before its first byte, or without one and with the price released.

use super::Transaction;
use super::apply::{ApplyContext, Observation, Transition};
use super::approval::{Approval, ApprovalDecision, ApprovalVerdict};
use super::attempt::AttemptNumber;
use super::prepared::PreparedAttempts;
use super::state::{BookedAt, CancelCause, Cancelled, Queued, Sending, State};
use crate::event::EventKind;
use crate::ledger;
use crate::order::Service;
use crate::time::Timestamp;
use crate::user::Payee;

impl Transaction {
    pub(super) fn while_queued(
        self,
        queued: Queued,
        observation: &Observation,
        context: ApplyContext<'_>,
    ) -> Transition {
        match observation {
            Observation::Due => self.due(queued, context),
            Observation::Cancellation(cause) => self.cancel(*cause, context.now),
            Observation::Decision(decision) => self.decided(queued, *decision, context.now),
            Observation::Claimed(payee) => self.claimed(queued, payee, context.now),
            Observation::Answer { .. }
            | Observation::Finding { .. }
            | Observation::Takeover { .. }
            | Observation::Ruling(_)
            | Observation::Refund(_)
            | Observation::Journalled { .. } => self.unchanged(),
        }
    }

    /// The first attempt is recorded in its time, at the provider that it was priced for.
    fn due(mut self, queued: Queued, context: ApplyContext<'_>) -> Transition {
        let now = context.now;
        if now >= queued.expires_at {
            return self.cancel(CancelCause::Expired, now);
        }
        if self.awaits_approval() {
            return self.unchanged();
        }
        let next = context
            .next
            .filter(|next| next.provider == *self.provider());
        let Some(next) = next.filter(|_| now >= queued.send_from) else {
            return self.unchanged();
        };
        let route = self.prepared.route_of(AttemptNumber::FIRST).cloned();
        let prepared = PreparedAttempts::new(next.clone());
        self.prepared = prepared.routed(AttemptNumber::FIRST, route);
        let state = State::Sending(Sending {
            attempt: AttemptNumber::FIRST,
            started_at: now,
        });
        self.step(state, (EventKind::Begun, Vec::new()), now)
    }

    /// Another user approved it, so that it may be sent from now on, or refused it. The first
    /// decision counts, in its time.
    fn decided(mut self, queued: Queued, decision: ApprovalDecision, now: Timestamp) -> Transition {
        let Some(approval) = self.approval.filter(Approval::is_awaited) else {
            return self.unchanged();
        };
        if now >= queued.expires_at {
            return self.cancel(CancelCause::Expired, now);
        }
        if approval
            .may_be_decided(decision.verdict, decision.by)
            .is_err()
        {
            return self.unchanged();
        }
        self.approval = Some(Approval {
            decision: Some(decision),
            ..approval
        });
        match decision.verdict {
            ApprovalVerdict::Refused => self.cancel(CancelCause::NotApproved, now),
            ApprovalVerdict::Approved => self.note(State::Queued(queued), now),
        }
    }

    /// An account has the identity now, and is paid. What is delivered by a provider is not.
    fn claimed(self, queued: Queued, payee: &Payee, now: Timestamp) -> Transition {
        if self.order.service() != Service::User {
            return self.unchanged();
        }
        if now >= queued.expires_at {
            return self.cancel(CancelCause::Expired, now);
        }
        let transfers = ledger::pay(&self, &payee.account, now);
        let booked = State::Booked(BookedAt {
            at: now,
            payee: Some(payee.clone()),
        });
        self.step(booked, (EventKind::Successful, transfers), now)
    }

    /// The price is released.
    fn cancel(self, cause: CancelCause, now: Timestamp) -> Transition {
        let transfers = vec![ledger::release(&self, now)];
        let cancelled = State::Cancelled(Cancelled { cause, at: now });
        self.step(cancelled, (EventKind::Failed, transfers), now)
    }
}
