//! What a provider of one kind keeps of attempts, and what it says of them. It must not know how a
//! request or an answer was lost.

use crate::support::seeded_rng::FlowRng;
use domain::order::Order;
use domain::provider::{QueryOutcome, RefusalKind, Submission, SubmitOutcome, UnknownCause};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use testkit::builders::{receipt_of, refusal_of};
use testkit::matrix::{ProviderKind, WireFault};

/// How long after its arrival the lagging kind finds an attempt: well within the quarantine.
const INDEX_LAG: Duration = Duration::from_mins(3);

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
pub(super) struct ModelRecord {
    pub(super) order: Option<Order>,
    pub(super) truth: ModelTruth,
    pub(super) arrived: Timestamp,
    /// From when on it is missed once more.
    pub(super) missed_from: Timestamp,
    /// How often something was handed to the customer.
    pub(super) handed_over: u32,
    /// Whether a question ever finds it.
    pub(super) is_found: bool,
    /// Whether a question was answered that it is being processed.
    pub(super) is_acknowledged: bool,
}

#[derive(Debug)]
pub(super) struct ModelBook {
    /// None once it is healed.
    pub(super) fault: Option<WireFault>,
    pub(super) chance: FlowRng,
    pub(super) records: BTreeMap<ProviderReference, ModelRecord>,
    pub(super) under_way: Vec<(Timestamp, Submission)>,
    /// How many questions about an attempt still meet the fault.
    pub(super) struck: BTreeMap<ProviderReference, u64>,
    pub(super) changes: Vec<(ProviderReference, QueryOutcome)>,
    pub(super) sent: BTreeSet<ProviderReference>,
    pub(super) offences: Vec<String>,
    pub(super) strikes: u32,
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
    pub(super) const fn new(fault: Option<WireFault>, chance: FlowRng) -> Self {
        Self {
            fault,
            chance,
            records: BTreeMap::new(),
            under_way: Vec::new(),
            struck: BTreeMap::new(),
            changes: Vec::new(),
            sent: BTreeSet::new(),
            offences: Vec::new(),
            strikes: 0,
        }
    }

    /// A request arrives: what becomes of it, and what is answered.
    pub(super) fn arrive(
        &mut self,
        kind: ProviderKind,
        sent: &Submission,
        now: Timestamp,
    ) -> SubmitOutcome {
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

    pub(super) fn some_seconds(&mut self, below: u64) -> Duration {
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
    pub(super) fn time_passed(&mut self, kind: ProviderKind, now: Timestamp) {
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

    pub(super) fn query(
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
    pub(super) fn strikes(&mut self, reference: &ProviderReference) -> Option<WireFault> {
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
