//! Where an attempt goes: the first of a payment, and the one that may follow it. A second attempt
//! must not be prepared unless the first certainly did not happen, nor for anyone but the merchant
//! who still waits.

use crate::gateway::Gateway;
use domain::account::AccountId;
use domain::opening::Draft;
use domain::order::Order;
use domain::provider::SubmitOutcome;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, AttemptRoute, Observation, PreparedAttempt, State, Transaction,
};
use ports::provider::{Naming, Provider};
use std::sync::Arc;

/// The first attempt of a payment, recorded at `now`.
pub(super) fn first(
    gateway: &Gateway,
    provider: &Arc<dyn Provider>,
    draft: &Draft,
    now: Timestamp,
) -> PreparedAttempt {
    let name = (&draft.account, &draft.reference);
    let naming = naming(name, &draft.order, (AttemptNumber::FIRST, now));
    gateway.prepared_attempt(provider, naming)
}

/// What an attempt at an order is prepared from, recorded at a moment.
fn naming<'a>(
    (account, reference): (&AccountId, &MerchantReference),
    order: &'a Order,
    (attempt, started_at): (AttemptNumber, Timestamp),
) -> Naming<'a> {
    Naming {
        derived: ProviderReference::derive(account, reference, attempt),
        order,
        started_at,
    }
}

/// An attempt that may follow another.
pub(crate) struct NextAttempt {
    pub(crate) prepared: PreparedAttempt,
    /// The route that it takes.
    pub(crate) route: Option<AttemptRoute>,
}

/// The first attempt of what is queued, recorded at `now`; `None` where its provider is unknown.
pub(super) fn queued(gateway: &Gateway, tx: &Transaction, now: Timestamp) -> Option<NextAttempt> {
    let provider = gateway.provider(tx.provider())?;
    let first = AttemptNumber::FIRST;
    let naming = naming((&tx.account, &tx.reference), &tx.order, (first, now));
    Some(NextAttempt {
        prepared: gateway.prepared_attempt(&provider, naming),
        route: tx.prepared.route_of(first).cloned(),
    })
}

impl Gateway {
    /// The attempt that may follow what is observed, recorded at `now`: at another provider where
    /// there is one and the merchant still waits, and where no byte left else at the same. `None`
    /// where nothing may follow.
    pub(crate) fn next_attempt(
        &self,
        (tx, observed): (&Transaction, &Observation),
        now: Timestamp,
    ) -> Option<NextAttempt> {
        let (State::Sending(sending), Observation::Answer { attempt, outcome }) =
            (&tx.state, observed)
        else {
            return None;
        };
        let number = attempt.next().filter(|_| sending.attempt == *attempt)?;
        // What was queued is sent long after it was opened.
        let window_ends = sending.started_at.plus(self.parts().settings.answer_window);
        let other = || {
            let waits = now < window_ends;
            waits.then(|| self.next_route(tx)).flatten()
        };
        let same = || {
            let provider = self.provider(tx.provider())?;
            if self.obstacle(&provider, &tx.order).is_some() {
                return None;
            }
            let route = tx.prepared.route_of(*attempt).cloned();
            Some((provider, route))
        };
        let other = || other().map(|it| (it.provider, Some(it.route)));
        let (provider, route) = match outcome {
            SubmitOutcome::NotSent => other().or_else(same),
            SubmitOutcome::Declined(refusal) if refusal.kind.allows_another_route() => other(),
            SubmitOutcome::Declined(_)
            | SubmitOutcome::Delivered(_)
            | SubmitOutcome::Pending
            | SubmitOutcome::Reversed
            | SubmitOutcome::Unknown(_) => None,
        }?;
        let naming = naming((&tx.account, &tx.reference), &tx.order, (number, now));
        let prepared = self.prepared_attempt(&provider, naming);
        Some(NextAttempt { prepared, route })
    }
}
