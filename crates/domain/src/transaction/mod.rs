//! The transaction: one order of one merchant, from the moment its price is set aside until nothing
//! is left to find out. It must never change state but through [`Transaction::apply`], and never
//! become final without a definite answer.

mod absence;
mod age;
mod apply;
mod approval;
mod attempt;
mod attempt_route;
mod in_doubt;
mod journalled;
mod prepared;
mod queued;
mod review;
mod ruling;
mod sending;
mod settled;
mod state;
mod state_change;
mod status;

#[cfg(test)]
#[path = "../../tests/sample/mod.rs"]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use absence::Absence;
pub use age::Age;
pub use apply::{ApplyContext, Observation, Transition};
pub use approval::{Approval, ApprovalDecision, ApprovalForbidden, ApprovalVerdict, KeyHolder};
pub use attempt::{AttemptNumber, Disproven, InvalidAttempt, Proof};
pub use attempt_route::{AttemptRoute, PassedOver, PassedOverReason, RouteReason};
pub use prepared::{PreparedAttempt, PreparedAttempts, ReportedDetails};
pub use ruling::{Ruling, Verdict};
pub use state::{
    BookedAt, CancelCause, Cancelled, Delivered, Doubt, Evidence, InDoubt, Queued, Reversed,
    Review, ReviewCause, Sending, State,
};
pub use state_change::StateChange;
pub use status::{GatewayStatus, Status};

use crate::account::{AccountId, AccountIdentity};
use crate::family::Fulfilment;
use crate::idempotency::Idempotency;
use crate::order::Order;
use crate::pricing::Quote;
use crate::provider::ProviderId;
use crate::reference::{MerchantReference, ProviderReference, TransactionNumber};
use crate::time::Timestamp;
use crate::user::Payee;
use std::borrow::Cow;

/// A merchant's transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The gateway's number.
    pub number: TransactionNumber,
    /// Whose it is.
    pub account: AccountId,
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The client's retry key, where one was sent.
    pub idempotency: Option<Idempotency>,
    /// What was bought.
    pub order: Order,
    /// What it costs, frozen.
    pub quote: Quote,
    /// Its attempts: who delivers each, and what identifies it there. While none was made, the
    /// first is what it would be.
    pub prepared: PreparedAttempts,
    /// What their providers reported of them beside the outcomes.
    pub reported: ReportedDetails,
    /// What it needs before it may be sent, where its price was above a limit.
    pub approval: Option<Approval>,
    /// Where it stands.
    pub state: State,
    /// Attempts before the current one, each proven not to have happened.
    pub earlier: Vec<Disproven>,
    /// Rises by one with every stored change; 1 when opened.
    pub version: u32,
    /// The number of its last event.
    pub sequence: u32,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Transaction {
    /// The reference the provider knows an attempt by; of one that was never made, what would be
    /// derived.
    pub fn provider_reference(&self, attempt: AttemptNumber) -> ProviderReference {
        self.prepared.of(attempt).map_or_else(
            || ProviderReference::derive(&self.account, &self.reference, attempt),
            |prepared| prepared.reference.clone(),
        )
    }

    /// Whether it has come to an attempt that its provider knows by a reference.
    pub fn has_attempt(&self, attempt: AttemptNumber, reference: &ProviderReference) -> bool {
        self.attempt() >= Some(attempt) && self.provider_reference(attempt) == *reference
    }

    /// The provider of the attempt that is under way, in doubt or delivered; of a failed
    /// transaction that of the last attempt, and of one without an attempt that of the first to be
    /// made.
    pub fn provider(&self) -> &ProviderId {
        self.provider_of(self.attempt().unwrap_or(AttemptNumber::FIRST))
    }

    /// The provider of an attempt; of one that was never made, that of the first.
    pub fn provider_of(&self, attempt: AttemptNumber) -> &ProviderId {
        let prepared = self.prepared.of(attempt);
        &prepared.unwrap_or_else(|| self.prepared.first()).provider
    }

    /// The quote of what is charged: of what was used, once that is known, and else of everything.
    pub fn charged(&self) -> Cow<'_, Quote> {
        match &self.state {
            State::Successful(delivered) => self.charged_for(&delivered.fulfilment),
            State::Reversed(reversed) => self.charged_for(&reversed.delivered.fulfilment),
            State::Queued(_)
            | State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Failed(_)
            | State::Cancelled(_)
            | State::Booked(_) => Cow::Borrowed(&self.quote),
        }
    }

    /// The quote of what is charged where this was handed over.
    fn charged_for(&self, fulfilment: &Fulfilment) -> Cow<'_, Quote> {
        let used = self.order.used(fulfilment);
        // What is less than the quote is within the largest amount.
        let used = used.and_then(|used| self.quote.for_use(used));
        used.map_or(Cow::Borrowed(&self.quote), Cow::Owned)
    }

    /// The attempt that a provider knows by a reference.
    pub fn attempt_under(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Option<AttemptNumber> {
        let is_it = |prepared: &PreparedAttempt| {
            prepared.provider == *provider && prepared.reference == *reference
        };
        self.attempts()
            .find(|attempt| self.prepared.of(*attempt).is_some_and(is_it))
    }

    /// The attempts that were made, first to last.
    pub fn attempts(&self) -> impl Iterator<Item = AttemptNumber> {
        let last = self.attempt();
        AttemptNumber::all().take_while(move |attempt| Some(*attempt) <= last)
    }

    /// Whether it waits for another user to approve it.
    pub fn awaits_approval(&self) -> bool {
        let is_awaited = self.approval.is_some_and(|it| it.is_awaited());
        is_awaited && matches!(self.state, State::Queued(_))
    }

    /// Whether the gateway's own books did it.
    pub const fn is_booked(&self) -> bool {
        matches!(self.state, State::Booked(_))
    }

    /// The other account that was paid.
    pub const fn payee(&self) -> Option<&Payee> {
        match &self.state {
            State::Booked(booked) => booked.payee.as_ref(),
            State::Queued(_)
            | State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Successful(_)
            | State::Failed(_)
            | State::Reversed(_)
            | State::Cancelled(_) => None,
        }
    }

    /// The account that was paid by an address, and the address; `None` where none was paid, or by
    /// its own identity.
    pub fn paid_by_address(&self) -> Option<(&AccountId, &AccountIdentity)> {
        let Order::User(order) = &self.order else {
            return None;
        };
        let is_address = !matches!(order.identity, AccountIdentity::Id(_));
        let payee = self.payee().filter(|_| is_address)?;
        Some((&payee.account, &order.identity))
    }

    /// The attempt that is under way, in doubt or delivered; of a failed transaction the last.
    /// `None` where none was made.
    pub const fn attempt(&self) -> Option<AttemptNumber> {
        self.state.attempt()
    }
}
