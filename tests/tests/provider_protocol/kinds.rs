//! Providers of other kinds than the sandbox: what each promises of its services, and a provider
//! that keeps just that, made of the sandbox by what is shown of it. What was delivered must stay
//! what the journal of the sandbox says.

use crate::faulty_way::{RelayClock, drawn};
use ports::clock::Clock as _;
use provider_check::WireRequest;
use provider_protocol::{
    AbsenceProof, AttemptAnswer, AttemptChanges, AttemptState, Capabilities, DuplicateRule,
    read_reference,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use testkit::matrix::ProviderKind;
use tests::orders::OrderFamily;

/// Where attempts are at a provider.
const ATTEMPTS: &str = "/v1/attempts";

/// Where it says what changed.
const CHANGES: &str = "/v1/attempts?";

/// Absence is proven after this, and after what the adapter adds for limits in time and for clocks:
/// seventeen minutes more.
const AFTER: AbsenceProof = AbsenceProof::After {
    seconds: 240,
    count: 2,
    spacing: 60,
};

/// How long after its arrival the lagging kind finds an attempt at the latest: within what it
/// promises.
const INDEX_LAG_S: u32 = 180;

/// The longest the queueing kind takes to decide.
const QUEUE_S_MAX: u32 = 600;

/// How many of a hundred questions find nothing of what is being decided.
const QUEUED_MISSED_PERCENT: u32 = 50;

/// How many of a hundred attempts the forgetting kind finds.
const FOUND_PERCENT: u32 = 50;

/// The kinds whose absence is proven after a time.
const TIMED: [ProviderKind; 3] = [
    ProviderKind::Replaying,
    ProviderKind::Lagging,
    ProviderKind::Queueing,
];

/// Which kind delivers each service, and what arrived there.
#[derive(Debug)]
pub(crate) struct ProviderKinds {
    of: BTreeMap<&'static str, ProviderKind>,
    clock: Arc<RelayClock>,
    arrivals: Mutex<BTreeMap<String, KindArrival>>,
}

/// An order that arrived.
#[derive(Debug, Clone, Copy)]
struct KindArrival {
    kind: ProviderKind,
    at_ms: i64,
    /// So many questions about it were answered.
    questions: u32,
}

impl ProviderKinds {
    /// Every service by the kind that seals.
    pub(crate) fn sealing(clock: Arc<RelayClock>) -> Self {
        Self::of(clock, |_, _| ProviderKind::Sealing)
    }

    /// Every service by one of the other kinds, in turn: six seeds in a row give each service each
    /// kind. Without a proof of absence only messages, calls and lookups are sold.
    pub(crate) fn of_seed(clock: Arc<RelayClock>, seed: u32) -> Self {
        let seed = usize::try_from(seed).unwrap();
        Self::of(clock, |family, number| match family {
            OrderFamily::Sms
            | OrderFamily::Whatsapp
            | OrderFamily::Rcs
            | OrderFamily::Voice
            | OrderFamily::Ivr
            | OrderFamily::Hlr
            | OrderFamily::Lookup
            | OrderFamily::Device => {
                let forgets = seed.is_multiple_of(2) == (family == OrderFamily::Hlr);
                if forgets {
                    ProviderKind::Forgetting
                } else {
                    TIMED[seed / 2 % TIMED.len()]
                }
            }
            OrderFamily::Airtime
            | OrderFamily::CableTv
            | OrderFamily::Electricity
            | OrderFamily::Internet
            | OrderFamily::Bank
            | OrderFamily::MobileMoney
            | OrderFamily::Card
            | OrderFamily::International
            | OrderFamily::Gas => TIMED[(seed + number) % TIMED.len()],
        })
    }

    fn of(clock: Arc<RelayClock>, kind: impl Fn(OrderFamily, usize) -> ProviderKind) -> Self {
        let families = OrderFamily::ALL.into_iter().enumerate();
        Self {
            of: families
                .map(|(number, family)| (family.word(), kind(family, number)))
                .collect(),
            clock,
            arrivals: Mutex::default(),
        }
    }

    /// The kind that delivers a family.
    pub(crate) fn kind(&self, family: OrderFamily) -> ProviderKind {
        self.of[family.word()]
    }

    /// What is promised instead of what the sandbox promises.
    pub(crate) fn promise(&self, said: &mut Capabilities) {
        for (service, profile) in &mut said.services {
            let kind = self.of.get(service.as_str()).copied();
            let kind = kind.unwrap_or(ProviderKind::Sealing);
            profile.absence = match kind {
                ProviderKind::Sealing => AbsenceProof::Sealed,
                ProviderKind::Replaying | ProviderKind::Lagging | ProviderKind::Queueing => AFTER,
                ProviderKind::Forgetting => AbsenceProof::Never,
            };
            profile.duplicate = if kind.replays() {
                DuplicateRule::Replay
            } else {
                DuplicateRule::Error
            };
        }
    }

    /// Notes that an order arrives. Where it arrived before and its kind does not replay, the
    /// status that it is answered with, and it goes no further.
    pub(crate) fn arrives(&self, request: &WireRequest) -> Option<u16> {
        let call = RelayedCall::of(request).filter(RelayedCall::is_order)?;
        let kind = *self.of.get(call.service?.as_str())?;
        let at_ms = self.now_ms();
        let mut arrivals = self.arrivals();
        if arrivals.contains_key(&call.reference) {
            return (!kind.replays()).then_some(409);
        }
        let arrival = KindArrival {
            kind,
            at_ms,
            questions: 0,
        };
        arrivals.insert(call.reference, arrival);
        None
    }

    /// What is shown of an answer of the sandbox about an attempt, or of its list of changes.
    pub(crate) fn shown(&self, request: &WireRequest, body: Vec<u8>) -> Vec<u8> {
        if request.path.starts_with(CHANGES) {
            return self.changes_shown(body);
        }
        let state = RelayedCall::of(request).and_then(|call| self.state(&call));
        let answer = serde_json::from_slice::<AttemptAnswer>(&body);
        let (Some(state), Ok(mut answer)) = (state, answer) else {
            return body;
        };
        if state == AttemptState::Absent {
            let reference = read_reference(&answer.reference).unwrap();
            answer = AttemptAnswer::new(&reference, state, self.clock.now());
        } else {
            answer.state = state;
            answer.sequence = state.sequence();
            answer.receipt = None;
            answer.refusal = None;
        }
        serde_json::to_vec(&answer).unwrap()
    }

    /// The list of changes, in which what is never found is not known either.
    fn changes_shown(&self, body: Vec<u8>) -> Vec<u8> {
        let Ok(mut changes) = serde_json::from_slice::<AttemptChanges>(&body) else {
            return body;
        };
        let arrivals = self.arrivals();
        for change in &mut changes.attempts {
            let arrival = arrivals.get(&change.reference);
            let forgets = arrival.is_some_and(|it| it.kind == ProviderKind::Forgetting);
            if forgets && is_forgotten(&change.reference) {
                change.state = AttemptState::Unknown;
            }
        }
        serde_json::to_vec(&changes).unwrap()
    }

    /// The state that is shown instead of the true one, if any.
    fn state(&self, call: &RelayedCall) -> Option<AttemptState> {
        let now_ms = self.now_ms();
        let mut arrivals = self.arrivals();
        let arrival = arrivals.get_mut(&call.reference)?;
        if !call.is_order() {
            arrival.questions += 1;
        }
        let chance = drawn(&call.reference);
        let is_within = |seconds: u32| {
            let passed = Duration::from_millis(u64::try_from(now_ms - arrival.at_ms).unwrap_or(0));
            passed < Duration::from_secs(seconds.into())
        };
        let absent = (!call.is_order()).then_some(AttemptState::Absent);
        match arrival.kind {
            ProviderKind::Lagging => absent.filter(|_| is_within(INDEX_LAG_S)),
            ProviderKind::Queueing if is_within(chance % QUEUE_S_MAX) => {
                let turn = (chance + arrival.questions * 37) % 100;
                let is_missed = turn < QUEUED_MISSED_PERCENT;
                let missed = absent.filter(|_| is_missed);
                Some(missed.unwrap_or(AttemptState::Pending))
            }
            ProviderKind::Sealing | ProviderKind::Replaying | ProviderKind::Queueing => None,
            ProviderKind::Forgetting => absent.filter(|_| is_forgotten(&call.reference)),
        }
    }

    fn now_ms(&self) -> i64 {
        self.clock.now().as_millis()
    }

    fn arrivals(&self) -> MutexGuard<'_, BTreeMap<String, KindArrival>> {
        self.arrivals.lock().unwrap()
    }
}

/// Whether the forgetting kind never finds an attempt.
fn is_forgotten(reference: &str) -> bool {
    drawn(reference) % 100 >= FOUND_PERCENT
}

/// A request about one attempt.
#[derive(Debug)]
pub(crate) struct RelayedCall {
    /// What the provider knows it by.
    pub(crate) reference: String,
    /// The service that is ordered; none where it is asked about.
    service: Option<String>,
}

impl RelayedCall {
    /// The attempt that a request is about.
    pub(crate) fn of(request: &WireRequest) -> Option<Self> {
        let rest = request.path.strip_prefix(ATTEMPTS)?;
        let asked = rest.trim_start_matches('/').split(['/', '?']).next()?;
        if !asked.is_empty() {
            return Some(Self {
                reference: asked.to_owned(),
                service: None,
            });
        }
        let body: Value = serde_json::from_slice(&request.body).ok()?;
        Some(Self {
            reference: body["reference"].as_str()?.to_owned(),
            service: Some(body["service"].as_str()?.to_owned()),
        })
    }

    /// Whether it is the order itself.
    pub(crate) const fn is_order(&self) -> bool {
        self.service.is_some()
    }
}

#[test]
fn every_service_is_delivered_by_each_kind_that_it_may_be_sold_with() {
    for family in OrderFamily::ALL {
        let kinds = |seed| ProviderKinds::of_seed(RelayClock::right(), seed).kind(family);
        let seen: std::collections::HashSet<_> = (1..=6).map(kinds).collect();
        let is_call = matches!(family, OrderFamily::Voice | OrderFamily::Ivr);
        let is_small = is_call || family.is_message() || family.is_lookup();
        assert_eq!(seen.len(), 3 + usize::from(is_small), "{family:?}");
    }
    for seed in 1..=6 {
        let kinds = ProviderKinds::of_seed(RelayClock::right(), seed);
        let seen: std::collections::HashSet<_> = kinds.of.values().collect();
        assert_eq!(seen.len(), 4, "each kind is there in a run of seed {seed}");
    }
}
