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
