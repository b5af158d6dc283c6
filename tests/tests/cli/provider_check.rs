//! `manilla provider check` as a team runs it: against the sandbox as a process, and against the
//! example in Python, with a command that counts what it delivered.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use tests::program::{ProgramOutput, command, run};

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/provider.py");

/// Prints how many deliveries are in the store of the example.
const COUNT: &str = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])\
                     .execute('SELECT count(*) FROM deliveries').fetchone()[0])";

/// A provider that is a process.
struct ProviderProcess {
    child: Child,
    url: String,
}

impl ProviderProcess {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("ready ");
        let url = url.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, url }
    }
}

impl Drop for ProviderProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sandbox(folder: &Path) -> ProviderProcess {
    let mut command = command(&["provider", "serve-sandbox", "--listen", "127.0.0.1:0"]);
    command.arg("--data").arg(folder.join("sandbox"));
    command.arg("--secret-file").arg(folder.join("keys"));
    ProviderProcess::start(command)
}

fn check(folder: &Path, url: &str, more: &[&str]) -> ProgramOutput {
    let mut command = command(&["provider", "check", "--url", url]);
    command.arg("--keys").arg(folder.join("keys"));
    command.arg("--scenario").arg(folder.join("scenario.toml"));
    command.args(more);
    run(command)
}

fn example(folder: &Path) -> String {
    let printed = run(command(&["provider", "check", "--scenario-example"])).well();
    fs::write(folder.join("scenario.toml"), &printed.stdout).unwrap();
    printed.stdout
}

#[test]
fn the_sandbox_passes_with_grade_a() {
    let folder = TempDir::new().unwrap();
    example(folder.path());
    let sandbox = sandbox(folder.path());
    let checked = check(folder.path(), &sandbox.url, &["--json"]).well();
    let report = checked.json();
    assert_eq!(report["grade"], "A", "{report}");
    assert_eq!(report["spent"], "1,900.00");
    let begun = "buying up to 19 orders for 1,900.00 NGN at the most; 5,000.00 NGN may be spent";
    assert!(checked.stderr.contains(begun), "{}", checked.stderr);
    let progress = "ok      airtime::seal::race";
    assert!(checked.stderr.contains(progress), "{}", checked.stderr);
    let checks = report["checks"].as_array().unwrap();
    let is_ok = |check: &&Value| check["verdict"] == "ok";
    // Effects are not counted, and the sandbox is not given a place for callbacks.
    assert_eq!(checks.iter().filter(is_ok).count(), checks.len() - 6);

    let listed = run(command(&["provider", "check", "--list", "--json"])).well();
    assert_eq!(listed.json().as_array().unwrap().len(), checks.len());
}

/// The callbacks of the sandbox, as a gateway takes them: signed, repeated, and hints alone.
#[test]
fn the_callbacks_of_the_sandbox_are_checked() {
    let folder = TempDir::new().unwrap();
    let scenario = example(folder.path());
    let pending = "\n[[order]]\nservice = \"airtime\"\namount = \"100.00\"\n\
        expect = \"delivered\"\npending = true\n[order.details]\nnumber = \"2348031230002\"\n\
        country = \"566\"\noperator = \"mtn\"\noperatorName = \"MTN\"\nbilling = \"prepaid\"\n";
    fs::write(folder.path().join("scenario.toml"), scenario + pending).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let url = format!("http://{address}/provider/check/callback");
    let mut command = command(&["provider", "serve-sandbox", "--listen", "127.0.0.1:0"]);
    command.arg("--data").arg(folder.path().join("sandbox"));
    command.arg("--secret-file").arg(folder.path().join("keys"));
    command.args(["--callback-url", &url]);
    let sandbox = ProviderProcess::start(command);
    let only = ["--only", "airtime::callback", "--only", "adapter::callback"];
    let more = [&only[..], &["--callbacks", &address, "--json"]].concat();
    let checked = check(folder.path(), &sandbox.url, &more).well();
    assert!(checked.stderr.contains(&url), "{}", checked.stderr);
    let report = checked.json();
    assert_eq!(report["spent"], "100.00", "{report}");
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 7);
    assert!(checks.iter().all(|it| it["verdict"] == "ok"), "{report}");
}

#[test]
fn what_fails_is_named_with_its_rule_its_remedy_and_a_transcript_without_secrets() {
    let folder = TempDir::new().unwrap();
    example(folder.path());
    let sandbox = sandbox(folder.path());
    let secret = "HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    fs::write(folder.path().join("keys"), format!("key-1 {secret}\n")).unwrap();
    let failed = check(folder.path(), &sandbox.url, &[]).refused();
    assert_eq!(failed.status.code(), Some(1));
    for said in [
        "provider::capabilities::readable\n  found   `GET /v1/capabilities` was answered with \
         status 401\n  rule    ",
        "  remedy  Compare the address and the keys of both sides",
        "  | GET /v1/capabilities HTTP/1.1\n",
        "  | Signature: manilla=:(hidden):\n",
        "grade     none, of what was checked",
    ] {
        assert!(failed.stdout.contains(said), "{said}\n{}", failed.stdout);
    }
    assert!(!failed.stdout.contains(secret) && !failed.stderr.contains(secret));
}

#[test]
fn what_cannot_begin_says_why_and_buys_nothing() {
    let folder = TempDir::new().unwrap();
    let text = example(folder.path());
    fs::write(
        folder.path().join("keys"),
        "key-1 HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
    )
    .unwrap();
    let url = "http://127.0.0.1:9";
    let refused = |url: &str, more: &[&str], says: &str| {
        let refused = check(folder.path(), url, more).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(refused.stderr.contains(says), "{says}\n{refused:?}");
    };
    refused(url, &["--max-spend", "100.00"], "buy for up to 1,900.00");
    refused(
        url,
        &["--only", "airtime::sael"],
        "no check is called airtime::sael",
    );
    refused("http://provider.example", &[], "must begin with https://");
    let misspelt = text.replace("max_spend = ", "max_spent = ");
    fs::write(folder.path().join("scenario.toml"), misspelt).unwrap();
    refused(url, &[], "unknown field `max_spent`");
}

#[test]
fn what_the_example_in_python_delivers_is_counted_by_a_command() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("provider.sqlite3");
    let scenario = example(folder.path());
    let command = serde_json::to_string(&["python3", "-c", COUNT, store.to_str().unwrap()]);
    let counted = scenario.replace(
        "# effects_command = [\"sqlite3\", \"provider.sqlite3\", \
         \"SELECT count(*) FROM deliveries\"]",
        &format!("effects_command = {}", command.unwrap()),
    );
    assert_ne!(counted, scenario);
    fs::write(folder.path().join("scenario.toml"), counted).unwrap();
    let keys = folder.path().join("keys");
    fs::write(
        &keys,
        "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
    )
    .unwrap();
    let mut python = Command::new("python3");
    python.arg(PYTHON).args(["--listen", "127.0.0.1:0"]);
    python.arg("--keys").arg(keys).arg("--store").arg(&store);
    let python = ProviderProcess::start(python);
    // Each count starts an interpreter, so that not every check is run here.
    let chosen = [
        "--only",
        "airtime::duplicate",
        "--only",
        "provider::effects",
    ];
    let checked = check(folder.path(), &python.url, &chosen).well();
    let counted = "ok      provider::effects::counted";
    assert!(checked.stderr.contains(counted), "{}", checked.stderr);
    let grade = "grade     none, of what was checked";
    assert!(checked.stdout.contains(grade), "{}", checked.stdout);
}
