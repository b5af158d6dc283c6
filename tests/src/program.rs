//! The program itself: where cargo put it, and its administrative commands. It must not be skipped
//! when it is missing: a suite that did not run is not a suite that passed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The program, built in the same profile as the suite that asks.
///
/// # Panics
/// When it is not there, saying how to build it.
#[must_use]
pub fn path() -> PathBuf {
    let suite = std::env::current_exe().expect("a suite knows where it is");
    // Cargo puts suites into `deps`, and programs beside that folder.
    let profile = suite.parent().and_then(Path::parent);
    let program = profile
        .expect("suites are two folders down")
        .join("manilla");
    assert!(
        program.is_file(),
        "{} is not there; build it first: cargo build --package app",
        program.display()
    );
    program
}

/// A call of the program without the settings of the user who runs the suites.
#[must_use]
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(path());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MANILLA_") {
            command.env_remove(name);
        }
    }
    command
        .env_remove("RUST_LOG")
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// What an administrative command said.
#[derive(Debug, Clone)]
pub struct ProgramOutput {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl ProgramOutput {
    /// Its output as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Checked to have ended well.
    #[expect(clippy::return_self_not_must_use, reason = "the check is the use")]
    pub fn well(self) -> Self {
        assert!(self.status.success(), "{self:?}");
        self
    }

    /// Checked to have ended badly.
    #[expect(clippy::return_self_not_must_use, reason = "the check is the use")]
    pub fn refused(self) -> Self {
        assert!(!self.status.success(), "{self:?}");
        self
    }
}

/// Runs a command to its end.
#[must_use]
pub fn run(mut command: Command) -> ProgramOutput {
    let output = command.output().expect("the command can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is UTF-8");
    ProgramOutput {
        status: output.status,
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}
