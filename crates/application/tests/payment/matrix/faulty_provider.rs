//! A provider of one kind behind one fault, with a record of its own of what it really did. It must
//! keep what its kind guarantees, whatever goes wrong on the way.

use super::model_book::{ModelBook, ModelTruth};
use crate::support::seeded_rng::FlowRng;
use async_trait::async_trait;
use domain::order::Service;
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::State;
use ports::PortError;
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Changes, Provider, ProviderAnswer};
use ports::transactions::Transactions;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use testkit::builders::provider_id;
use testkit::clock::ManualClock;
use testkit::matrix::{ProviderKind, WireFault};
use testkit::memory::MemoryStore;

/// The longest a request is kept on its way: beyond the limit in time that a request has, within
/// the quarantine.
const LATE_MAX_S: u64 = 6 * 60;

/// A provider of one kind behind one fault.
#[derive(Debug)]
pub(super) struct FaultyProvider {
    id: ProviderId,
    kind: ProviderKind,
    clock: Arc<ManualClock>,
    /// The store itself, to see what was committed when something is sent.
    store: Arc<MemoryStore>,
    book: Mutex<ModelBook>,
}

impl FaultyProvider {
    pub(super) fn new(
        (id, kind): (&str, ProviderKind),
        (fault, chance): (Option<WireFault>, FlowRng),
        (store, clock): (Arc<MemoryStore>, Arc<ManualClock>),
    ) -> Arc<Self> {
        Arc::new(Self {
            id: provider_id(id),
            kind,
            clock,
            store,
            book: Mutex::new(ModelBook::new(fault, chance)),
        })
    }

    fn book(&self) -> MutexGuard<'_, ModelBook> {
        self.book.lock().unwrap()
    }

    /// Nothing goes wrong on the way any more.
    pub(super) fn heal(&self) {
        self.book().fault = None;
    }

    pub(super) fn time_passed(&self) {
        let now = self.clock.now();
        self.book().time_passed(self.kind, now);
    }

    /// Some of what was delivered is taken back, where the kind does that.
    pub(super) fn takes_back(&self) {
        if self.kind != ProviderKind::Queueing {
            return;
        }
        let mut book = self.book();
        let book = &mut *book;
        for (reference, record) in &mut book.records {
            if record.truth == ModelTruth::Delivered && book.chance.percent(20) {
                record.truth = ModelTruth::TakenBack;
                book.changes
                    .push((reference.clone(), QueryOutcome::Reversed));
            }
        }
    }

    /// What was sent without being committed, or sent again.
    pub(super) fn offences(&self) -> Vec<String> {
        self.book().offences.clone()
    }

    /// How often something met the fault.
    pub(super) fn strikes(&self) -> u32 {
        self.book().strikes
    }

    /// What became of an attempt, and how often the customer was handed something.
    pub(super) fn truth(&self, reference: &ProviderReference) -> Option<(ModelTruth, u32)> {
        let book = self.book();
        let record = book.records.get(reference)?;
        Some((record.truth, record.handed_over))
    }

    /// Whatever leaves must have been committed before, as it is, and leave once.
    async fn watch(&self, submission: &Submission) {
        let sent = &submission.reference;
        let (account, reference, attempt) = sent.parts().expect("a reference of ours");
        let stored = self.store.by_reference(&account, &reference).await.unwrap();
        let is_committed = stored.is_some_and(|tx| {
            let is_sending = matches!(&tx.state, State::Sending(it) if it.attempt == attempt);
            is_sending && tx.order == submission.order && *tx.provider() == self.id
        });
        let mut book = self.book();
        if !is_committed {
            book.offences.push(format!("{sent} was not committed"));
        }
        if !book.sent.insert(sent.clone()) {
            book.offences.push(format!("{sent} was sent again"));
        }
    }

    /// One request, once it may be written: what happens, and what comes back after how long.
    fn pass(&self, sent: &Submission, now: Timestamp) -> (SubmitOutcome, AnswerTime) {
        let unknown = SubmitOutcome::Unknown;
        let mut book = self.book();
        let book = &mut *book;
        book.time_passed(self.kind, now);
        let Some(fault) = book.fault else {
            return (book.arrive(self.kind, sent, now), AnswerTime::Now);
        };
        book.strikes += 1;
        let mut arrive = || book.arrive(self.kind, sent, now);
        match fault {
            WireFault::Unreachable => (SubmitOutcome::NotSent, AnswerTime::Now),
            WireFault::CutBefore => (unknown(UnknownCause::ConnectionLost), AnswerTime::Now),
            WireFault::Redirect => (unknown(UnknownCause::Unlisted), AnswerTime::Now),
            WireFault::CutAfter => {
                arrive();
                (unknown(UnknownCause::ConnectionLost), AnswerTime::Now)
            }
            WireFault::CutBody | WireFault::EmptyBody => {
                arrive();
                (unknown(UnknownCause::Unreadable), AnswerTime::Now)
            }
            WireFault::Crossed => {
                arrive();
                (unknown(UnknownCause::Unlisted), AnswerTime::Now)
            }
            WireFault::Silent => (arrive(), AnswerTime::Never),
            WireFault::SlowAnswer => (arrive(), AnswerTime::AfterDeadline),
            WireFault::LateRequest => {
                let late_by = Duration::from_secs(1) + book.some_seconds(LATE_MAX_S);
                book.under_way.push((now.plus(late_by), sent.clone()));
                (unknown(UnknownCause::Timeout), AnswerTime::Never)
            }
            WireFault::Html | WireFault::ServerError => {
                if book.chance.percent(50) {
                    book.arrive(self.kind, sent, now);
                }
                let cause = if fault == WireFault::Html {
                    UnknownCause::Unreadable
                } else {
                    UnknownCause::ServerError
                };
                (unknown(cause), AnswerTime::Now)
            }
            WireFault::Duplicated => {
                let (first, second) = (arrive(), arrive());
                let one = book.chance.percent(50);
                (if one { first } else { second }, AnswerTime::Now)
            }
            WireFault::StaleClock => {
                // Where its clock is behind, or limits do not bind it, it refuses our signature.
                if self.kind.keeps_to_limit() && book.chance.percent(50) {
                    (book.arrive(self.kind, sent, now), AnswerTime::Now)
                } else {
                    (unknown(UnknownCause::Unlisted), AnswerTime::Now)
                }
            }
        }
    }
}

/// When an answer comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerTime {
    Now,
    AfterDeadline,
    Never,
}

#[async_trait]
impl Provider for FaultyProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        self.kind.absence()
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        if self.book().fault == Some(WireFault::Unreachable) {
            self.book().strikes += 1;
            return SubmitOutcome::NotSent.into();
        }
        let granted = permit.ask().await;
        if granted.and_then(Granted::begin_writing).is_err() {
            return SubmitOutcome::NotSent.into();
        }
        self.watch(submission).await;
        let (outcome, time) = self.pass(submission, self.clock.now());
        match time {
            AnswerTime::Now => {}
            AnswerTime::AfterDeadline => {
                let late = submission.deadline + Duration::from_secs(5);
                self.clock.sleep(late).await;
            }
            AnswerTime::Never => pending().await,
        }
        outcome.into()
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let now = self.clock.now();
        let fault = {
            let mut book = self.book();
            book.time_passed(self.kind, now);
            book.strikes(attempt.reference)
        };
        match fault {
            None | Some(WireFault::Duplicated | WireFault::LateRequest) => {}
            Some(WireFault::Silent) => pending().await,
            Some(WireFault::SlowAnswer) => self.clock.sleep(Duration::from_secs(20)).await,
            Some(WireFault::CutAfter | WireFault::CutBody | WireFault::Crossed) => {
                // It is sealed all the same; nothing of the answer comes back.
                if self.kind == ProviderKind::Sealing {
                    let _ = self.book().query(self.kind, attempt.reference, now);
                }
                return QueryOutcome::Unknown.into();
            }
            Some(
                WireFault::Unreachable
                | WireFault::CutBefore
                | WireFault::Html
                | WireFault::ServerError
                | WireFault::EmptyBody
                | WireFault::Redirect
                | WireFault::StaleClock,
            ) => return QueryOutcome::Unknown.into(),
        }
        let now = self.clock.now();
        let outcome = self.book().query(self.kind, attempt.reference, now);
        outcome.into()
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        let book = self.book();
        let from = usize::try_from(cursor).unwrap();
        Ok(Changes {
            messages: Vec::new(),
            findings: book.changes.iter().skip(from).cloned().collect(),
            next: cursor.max(book.changes.len() as u64),
        })
    }
}
