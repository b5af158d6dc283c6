//! A provider of one kind behind one fault, with a record of its own of what it really did. It must
//! keep what its kind guarantees, whatever goes wrong on the way.

use crate::support::seeded_rng::FlowRng;
use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, RefusalKind, Submission, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::State;
use ports::PortError;
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Changes, Provider, ProviderAnswer};
use ports::transactions::Transactions;
use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use testkit::builders::{provider_id, receipt_of, refusal_of};
use testkit::clock::ManualClock;
use testkit::matrix::{ProviderKind, WireFault};
use testkit::memory::MemoryStore;

/// How long after its arrival the lagging kind finds an attempt: well within the quarantine.
const INDEX_LAG: Duration = Duration::from_mins(3);

/// The longest a request is kept on its way: beyond the limit in time that a request has, within
/// the quarantine.
const LATE_MAX_S: u64 = 6 * 60;

/// The longest the queueing kind takes to decide.
const QUEUE_MAX_S: u64 = 15 * 60;

/// How many questions about an attempt meet the fault at most, where not all of them do until it is
/// over; so many of a hundred attempts are struck for so long.
const STRUCK_MAX: u64 = 6;
const STRUCK_THROUGHOUT_PERCENT: u64 = 25;

/// The lagging kind misses an attempt once more after the quarantine, between these, for less than
/// the spacing of the answers that prove absence: its index is rebuilt.
const MISSED_AFTER: Duration = Duration::from_mins(10);
const MISSED_WITHIN_S: u64 = 4 * 60;
const MISSED_FOR: Duration = Duration::from_secs(55);

const MOMENT: RefusalKind = RefusalKind::Moment { retry_after: None };

/// What became of an attempt at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelTruth {
    /// Never to be accepted.
    Sealed,
    Refused(RefusalKind),
    /// Accepted; decided at a moment, one way or the other.
    Queued {
        until: Timestamp,
        delivers: bool,
    },
    Delivered,
    TakenBack,
}

#[derive(Debug, Clone)]
struct ModelRecord {
    order: Option<Order>,
    truth: ModelTruth,
    arrived: Timestamp,
    /// From when on it is missed once more.
    missed_from: Timestamp,
    /// How often something was handed to the customer.
    handed_over: u32,
    /// Whether a question ever finds it.
    is_found: bool,
    /// Whether a question was answered that it is being processed.
    is_acknowledged: bool,
}

#[derive(Debug)]
struct ModelBook {
    /// None once it is healed.
    fault: Option<WireFault>,
    chance: FlowRng,
    records: BTreeMap<ProviderReference, ModelRecord>,
    under_way: Vec<(Timestamp, Submission)>,
    /// How many questions about an attempt still meet the fault.
    struck: BTreeMap<ProviderReference, u64>,
    changes: Vec<(ProviderReference, QueryOutcome)>,
    sent: BTreeSet<ProviderReference>,
    offences: Vec<String>,
    strikes: u32,
}

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

/// What is said of a record.
fn said(reference: &ProviderReference, record: &ModelRecord) -> QueryOutcome {
    match record.truth {
        ModelTruth::Sealed => QueryOutcome::Declined(refusal_of(MOMENT)),
        ModelTruth::Refused(kind) => QueryOutcome::Declined(refusal_of(kind)),
        ModelTruth::Queued { .. } => QueryOutcome::Pending,
        ModelTruth::Delivered => {
            let order = record.order.as_ref().expect("what was delivered");
            QueryOutcome::Delivered(receipt_of(reference, order))
        }
        ModelTruth::TakenBack => QueryOutcome::Reversed,
    }
}

/// The same as the answer to a submission.
fn answered(found: QueryOutcome) -> SubmitOutcome {
    match found {
        QueryOutcome::Delivered(receipt) => SubmitOutcome::Delivered(receipt),
        QueryOutcome::Declined(refusal) => SubmitOutcome::Declined(refusal),
        QueryOutcome::Pending => SubmitOutcome::Pending,
        QueryOutcome::Reversed => SubmitOutcome::Reversed,
        QueryOutcome::NotFound | QueryOutcome::Unknown => {
            SubmitOutcome::Unknown(UnknownCause::Unlisted)
        }
    }
}

impl ModelBook {
    /// A request arrives: what becomes of it, and what is answered.
    fn arrive(&mut self, kind: ProviderKind, sent: &Submission, now: Timestamp) -> SubmitOutcome {
        let reference = &sent.reference;
        if let Some(earlier) = self.records.get(reference) {
            if kind.replays() {
                return answered(said(reference, earlier));
            }
            return SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
        }
        let ahead = self.is_ahead();
        let expired = kind.keeps_to_limit() && (ahead || now > sent.not_after);
        let truth = if expired {
            ModelTruth::Refused(MOMENT)
        } else {
            self.decide(kind, now)
        };
        let record = ModelRecord {
            order: Some(sent.order.clone()),
            truth,
            arrived: now,
            missed_from: now.plus(MISSED_AFTER + self.some_seconds(MISSED_WITHIN_S)),
            handed_over: u32::from(truth == ModelTruth::Delivered),
            is_found: kind != ProviderKind::Forgetting || self.chance.percent(50),
            is_acknowledged: false,
        };
        let outcome = answered(said(reference, &record));
        self.records.insert(reference.clone(), record);
        outcome
    }

    fn some_seconds(&mut self, below: u64) -> Duration {
        Duration::from_secs(self.chance.below(below))
    }

    fn decide(&mut self, kind: ProviderKind, now: Timestamp) -> ModelTruth {
        if kind == ProviderKind::Queueing {
            let wait = self.some_seconds(QUEUE_MAX_S);
            return ModelTruth::Queued {
                until: now.plus(wait),
                delivers: self.chance.percent(75),
            };
        }
        match self.chance.below(10) {
            0 => ModelTruth::Refused(RefusalKind::Order),
            1 => ModelTruth::Refused(RefusalKind::Account),
            2 => ModelTruth::Refused(MOMENT),
            _ => ModelTruth::Delivered,
        }
    }

    /// Whether the provider's clock is ahead of ours, so that every request seems late to it.
    fn is_ahead(&mut self) -> bool {
        self.fault == Some(WireFault::StaleClock) && self.chance.percent(50)
    }

    /// What is under way arrives, and what is queued is decided, as far as it is time.
    fn time_passed(&mut self, kind: ProviderKind, now: Timestamp) {
        let under_way = std::mem::take(&mut self.under_way);
        let (arrived, later) = under_way.into_iter().partition(|(at, _)| *at <= now);
        self.under_way = later;
        let arrived: Vec<(Timestamp, Submission)> = arrived;
        for (_, sent) in arrived {
            let _ = self.arrive(kind, &sent, now);
        }
        for (reference, record) in &mut self.records {
            if let ModelTruth::Queued { until, delivers } = record.truth
                && until <= now
            {
                record.handed_over += u32::from(delivers);
                record.truth = if delivers {
                    ModelTruth::Delivered
                } else {
                    ModelTruth::Refused(RefusalKind::Order)
                };
                self.changes
                    .push((reference.clone(), said(reference, record)));
            }
        }
    }

    fn query(
        &mut self,
        kind: ProviderKind,
        reference: &ProviderReference,
        now: Timestamp,
    ) -> QueryOutcome {
        let Some(record) = self.records.get(reference) else {
            if kind == ProviderKind::Sealing {
                let sealed = ModelRecord {
                    order: None,
                    truth: ModelTruth::Sealed,
                    arrived: now,
                    missed_from: now,
                    handed_over: 0,
                    is_found: true,
                    is_acknowledged: false,
                };
                let found = said(reference, &sealed);
                self.records.insert(reference.clone(), sealed);
                return found;
            }
            return QueryOutcome::NotFound;
        };
        let lags = now.since(record.arrived) < INDEX_LAG;
        let is_missed_again =
            (record.missed_from..record.missed_from.plus(MISSED_FOR)).contains(&now);
        let is_missed = match record.truth {
            // What it has acknowledged it may miss for as long as it is at it.
            ModelTruth::Queued { .. } => {
                (lags || record.is_acknowledged) && self.chance.percent(50)
            }
            ModelTruth::Sealed
            | ModelTruth::Refused(_)
            | ModelTruth::Delivered
            | ModelTruth::TakenBack => {
                (kind == ProviderKind::Lagging && (lags || is_missed_again)) || !record.is_found
            }
        };
        if is_missed {
            return QueryOutcome::NotFound;
        }
        let record = self.records.get_mut(reference).expect("found before");
        record.is_acknowledged |= matches!(record.truth, ModelTruth::Queued { .. });
        said(reference, record)
    }

    /// The fault that a question about an attempt meets, where it still does.
    fn strikes(&mut self, reference: &ProviderReference) -> Option<WireFault> {
        let fault = self.fault?;
        let most = if self.chance.percent(STRUCK_THROUGHOUT_PERCENT) {
            u64::MAX
        } else {
            self.chance.below(STRUCK_MAX)
        };
        let left = self.struck.entry(reference.clone()).or_insert(most);
        if *left == 0 {
            return None;
        }
        *left -= 1;
        Some(fault)
    }
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
            book: Mutex::new(ModelBook {
                fault,
                chance,
                records: BTreeMap::new(),
                under_way: Vec::new(),
                struck: BTreeMap::new(),
                changes: Vec::new(),
                sent: BTreeSet::new(),
                offences: Vec::new(),
                strikes: 0,
            }),
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
            findings: book.changes.iter().skip(from).cloned().collect(),
            next: cursor.max(book.changes.len() as u64),
        })
    }
}
