//! The manilla binary. It must do nothing but hand over.

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
mod secrets;
mod telemetry;
mod tls;
mod welcome;

/// Deliveries and payments make and drop many small things in several threads at once, which the
/// allocator of the C library does not do well: see ADR 16.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
