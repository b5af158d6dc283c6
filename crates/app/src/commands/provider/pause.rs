//! `manilla provider pause` and `resume`. They must not touch what is open at the provider: that is
//! asked about and settled either way.

use anyhow::anyhow;
use application::provider_pauses::ProviderPause;
use clap::Args;
use domain::provider::ProviderId;
use ports::audit::BookedState;
use serde::Serialize;

use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider pause my-shop --reason 'float is spent'
  manilla provider pause my-shop --reason 'contract ends' --json

Every instance gives it nothing new within five seconds, while the database answers. What is open is
asked about as before; `manilla provider status` counts it.")]
pub(crate) struct ProviderPauseOptions {
    /// Name of the account, as in [provider.NAME]
    name: String,
    #[arg(
        long,
        help = "Why, in one line of 200 characters at most; all operators see it"
    )]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider resume my-shop

Every instance gives it orders again within five seconds, while the database answers.")]
pub(crate) struct ProviderResumeOptions {
    /// Name of the account, as in [provider.NAME]
    name: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    provider: &'a str,
    paused: bool,
    /// Whether that is new.
    changed: bool,
    /// Attempts of it that are open.
    open: usize,
}

pub(in crate::commands) async fn pause(
    options: &ProviderPauseOptions,
    config: &Config,
) -> Result<(), Failure> {
    let reason = options.reason.trim();
    let fits = (1..=ProviderPause::REASON_LENGTH_MAX).contains(&reason.chars().count());
    if !fits || reason.chars().any(char::is_control) {
        let most = ProviderPause::REASON_LENGTH_MAX;
        let rule = format!("must be one line of 1 to {most} characters");
        return Err(Failure::flag("--reason", rule));
    }
    let change = Change {
        provider: known(config, &options.name)?,
        reason: Some(reason),
        is_json: options.json,
    };
    change.run(config).await
}

pub(in crate::commands) async fn resume(
    options: &ProviderResumeOptions,
    config: &Config,
) -> Result<(), Failure> {
    let change = Change {
        provider: known(config, &options.name)?,
        reason: None,
        is_json: options.json,
    };
    change.run(config).await
}

/// The account of a name.
pub(in crate::commands) fn known(config: &Config, name: &str) -> Result<ProviderId, Failure> {
    let mut accounts = config.accounts.iter();
    let found = accounts.find(|it| it.id.as_str() == name);
    found.map(|it| it.id.clone()).ok_or_else(|| {
        let names: Vec<_> = config.accounts.iter().map(|it| it.id.as_str()).collect();
        let names = names.join(", ");
        Failure::from(anyhow!("there is no [provider.{name}]; there is {names}"))
    })
}

/// Pauses an account for a reason, or resumes it without one.
pub(in crate::commands) async fn set(
    provider: &ProviderId,
    reason: Option<&str>,
    is_json: bool,
    config: &Config,
) -> Result<(), Failure> {
    let change = Change {
        provider: known(config, provider.as_str())?,
        reason,
        is_json,
    };
    change.run(config).await
}

/// What is to hold of an account.
struct Change<'a> {
    provider: ProviderId,
    /// Why it is paused; none where it is resumed.
    reason: Option<&'a str>,
    is_json: bool,
}

impl Change<'_> {
    async fn run(self, config: &Config) -> Result<(), Failure> {
        let context = AdminContext::open(config, DataFolder::MustExist).await?;
        let done = self.done(&context, config).await;
        context.close().await;
        let (changed, open) = done?;
        let provider = self.provider.as_str();
        let paused = self.reason.is_some();
        if self.is_json {
            return Ok(output::json(&Document {
                provider,
                paused,
                changed,
                open,
            })?);
        }
        let already = if changed { "" } else { " already" };
        Ok(output::line(if paused {
            format!(
                "{provider} is paused{already}: within five seconds no instance gives it anything \
                 new. {open} attempts are open and asked about."
            )
        } else {
            format!(
                "{provider} is not paused{}.",
                if changed { " any more" } else { "" }
            )
        })?)
    }

    /// Signs it, unless it holds already. Answers whether it was signed, and what is open.
    async fn done(
        &self,
        context: &AdminContext,
        config: &Config,
    ) -> Result<(bool, usize), Failure> {
        let paused = context.operators.paused_providers().await?;
        let changes = paused.contains_key(&self.provider) != self.reason.is_some();
        if changes {
            let order = match self.reason {
                Some(reason) => ProviderPause::order(&self.provider, reason),
                None => ProviderPause::end(&self.provider),
            };
            sign(context, config, &order).await?;
        }
        let attempts = context.audit.attempts(&self.provider).await?;
        let open = attempts.iter().filter(|it| it.state == BookedState::Open);
        Ok((changes, open.count()))
    }
}
