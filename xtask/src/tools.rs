//! The cargo subcommands the checks need that do not come with cargo. A missing one is installed,
//! and said so: a check must never pass because it could not run.

use anyhow::{Context, Result};

use crate::process::Run;
use crate::repo::Repo;

/// A cargo subcommand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    subcommand: &'static str,
    /// The version the project was last tried with; any version that is there already will do.
    version: &'static str,
}

/// Runs the tests, each in a process of its own.
pub(crate) const NEXTEST: Tool = Tool {
    subcommand: "nextest",
    version: "0.9.143",
};

/// Checks bans, licences and sources of the dependencies.
pub(crate) const DENY: Tool = Tool {
    subcommand: "deny",
    version: "0.20.2",
};

/// Changes the code and runs the tests, which should notice.
pub(crate) const MUTANTS: Tool = Tool {
    subcommand: "mutants",
    version: "27.1.0",
};

/// Builds the program with the list of its dependencies within it.
pub(crate) const AUDITABLE: Tool = Tool {
    subcommand: "auditable",
    version: "0.7.7",
};

/// Lists the components of the program.
pub(crate) const CYCLONEDX: Tool = Tool {
    subcommand: "cyclonedx",
    version: "0.5.9",
};

impl Tool {
    /// Installs the tool unless it is there.
    pub(crate) fn ensure(self, repo: &Repo) -> Result<()> {
        if Run::cargo([self.subcommand, "--version"])
            .capture(repo.root())
            .is_ok()
        {
            return Ok(());
        }
        println!(
            "cargo-{} is missing and will be installed; this takes minutes",
            self.subcommand
        );
        self.installation()
            .stream(repo.root())
            .with_context(|| format!("cargo-{} is needed and not there", self.subcommand))
    }

    fn installation(self) -> Run {
        let name = format!("cargo-{}", self.subcommand);
        let options = [
            "install",
            &name,
            "--version",
            self.version,
            "--locked",
            "--quiet",
        ];
        Run::cargo(options)
    }
}

#[cfg(test)]
mod tests {
    use super::{AUDITABLE, CYCLONEDX, DENY, MUTANTS, NEXTEST, Tool};
    use crate::repo::Repo;

    #[test]
    fn a_tool_is_installed_in_the_version_that_was_tried() {
        let shown = [NEXTEST, DENY, MUTANTS, AUDITABLE, CYCLONEDX];
        let shown = shown.map(|tool| tool.installation().to_string());

        assert_eq!(
            shown,
            [
                "cargo install cargo-nextest --version 0.9.143 --locked --quiet",
                "cargo install cargo-deny --version 0.20.2 --locked --quiet",
                "cargo install cargo-mutants --version 27.1.0 --locked --quiet",
                "cargo install cargo-auditable --version 0.7.7 --locked --quiet",
                "cargo install cargo-cyclonedx --version 0.5.9 --locked --quiet",
            ]
        );
    }

    #[test]
    fn a_tool_that_is_there_is_left_alone() {
        // `cargo fmt` comes with the toolchain; there is no package of that name and version.
        let present = Tool {
            subcommand: "fmt",
            version: "0.0.0",
        };

        present.ensure(&Repo::find().unwrap()).unwrap();
    }

    #[test]
    fn a_tool_that_cannot_be_installed_fails_the_check() {
        let absent = Tool {
            subcommand: "no such tool",
            version: "0.0.0",
        };

        let error = absent.ensure(&Repo::find().unwrap()).unwrap_err();

        assert!(
            format!("{error:#}").contains("needed and not there"),
            "{error:#}"
        );
    }
}
