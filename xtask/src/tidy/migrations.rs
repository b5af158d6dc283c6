//! A migration that has been recorded never changes again: databases in the field have run it. It
//! must not record a change or a removal, only what is new. Every new one says which older programs
//! may serve beside it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::finding::Finding;
use super::has_extension;
use crate::repo::Repo;

/// The record, in the format of `sha256sum`.
pub(super) const LOCK: &str = "xtask/migrations.lock";

const HEADER: &str = "\
# The SHA-256 of every migration. `cargo xtask tidy --bless` adds new ones; a line here is never
# edited, because a database somewhere may already have run the file it stands for.
";

/// How a migration says which programs may serve beside it.
const COMPATIBLE_SINCE: &str = "-- compatible since: ";

/// The stores, each with its last migration of before there was such a line.
const SILENT_UNTIL: [(&str, u32); 2] = [("postgres", 40), ("sqlite", 37)];

/// SHA-256 in hexadecimal digits by path.
type Hashes = BTreeMap<String, String>;

/// Compares the migrations with their record.
pub(super) fn check(repo: &Repo) -> Result<Vec<Finding>> {
    let mut findings = compare(&recorded(repo)?, &present(repo)?);
    for path in repo.files()?.into_iter().filter(|path| is_migration(path)) {
        let sql = fs::read_to_string(repo.root().join(&path))?;
        findings.extend(silent(&path, &sql));
    }
    Ok(findings)
}

/// What is wrong with a new migration that does not say which programs may serve beside it.
fn silent(path: &str, sql: &str) -> Option<Finding> {
    let mut parts = path.split('/').skip(1);
    let (package, file) = (parts.next()?, parts.nth(1)?);
    let number: u32 = file.split('_').next()?.parse().ok()?;
    let (_, until) = SILENT_UNTIL.iter().find(|(name, _)| *name == package)?;
    let said = sql
        .lines()
        .find_map(|line| line.strip_prefix(COMPATIBLE_SINCE));
    let is_said = said.is_some_and(|since| {
        let least = since.parse::<u32>();
        since == "none" || least.is_ok_and(|least| (1..number).contains(&least))
    });
    (number > *until && !is_said).then(|| {
        let message = format!(
            "needs a line `{COMPATIBLE_SINCE}N` that names the least version which a program must \
             know to serve beside it, below its own, or `none`"
        );
        Finding::new(path, 1, message)
    })
}

/// Adds what is new to the record and says how many that were.
pub(super) fn bless(repo: &Repo) -> Result<usize> {
    let recorded = recorded(repo)?;
    let new = new(&recorded, &present(repo)?);
    let added = new.len();
    let text = show(recorded.into_iter().chain(new).collect());
    fs::write(repo.root().join(LOCK), text).with_context(|| format!("writing {LOCK}"))?;
    Ok(added)
}

fn recorded(repo: &Repo) -> Result<Hashes> {
    match fs::read_to_string(repo.root().join(LOCK)) {
        Ok(text) => parse(&text),
        // Without a record everything is new, which `compare` reports.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Hashes::new()),
        Err(error) => Err(error).with_context(|| format!("reading {LOCK}")),
    }
}

fn present(repo: &Repo) -> Result<Hashes> {
    let files = repo.files()?.into_iter().filter(|path| is_migration(path));
    files
        .map(|path| {
            let bytes =
                fs::read(repo.root().join(&path)).with_context(|| format!("reading {path}"))?;
            Ok((path, hash(&bytes)))
        })
        .collect()
}

fn is_migration(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("crates")
        && parts.nth(1) == Some("migrations")
        && has_extension(path, "sql")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut digits, byte| {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
}

fn parse(lock: &str) -> Result<Hashes> {
    let mut hashes = Hashes::new();
    for line in lock
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (hash, path) = line
            .split_once("  ")
            .with_context(|| format!("{LOCK}: `{line}` does not read `SHA-256  PATH`"))?;
        if hashes.insert(path.to_owned(), hash.to_owned()).is_some() {
            bail!("{LOCK}: {path} is recorded twice; keep the older line");
        }
    }
    Ok(hashes)
}

fn show(hashes: Hashes) -> String {
    let lines = hashes
        .into_iter()
        .map(|(path, hash)| format!("{hash}  {path}\n"));
    std::iter::once(HEADER.to_owned()).chain(lines).collect()
}

fn new(recorded: &Hashes, present: &Hashes) -> Hashes {
    let unlisted = present
        .iter()
        .filter(|(path, _)| !recorded.contains_key(*path));
    unlisted
        .map(|(path, hash)| (path.clone(), hash.clone()))
        .collect()
}

fn compare(recorded: &Hashes, present: &Hashes) -> Vec<Finding> {
    let kept = recorded.iter().filter_map(|(path, hash)| {
        let problem = match present.get(path) {
            None => "was removed",
            Some(now) if now != hash => "was changed",
            Some(_) => return None,
        };
        let message = format!(
            "{problem} although databases have run it; restore it and put the change in a new \
             migration"
        );
        Some(Finding::new(path, 1, message))
    });
    let new = new(recorded, present).into_keys().map(|path| {
        let message = format!("is not in {LOCK}; `cargo xtask tidy --bless` records it for good");
        Finding::new(&path, 1, message)
    });
    kept.chain(new).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hashes, compare, hash, is_migration, new, parse, show, silent};

    const FIRST: &str = "crates/sqlite/migrations/0001_first.sql";
    const SECOND: &str = "crates/sqlite/migrations/0002_second.sql";

    fn hashes(files: &[(&str, &str)]) -> Hashes {
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), hash(text.as_bytes())))
            .collect()
    }

    fn found(recorded: &[(&str, &str)], present: &[(&str, &str)]) -> Vec<String> {
        let findings = compare(&hashes(recorded), &hashes(present));
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_recorded_migration_as_it_was_passes() {
        let files = [(FIRST, "CREATE TABLE a"), (SECOND, "CREATE TABLE b")];
        assert_eq!(found(&files, &files), [""; 0]);
    }

    #[test]
    fn a_changed_migration_is_found() {
        let [finding] = <[String; 1]>::try_from(found(&[(FIRST, "a")], &[(FIRST, "b")])).unwrap();
        assert!(
            finding.starts_with(&format!("{FIRST}:1: was changed")),
            "{finding}"
        );
    }

    #[test]
    fn a_new_migration_says_which_programs_may_serve_beside_it() {
        let new = "crates/postgres/migrations/0050_new.sql";
        for said in [
            "-- compatible since: none\n",
            "-- A.\n-- compatible since: 49\n",
        ] {
            assert!(silent(new, said).is_none(), "{said}");
        }
        for wrong in [
            "",
            "-- compatible since: 50\n",
            "-- compatible since: all\n",
        ] {
            assert!(silent(new, wrong).is_some(), "{wrong}");
        }
        assert!(silent(FIRST, "").is_none());
    }

    #[test]
    fn a_removed_migration_is_found() {
        let [finding] = <[String; 1]>::try_from(found(&[(FIRST, "a")], &[])).unwrap();
        assert!(
            finding.starts_with(&format!("{FIRST}:1: was removed")),
            "{finding}"
        );
    }

    #[test]
    fn an_unrecorded_migration_is_found_until_it_is_blessed() {
        let (recorded, present) = (
            hashes(&[(FIRST, "a")]),
            hashes(&[(FIRST, "a"), (SECOND, "b")]),
        );
        assert_eq!(compare(&recorded, &present).len(), 1);

        let blessed = recorded
            .clone()
            .into_iter()
            .chain(new(&recorded, &present))
            .collect();

        assert_eq!(compare(&blessed, &present), []);
    }

    #[test]
    fn blessing_does_not_excuse_a_change() {
        let (recorded, present) = (hashes(&[(FIRST, "a")]), hashes(&[(FIRST, "b")]));
        assert_eq!(new(&recorded, &present), Hashes::new());
    }

    #[test]
    fn the_record_reads_back_as_written() {
        let written = hashes(&[(FIRST, "a"), (SECOND, "b")]);
        assert_eq!(parse(&show(written.clone())).unwrap(), written);
    }

    #[test]
    fn a_record_that_cannot_be_read_is_an_error() {
        assert!(parse(FIRST).is_err());
        assert!(parse(&format!("00  {FIRST}\n11  {FIRST}\n")).is_err());
    }

    #[test]
    fn the_hash_is_the_one_sha256sum_prints() {
        assert_eq!(
            hash(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn only_the_sql_of_a_crate_is_a_migration() {
        assert!(is_migration(FIRST));
        for path in [
            "crates/sqlite/migrations/README.md",
            "crates/sqlite/src/migrations/0001.sql",
            "docs/crates/migrations/0001.sql",
            "crates/migrations/0001.sql",
        ] {
            assert!(!is_migration(path), "{path}");
        }
    }
}
