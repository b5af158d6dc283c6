//! The gateway as a library: a team's own `main` registers its adapters and hands over. It must not
//! show anything but that: what is behind it changes with every release.

mod cli;
mod clock;
mod commands;
mod compose;
mod config;
mod entropy;
mod failure;
mod files;
mod ids;
mod offline;
mod open_files;
mod operator;
mod output;
#[cfg(debug_assertions)]
mod probe;
mod provider_reconciliation;
mod registry;
mod sandbox_declaration;
mod secret_files;
mod secrets;
mod settlement_file;
mod telemetry;
mod tls;
mod welcome;

/// The types an adapter is written with, in the version of this gateway.
pub use {domain, ports};

pub use self::registry::Registry;

/// Does what the command line says, with these adapters. It is all that a `main` does:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     manilla::run(manilla::Registry::standard())
/// }
/// ```
///
/// A `main` should also have `jemalloc` as its global allocator, as that of `manilla` has.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a `main` makes the registry for this call alone, and writes it in one expression"
)]
pub fn run(registry: Registry) -> std::process::ExitCode {
    cli::main(&registry)
}
