//! What a reference in a provider's own form stands for. It must not guess: such a reference does
//! not say whose it is, so it is compared with what each attempt would be known by.

use crate::gateway::Gateway;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference, UndatedReference};
use domain::reference_settlement::{ReferenceParts, ReferenceToSettle};
use domain::transaction::{AttemptNumber, State, Transaction};
use ports::PortError;
use ports::provider::Provider;
use ports::reconciliation::MissingReference;
use std::sync::Arc;

/// An account and the merchant's reference that a provider's reference is said to stand for.
pub type MerchantName = (AccountId, MerchantReference);

/// What a provider's reference stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StandsFor {
    /// One attempt of a merchant's reference.
    Attempt(ReferenceParts),
    /// An attempt of a merchant's reference that is not known.
    SomeAttempt(UndatedReference),
    /// Nothing of ours.
    Nothing,
    /// An attempt, and not of the merchant's reference that was named.
    AnotherThanNamed,
}

impl Gateway {
    /// What any provider would know an attempt under a merchant's reference by, where the form is
    /// the provider's own.
    pub(crate) fn undated_references(
        &self,
        account: &AccountId,
        name: &MerchantReference,
    ) -> Vec<UndatedReference> {
        let providers = self.providers_in_force().distinct();
        let derived = AttemptNumber::all();
        let derived: Vec<_> = derived
            .map(|attempt| ProviderReference::derive(account, name, attempt))
            .collect();
        let forms = providers.iter().filter_map(|it| it.own_references());
        forms
            .flat_map(|form| derived.iter().map(|it| form.undated(it)))
            .collect()
    }

    /// The same of what leaves the queue, because none of them may be noted then; none of others.
    pub(crate) fn undated_of_queued(&self, transaction: &Transaction) -> Vec<UndatedReference> {
        if !matches!(transaction.state, State::Queued { .. }) {
            return Vec::new();
        }
        self.undated_references(&transaction.account, &transaction.reference)
    }

    /// The provider whose form a reference has, where it has none that the named one makes: it is
    /// on the wrong list.
    pub fn has_form_of_another(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Option<ProviderId> {
        let reads = |it: &&Arc<dyn Provider>| {
            let form = it.own_references();
            form.is_some_and(|form| form.read(reference).is_some())
        };
        let all = self.providers_in_force().distinct();
        let is_theirs = all.iter().filter(reads).any(|it| it.id() == provider);
        let other = all.iter().find(reads);
        other.filter(|_| !is_theirs).map(|it| it.id().clone())
    }

    /// Asks a provider what has to be known of it to read its references, where that is anything.
    ///
    /// # Errors
    /// When it does not say in time.
    pub async fn make_readable(&self, provider: &ProviderId) -> Result<(), PortError> {
        let Some(provider) = self.provider(provider) else {
            return Ok(());
        };
        let ready = self.within(self.parts().settings.call_deadline, provider.make_ready());
        let silent = || PortError::new("provider", "does not say which form its references have");
        ready.await.unwrap_or_else(|| Err(silent()))
    }

    /// A reference that a provider knows and the store does not, as it is kept.
    pub fn missing_reference(
        &self,
        provider: &ProviderId,
        reference: ProviderReference,
    ) -> MissingReference {
        MissingReference {
            undated: self.read_undated(provider, &reference),
            reference,
        }
    }

    fn read_undated(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Option<UndatedReference> {
        let provider = self.provider(provider)?;
        provider.own_references()?.read(reference)
    }

    /// What a reference stands for: it says so itself, its attempt is stored, or it is what an
    /// attempt of the named merchant's reference would be known by.
    pub(crate) async fn stands_for(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        named: Option<&MerchantName>,
    ) -> Result<StandsFor, PortError> {
        let says = match reference.parts() {
            Some(parts) => Some(parts),
            None => self.stored_parts(provider, reference).await?,
        };
        if let Some(parts) = says {
            let (account, name, _) = &parts;
            let is_named = named.is_none_or(|it| (&it.0, &it.1) == (account, name));
            return Ok(if is_named {
                StandsFor::Attempt(parts)
            } else {
                StandsFor::AnotherThanNamed
            });
        }
        let Some(undated) = self.read_undated(provider, reference) else {
            return Ok(StandsFor::Nothing);
        };
        let Some((account, name)) = named else {
            return Ok(StandsFor::SomeAttempt(undated));
        };
        let provider = self.provider(provider);
        let form = provider.as_ref().and_then(|it| it.own_references());
        let attempt = AttemptNumber::all().find(|attempt| {
            let derived = ProviderReference::derive(account, name, *attempt);
            form.is_some_and(|form| form.undated(&derived) == undated)
        });
        Ok(match attempt {
            Some(attempt) => StandsFor::Attempt((account.clone(), name.clone(), attempt)),
            None => StandsFor::AnotherThanNamed,
        })
    }

    async fn stored_parts(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Result<Option<ReferenceParts>, PortError> {
        let found = self.attempt_of(provider, reference).await?;
        Ok(found.map(|(tx, attempt)| (tx.account, tx.reference, attempt)))
    }

    /// A reference with what it stands for, to be settled.
    pub(crate) fn to_settle(
        &self,
        (reference, provider): (&ProviderReference, &ProviderId),
        stands_for: StandsFor,
    ) -> ReferenceToSettle {
        let waits = ReferenceToSettle::new(reference.clone(), provider.clone());
        match stands_for {
            StandsFor::Attempt(parts) => {
                let undated = self.undated_references(&parts.0, &parts.1);
                waits.standing_for(parts, undated)
            }
            StandsFor::SomeAttempt(undated) => waits.without_date(undated),
            StandsFor::Nothing | StandsFor::AnotherThanNamed => waits,
        }
    }
}

/// What a provider would know an attempt by; `None` where that depends on when it was made, so that
/// only the provider's list shows it.
pub(crate) fn known_by(
    provider: &dyn Provider,
    derived: &ProviderReference,
) -> Option<ProviderReference> {
    let Some(form) = provider.own_references() else {
        return Some(derived.clone());
    };
    let undated = form.undated(derived);
    let whole = ProviderReference::from_echo(undated.as_str());
    (form.read(&whole) == Some(undated)).then_some(whole)
}
