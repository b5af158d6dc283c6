//! The alert rules that operators are given: that Prometheus reads them, that each fires where it
//! should and nowhere else, and that each has a runbook.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::process::Run;
use crate::repo::Repo;

const RULES: &str = "docs/operations/alerts.yml";
const TESTS: &str = "docs/operations/alerts-test.yml";
const RUNBOOKS: &str = "docs/operations/runbooks.md";
const DASHBOARD: &str = "docs/operations/dashboard.json";

/// The package of Debian that has the tool, of which nothing else is used.
const PACKAGE: &str = "prometheus";

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let promtool = promtool(repo)?;
    let promtool = promtool.to_string_lossy();
    Run::new(&promtool, ["check", "rules", RULES]).stream(repo.root())?;
    Run::new(&promtool, ["test", "rules", TESTS]).stream(repo.root())?;
    let read = |name: &str| {
        let path = repo.root().join(name);
        fs::read_to_string(&path).with_context(|| format!("{name} cannot be read"))
    };
    let alerts = alerts(&read(RULES)?);
    let runbooks = headings(&read(RUNBOOKS)?);
    if alerts != runbooks {
        bail!("{RULES} has the alerts {alerts:?}, and {RUNBOOKS} is about {runbooks:?}");
    }
    let tested = read(TESTS)?;
    let untested: Vec<_> = alerts
        .iter()
        .filter(|alert| !tested.contains(&format!("alertname: {alert}\n")))
        .collect();
    if !untested.is_empty() {
        bail!("{TESTS} has no test of {untested:?}");
    }
    serde_json::from_str::<serde_json::Value>(&read(DASHBOARD)?)
        .with_context(|| format!("{DASHBOARD} is no JSON"))?;
    println!("{} alerts, each tested and with a runbook", alerts.len());
    Ok(())
}

/// The tool: the one on the path, or that of the package, taken out of it without installing.
fn promtool(repo: &Repo) -> Result<PathBuf> {
    let found = Run::new("promtool", ["--version"]).quiet(repo.root());
    if found.is_ok_and(|(works, _)| works) {
        return Ok(PathBuf::from("promtool"));
    }
    let home = repo.target()?.join("alerts");
    let tool = home.join("usr/bin/promtool");
    if !tool.exists() {
        println!("promtool of Debian's package {PACKAGE} is fetched");
        fs::create_dir_all(&home)?;
        Run::new("apt-get", ["download", PACKAGE])
            .stream(&home)
            .context("promtool is needed, such as of Debian's package prometheus")?;
        let files = fs::read_dir(&home)?.filter_map(Result::ok);
        let mut files = files.map(|file| file.path());
        let package = files.find(|path| path.extension().is_some_and(|end| end == "deb"));
        let package = package.context("the package was not fetched")?;
        let package = package.to_string_lossy();
        Run::new("dpkg", ["--extract", &package, "."]).stream(&home)?;
    }
    Ok(tool)
}

/// The names of the alerts, in their order.
fn alerts(rules: &str) -> Vec<String> {
    let lines = rules.lines().map(str::trim);
    let names = lines.filter_map(|line| line.strip_prefix("- alert: "));
    names.map(str::to_owned).collect()
}

/// The headings of the second level, in their order.
fn headings(page: &str) -> Vec<String> {
    let names = page.lines().filter_map(|line| line.strip_prefix("## "));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alerts_and_headings_are_found_by_their_names() {
        let rules = "groups:\n  - name: a\n    rules:\n      - alert: DiskFull\n        expr: x\n";
        assert_eq!(alerts(rules), ["DiskFull"]);
        assert_eq!(
            headings("# Runbooks\n\n## DiskFull\n\ntext\n"),
            ["DiskFull"]
        );
    }
}
