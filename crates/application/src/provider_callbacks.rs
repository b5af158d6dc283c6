//! Callbacks of providers: each attempt that one names is asked about, and what the provider
//! answers to that is applied. A callback by itself must change nothing.

use crate::gateway::Gateway;
use crate::record::Driver;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use domain::transaction::{AttemptNumber, Transaction};
use ports::PortError;
use ports::callbacks::CallbackHint;
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
        let hints = match callbacks.read(callback) {
            Ok(hints) if hints.len() <= HINTS_MAX => hints,
            Ok(_) => return Some(CallbackResult::Refused(CallbackRefused::Unreadable)),
            Err(refused) => return Some(CallbackResult::Refused(refused)),
        };
        for hint in hints {
            if let Err(error) = self.follow_hint(&provider, &hint).await {
                let reference = &hint.reference;
                tracing::warn!(%error, %reference, "a callback was not followed up");
                return Some(CallbackResult::Later);
            }
        }
        Some(CallbackResult::Taken(callbacks.answer()))
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
