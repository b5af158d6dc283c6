//! Environments as words. A word that is none must be refused, never taken for one of them.

use super::RecordError;
use super::scalar::valid;
use crate::PART;
use domain::environment::Environment;
use domain::provider::ProviderId;
use ports::PortError;

/// The environment a word stands for.
pub(crate) fn environment(word: &str) -> Result<Environment, RecordError> {
    Environment::from_code(word).ok_or(RecordError::Value("environment"))
}

/// The environment of an account, as stored.
///
/// # Errors
/// When the word stands for none.
pub fn account_environment(word: &str) -> Result<Environment, PortError> {
    let read = environment(word);
    read.map_err(|error| PortError::caused(PART, "the environment of an account", error))
}

/// A provider and its environment, as stored.
///
/// # Errors
/// When the row breaks a rule; the error names the provider.
pub fn provider_environment(
    (provider, word): (String, String),
) -> Result<(ProviderId, Environment), PortError> {
    let read = || {
        let id = valid(ProviderId::parse(&provider), "provider")?;
        Ok((id, environment(&word)?))
    };
    read().map_err(|error: RecordError| {
        let what = format!("the environment of provider {provider} cannot be read");
        PortError::caused(PART, what, error)
    })
}

/// Those of some providers that are stored with another environment.
///
/// # Errors
/// When a row breaks a rule.
pub fn registered_elsewhere(
    providers: &[(ProviderId, Environment)],
    stored: Vec<(String, String)>,
) -> Result<Vec<ProviderId>, PortError> {
    let stored = stored.into_iter().map(provider_environment);
    let stored: Vec<_> = stored.collect::<Result<_, _>>()?;
    let differs = |(id, environment): &&(ProviderId, Environment)| {
        let mut stored = stored.iter();
        stored.any(|(other, is)| other == id && is != environment)
    };
    Ok(providers
        .iter()
        .filter(differs)
        .map(|(id, _)| id.clone())
        .collect())
}
