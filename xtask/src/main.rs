//! The project's own checks, run as `cargo xtask <check>`.
//!
//! What a continuous integration server runs is `cargo xtask ci` and nothing else, so a green run
//! here means a green run there. A check must never mend what it finds: it names the place and
//! fails.

#![expect(
    clippy::print_stdout,
    reason = "the findings of a check are its output"
)]

mod alerts;
mod bench;
mod ci;
mod clients;
mod conformance;
mod counterparts;
mod custom_provider;
mod data;
mod debian_program;
mod dist;
mod layers;
mod mutants;
mod new_provider;
mod openapi;
mod packages;
mod packaging;
mod pages;
mod private_file;
mod process;
mod programs;
mod prove;
mod quickstarts;
mod receivers;
mod repo;
mod schemathesis;
mod served;
mod steps;
mod stopwatch;
mod tidy;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::repo::Repo;
use crate::steps::CiStep;

const EXAMPLES: &str = "\
Examples:
  cargo xtask ci                  every check, as the CI server runs it
  cargo xtask ci --keep-going     every check, even after one has failed
  cargo xtask ci --skip deny      without the check that needs cargo-deny
  cargo xtask layers              only the table of allowed dependencies
  cargo xtask tidy --bless        record new migrations, then check
  cargo xtask conformance --bless write the rows of fields and attributes anew
  cargo xtask openapi --bless     make the OpenAPI document and the XML schemas anew
  cargo xtask pages --pictures    the pages of the checkout in Chromium, with pictures
  cargo xtask bench               payments per second, beside the ceilings of the databases
  cargo xtask bench --rounds 1    the same, quickly
  cargo xtask bench reads         reports and lookups per second, beside a bare route
  cargo xtask bench --help        what else is measured
  cargo xtask prove list          the long proofs, and how far each came
  cargo xtask prove kills         one of them; `prove --help` lists the options
  cargo xtask mutants             which changes of the rules no test notices
  cargo xtask dist                the package, the archive and the checksums of a version
  cargo xtask new-provider acme   a gateway with an adapter of yours, beside the repository
  cargo xtask data --check        whether the tables are what their packages make";

/// The project's own checks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run every check in order and stop at the first that fails
    Ci(ci::CiOptions),
    /// Check the formatting
    Fmt,
    /// Run clippy on every target, warnings denied
    Clippy,
    /// Check which crate depends on which
    Layers,
    /// Check module docs, lengths, banned words, migrations and named paths
    Tidy(tidy::TidyOptions),
    /// Check that every row of the interface has a test that shows it
    Conformance(conformance::ConformanceOptions),
    /// Check bans, licences and sources of the dependencies with cargo-deny
    Deny,
    /// Run the doc tests, then every other test with cargo-nextest
    Test,
    /// Check that the OpenAPI document and the XML schemas are as the code makes them
    Openapi(openapi::OpenapiOptions),
    /// Send requests made up from docs/openapi.json to the program itself
    Schemathesis(schemathesis::SchemathesisOptions),
    /// Buy of every family with clients that generators make of docs/openapi.json
    Clients,
    /// Run the quickstart of each language against the program itself
    Quickstarts,
    /// Use the servers that tests take for providers with clients that others wrote
    Counterparts,
    /// Check the alert rules for operators, and what makes them fire, with promtool
    Alerts,
    /// Check the unit, the package, the manifests and the proxies with what reads them
    Packaging(packaging::PackagingOptions),
    /// Look at the pages of the checkout in Chromium
    Pages(pages::PagesOptions),
    /// Build the documentation, warnings denied
    Docs,
    /// Measure the release build; arguments go to the benchmark, `--help` lists them
    #[command(disable_help_flag = true)]
    Bench(bench::BenchOptions),
    /// Run a long proof in parts that can be resumed; `list` names them
    Prove(prove::ProveOptions),
    /// Change the rules one by one and see whether the tests notice, with cargo-mutants
    Mutants(mutants::MutantsOptions),
    /// Write the crate of a new provider's adapter, outside the workspace
    NewProvider(new_provider::NewProviderOptions),
    /// Make what is published of a version: packages, list of components, checksums
    Dist(dist::DistOptions),
    /// Convert the pinned packages that tables of data come from; needs the network
    Data(data::DataOptions),
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let repo = Repo::find()?;
    match &cli.command {
        Command::Ci(options) => ci::run(&repo, options),
        Command::Tidy(options) => tidy::run(&repo, options),
        Command::Conformance(options) => conformance::run(&repo, options),
        Command::Fmt => CiStep::Fmt.run(&repo),
        Command::Clippy => CiStep::Clippy.run(&repo),
        Command::Layers => CiStep::Layers.run(&repo),
        Command::Deny => CiStep::Deny.run(&repo),
        Command::Test => CiStep::Test.run(&repo),
        Command::Openapi(options) => openapi::run(&repo, options),
        Command::Clients => CiStep::Clients.run(&repo),
        Command::Quickstarts => CiStep::Quickstarts.run(&repo),
        Command::Counterparts => CiStep::Counterparts.run(&repo),
        Command::Alerts => CiStep::Alerts.run(&repo),
        Command::Packaging(options) => packaging::run(&repo, options),
        Command::Pages(options) => pages::run(&repo, options),
        Command::Docs => CiStep::Docs.run(&repo),
        Command::Schemathesis(options) => schemathesis::run(&repo, options),
        Command::Bench(options) => bench::run(&repo, options),
        Command::Prove(options) => prove::run(&repo, options),
        Command::Mutants(options) => mutants::run(&repo, options),
        Command::NewProvider(options) => new_provider::run(&repo, options),
        Command::Dist(options) => dist::run(&repo, options),
        Command::Data(options) => data::run(&repo, options),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
