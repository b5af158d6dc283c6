//! Lists of what providers were sent: whose they are, and which of it the database lacks. A list
//! must not be taken for that of another provider.

use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use application::Gateway;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use ports::reconciliation::Reconciliation;

use crate::commands::provider::fund::configured;
use crate::compose::AdminContext;
use crate::config::Config;
use crate::failure::Failure;

/// References that are looked for at a time.
const AT_A_TIME: usize = 50_000;

/// Every provider that something may have been sent to, those that are configured no more included.
pub(super) async fn providers(
    context: &AdminContext,
    config: &Config,
) -> Result<Vec<ProviderId>, Failure> {
    let registered = context.environments.registered().await?;
    let configured = config.accounts.iter().map(|it| it.id.clone());
    let all = configured.chain(registered.into_iter().map(|(id, _)| id));
    let all: BTreeSet<_> = all.collect();
    Ok(all.into_iter().collect())
}

/// The one of these providers with this name.
pub(super) fn named(
    providers: &[ProviderId],
    (name, config): (&str, &Config),
) -> Result<ProviderId, Failure> {
    match providers.iter().find(|it| it.as_str() == name) {
        Some(provider) => Ok(provider.clone()),
        None => configured(name, config),
    }
}

/// Refuses references of another provider: noted under the wrong one they would be recognised by
/// nothing, and be asked about where they were never sent.
pub(super) async fn is_the_right_list(
    (gateway, store): (&Gateway, &Arc<dyn Reconciliation>),
    (provider, missing): (&ProviderId, &[ProviderReference]),
) -> Result<(), Failure> {
    let waits = store.unsettled().await?.into_iter();
    let of_others = waits.filter(|it| it.provider != *provider);
    let of_others: HashMap<_, _> = of_others.map(|it| (it.reference, it.provider)).collect();
    for reference in missing {
        if let Some(other) = of_others.get(reference) {
            let why = format!("{reference} waits to be settled as one of {other}");
            return Err(Failure::flag("--references", why));
        }
        if let Some(other) = gateway.has_form_of_another(provider, reference) {
            let why = format!(
                "{reference} is no reference of {provider}, it has the form of {other}; give each \
                 provider its own list"
            );
            return Err(Failure::flag("--references", why));
        }
    }
    Ok(())
}

pub(super) async fn missing(
    store: &Arc<dyn Reconciliation>,
    references: &[ProviderReference],
) -> Result<Vec<ProviderReference>, Failure> {
    let mut missing = Vec::new();
    for part in references.chunks(AT_A_TIME) {
        missing.extend(store.missing(part).await?);
    }
    Ok(missing)
}

/// The references a provider was asked under, each once.
pub(super) fn references(
    context: &AdminContext,
    (file, provider): (&Path, &ProviderId),
) -> Result<Vec<ProviderReference>, Failure> {
    if file == Path::new("sandbox") && provider.as_str() == provider_sim::PROVIDER_ID {
        return Ok(context.sandbox_references()?);
    }
    let text = if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.with_context(|| format!("{} cannot be read", file.display()))?;
    let listed = listed(&text);
    if listed.is_empty() {
        return Err(Failure::from(anyhow!(
            "{} holds no references; one per line, the first column counts",
            file.display()
        )));
    }
    Ok(listed)
}

/// The first column of each line: up to a comma, a semicolon or white space, quotes removed.
fn listed(text: &str) -> Vec<ProviderReference> {
    let ends = |character: char| matches!(character, ',' | ';') || character.is_whitespace();
    let first = text
        .lines()
        .filter_map(|line| line.trim().split(ends).next());
    let words = first.map(|word| word.trim_matches('"'));
    let unique: BTreeSet<&str> = words.filter(|word| !word.is_empty()).collect();
    let unique = unique.into_iter();
    unique
        .map(|word| ProviderReference::from_echo(word.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn the_first_column_of_whatever_a_provider_exports_is_read_once() {
        let text = "a-1,2026-11-21,delivered\n\n \"b-2\";x\nc-3\td\r\na-1\n";
        let listed = listed(text);
        let words: Vec<_> = listed.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["a-1", "b-2", "c-3"]);
    }
}
