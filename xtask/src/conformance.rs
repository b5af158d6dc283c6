//! Whether every row of the interface has a test that shows it, by the table in
//! `docs/CONFORMANCE.md`. It must fail on a row without one, and never count a row that is not
//! answered among those that are.

mod check;
mod evidence;
mod generate;
mod interface;
mod page;
mod sections;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail};

use self::check::Code;
use self::interface::PublishedInterface;
use self::page::Page;
use self::sections::SECTIONS;
use crate::repo::Repo;
use crate::tidy::has_extension;

/// Where whatever is sent is written down.
const EDGE: [&str; 2] = ["crates/wire/src/", "crates/http-server/src/"];

#[derive(Debug, Default, clap::Args)]
pub(crate) struct ConformanceOptions {
    /// Write the rows of fields and attributes anew, from the document and the tests
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(repo: &Repo, options: &ConformanceOptions) -> Result<()> {
    let mut text = read(repo, page::PATH)?;
    let mut page = Page::parse(&text);
    let (code, mut findings) = code(repo, &page)?;
    let rows = generate::rows(&page, &code);
    if options.bless {
        text = generate::page(&text, &rows);
        fs::write(repo.root().join(page::PATH), &text)
            .with_context(|| format!("writing {}", page::PATH))?;
        page = Page::parse(&text);
    }
    findings.extend(generate::stale(&text, &rows));
    findings.extend(check::findings(&page, &code));
    for finding in &findings {
        println!("{finding}");
    }
    summarize(&page, &code);
    match findings.len() {
        0 => Ok(()),
        count => bail!("conformance: {count} finding(s)"),
    }
}

fn read(repo: &Repo, path: &str) -> Result<String> {
    fs::read_to_string(repo.root().join(path)).with_context(|| format!("reading {path}"))
}

fn code(repo: &Repo, page: &Page) -> Result<(Code, Vec<String>)> {
    let service_codes = interface::service_codes(&read(repo, interface::CODES)?)?;
    let mut code = Code {
        interface: PublishedInterface::parse(&read(repo, interface::DOCUMENT)?)?,
        sent: sent(repo)?,
        service_codes,
        shown: BTreeMap::new(),
    };
    let mut findings = Vec::new();
    for link in &page.tests {
        match evidence::read(repo, &link.file, &link.function)? {
            Ok(shown) => {
                code.shown.insert(link.label.clone(), shown);
            }
            Err(wrong) => findings.push(format!("{}:{}: {wrong}", page::PATH, link.line)),
        }
    }
    Ok((code, findings))
}

/// What follows `PublishedServiceCode::` and `StatusCode::` outside tests and outside the table of
/// codes.
fn sent(repo: &Repo) -> Result<BTreeSet<String>> {
    let mut sent = BTreeSet::new();
    for path in repo.files()? {
        let is_code =
            EDGE.iter().any(|folder| path.starts_with(folder)) && has_extension(&path, "rs");
        if !is_code || path == interface::CODES || path.contains("/test") {
            continue;
        }
        let text = read(repo, &path)?;
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for prefix in ["ServiceCode::", "StatusCode::"] {
            let after = code.split(prefix).skip(1);
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let names = after.map(|rest| rest.split(|letter| !is_part(letter)).next());
            sent.extend(names.flatten().map(str::to_owned));
        }
    }
    Ok(sent)
}

#[derive(Default)]
struct Count {
    covered: usize,
    not_answered: usize,
    uncovered: usize,
}

impl Count {
    fn of(page: &Page, code: &Code, section: &str) -> Self {
        let mut count = Self::default();
        for group in page
            .groups
            .iter()
            .filter(|group| group.section() == section)
        {
            for row in &group.rows {
                let column = match (row.answered, check::row(group, row, code).is_empty()) {
                    (false, _) => &mut count.not_answered,
                    (true, true) => &mut count.covered,
                    (true, false) => &mut count.uncovered,
                };
                *column = column.saturating_add(1);
            }
        }
        count
    }
}

fn summarize(page: &Page, code: &Code) {
    println!("section   rows  covered  not answered  uncovered");
    let mut all = Count::default();
    for (section, _) in SECTIONS {
        let count = Count::of(page, code, section);
        print(section, &count);
        all.covered = all.covered.saturating_add(count.covered);
        all.not_answered = all.not_answered.saturating_add(count.not_answered);
        all.uncovered = all.uncovered.saturating_add(count.uncovered);
    }
    print("all", &all);
}

fn print(name: &str, count: &Count) {
    let Count {
        covered,
        not_answered,
        uncovered,
    } = count;
    let rows = covered
        .saturating_add(*not_answered)
        .saturating_add(*uncovered);
    println!("{name:<8} {rows:>5} {covered:>8} {not_answered:>13} {uncovered:>10}");
}
