//! Submissions, queries and seals. A reference is stored before the provider acts on it, and the
//! provider must be handed each reference at most once.

use crate::answer::{AnswerFor, with_details};
use crate::binding::{bound_to, inner_reference, unbound, unbound_seal};
use crate::grant::UntilNotAfter;
use crate::references::{
    ReferenceFate, ReferenceRecord, ReferenceStore, ReferenceStoreError, ReferenceSync, Stored,
};
use crate::served::ServedProvider;
use crate::undecided::UndecidedAttempts;
use domain::provider::{QueryOutcome, Submission, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::clock::Clock;
use ports::provider::{AttemptQuery, Naming, ProviderAnswer};
use provider_protocol::{
    AttemptAnswer, AttemptChanges, AttemptRequest, AttemptState, CHANGES_MAX, DocumentError,
    expired,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio_util::task::TaskTracker;

/// What is answered where the provider itself does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownAnswers {
    /// The state `unknown`.
    #[default]
    State,
    /// What a network between the two makes of it: no answer, an error of a proxy, a page of HTML.
    /// It is meant for sandboxes.
    Fault,
}

/// What is answered to a submission.
#[derive(Debug)]
pub(crate) enum SubmitAnswer {
    /// The object, for the first time.
    First(AttemptAnswer),
    /// The present object of an earlier request.
    Replayed(AttemptAnswer),
    /// The reference is bound to another request.
    Conflict,
    /// Something else than an answer.
    Fault(UnknownCause),
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AttemptsError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error(transparent)]
    References(#[from] ReferenceStoreError),
    #[error("the provider has no changes to report at the moment")]
    Changes(#[source] ports::PortError),
    #[error("the provider does not say how our money stands at the moment")]
    Float(#[source] ports::PortError),
    #[error("the work under the reference ended without an answer")]
    Ended,
}

/// Everything about attempts.
#[derive(Debug)]
pub(crate) struct Attempts {
    pub(crate) served: ServedProvider,
    references: Arc<ReferenceStore>,
    clock: Arc<dyn Clock>,
    unknown: UnknownAnswers,
    /// What the provider is working on, and how many copies of the request are here: which of them
    /// is stored first is not known before.
    under_way: Mutex<HashMap<ProviderReference, usize>>,
    /// Where attempts go whose first answer is not the last word, for a provider that calls back.
    pub(crate) undecided: UndecidedAttempts,
    /// Ends when nothing is under way any more.
    pub(crate) tasks: TaskTracker,
}

impl Attempts {
    pub(crate) fn new(
        served: ServedProvider,
        (references, clock): (ReferenceStore, Arc<dyn Clock>),
        unknown: UnknownAnswers,
    ) -> Arc<Self> {
        Arc::new(Self {
            served,
            references: Arc::new(references),
            clock,
            unknown,
            under_way: Mutex::default(),
            undecided: UndecidedAttempts::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// Takes a request: stores its reference, hands it to the provider and waits for the outcome.
    /// The work goes on where the caller does not wait for it.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        request: &AttemptRequest,
        body: &[u8],
    ) -> Result<SubmitAnswer, AttemptsError> {
        let reference = request.reference()?;
        let order = request.order()?;
        let now = self.clock.now();
        let prepared = self.served.provider.prepare(Naming {
            derived: reference.clone(),
            order: &order,
            started_at: now,
        });
        let not_after = Timestamp::from(request.not_after);
        let bound = bound_to(&order, &prepared, (body, &reference));
        let late = now > not_after;
        let record = ReferenceRecord {
            reference: reference.clone(),
            at: now,
            fate: if late {
                ReferenceFate::Expired(bound.clone())
            } else {
                ReferenceFate::Accepted(bound.clone())
            },
        };
        // Before it is stored, so that no query finds it stored and not under way.
        let work = self.begin(&reference);
        if let Stored::Before(record) = self.store(record).await? {
            drop(work);
            return self.again(&record, bound.hash).await;
        }
        let about = AnswerFor {
            reference: &reference,
            bound: &bound,
            now,
        };
        if late {
            return Ok(SubmitAnswer::First(about.declined(&expired())));
        }
        let submission = Submission {
            reference: prepared.reference,
            adapter_state: prepared.adapter_state,
            order,
            started_at: now,
            deadline: Duration::from_secs(self.served.profile.deadline_seconds),
            not_after,
        };
        let delivered = self.deliver(submission, work).await?;
        let outcome = &delivered.outcome;
        if let (SubmitOutcome::Unknown(cause), UnknownAnswers::Fault) = (outcome, self.unknown) {
            return Ok(SubmitAnswer::Fault(*cause));
        }
        let about = AnswerFor {
            now: self.clock.now(),
            ..about
        };
        match about.submitted(outcome) {
            Some(answer) => Ok(SubmitAnswer::First(with_details(
                answer,
                &delivered.details,
            ))),
            // Nothing was sent: sealed, that is a definite no.
            None => Ok(SubmitAnswer::First(self.seal(&reference).await?)),
        }
    }

    /// Where a reference stands, or that there is no trace of it.
    pub(crate) async fn query(
        &self,
        reference: &ProviderReference,
    ) -> Result<AttemptAnswer, AttemptsError> {
        let record = self.references.find(reference)?;
        // Asked after the record and before the provider: work begins before its record is stored
        // and ends after the provider has it, so what is not under way now the provider knows.
        let under_way = self.is_under_way(reference);
        self.present(reference, record.as_ref(), under_way).await
    }

    /// Refuses a reference for ever, unless something came of it.
    pub(crate) async fn seal(
        &self,
        reference: &ProviderReference,
    ) -> Result<AttemptAnswer, AttemptsError> {
        let now = self.clock.now();
        let record = ReferenceRecord {
            reference: reference.clone(),
            at: now,
            fate: ReferenceFate::Sealed,
        };
        let before = match self.store(record).await? {
            Stored::Now => None,
            Stored::Before(record) => Some(record),
        };
        let under_way = self.is_under_way(reference);
        let bound = before.as_ref().and_then(ReferenceRecord::bound);
        let fate = before.as_ref().map(|record| &record.fate);
        let is_open = !under_way && !matches!(fate, Some(ReferenceFate::Expired(_)));
        if let Some(seals) = self.served.seals.as_ref().filter(|_| is_open) {
            let inner = inner_reference(reference, bound);
            let finding = seals.seal(&inner).await;
            let now = self.clock.now();
            return Ok(match bound {
                Some(bound) => AnswerFor {
                    reference,
                    bound,
                    now,
                }
                .found(&finding)
                .unwrap_or_else(|| AttemptAnswer::new(reference, AttemptState::Unknown, now)),
                None => unbound(reference, &finding, now),
            });
        }
        let record = self.references.find(reference)?;
        self.present(reference, record.as_ref(), under_way).await
    }

    /// What changed unasked, from a number on.
    pub(crate) async fn changes(&self, after: u64) -> Result<AttemptChanges, AttemptsError> {
        let changes = self.served.provider.changes_since(after).await;
        let changes = changes.map_err(AttemptsError::Changes)?;
        let now = self.clock.now();
        let mut attempts = Vec::new();
        for (reference, finding) in changes.findings.iter().take(CHANGES_MAX) {
            let record = self.references.find(reference)?;
            let bound = record.as_ref().and_then(ReferenceRecord::bound);
            let answer = bound.and_then(|bound| {
                AnswerFor {
                    reference,
                    bound,
                    now,
                }
                .found(finding)
            });
            // What is not ours to tell keeps its place.
            attempts.push(answer.unwrap_or_else(|| unbound(reference, finding, now)));
        }
        attempts.truncate(AttemptChanges::fitting(&attempts)?);
        let next = if attempts.len() < changes.findings.len() {
            after.saturating_add(attempts.len() as u64)
        } else {
            changes.next
        };
        Ok(AttemptChanges { attempts, next })
    }

    /// The present object of a request that came again.
    async fn again(
        &self,
        record: &ReferenceRecord,
        hash: [u8; 32],
    ) -> Result<SubmitAnswer, AttemptsError> {
        if record.bound().is_some_and(|bound| bound.hash != hash) {
            return Ok(SubmitAnswer::Conflict);
        }
        let under_way = self.is_under_way(&record.reference);
        let mut answer = self
            .present(&record.reference, Some(record), under_way)
            .await?;
        if answer.state == AttemptState::Absent {
            // It was stored and nothing came of it; whether anything will, a seal decides.
            answer.state = AttemptState::Unknown;
        }
        Ok(SubmitAnswer::Replayed(answer))
    }

    async fn present(
        &self,
        reference: &ProviderReference,
        record: Option<&ReferenceRecord>,
        under_way: bool,
    ) -> Result<AttemptAnswer, AttemptsError> {
        let bound = record.and_then(ReferenceRecord::bound);
        let inner = inner_reference(reference, bound);
        let asked = AttemptQuery {
            reference: &inner,
            adapter_state: bound.and_then(|bound| bound.adapter_state.as_deref()),
            id: None,
            order: None,
            started_at: record.map(|record| record.at),
        };
        let answer = self.served.provider.query(&asked).await;
        let finding = answer.outcome;
        let now = self.clock.now();
        let absent = || AttemptAnswer::new(reference, AttemptState::Absent, now);
        Ok(match record.map(|record| &record.fate) {
            None => unbound(reference, &finding, now),
            Some(ReferenceFate::Sealed) => match finding {
                QueryOutcome::NotFound => unbound_seal(reference, now),
                finding @ (QueryOutcome::Delivered(_)
                | QueryOutcome::Declined(_)
                | QueryOutcome::Pending
                | QueryOutcome::Reversed
                | QueryOutcome::Unknown) => unbound(reference, &finding, now),
            },
            Some(ReferenceFate::Expired(bound)) => AnswerFor {
                reference,
                bound,
                now,
            }
            .declined(&expired()),
            Some(ReferenceFate::Accepted(bound)) => {
                let about = AnswerFor {
                    reference,
                    bound,
                    now,
                };
                match about.found(&finding) {
                    Some(found) => with_details(found, &answer.details),
                    None if under_way => about.state(AttemptState::Pending),
                    None => absent(),
                }
            }
        })
    }

    async fn store(&self, record: ReferenceRecord) -> Result<Stored, AttemptsError> {
        let references = Arc::clone(&self.references);
        match self.references.sync() {
            ReferenceSync::Off => Ok(references.store(&record)?),
            // The disk may take long.
            ReferenceSync::EachReference => {
                let stored = spawn_blocking(move || references.store(&record)).await;
                Ok(stored.map_err(|_| AttemptsError::Ended)??)
            }
        }
    }

    /// Hands a submission to the provider in a task of its own.
    async fn deliver(
        self: &Arc<Self>,
        submission: Submission,
        work: UnderWay,
    ) -> Result<ProviderAnswer<SubmitOutcome>, AttemptsError> {
        let permit = UntilNotAfter {
            clock: Arc::clone(&self.clock),
            not_after: submission.not_after,
        };
        let provider = Arc::clone(&self.served.provider);
        let delivering = self.tasks.spawn(async move {
            let outcome = provider.submit(&submission, &permit).await;
            drop(work);
            outcome
        });
        delivering.await.map_err(|_| AttemptsError::Ended)
    }

    fn begin(self: &Arc<Self>, reference: &ProviderReference) -> UnderWay {
        let mut under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let copies = under_way.entry(reference.clone()).or_default();
        *copies = copies.saturating_add(1);
        UnderWay {
            reference: reference.clone(),
            attempts: Arc::clone(self),
        }
    }

    fn is_under_way(&self, reference: &ProviderReference) -> bool {
        let under_way = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        under_way.contains_key(reference)
    }
}

/// A copy of a request under a reference, until it is dropped.
struct UnderWay {
    reference: ProviderReference,
    attempts: Arc<Attempts>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let under_way = self.attempts.under_way.lock();
        let mut under_way = under_way.unwrap_or_else(PoisonError::into_inner);
        if let Some(copies) = under_way.get_mut(&self.reference) {
            *copies = copies.saturating_sub(1);
            if *copies == 0 {
                under_way.remove(&self.reference);
            }
        }
    }
}
