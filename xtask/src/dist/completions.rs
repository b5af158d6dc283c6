//! What shells need to complete commands, written by the program itself. It must not name one of
//! them.

use std::path::Path;

use anyhow::{Context, Result};

use crate::process::Run;

/// Shells, and where Debian keeps what each of them reads.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/manilla"),
    ("fish", "usr/share/fish/vendor_completions.d/manilla.fish"),
    ("zsh", "usr/share/zsh/vendor-completions/_manilla"),
];

/// A file that a shell reads, and where it is installed.
pub(crate) type CompletionFile = (&'static str, String);

/// Has the program write one for each shell.
pub(crate) fn of(program: &Path) -> Result<Vec<CompletionFile>> {
    let folder = tempfile::tempdir().context("no folder to run the program in")?;
    let name = program.to_string_lossy();
    let written = SHELLS.map(|(shell, place)| {
        let script = Run::new(&name, ["completions", shell]).capture(folder.path())?;
        Ok((place, script))
    });
    written.into_iter().collect()
}
