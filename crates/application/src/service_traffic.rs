//! What became of payments of late, as far as this instance settled them, by product and biller. It
//! must never delay a payment, and keep nothing of whose it was once that is final.

use crate::payment::window::begins_at;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::order::Service;
use domain::provider::RefusalKind;
use domain::reference::TransactionNumber;
use domain::service_status::{FinalPayment, ServiceTraffic};
use domain::time::Timestamp;
use domain::transaction::{Proof, State, Transaction};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// For how long a final payment counts: long enough for a rate where little is sold, and short
/// enough that a biller that works again is soon shown so.
pub const WINDOW: Duration = Duration::from_mins(15);

/// Most final payments of one biller that count, the latest: by what is shown of them, more would
/// change neither the rate nor the time.
const FINALS_MAX: usize = 500;

/// Most billers that are counted, several times as many as a catalogue has; the payments of further
/// ones do not count.
const BILLERS_MAX: usize = 1_000;

/// Most payments that are counted while they wait: more say the same.
const PENDING_MAX: usize = 10_000;

/// How long those that wait are not looked at again.
const SWEEP_PAUSE: Duration = Duration::from_secs(1);

/// A biller of a product, for the accounts of one environment; none where the product has none.
type BillerKey = (Environment, Service, Option<String>);

/// A final payment and the uptime at which it became that.
#[derive(Debug, Clone, Copy)]
struct CountedFinal {
    at: Duration,
    payment: FinalPayment,
}

/// A payment without a definite answer.
#[derive(Debug, Clone)]
struct CountedPending {
    key: BillerKey,
    /// The uptime at which it was last asked about. What another instance settles is asked about
    /// here no more.
    asked_at: Duration,
}

#[derive(Debug, Default)]
struct Counted {
    finals: BTreeMap<BillerKey, VecDeque<CountedFinal>>,
    pending: BTreeMap<(AccountId, TransactionNumber), CountedPending>,
    /// The uptime from which those that are no longer asked about may be looked for again.
    sweep_from: Duration,
}

/// The payments that this instance settled of late, and those that it asks about.
#[derive(Debug)]
pub(crate) struct SettledPayments {
    /// For how long a payment is taken for waiting after it was asked about.
    pending_for: Duration,
    counted: Mutex<Counted>,
}

/// What is counted of a product, by its billers.
#[derive(Debug)]
pub(crate) struct ProductPayments {
    finals: BTreeMap<Option<String>, Vec<FinalPayment>>,
    pending: BTreeMap<Option<String>, u64>,
}

impl ProductPayments {
    /// What the payments of one biller show, or of all.
    pub(crate) fn traffic(&self, biller: Option<&str>) -> ServiceTraffic {
        let is_meant =
            |its: &Option<String>| biller.is_none_or(|biller| its.as_deref() == Some(biller));
        let finals = self.finals.iter().filter(|(its, _)| is_meant(its));
        let finals: Vec<FinalPayment> = finals.flat_map(|(_, all)| all).copied().collect();
        let pending = self.pending.iter().filter(|(its, _)| is_meant(its));
        let pending = pending.fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        ServiceTraffic::of(&finals, pending)
    }
}

impl SettledPayments {
    /// None yet, where payments are asked about after `longest_pause` at most.
    pub(crate) fn new(longest_pause: Duration) -> Self {
        Self {
            pending_for: longest_pause.saturating_mul(2),
            counted: Mutex::default(),
        }
    }

    /// Takes in a step of a payment that is stored. Only the first final state counts, and only one
    /// that the provider brought about: what an order is refused for, and what a person decides,
    /// says nothing of the product.
    pub(crate) fn take_in(
        &self,
        environment: Environment,
        (before, after): (&Transaction, &Transaction),
        (now, uptime): (Timestamp, Duration),
    ) {
        let was_open = matches!(before.state, State::Sending(_) | State::InDoubt(_));
        if !was_open {
            return;
        }
        let order = &after.order;
        let key = || {
            let biller = order.biller().map(str::to_owned);
            (environment, order.service(), biller)
        };
        let id = || (after.account.clone(), after.number);
        if matches!(after.state, State::Sending(_)) {
            return;
        }
        if matches!(after.state, State::InDoubt(_)) {
            let asked = CountedPending {
                key: key(),
                asked_at: uptime,
            };
            self.counted().waits(id(), asked, self.pending_for);
            return;
        }
        let mut counted = self.counted();
        if matches!(before.state, State::InDoubt(_)) {
            counted.pending.remove(&id());
        }
        if let Some(is_delivered) = outcome(&after.state) {
            let took = now.since(begins_at(after));
            let payment = FinalPayment { is_delivered, took };
            let at = uptime;
            counted.finished(key(), CountedFinal { at, payment });
        }
    }

    /// What is counted of a product, read once.
    pub(crate) fn of_product(
        &self,
        environment: Environment,
        service: Service,
        uptime: Duration,
    ) -> ProductPayments {
        let counted = self.counted();
        let is_meant = |(of, product, _): &BillerKey| (*of, *product) == (environment, service);
        let from = (environment, service, None);
        let queues = counted.finals.range(from..);
        let queues = queues.take_while(|(key, _)| is_meant(key));
        let finals = queues.map(|((_, _, biller), queue)| {
            let recent = queue
                .iter()
                .filter(|it| uptime.saturating_sub(it.at) < WINDOW);
            (biller.clone(), recent.map(|it| it.payment).collect())
        });
        let finals = finals.collect();
        let mut pending = BTreeMap::new();
        for waiting in counted.pending.values().filter(|it| is_meant(&it.key)) {
            if uptime.saturating_sub(waiting.asked_at) < self.pending_for {
                let count: &mut u64 = pending.entry(waiting.key.2.clone()).or_default();
                *count = count.saturating_add(1);
            }
        }
        ProductPayments { finals, pending }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        // After a panic elsewhere a payment may be missing, which changes a rate by a fraction.
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counted {
    fn finished(&mut self, key: BillerKey, payment: CountedFinal) {
        if self.finals.len() >= BILLERS_MAX && !self.finals.contains_key(&key) {
            return;
        }
        let queue = self.finals.entry(key).or_default();
        if queue.len() >= FINALS_MAX {
            queue.pop_front();
        }
        queue.push_back(payment);
    }

    fn waits(
        &mut self,
        id: (AccountId, TransactionNumber),
        asked: CountedPending,
        pending_for: Duration,
    ) {
        // Many wait where a provider is away: looking at all of them for each would delay payments.
        if self.pending.len() >= PENDING_MAX && asked.asked_at >= self.sweep_from {
            self.sweep_from = asked.asked_at.saturating_add(SWEEP_PAUSE);
            self.pending
                .retain(|_, it| asked.asked_at.saturating_sub(it.asked_at) < pending_for);
        }
        if self.pending.len() < PENDING_MAX || self.pending.contains_key(&id) {
            self.pending.insert(id, asked);
        }
    }
}

/// Whether a final payment was delivered; `None` where it is not final or says nothing of the
/// product.
fn outcome(state: &State) -> Option<bool> {
    match state {
        State::Successful(_) => Some(true),
        State::Reversed(_) => Some(false),
        State::Failed(disproven) => match &disproven.proof {
            Proof::NotSent | Proof::Absent(_) | Proof::TakenBack => Some(false),
            Proof::Refused(refusal) => match refusal.kind {
                RefusalKind::Account | RefusalKind::Moment { .. } => Some(false),
                RefusalKind::Order | RefusalKind::Lookalike => None,
            },
            Proof::Ruled(_) => None,
        },
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{advance, airtime, at, declined, delivered, pending};

    const TEST: Environment = Environment::Test;
    const AIRTIME: Service = Service::Airtime;

    fn settled() -> SettledPayments {
        SettledPayments::new(Duration::from_mins(1))
    }

    fn delivery() -> (Transaction, Transaction) {
        let before = airtime().transaction();
        let after = advance(&before, &delivered(&before), at(2)).transaction;
        (before, after)
    }

    #[test]
    fn the_latest_payments_of_a_biller_count_and_no_more() {
        let (settled, (before, after)) = (settled(), delivery());
        let failed = advance(&before, &declined(&before), at(1)).transaction;
        assert_eq!(outcome(&failed.state), None, "it is the fault of the order");
        for _ in 0..=FINALS_MAX {
            settled.take_in(TEST, (&before, &after), (at(2), Duration::ZERO));
        }
        let counted = settled
            .counted()
            .finals
            .values()
            .map(VecDeque::len)
            .sum::<usize>();
        assert_eq!(counted, FINALS_MAX);
        let shown = settled
            .of_product(TEST, AIRTIME, Duration::ZERO)
            .traffic(None);
        assert_eq!(shown.success_rate, Some(100));
        assert_eq!(shown.latency, Some(Duration::from_secs(2)));
        let live = settled
            .of_product(Environment::Live, AIRTIME, Duration::ZERO)
            .traffic(None);
        assert_eq!(live, ServiceTraffic::default());
        let forgotten = settled.of_product(TEST, AIRTIME, WINDOW).traffic(None);
        assert_eq!(forgotten, ServiceTraffic::default());
    }

    #[test]
    fn a_final_state_counts_once_and_ends_the_wait() {
        let settled = settled();
        let before = airtime().transaction();
        let in_doubt = advance(&before, &pending(&before), at(1)).transaction;
        let after = advance(&in_doubt, &delivered(&in_doubt), at(2)).transaction;
        settled.take_in(TEST, (&before, &in_doubt), (at(1), Duration::ZERO));
        assert_eq!(settled.counted().pending.len(), 1);
        settled.take_in(TEST, (&in_doubt, &after), (at(2), Duration::ZERO));
        settled.take_in(TEST, (&after, &after), (at(3), Duration::ZERO));
        let counted = settled.counted();
        assert!(counted.pending.is_empty());
        assert_eq!(counted.finals.values().map(VecDeque::len).sum::<usize>(), 1);
    }
}
