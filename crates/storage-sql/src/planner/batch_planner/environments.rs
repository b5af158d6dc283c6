//! Which environment providers belong to. A provider that was never registered must count as one of
//! the test environment: a live account may use none that is not known.

use super::WorkingSet;
use crate::PART;
use crate::record::environment;
use domain::environment::Environment;
use domain::provider::ProviderId;
use domain::transaction::{AttemptNumber, Transaction};
use ports::PortError;

/// The environments of providers, as the store has them.
pub(super) struct Environments<'a>(&'a [(String, String)]);

impl<'a> Environments<'a> {
    pub(super) fn of(known: &'a WorkingSet) -> Self {
        Self(&known.environments)
    }

    pub(super) fn environment(&self, provider: &ProviderId) -> Result<Environment, PortError> {
        let mut registered = self.0.iter();
        let Some((_, word)) = registered.find(|(id, _)| id == provider.as_str()) else {
            return Ok(Environment::Test);
        };
        environment(word).map_err(|error| {
            let what = format!("the environment of provider {provider} cannot be read");
            PortError::caused(PART, what, error)
        })
    }

    /// Whether the provider of the last attempt belongs where that of the first does, which was
    /// compared with the account's when the transaction was opened.
    pub(super) fn one_for_all_attempts(&self, tx: &Transaction) -> Result<bool, PortError> {
        let first = self.environment(tx.provider_of(AttemptNumber::FIRST))?;
        Ok(self.environment(tx.provider())? == first)
    }
}
