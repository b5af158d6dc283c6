//! Turns observations into committed state changes: the same code for the live flow, recovery,
//! provider events and operators. It must never overwrite another writer's state.

use crate::gateway::Gateway;
use crate::payment::window::{Window, begins_at};
use crate::settings::Settings;
use crate::stages;
use domain::change_set::ChangeSet;
use domain::event::EventKind;
use domain::provider::{AbsencePolicy, AttemptDetails, QueryOutcome, SubmitOutcome};
use domain::time::Timestamp;
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, State, Transaction, Transition,
};
use ports::ledger_store::CommitOutcome;
use ports::measurements::ProviderCallKind;
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use ports::{PortError, PortErrorKind};
use std::sync::Arc;
use tracing::Instrument as _;

/// How many races in a row one observation may lose. Each is lost to a writer that stored a step,
/// and few can be at work on one transaction; more mean that the store does not do what it says.
const RACES_MAX: usize = 16;

/// What became of recording an observation.
#[derive(Debug)]
pub(crate) enum Recorded {
    /// The transaction as it is stored now.
    Stored(Box<Transaction>),
    /// Why the store does not take the step.
    Refused(CommitOutcome),
}

/// Who goes on with a transaction: that decides when it must be looked at next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    /// The flow that opened it, while the merchant waits: recovery leaves it alone until the answer
    /// window has ended.
    Flow,
    /// Recovery, with pauses that grow.
    Recovery,
    /// A callback of a provider. Callbacks come as often as a provider sends them, so an answer
    /// that says nothing new is not stored: recovery goes on at its own times.
    Callback,
}

impl Driver {
    pub(crate) fn due_at(
        self,
        tx: &Transaction,
        now: Timestamp,
        settings: &Settings,
    ) -> Option<Timestamp> {
        match (&tx.state, self) {
            (State::Sending(_), _) => Some(now.plus(settings.lease)),
            (State::InDoubt(_), Self::Flow) => {
                let window_end = begins_at(tx).plus(settings.answer_window);
                // A clock that was set back must not put the end of the window hours away.
                let latest = now.plus(settings.answer_window);
                Some(window_end.clamp(now.plus(settings.recheck_first).min(latest), latest))
            }
            (State::Queued(queued), _) if tx.awaits_approval() => Some(queued.expires_at),
            // A moment of its own: one of this clock could be far ahead.
            (State::Queued(queued), _) => Some(queued.send_from),
            (State::InDoubt(in_doubt), Self::Recovery | Self::Callback) => {
                Some(now.plus(settings.recheck_after(in_doubt.checks, settings.recheck_max)))
            }
            (
                State::Review(_)
                | State::Successful(_)
                | State::Failed(_)
                | State::Reversed(_)
                | State::Cancelled(_)
                | State::Booked(_),
                _,
            ) => None,
        }
    }
}

/// News, and the moment it speaks of.
#[derive(Debug)]
pub(crate) struct TimedObservation {
    observation: Observation,
    /// When the question was asked that had "not found" for an answer. However long it takes to be
    /// recorded, silence says nothing about any later moment.
    silent_at: Option<Timestamp>,
    /// What the provider reported beside it.
    reported: AttemptDetails,
}

impl From<Observation> for TimedObservation {
    /// An observation that holds now as when it was made.
    fn from(news: Observation) -> Self {
        Self {
            observation: news,
            silent_at: None,
            reported: AttemptDetails::default(),
        }
    }
}

impl TimedObservation {
    /// Whether a query was not answered, or not in a readable way.
    pub(crate) const fn is_unanswered(&self) -> bool {
        matches!(
            self.observation,
            Observation::Finding {
                finding: QueryOutcome::Unknown,
                ..
            }
        )
    }

    /// The answer to submitting an attempt.
    pub(crate) fn answered(attempt: AttemptNumber, answer: ProviderAnswer<SubmitOutcome>) -> Self {
        let outcome = answer.outcome;
        Self {
            reported: answer.details,
            ..Observation::Answer { attempt, outcome }.into()
        }
    }
}

/// Whether a step only counts that the provider was asked. What is known of its absence is part of
/// the doubt, so an answer that begins, goes on with or ends an absence is never skipped.
fn says_nothing_new(before: &Transaction, after: &Transaction) -> bool {
    let (State::InDoubt(was), State::InDoubt(is)) = (&before.state, &after.state) else {
        return false;
    };
    (was.attempt, &was.doubt) == (is.attempt, &is.doubt) && before.reported == after.reported
}

impl Gateway {
    /// Asks a provider about an attempt, for as long as a call may take.
    pub(crate) async fn ask(
        &self,
        provider: &Arc<dyn Provider>,
        transaction: &Transaction,
        attempt: AttemptNumber,
    ) -> TimedObservation {
        let asked_at = self.now();
        let reference = transaction.provider_reference(attempt);
        let prepared = transaction.prepared.of(attempt);
        let query = AttemptQuery {
            reference: &reference,
            adapter_state: prepared.and_then(|prepared| prepared.adapter_state.as_deref()),
            id: transaction.reported.of(attempt).id.as_ref(),
            order: Some(&transaction.order),
            started_at: transaction.state.started_at(),
        };
        let begun = self.uptime();
        let answer = provider.query(&query);
        let answer = self.within(self.parts().settings.call_deadline, answer);
        let span = stages::provider_call(provider.id(), ProviderCallKind::Query, transaction);
        let answer = answer.instrument(span.clone()).await;
        let answer = answer.unwrap_or_else(|| QueryOutcome::Unknown.into());
        let finding = answer.outcome;
        let outcome = self.measure_query(provider.id(), &finding, begun);
        stages::ended(&span, outcome);
        let silent_at = (finding == QueryOutcome::NotFound).then_some(asked_at);
        TimedObservation {
            observation: Observation::Finding { attempt, finding },
            silent_at,
            reported: answer.details,
        }
    }

    /// Commits the state change of an observation. Where a race is lost, the observation is applied
    /// again to what the winner stored; the same where the answer of a commit is lost and its own
    /// step is found. Answers with the transaction as it is stored now.
    ///
    /// While a merchant waits, a store that fails is tried again: the provider would otherwise be
    /// queried once more, after the merchant got an unknown outcome.
    ///
    /// # Errors
    /// When the store failed: the step may or may not be stored, and recovery will look again.
    pub(crate) async fn settle_attempt(
        &self,
        transaction: Transaction,
        observed: &TimedObservation,
        driver: Driver,
    ) -> Result<Transaction, PortError> {
        match self.record(transaction, observed, driver).await? {
            Recorded::Stored(transaction) => Ok(*transaction),
            Recorded::Refused(outcome) => Err(refused(&outcome)),
        }
    }

    /// The same, where the store may refuse the step.
    ///
    /// # Errors
    /// When the store failed: the step may or may not be stored.
    pub(crate) async fn record(
        &self,
        transaction: Transaction,
        observed: &TimedObservation,
        driver: Driver,
    ) -> Result<Recorded, PortError> {
        let profile = self.profile_of(&transaction);
        let mut window = Window::of(self, &transaction);
        let mut current = transaction;
        let mut races = 0;
        while races < RACES_MAX {
            let now = self.now();
            let judged = self.judge((&current, observed), (driver, now), &profile);
            let mut advance = match judged {
                Transition::Unchanged(transaction) => return Ok(Recorded::Stored(transaction)),
                Transition::Changed(advance) => advance,
            };
            if driver == Driver::Callback && says_nothing_new(&current, &advance.transaction) {
                return Ok(Recorded::Stored(Box::new(current)));
            }
            advance.due_at = driver.due_at(&advance.transaction, now, &self.parts().settings);
            advance.undated = self.undated_of_queued(&current);
            let after = advance.transaction.clone();
            let event = advance.event.map(|event| event.kind);
            let committed = match self.commit(ChangeSet::Advance(advance), &after).await {
                Ok(committed) => committed,
                Err(error) if driver != Driver::Flow => return Err(error),
                Err(error) if window.is_over_before_the_next_try().await => return Err(error),
                Err(_) => continue,
            };
            if committed == CommitOutcome::Done {
                announce(&after, event);
                self.count(&current, &after, now);
                self.measure_step(&current, &after);
                return Ok(Recorded::Stored(Box::new(after)));
            }
            let CommitOutcome::VersionConflict(stored) = committed else {
                return Ok(Recorded::Refused(committed));
            };
            current = *stored;
            races += 1;
        }
        let what = "every state change met a version conflict";
        Err(PortError::new("ledger", what))
    }

    /// Counts what became of a payment, for the status of its product.
    fn count(&self, before: &Transaction, after: &Transaction, now: Timestamp) {
        // Where no route leads to its provider any more, what became of it says nothing of what is
        // sold now.
        let environment = self.providers_in_force().environment(before.provider());
        if let Some(environment) = environment {
            let at = (now, self.uptime());
            self.settled_payments()
                .take_in(environment, (before, after), at);
        }
    }

    /// What an observation does to a transaction now. Only the flow may go on to another attempt.
    fn judge(
        &self,
        (current, observed): (&Transaction, &TimedObservation),
        (driver, now): (Driver, Timestamp),
        profile: &AbsencePolicy,
    ) -> Transition {
        let observation = &observed.observation;
        let next = match driver {
            Driver::Flow => self.next_attempt((current, observation), now),
            Driver::Recovery | Driver::Callback => None,
        };
        let context = ApplyContext {
            now: observed.silent_at.unwrap_or(now),
            profile,
            next: next.as_ref().map(|it| &it.prepared),
            next_route: next.as_ref().and_then(|it| it.route.as_ref()),
            reported: Some(&observed.reported),
        };
        current.clone().apply(observation, context)
    }

    pub(crate) async fn commit(
        &self,
        change: ChangeSet,
        after: &Transaction,
    ) -> Result<CommitOutcome, PortError> {
        stages::commit(&*self.parts().ledger, change, after)
            .await
            .inspect_err(|error| {
                let number = after.number;
                tracing::error!(txnReference = %number, %error,
                    "state-change commit failed or unknown");
            })
    }

    /// How the silence of a transaction's provider is read; cautiously, where the provider is no
    /// longer configured.
    pub(crate) fn profile_of(&self, transaction: &Transaction) -> AbsencePolicy {
        let provider = self.provider(transaction.provider());
        provider.map_or(AbsencePolicy::CAUTIOUS, |provider| {
            provider.absence_policy(transaction.order.service())
        })
    }
}

/// A step that the store refused, where it may not.
pub(crate) fn refused(outcome: &CommitOutcome) -> PortError {
    match outcome {
        CommitOutcome::BalanceLimit => unbookable("the wallet cannot hold more"),
        CommitOutcome::InsufficientFunds => unbookable("the wallet does not hold enough"),
        CommitOutcome::AccountUnknown => unbookable("the account has no such wallet"),
        CommitOutcome::ReferenceSettled => unbookable("a delivery under its reference was settled"),
        CommitOutcome::OtherEnvironment => {
            unbookable("its next provider is of another environment")
        }
        CommitOutcome::Done
        | CommitOutcome::VersionConflict(_)
        | CommitOutcome::VoucherRefused(_)
        | CommitOutcome::SessionTaken(_)
        | CommitOutcome::Suspended
        | CommitOutcome::ReferenceUnsettled
        | CommitOutcome::SettlementUnfounded
        | CommitOutcome::AccountSuspended
        | CommitOutcome::Frozen(_)
        | CommitOutcome::KeyTaken(_)
        | CommitOutcome::ReferenceTaken(_)
        | CommitOutcome::BatchTaken(_)
        | CommitOutcome::FundingTaken(_)
        | CommitOutcome::OverDailyLimit(_)
        | CommitOutcome::NumberTaken => PortError::new("ledger", "a state change was not judged"),
    }
}

/// The transfers of a step cannot be booked, for a reason of their own account.
fn unbookable(why: &str) -> PortError {
    let what = format!("the transfers of a step cannot be booked: {why}");
    PortError::new("books", what)
        .with_trouble(PortErrorKind::Record)
        .with_nothing_done()
}

/// Says what operators must know of: by the event, for a contradiction leaves the state as it is.
fn announce(transaction: &Transaction, event: Option<EventKind>) {
    let (number, reference) = (transaction.number, transaction.reference.as_str());
    match event {
        Some(EventKind::Review) => {
            tracing::warn!(txnReference = %number, mrcReference = reference,
                "a transaction waits for a person");
        }
        Some(EventKind::LateDelivered) => {
            tracing::error!(txnReference = %number, mrcReference = reference,
                "late delivery after failure: loss booked");
        }
        Some(EventKind::LateReversed) => {
            tracing::warn!(txnReference = %number, mrcReference = reference,
                "a late delivery was taken back: the loss was undone");
        }
        Some(EventKind::Resent) => {
            let provider = transaction.provider();
            tracing::info!(txnReference = %number, mrcReference = reference, %provider,
                "a second attempt is made");
        }
        Some(
            EventKind::Opened
            | EventKind::Begun
            | EventKind::Reopened
            | EventKind::Pending
            | EventKind::Successful
            | EventKind::Failed
            | EventKind::Reversed
            | EventKind::Refunded
            | EventKind::MessageStatus,
        )
        | None => {}
    }
}
