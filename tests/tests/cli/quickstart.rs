//! The commands of `docs/QUICKSTART.md`, run as they stand. It must compare every answer with the
//! page, but for what differs from run to run.

use serde_json::Value;
use std::process::Command;
use tests::folder::GatewayFolder;
use tests::process::{GatewayProcess, Launch};
use tests::program;

const PAGE: &str = include_str!("../../../docs/QUICKSTART.md");

/// Values that another run has others of.
const DRAWN: [&str; 6] = [
    "txnReference",
    "txnDate",
    "requestId",
    "receipt",
    "lastPurchase",
    "lastPaid",
];

/// Each command of the page with the answer below it.
fn steps() -> Vec<(String, String)> {
    let blocks = PAGE.split("```console\n$ ").skip(1);
    let blocks = blocks.map(|rest| rest.split("\n```").next().expect("an end"));
    blocks
        .map(|block| {
            let mut command = Vec::new();
            let mut lines = block.lines();
            for line in lines.by_ref() {
                command.push(line);
                if !line.ends_with('\\') {
                    break;
                }
            }
            (command.join("\n"), lines.collect::<Vec<_>>().join("\n"))
        })
        .collect()
}

/// An answer without what another run has others of.
fn same_in_every_run(mut answer: Value) -> Value {
    for (name, value) in answer.as_object_mut().into_iter().flatten() {
        // The number of a token is drawn, a telephone number is not.
        if name == "token" {
            value["number"] = Value::Null;
        } else if DRAWN.contains(&name.as_str()) {
            *value = Value::Null;
        }
    }
    answer
}

/// The lines of an audit without how many rows were examined.
fn without_counts(text: &str) -> Vec<String> {
    let words = |line: &str| {
        let words = line.split_whitespace();
        let words = words.filter(|word| !word.starts_with('(') || !word.ends_with(')'));
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(words).collect()
}

/// The sender that an account of its own has, in a text with the command that uses it.
fn sender(text: &str) -> &str {
    let rest = text.split("\"sender\":\"").nth(1);
    rest.and_then(|rest| rest.split('"').next())
        .expect("a sender")
}

fn shown(printed: &[String], label: &str) -> String {
    let mut values = printed
        .iter()
        .filter_map(|line| line.trim().strip_prefix(label));
    values.next().expect(label).trim().to_owned()
}

#[tokio::test]
async fn every_command_of_the_quickstart_answers_what_the_page_shows() {
    let folder = GatewayFolder::empty();
    let bare = Launch {
        command: &[],
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &bare);
    let printed = server.printed();
    let pasted = printed.join("\n");
    let merchant = ["mrcIdentity", "mrcAPIKey"].map(|label| shown(printed, label));
    let steps = steps();
    assert_eq!(steps.len(), 10, "{steps:#?}");
    for (command, answer) in steps {
        if command.ends_with("manilla audit") {
            let run = folder.run(&["audit"]).well();
            assert_eq!(without_counts(&run.stdout), without_counts(&answer));
            continue;
        }
        let address = format!("https://{}", server.address());
        let command = command
            .replace("https://127.0.0.1:8443", &address)
            .replace(sender(PAGE), sender(&pasted))
            .replace("manilla-data", &folder.data().display().to_string());
        let mut shell = Command::new("sh");
        let _ = shell
            .args(["-c", &command])
            .env("MERCHANT", merchant.join(":"));
        let answered = program::run(shell).json();
        let expected: Value = serde_json::from_str(&answer).expect("JSON on the page");
        assert_eq!(
            same_in_every_run(answered),
            same_in_every_run(expected),
            "{command}"
        );
    }
}
