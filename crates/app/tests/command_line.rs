//! The program answers its command line. This file must stay: cargo builds a program for the tests
//! of the workspace only where its own package has a test like this one.
#![cfg(test)]

use std::process::{Command, Output};

fn manilla(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manilla"));
    command.args(arguments).output().unwrap()
}

#[test]
fn it_says_its_version_and_ends_well() {
    let output = manilla(&["--version"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim(), concat!("manilla ", env!("CARGO_PKG_VERSION")));
    assert!(output.status.success());
}

#[test]
fn what_it_does_not_understand_ends_with_status_2_and_a_hint() {
    let output = manilla(&["sreve"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("serve"), "{said}");
}

#[test]
fn a_key_ring_is_rotated_and_listed_without_its_keys() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().to_str().unwrap();
    let missing = manilla(&["key-ring", "rotate", "--data", &format!("{data}/misspelt")]);
    assert_eq!(missing.status.code(), Some(1), "{missing:?}");
    for generation in 1..=2 {
        let output = manilla(&["key-ring", "rotate", "--json", "--data", data]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said.trim(), format!("{{\"generation\":{generation}}}"));
    }
    let kept = std::fs::read_to_string(folder.path().join("keys")).unwrap();
    let keys: Vec<_> = kept
        .split_whitespace()
        .filter(|word| word.len() == 64)
        .collect();
    assert_eq!(keys.len(), 2);
    let listed = manilla(&["key-ring", "list", "--data", data]);
    let said = String::from_utf8(listed.stdout).unwrap();
    assert!(said.contains("2           "), "{said}");
    assert!(said.ends_with("seals and opens\n"), "{said}");
    assert!(keys.iter().all(|key| !said.contains(key)), "{said}");
}

#[test]
fn a_key_ring_of_the_environment_is_not_changed_and_the_line_to_add_is_printed() {
    let folder = tempfile::TempDir::new().unwrap();
    let key = "ab".repeat(32);
    let mut command = Command::new(env!("CARGO_BIN_EXE_manilla"));
    command.args(["key-ring", "rotate", "--data"]);
    command.arg(folder.path());
    command.env("MANILLA_SECRETS_KEYS", format!("3 {key}, 1 {key}"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(line.starts_with("4 "), "{line}");
    assert_eq!(line.split_whitespace().nth(1).map(str::len), Some(64));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("MANILLA_SECRETS_KEYS"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
