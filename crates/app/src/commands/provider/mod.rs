//! `manilla provider`: the accounts at providers, the routes to them, the sandbox as a process of
//! its own, and the checks of the provider protocol. Only these checks may send an order.

mod check;
mod float;
pub(in crate::commands) mod fund;
mod list;
pub(in crate::commands) mod maintenance;
pub(in crate::commands) mod pause;
mod reading;
mod sandbox_callbacks;
mod sandbox_catalogue;
mod seal;
mod serve_sandbox;
mod status;
mod test;

pub(in crate::commands) use self::list::routes_to;
pub(in crate::commands) use self::reading::ReadingView;
pub(in crate::commands) use self::status::PauseView;
pub(in crate::commands) use self::test::ProviderAnswer;

use clap::Subcommand;

use crate::config::Config;
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum ProviderCommand {
    /// Show the adapters of this program, the accounts at providers, and the routes to them
    List(list::ProviderListOptions),
    /// Show what became of the attempts at each provider, and how far its changes were read
    Status(status::ProviderStatusOptions),
    /// Open an account and ask its provider something that changes nothing
    Test(test::ProviderTestOptions),
    /// Give an account nothing new, at every instance, until it is resumed
    Pause(pause::ProviderPauseOptions),
    /// Announce what is away for a time, end that before its time, or list it
    Maintenance(maintenance::ProviderMaintenanceOptions),
    /// End the pause of an account
    Resume(pause::ProviderResumeOptions),
    /// Show what is left at each provider: what it says, what the ledger says, and the difference
    Float(float::ProviderFloatOptions),
    /// Enter money that was paid to a provider, or paid back by it
    Fund(fund::ProviderFundOptions),
    /// Seal a secret of an account for the configuration
    Seal(seal::ProviderSealOptions),
    /// Check a provider that speaks the provider protocol, rule by rule, and grade it
    Check(check::ProviderCheckOptions),
    /// Serve the sandbox provider as a process of its own, over the provider protocol
    ServeSandbox(serve_sandbox::ServeSandboxOptions),
}

pub(crate) async fn run(command: ProviderCommand, config: &Config) -> Result<(), Failure> {
    match command {
        ProviderCommand::List(options) => list::run(&options, config).await,
        ProviderCommand::Status(options) => status::run(&options, config).await,
        ProviderCommand::Test(options) => test::run(&options, config).await,
        ProviderCommand::Pause(options) => pause::pause(&options, config).await,
        ProviderCommand::Maintenance(options) => maintenance::run(&options, config).await,
        ProviderCommand::Resume(options) => pause::resume(&options, config).await,
        ProviderCommand::Float(options) => float::run(&options, config).await,
        ProviderCommand::Fund(options) => fund::run(&options, config).await,
        ProviderCommand::Seal(options) => seal::run(&options, config),
        ProviderCommand::Check(options) => check::run(&options).await,
        ProviderCommand::ServeSandbox(options) => serve_sandbox::run(options, config).await,
    }
}
