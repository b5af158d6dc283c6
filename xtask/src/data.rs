//! Makes the tables of data that are converted from published packages. It must not be part of
//! `ci`: it needs the network, and what a registry serves is no fault of a change.

mod archives;
mod geolocation;
mod institutions;
mod names;
mod sources;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::institutions::Institution;
use self::sources::Sources;
use crate::repo::Repo;

#[derive(Args, Debug)]
pub(crate) struct DataOptions {
    /// Compare only: fail where a table is not what its packages make
    #[arg(long)]
    check: bool,
}

const TABLE: &str = "crates/bank-directory/data/banks-566.tsv";
const REVIEWED: &str = "crates/bank-directory/data/reviewed-566.tsv";

const HEADER: &str = "\
# Nigeria (566): the institutions that keep accounts; sorted by identifier. Made by `cargo xtask
# data`, never by hand. Origin, licences and the making of identifiers: README.md beside this file.
# Columns, one tab apart, empty for nothing: identifier, kind, bank code, transfer code, USSD code,
# short name, full name.
";

pub(crate) fn run(repo: &Repo, options: &DataOptions) -> Result<()> {
    geolocation::run(repo, options.check)?;
    institutions(repo, options)
}

fn institutions(repo: &Repo, options: &DataOptions) -> Result<()> {
    let read = |path: &str| {
        fs::read_to_string(repo.root().join(path)).with_context(|| format!("reading {path}"))
    };
    let before = read(TABLE)?;
    let sources = Sources::read(&archives::fetch()?, &read(REVIEWED)?)?;
    let institutions = institutions::merge(&sources, &given(&before))?;
    let after = written(&institutions);
    refuse_other_meanings(&before, &after)?;
    if before == after {
        println!("data: {TABLE} holds {} institutions", institutions.len());
        return Ok(());
    }
    if options.check {
        bail!("{TABLE} is not what its packages make; run `cargo xtask data` and see the diff");
    }
    fs::write(repo.root().join(TABLE), &after).with_context(|| format!("writing {TABLE}"))?;
    println!("data: wrote {} institutions to {TABLE}", institutions.len());
    Ok(())
}

fn written(institutions: &[Institution]) -> String {
    let mut lines: Vec<String> = institutions.iter().map(Institution::line).collect();
    lines.sort();
    let mut table = HEADER.to_owned();
    for line in lines {
        table.push_str(&line);
        table.push('\n');
    }
    table
}

/// Merchants store identifiers: one may disappear with its institution, and may never come to mean
/// another transfer code.
fn refuse_other_meanings(before: &str, after: &str) -> Result<()> {
    let after: BTreeMap<_, _> = codes(after)
        .map(|row| (row.identifier, row.transfer))
        .collect();
    for row in codes(before) {
        let was = row.transfer;
        match after.get(row.identifier) {
            None => println!("data: {} is no longer listed", row.identifier),
            Some(now) if was.is_empty() || *now == was => {}
            Some(now) => bail!("{} would go from {was:?} to {now:?}", row.identifier),
        }
    }
    Ok(())
}

/// What a line of the table goes by.
#[derive(Debug)]
struct Codes<'a> {
    identifier: &'a str,
    bank: &'a str,
    transfer: &'a str,
}

fn codes(table: &str) -> impl Iterator<Item = Codes<'_>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut fields = line.split('\t');
        Some(Codes {
            identifier: fields.next()?,
            bank: fields.nth(1)?,
            transfer: fields.next()?,
        })
    })
}

/// The identifiers given so far, by transfer code, or by bank code where there is none.
fn given(before: &str) -> BTreeMap<String, String> {
    let code = |row: &Codes<'_>| {
        if row.transfer.is_empty() {
            row.bank
        } else {
            row.transfer
        }
        .to_owned()
    };
    codes(before)
        .map(|row| (code(&row), row.identifier.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::refuse_other_meanings;

    fn line(identifier: &str, transfer: &str) -> String {
        format!("{identifier}\tcommercial\t044\t{transfer}\t\t\tAccess\tAccess Bank\n")
    }

    #[test]
    fn an_identifier_gains_a_transfer_code_and_never_changes_it() {
        let without = line("NGCBN000105", "");
        let with = line("NGCBN000105", "000031");
        let other = line("NGCBN000105", "000032");

        assert!(refuse_other_meanings(&without, &with).is_ok());
        assert!(refuse_other_meanings(&with, &with).is_ok());
        assert!(refuse_other_meanings(&with, &other).is_err());
        assert!(refuse_other_meanings(&with, &without).is_err());
    }
}
