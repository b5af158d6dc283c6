//! Callbacks of providers: each attempt that one names is asked about, and what the provider
//! answers to that is applied; messages of people are recorded. A callback about an attempt must
//! change nothing by itself.

use crate::gateway::Gateway;
use crate::incoming::MESSAGES_MAX;
use crate::record::Driver;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use domain::transaction::{AttemptNumber, Transaction};
use ports::PortError;
use ports::callbacks::{CallbackContent, CallbackHint, MessageReport};
use ports::provider::Provider;
use std::sync::Arc;

pub use ports::callbacks::{CallbackAnswer, CallbackRefused, ProviderCallback};

/// Most attempts that one callback may name: more than any provider sends, and few enough that
/// asking about all of them fits the time its sender waits.
const HINTS_MAX: usize = 100;

/// What became of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallbackResult {
    /// What it names was asked about, or is none of this gateway's.
    Taken(CallbackAnswer),
    /// It is not believed; nothing was done.
    Refused(CallbackRefused),
    /// The store or the provider did not answer: its sender should repeat it.
    Later,
}

impl Gateway {
    /// Whether a provider sends callbacks.
    pub fn takes_callbacks(&self, provider: &ProviderId) -> bool {
        let provider = self.provider(provider);
        provider.is_some_and(|provider| provider.callbacks().is_some())
    }

    /// Takes a callback of a provider; `None` where it sends none. It is answered once what it
    /// names is settled, so that a crash in between has its sender repeat it. A reference that is
    /// unknown is answered as one that is known.
    pub async fn take_callback(
        &self,
        provider: &ProviderId,
        callback: &ProviderCallback<'_>,
    ) -> Option<CallbackResult> {
        let provider = self.provider(provider)?;
        let callbacks = provider.callbacks()?;
        let unreadable = CallbackResult::Refused(CallbackRefused::Unreadable);
        let taken = match callbacks.read(callback) {
            Ok(CallbackContent::Attempts(hints)) if hints.len() <= HINTS_MAX => {
                self.follow_hints(&provider, &hints).await
            }
            Ok(CallbackContent::Messages(reports)) if self.are_acceptable(&reports) => {
                self.take_messages(provider.id(), reports).await
            }
            Ok(CallbackContent::Attempts(_) | CallbackContent::Messages(_)) => {
                return Some(unreadable);
            }
            Err(refused) => return Some(CallbackResult::Refused(refused)),
        };
        Some(if taken.is_ok() {
            CallbackResult::Taken(callbacks.answer())
        } else {
            CallbackResult::Later
        })
    }

    async fn follow_hints(
        &self,
        provider: &Arc<dyn Provider>,
        hints: &[CallbackHint],
    ) -> Result<(), PortError> {
        for hint in hints {
            let followed = self.follow_hint(provider, hint).await;
            followed.inspect_err(|error| {
                let reference = &hint.reference;
                tracing::warn!(%error, %reference, "a callback was not followed up");
            })?;
        }
        Ok(())
    }

    /// Whether messages are few enough, and none of them is of the future.
    fn are_acceptable(&self, reports: &[MessageReport]) -> bool {
        let now = self.now();
        let mut messages = reports.iter().map(|report| &report.message);
        reports.len() <= MESSAGES_MAX && messages.all(|it| it.clone().by(now).is_some())
    }

    async fn take_messages(
        &self,
        provider: &ProviderId,
        reports: Vec<MessageReport>,
    ) -> Result<(), PortError> {
        for report in reports {
            let taken = self.take_message(provider, report).await;
            taken.inspect_err(|error| {
                tracing::warn!(%error, %provider, "an incoming message was not recorded");
            })?;
        }
        Ok(())
    }

    async fn follow_hint(
        &self,
        provider: &Arc<dyn Provider>,
        hint: &CallbackHint,
    ) -> Result<(), PortError> {
        let found = self.attempt_of(provider.id(), &hint.reference).await?;
        let Some((transaction, attempt)) = found else {
            return Ok(());
        };
        let observed = self.ask(provider, &transaction, attempt).await;
        let unanswered = observed.is_unanswered();
        self.settle_attempt(transaction, &observed, Driver::Callback)
            .await?;
        if unanswered {
            return Err(PortError::new("provider", "the query was not answered"));
        }
        Ok(())
    }

    /// The attempt that a provider knows by a reference; `None` where it was given no such attempt.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn attempt_of(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Result<Option<(Transaction, AttemptNumber)>, PortError> {
        let transactions = &self.parts().transactions;
        let found = match reference.parts() {
            Some((account, merchants, _)) => {
                transactions.by_reference(&account, &merchants).await?
            }
            None => transactions.by_provider_reference(reference).await?,
        };
        Ok(found.and_then(|transaction| {
            let attempt = transaction.attempt_under(provider, reference)?;
            Some((transaction, attempt))
        }))
    }
}
