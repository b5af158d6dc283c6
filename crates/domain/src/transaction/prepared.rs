//! Where each attempt of a transaction goes, and what identifies it there. What is prepared is
//! stored by the commit that records the attempt, before its first byte, and never changes after.

use super::attempt_route::AttemptRoute;
use crate::account::AccountId;
use crate::provider::{AttemptDetails, ProviderId};
use crate::reference::{AttemptNumber, MerchantReference, ProviderReference};

/// One attempt as it was prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedAttempt {
    /// The provider.
    pub provider: ProviderId,
    /// What that provider knows it by.
    pub reference: ProviderReference,
    /// What the provider's adapter has to remember of it; it means nothing to anyone else.
    pub adapter_state: Option<String>,
}

impl PreparedAttempt {
    /// An attempt under the reference that is derived from the merchant's, with nothing to
    /// remember.
    pub fn derived(
        provider: ProviderId,
        (account, reference): (&AccountId, &MerchantReference),
        attempt: AttemptNumber,
    ) -> Self {
        Self {
            provider,
            reference: ProviderReference::derive(account, reference, attempt),
            adapter_state: None,
        }
    }
}

/// The attempts of a transaction as they were prepared, first to last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedAttempts {
    first: PreparedAttempt,
    second: Option<PreparedAttempt>,
    /// The routes that they took, where that is known.
    routes: [Option<AttemptRoute>; 2],
}

impl PreparedAttempts {
    /// The attempts of a transaction that is opened.
    pub const fn new(first: PreparedAttempt) -> Self {
        Self {
            first,
            second: None,
            routes: [None, None],
        }
    }

    /// The first.
    pub const fn first(&self) -> &PreparedAttempt {
        &self.first
    }

    /// One of them; `None` where it was never made.
    pub fn of(&self, attempt: AttemptNumber) -> Option<&PreparedAttempt> {
        if attempt == AttemptNumber::FIRST {
            Some(&self.first)
        } else {
            self.second.as_ref()
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &PreparedAttempt> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// The same with the second attempt.
    #[must_use]
    pub fn followed_by(self, second: PreparedAttempt) -> Self {
        Self {
            second: Some(second),
            ..self
        }
    }

    /// The route that an attempt took, where that is known: not of one that came from a journal or
    /// from a provider's record, nor of one from before routes were recorded.
    pub fn route_of(&self, attempt: AttemptNumber) -> Option<&AttemptRoute> {
        let [first, second] = &self.routes;
        if attempt == AttemptNumber::FIRST {
            first.as_ref()
        } else {
            second.as_ref()
        }
    }

    /// The same with the route that an attempt took.
    #[must_use]
    pub fn routed(mut self, attempt: AttemptNumber, route: Option<AttemptRoute>) -> Self {
        let [first, second] = &mut self.routes;
        if attempt == AttemptNumber::FIRST {
            *first = route;
        } else {
            *second = route;
        }
        self
    }
}

/// What providers reported of the attempts of a transaction, beside their outcomes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportedDetails {
    first: AttemptDetails,
    second: AttemptDetails,
}

impl ReportedDetails {
    /// What was reported of the first and of the second attempt.
    pub const fn new(first: AttemptDetails, second: AttemptDetails) -> Self {
        Self { first, second }
    }

    /// What was reported of one of them.
    pub fn of(&self, attempt: AttemptNumber) -> &AttemptDetails {
        if attempt == AttemptNumber::FIRST {
            &self.first
        } else {
            &self.second
        }
    }

    pub(super) fn of_mut(&mut self, attempt: AttemptNumber) -> &mut AttemptDetails {
        if attempt == AttemptNumber::FIRST {
            &mut self.first
        } else {
            &mut self.second
        }
    }

    /// Whether nothing was reported.
    pub const fn is_empty(&self) -> bool {
        self.first.is_empty() && self.second.is_empty()
    }

    /// First to last.
    pub fn iter(&self) -> impl Iterator<Item = &AttemptDetails> {
        [&self.first, &self.second].into_iter()
    }
}
