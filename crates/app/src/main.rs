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
mod output;
#[cfg(debug_assertions)]
mod probe;
mod secrets;
mod telemetry;
mod tls;
mod welcome;
mod witness;

fn main() -> std::process::ExitCode {
    cli::main()
}
