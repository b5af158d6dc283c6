//! Runs another program from the root of the repository. It must not hide what that program
//! prints, nor carry on when it fails.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A program with its arguments and variables.
#[derive(Debug)]
pub(crate) struct Run {
    program: OsString,
    shown: String,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
}

impl Run {
    pub(crate) fn new<'a>(program: &str, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            program: program.into(),
            shown: program.to_owned(),
            arguments: arguments.into_iter().map(str::to_owned).collect(),
            variables: Vec::new(),
        }
    }

    /// The cargo that started this program, so both use one toolchain.
    pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut run = Self::new("cargo", arguments);
        if let Some(cargo) = env::var_os("CARGO") {
            run.program = cargo;
        }
        run
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    pub(crate) fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Prints the command line and runs it with this terminal as its own.
    pub(crate) fn stream(&self, folder: &Path) -> Result<()> {
        println!("$ {self}");
        self.hand_over(folder)
    }

    /// Runs it with this terminal as its own and adds nothing to what it prints.
    pub(crate) fn hand_over(&self, folder: &Path) -> Result<()> {
        let status = self
            .command(folder)
            .status()
            .with_context(|| self.not_started())?;
        if !status.success() {
            bail!("`{self}` failed ({status})");
        }
        Ok(())
    }

    /// Prints the command line, runs it with this terminal as its own, and gives back what it wrote
    /// to its standard output, and whether it succeeded.
    pub(crate) fn tee(&self, folder: &Path) -> Result<(bool, String)> {
        println!("$ {self}");
        let mut command = self.command(folder);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.not_started())?;
        let mut printed = String::new();
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).lines() {
                let line = line.with_context(|| format!("reading what `{self}` prints"))?;
                println!("{line}");
                printed.push_str(&line);
                printed.push('\n');
            }
        }
        Ok((child.wait()?.success(), printed))
    }

    /// Runs it without showing what it prints, and gives back whether it succeeded, and what it
    /// printed to both outputs.
    pub(crate) fn quiet(&self, folder: &Path) -> Result<(bool, String)> {
        let mut command = self.command(folder);
        let output = command.stdin(Stdio::null()).output();
        let output = output.with_context(|| self.not_started())?;
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        Ok((output.status.success(), printed))
    }

    /// Runs it and gives back what it wrote to its standard output.
    pub(crate) fn capture(&self, folder: &Path) -> Result<String> {
        let output = self
            .command(folder)
            .stdin(Stdio::null())
            .output()
            .with_context(|| self.not_started())?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            bail!(
                "`{self}` failed ({}): {}",
                output.status,
                complaint.trim_end()
            );
        }
        String::from_utf8(output.stdout)
            .with_context(|| format!("`{self}` printed something that is not UTF-8"))
    }

    /// The command, for one that goes on beside this program.
    pub(crate) fn child(&self, folder: &Path) -> Command {
        self.command(folder)
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(folder);
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(describes_this_package) {
                command.env_remove(name);
            }
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    fn not_started(&self) -> String {
        format!("`{self}` could not be started")
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.variables {
            write!(out, "{name}=\"{value}\" ")?;
        }
        write!(out, "{}", self.shown)?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(out, " {argument}"))
    }
}

/// Whether cargo set this variable to describe `xtask` itself. Build scripts of dependencies watch
/// some of them, so handing them on would rebuild those dependencies for every check.
fn describes_this_package(variable: &str) -> bool {
    variable.starts_with("CARGO_PKG_") || variable.starts_with("CARGO_MANIFEST_")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Run, describes_this_package};

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let run = Run::cargo(["doc", "--no-deps"]).variable("RUSTDOCFLAGS", "-D warnings");

        assert_eq!(
            run.to_string(),
            "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps"
        );
    }

    #[test]
    fn a_failing_program_is_an_error() {
        let error = Run::new("git", ["no-such-command"])
            .capture(Path::new("."))
            .unwrap_err();

        assert!(error.to_string().contains("no-such-command"), "{error}");
    }

    #[test]
    fn only_the_variables_about_this_package_are_withheld() {
        assert!(describes_this_package("CARGO_PKG_NAME"));
        assert!(describes_this_package("CARGO_MANIFEST_DIR"));
        assert!(!describes_this_package("CARGO_HOME"));
        assert!(!describes_this_package("CARGO_TARGET_DIR"));
    }
}
