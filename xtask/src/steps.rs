//! The checks by name and what each runs. A step must not depend on another having run before.

use anyhow::Result;
use clap::ValueEnum;

use crate::process::Run;
use crate::repo::Repo;
use crate::tools::{DENY, NEXTEST};
use crate::{
    alerts, clients, conformance, counterparts, custom_provider, layers, openapi, packaging, pages,
    quickstarts, receivers, schemathesis, tidy,
};

/// One check.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum CiStep {
    Fmt,
    Layers,
    Tidy,
    Deny,
    Clippy,
    Openapi,
    Conformance,
    Docs,
    Alerts,
    Packaging,
    Pages,
    Schemathesis,
    Clients,
    Quickstarts,
    Counterparts,
    CustomProvider,
    Traces,
    Test,
    TestPostgres,
}

impl CiStep {
    /// In the order they run: the cheap ones first; the tests last, where their summaries are easy
    /// to find at the end of a log.
    pub(crate) const ALL: [Self; 19] = [
        Self::Fmt,
        Self::Layers,
        Self::Tidy,
        Self::Deny,
        Self::Clippy,
        Self::Openapi,
        Self::Conformance,
        Self::Docs,
        Self::Alerts,
        Self::Packaging,
        Self::Pages,
        Self::Schemathesis,
        Self::Clients,
        Self::Quickstarts,
        Self::Counterparts,
        Self::CustomProvider,
        Self::Traces,
        Self::Test,
        Self::TestPostgres,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Layers => "layers",
            Self::Tidy => "tidy",
            Self::Deny => "deny",
            Self::Clippy => "clippy",
            Self::Openapi => "openapi",
            Self::Conformance => "conformance",
            Self::Docs => "docs",
            Self::Alerts => "alerts",
            Self::Packaging => "packaging",
            Self::Pages => "pages",
            Self::Schemathesis => "schemathesis",
            Self::Clients => "clients",
            Self::Quickstarts => "quickstarts",
            Self::Counterparts => "counterparts",
            Self::CustomProvider => "custom-provider",
            Self::Traces => "traces",
            Self::Test => "test",
            Self::TestPostgres => "test-postgres",
        }
    }

    pub(crate) fn run(self, repo: &Repo) -> Result<()> {
        match self {
            Self::Fmt => Run::cargo(["fmt", "--all", "--check"]).stream(repo.root()),
            Self::Layers => layers::run(repo),
            Self::Tidy => tidy::run(repo, &tidy::TidyOptions::default()),
            Self::Deny => deny(repo),
            Self::Clippy => clippy(repo),
            Self::Openapi => openapi::run(repo, &openapi::OpenapiOptions::default()),
            Self::Conformance => {
                conformance::run(repo, &conformance::ConformanceOptions::default())
            }
            Self::Docs => docs(repo),
            Self::Alerts => alerts::run(repo),
            Self::Packaging => packaging::run(repo, &packaging::PackagingOptions::default()),
            Self::Pages => pages::run(repo, &pages::PagesOptions::default()),
            Self::Schemathesis => {
                schemathesis::run(repo, &schemathesis::SchemathesisOptions::default())
            }
            Self::Clients => clients::run(repo),
            Self::Quickstarts => quickstarts::run(repo),
            Self::Counterparts => counterparts::run(repo),
            Self::CustomProvider => custom_provider::run(repo),
            Self::Traces => traces(repo),
            Self::Test => test(repo),
            Self::TestPostgres => test_postgres(repo),
        }
    }
}

fn clippy(repo: &Repo) -> Result<()> {
    Run::cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
    .stream(repo.root())
}

fn docs(repo: &Repo) -> Result<()> {
    Run::cargo(["doc", "--locked", "--workspace", "--no-deps"])
        .variable("RUSTDOCFLAGS", "-D warnings")
        .stream(repo.root())
}

fn deny(repo: &Repo) -> Result<()> {
    DENY.ensure(repo)?;
    let checks = [
        "deny",
        "--locked",
        "check",
        "--hide-inclusion-graph",
        "bans",
        "licenses",
        "sources",
    ];
    Run::cargo(checks).stream(repo.root())?;
    advisories(repo)
}

/// Checks the advisories where their database can be had: it comes from the network.
fn advisories(repo: &Repo) -> Result<()> {
    let fetched = Run::cargo(["deny", "--locked", "fetch", "db"]).capture(repo.root());
    if let Err(error) = fetched {
        println!("advisories: skipped, their database cannot be had: {error:#}");
        return Ok(());
    }
    let check = ["deny", "--locked", "check", "--disable-fetch", "advisories"];
    Run::cargo(check).stream(repo.root())
}

/// The program with traces, which no other step builds: its lints, and what a collector receives of
/// it. Every package is selected all the same, so that few dependencies are compiled once more.
fn traces(repo: &Repo) -> Result<()> {
    let selection = ["--locked", "--workspace", "--features", "app/opentelemetry"];
    let targets = ["--lib", "--bin", "manilla", "--test", "traces"];
    let lints = ["--", "-D", "warnings"];
    let clippy = ["clippy"].into_iter().chain(selection).chain(targets);
    Run::cargo(clippy.chain(lints)).stream(repo.root())?;
    let test = ["test"]
        .into_iter()
        .chain(selection)
        .chain(["--test", "traces"]);
    Run::cargo(test).stream(repo.root())
}

fn test(repo: &Repo) -> Result<()> {
    NEXTEST.ensure(repo)?;
    receivers::ensure(repo)?;
    Run::cargo(["test", "--locked", "--doc", "--workspace"]).stream(repo.root())?;
    Run::cargo([
        "nextest",
        "run",
        "--locked",
        "--workspace",
        "--no-fail-fast",
    ])
    .stream(repo.root())
}

/// The end-to-end suites once more, over the other store; the profile says which of them. Every
/// package is selected all the same: a smaller selection has dependencies with fewer features, and
/// all of them would be compiled and linked once more.
fn test_postgres(repo: &Repo) -> Result<()> {
    NEXTEST.ensure(repo)?;
    receivers::ensure(repo)?;
    Run::cargo([
        "nextest",
        "run",
        "--locked",
        "--workspace",
        "--profile",
        "postgres",
    ])
    .variable("MANILLA_TEST_STORE", "postgres")
    .stream(repo.root())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::CiStep;

    #[test]
    fn every_step_runs_in_ci_under_its_own_name() {
        assert_eq!(CiStep::ALL, CiStep::value_variants());
        for step in CiStep::ALL {
            assert_eq!(CiStep::from_str(step.name(), false), Ok(step));
        }
    }
}
