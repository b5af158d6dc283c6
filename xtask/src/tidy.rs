//! The rules no compiler checks: how long things are, which words stay out, which files must not
//! change, which names must lead somewhere. It must not rewrite a source file; `--bless` adds to
//! the record of migrations and does nothing else.

mod doc_lints;
mod finding;
mod lengths;
mod migrations;
mod module_docs;
mod paths;
mod rust_file;
mod type_names;
mod words;

use std::fs;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::finding::Finding;
use self::paths::FileTree;
use self::rust_file::RustFile;
use self::type_names::TypeNames;
use self::words::Banned;
use crate::repo::Repo;

#[derive(Args, Debug, Default)]
pub(crate) struct TidyOptions {
    /// Record migrations that are new, then check
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(repo: &Repo, options: &TidyOptions) -> Result<()> {
    if options.bless {
        let added = migrations::bless(repo)?;
        println!(
            "tidy: {added} migration(s) recorded in {}",
            migrations::LOCK
        );
    }
    let files = repo.files()?;
    let tree = FileTree::new(&files);
    let banned = Banned::from_repository(repo.root())?;
    let mut findings = migrations::check(repo)?;
    let mut texts = 0_usize;
    let mut type_names = TypeNames::default();
    for path in &files {
        let bytes = fs::read(repo.root().join(path)).with_context(|| format!("reading {path}"))?;
        // What is not UTF-8 is not text: an image or a font, and no rule here is about those.
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        texts += 1;
        findings.extend(check_text(path, &text, &tree, &banned));
        if has_extension(path, "rs") {
            type_names.add(path, &text);
        }
    }
    findings.extend(type_names.check());
    findings.extend(doc_lints::missing_files(&files));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {texts} text files keep to the rules");
            Ok(())
        }
        count => bail!("tidy: {count} finding(s)"),
    }
}

fn check_text(path: &str, text: &str, tree: &FileTree, banned: &Banned) -> Vec<Finding> {
    let mut findings = banned.check(path, text);
    findings.extend(paths::check(path, text, tree));
    if has_extension(path, "rs") {
        findings.extend(module_docs::check(path, text));
        findings.extend(doc_lints::check(path, text));
        match RustFile::parse(path, text) {
            Ok(file) => findings.extend(lengths::check(&file)),
            Err(finding) => findings.push(finding),
        }
    }
    findings
}

/// Whether the name ends with a dot and these characters.
pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, last)| last == extension)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::{Banned, FileTree, TidyOptions, check_text, migrations, run};
    use crate::process::Run;
    use crate::repo::Repo;

    const ROOT_MODULE: &str =
        "//! Rules. It must not print.\n#![warn(missing_docs, clippy::missing_errors_doc)]\n";
    const MIGRATION: &str = "crates/sqlite/migrations/0001_first.sql";
    const BLESS: TidyOptions = TidyOptions { bless: true };
    const CHECK: TidyOptions = TidyOptions { bless: false };

    /// A repository that keeps to every rule and has one migration.
    fn repository() -> TempDir {
        let folder = TempDir::new().unwrap();
        Run::new("git", ["init", "--quiet"])
            .capture(folder.path())
            .unwrap();
        write(folder.path(), "crates/domain/src/lib.rs", ROOT_MODULE);
        write(folder.path(), "crates/ports/src/lib.rs", ROOT_MODULE);
        write(
            folder.path(),
            MIGRATION,
            "CREATE TABLE a (b TEXT) STRICT;\n",
        );
        write(folder.path(), "xtask/README.md", "The checks.\n");
        folder
    }

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_blessed_repository_passes() {
        let folder = repository();
        let repo = Repo::at(folder.path());

        run(&repo, &CHECK).unwrap_err();
        run(&repo, &BLESS).unwrap();

        run(&repo, &CHECK).unwrap();
    }

    #[test]
    fn a_change_to_a_blessed_migration_fails_even_when_blessed_again() {
        let folder = repository();
        let repo = Repo::at(folder.path());
        run(&repo, &BLESS).unwrap();
        let lock = fs::read_to_string(folder.path().join(migrations::LOCK)).unwrap();

        write(
            folder.path(),
            MIGRATION,
            "CREATE TABLE a (b BLOB) STRICT;\n",
        );

        run(&repo, &CHECK).unwrap_err();
        run(&repo, &BLESS).unwrap_err();
        assert_eq!(
            fs::read_to_string(folder.path().join(migrations::LOCK)).unwrap(),
            lock
        );
    }

    #[test]
    fn a_file_that_breaks_a_rule_fails_the_run() {
        let folder = repository();
        let repo = Repo::at(folder.path());
        run(&repo, &BLESS).unwrap();

        write(folder.path(), "crates/wire/src/lib.rs", "fn f() {}\n");

        run(&repo, &CHECK).unwrap_err();
    }

    #[test]
    fn a_root_module_that_moved_fails_the_run() {
        let folder = repository();
        let repo = Repo::at(folder.path());
        run(&repo, &BLESS).unwrap();

        fs::remove_file(folder.path().join("crates/ports/src/lib.rs")).unwrap();

        run(&repo, &CHECK).unwrap_err();
    }

    #[test]
    fn what_is_not_text_is_not_judged() {
        let folder = repository();
        let repo = Repo::at(folder.path());

        fs::write(folder.path().join("logo.png"), b"\x89PNG\xff").unwrap();

        run(&repo, &BLESS).unwrap();
    }

    /// What is found in the root module of the domain.
    fn found(text: &str) -> String {
        let tree = FileTree::new(&BTreeSet::new());
        let banned = Banned::parse("grault => say what you mean").unwrap();
        let findings = check_text("crates/domain/src/lib.rs", text, &tree, &banned);
        findings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn every_rule_is_applied_to_a_rust_file() {
        let found = found(&format!(
            "// {} grault `docs/nowhere.md`\n",
            "x".repeat(120)
        ));

        for rule in [
            "grault",
            "docs/nowhere.md",
            "//!",
            "missing_docs",
            "columns",
        ] {
            assert!(found.contains(rule), "{rule} is not applied:\n{found}");
        }
    }

    #[test]
    fn what_is_not_rust_is_reported_and_not_skipped() {
        assert!(found("//! Half.\nfn broken( {{\n").contains("not Rust"));
    }
}
