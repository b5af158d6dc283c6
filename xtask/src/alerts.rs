//! The alert rules that operators are given: that Prometheus reads them, that each fires where it
//! should and nowhere else, and that each has a runbook.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::debian_program::DebianProgram;
use crate::repo::Repo;

const RULES: &str = "docs/operations/alerts.yml";
const TESTS: &str = "docs/operations/alerts-test.yml";
const RUNBOOKS: &str = "docs/operations/runbooks.md";
const DASHBOARD: &str = "docs/operations/dashboard.json";

const PROMTOOL: DebianProgram = DebianProgram {
    name: "promtool",
    probe: "--version",
    place: "usr/bin/promtool",
    packages: &["prometheus"],
};

pub(crate) fn run(repo: &Repo) -> Result<()> {
    let promtool = PROMTOOL.find(repo)?;
    promtool
        .run(["check", "rules", RULES])
        .stream(repo.root())?;
    promtool.run(["test", "rules", TESTS]).stream(repo.root())?;
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
