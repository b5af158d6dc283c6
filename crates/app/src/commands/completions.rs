//! `manilla completions`: what a shell needs to complete commands and options. It must not read any
//! setting: it is run where packages are made.

use std::io;

use clap::Args;
use clap_complete::Shell;

use crate::failure::Failure;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla completions bash > /etc/bash_completion.d/manilla
  manilla completions zsh > /usr/local/share/zsh/site-functions/_manilla
  manilla completions fish > ~/.config/fish/completions/manilla.fish")]
pub(crate) struct CompletionsOptions {
    /// The shell
    shell: Shell,
}

/// Writes the script of a shell for a command.
pub(crate) fn run(options: &CompletionsOptions, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    io::copy(&mut script.as_slice(), &mut io::stdout().lock())?;
    Ok(())
}
