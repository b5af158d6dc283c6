//! What the payment flow reports of its own work. It must not decide anything, and nothing may
//! wait for it.

use crate::gateway::Gateway;
use domain::order::Service;
use domain::provider::{ProviderId, QueryOutcome, SubmitOutcome};
use domain::transaction::{Doubt, State, Status, Transaction};
use ports::measurements::{MeasuredPayment, Measurements, ProviderCall, ProviderCallKind};
pub use ports::measurements::{MeasuredRequest, NamedLimit};
use std::collections::BTreeSet;
use std::time::Duration;

fn payment(transaction: &Transaction) -> MeasuredPayment<'_> {
    MeasuredPayment {
        service: transaction.order.service(),
        provider: transaction.provider(),
    }
}

impl Gateway {
    /// What counts the work of this gateway.
    pub fn measurements(&self) -> &dyn Measurements {
        &*self.parts().measurements
    }

    /// A payment was opened, or queued.
    pub(crate) fn measure_opened(&self, service: Service, provider: &ProviderId) {
        let payment = MeasuredPayment { service, provider };
        self.measurements().payment_opened(payment);
    }

    /// A step of a payment was stored.
    pub(crate) fn measure_step(&self, before: &Transaction, after: &Transaction) {
        let is_new = before.status() == Status::Pending;
        match after.status() {
            Status::Pending => {
                let was_in_doubt = matches!(before.state, State::InDoubt(_));
                if let (State::InDoubt(in_doubt), false) = (&after.state, was_in_doubt) {
                    let is_acknowledged = matches!(in_doubt.doubt, Doubt::Acknowledged);
                    let measurements = self.measurements();
                    measurements.payment_in_doubt(payment(after), is_acknowledged);
                }
            }
            status @ (Status::Successful | Status::Failed) if is_new => {
                let age = after.updated_at.since(after.opened_at);
                let measurements = self.measurements();
                measurements.payment_ended(payment(after), status, age);
            }
            // What was delivered before and is taken back now ended twice, once as each.
            Status::Reversed => {
                let age = after.updated_at.since(after.opened_at);
                let measurements = self.measurements();
                measurements.payment_ended(payment(after), Status::Reversed, age);
            }
            Status::Successful | Status::Failed => {}
        }
    }

    /// A provider was asked to deliver since the uptime `begun`. Answers with the word for what
    /// came of it.
    pub(crate) fn measure_submission(
        &self,
        provider: &ProviderId,
        outcome: &SubmitOutcome,
        begun: Duration,
    ) -> &'static str {
        let outcome = match outcome {
            SubmitOutcome::Delivered(_) => "delivered",
            SubmitOutcome::Declined(_) => "declined",
            SubmitOutcome::NotSent => "not_sent",
            SubmitOutcome::Pending => "pending",
            SubmitOutcome::Reversed => "reversed",
            SubmitOutcome::Unknown(_) => "unknown",
        };
        self.measure_call((provider, ProviderCallKind::Submit), outcome, begun);
        outcome
    }

    /// A provider was asked about an attempt since the uptime `begun`; the same.
    pub(crate) fn measure_query(
        &self,
        provider: &ProviderId,
        outcome: &QueryOutcome,
        begun: Duration,
    ) -> &'static str {
        let outcome = match outcome {
            QueryOutcome::Delivered(_) => "delivered",
            QueryOutcome::Declined(_) => "declined",
            QueryOutcome::Pending => "pending",
            QueryOutcome::NotFound => "not_found",
            QueryOutcome::Reversed => "reversed",
            QueryOutcome::Unknown => "unknown",
        };
        self.measure_call((provider, ProviderCallKind::Query), outcome, begun);
        outcome
    }

    fn measure_call(
        &self,
        (provider, kind): (&ProviderId, ProviderCallKind),
        outcome: &'static str,
        begun: Duration,
    ) {
        self.measurements().provider_called(ProviderCall {
            provider,
            kind,
            outcome,
            took: self.uptime().saturating_sub(begun),
        });
    }
}

/// What keeps payments from a provider at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderState {
    /// The provider.
    pub provider: ProviderId,
    /// Whether an operator has paused it.
    pub is_paused: bool,
    /// Of the services that routes lead to it for, whether the circuit of any biller is open.
    pub circuits: Vec<(Service, bool)>,
}

impl Gateway {
    /// The providers in the order of the configuration.
    pub fn provider_states(&self) -> Vec<ProviderState> {
        let (providers, uptime) = (self.providers_in_force(), self.uptime());
        let paused = providers.paused();
        let all = providers.distinct();
        let states = all.iter().map(|provider| {
            let id = provider.id();
            let routes = providers.routes().filter(|route| route.provider == *id);
            let services: BTreeSet<_> = routes.map(|route| route.product).collect();
            let is_open = |service| {
                let guard = providers.guard(id);
                guard.is_some_and(|guard| guard.has_open(service, uptime))
            };
            ProviderState {
                provider: id.clone(),
                is_paused: paused.contains_key(id),
                circuits: services.into_iter().map(|it| (it, is_open(it))).collect(),
            }
        });
        states.collect()
    }

    /// How many payments this process works on, and how many it works on at most.
    pub fn payment_places(&self) -> (u64, u64) {
        let most = self.parts().settings.payments_max;
        let taken = most.saturating_sub(self.tasks().free());
        (taken as u64, most as u64)
    }
}
