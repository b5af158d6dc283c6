//! The catalogue from the command line: what is refused, and what is shown. It must change nothing
//! before something is published.

use serde_json::Value;
use std::thread;
use tempfile::TempDir;
use tests::folder::{GatewayFolder, QUICK};
use tests::program::ProgramOutput;
use tests::sandbox_process::{self, SandboxProcess};

fn written(folder: &GatewayFolder, document: &str) -> String {
    let file = folder.beside("catalogue.toml");
    std::fs::write(&file, document).expect("the document");
    file.to_str().expect("a path in UTF-8").to_owned()
}

fn plan(folder: &GatewayFolder, document: &str) -> ProgramOutput {
    let file = written(folder, document);
    folder.run(&["catalogue", "plan", &file, "--json"])
}

fn publish(folder: &GatewayFolder, document: &str, flags: &[&str]) -> ProgramOutput {
    let file = written(folder, document);
    let publish = [
        "catalogue",
        "publish",
        &file,
        "--reason",
        "a test",
        "--json",
    ];
    folder.run(&[&publish[..], flags].concat())
}

fn costs(amount: &str) -> String {
    format!("[[plan]]\nproduct = \"internet.301\"\ncode = \"30109\"\namount = \"{amount}\"\n")
}

fn listed(folder: &GatewayFolder) -> Vec<Value> {
    let said = folder.run(&["catalogue", "list", "--json"]).well().json();
    said["versions"].as_array().expect("versions").clone()
}

fn folder() -> GatewayFolder {
    let folder = GatewayFolder::with(QUICK);
    folder.has_operator();
    let _ = folder.account("Corner shop", "1000.00");
    folder
}

#[test]
fn a_version_is_planned_published_listed_and_shown() {
    let folder = folder();
    let planned = plan(&folder, &costs("2,000.00")).well().json();
    assert_eq!(planned["after"], 0);
    let change = &planned["changes"][0];
    assert_eq!(change["product"], "internet.301");
    assert_eq!(change["before"], "2GB Monthly, 30 days, 1,500.00");
    assert_eq!(change["after"], "2GB Monthly, 30 days, 2,000.00");
    assert!(listed(&folder).is_empty());

    let first = publish(&folder, &costs("2,000.00"), &[]).well().json();
    assert_eq!(
        (first["version"].as_u64(), first["changes"][0].clone()),
        (Some(1), change.clone())
    );
    let second = costs("2,100.00");
    let second = publish(
        &folder,
        &second,
        &["--from", "2099-01-01T00:00:00Z", "--after", "1"],
    );
    assert_eq!(second.well().json()["version"], 2);

    let versions = listed(&folder);
    let states: Vec<_> = versions.iter().map(|it| it["state"].clone()).collect();
    assert_eq!(states, ["waits", "waits"]);
    assert_eq!(versions[1]["effectiveFrom"], "2099-01-01T00:00:00Z");
    assert_eq!(versions[1]["reason"], "a test");
    assert_eq!(versions[1]["changes"], serde_json::json!(["internet.301"]));
    let shown = folder.run(&["catalogue", "show", "--version", "1", "--json"]);
    assert_eq!(shown.well().json()["document"], costs("2,000.00"));
    let diff = folder.run(&["catalogue", "diff", "--from", "1", "--to", "2", "--json"]);
    let diff = diff.well().json();
    assert_eq!(
        diff["changes"][0]["before"],
        "2GB Monthly, 30 days, 2,000.00"
    );
    assert_eq!(
        diff["changes"][0]["after"],
        "2GB Monthly, 30 days, 2,100.00"
    );

    let log = folder.run(&["operator", "log", "--json"]).well().json();
    let acts = log["entries"].as_array().expect("entries").iter();
    let acts: Vec<_> = acts.filter(|it| it["act"] == "catalogue-publish").collect();
    assert_eq!(acts.len(), 2);
    let digest = versions[0]["digest"].as_str().expect("a digest");
    let detail = acts[0]["detail"].as_str().expect("a detail");
    assert!(detail.starts_with(digest), "{detail}");
    // The entry is the event: it says which price became which.
    let price = "internet.301 plan 30109: 2GB Monthly, 30 days, 1,500.00 -> 2GB Monthly, 30 days, \
                 2,000.00";
    assert!(detail.ends_with(price), "{detail}");
    folder.run(&["audit", "--json"]).well();
}

#[test]
fn what_cannot_be_published_is_refused_and_nothing_is_stored() {
    let folder = folder();
    let twice = format!("{0}\n{0}", costs("1.00"));
    let huge = format!("# {}\n", "x".repeat(2 << 20));
    for (document, flags, said) in [
        (
            twice.as_str(),
            &[][..],
            "line 6: plan 30109 of internet stands in the document twice",
        ),
        (&costs("-1.00"), &[], "line 1: `amount` must"),
        (&costs("1e3"), &[], "line 1: `amount` must"),
        (&huge, &[], "the largest is 1048576"),
        ("", &[], "nothing would change"),
        (&costs("1,500.00"), &[], "nothing would change"),
        (
            &costs("2,000.00"),
            &["--from", "tomorrow"],
            "--from must be a moment",
        ),
        (
            &costs("2,000.00"),
            &["--from", "2026-01-01T00:00:00Z"],
            "60 s or more after",
        ),
        (
            &costs("2,000.00"),
            &["--after", "4"],
            "the last version is 0, not 4",
        ),
    ] {
        let refused = publish(&folder, document, flags).refused();
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
    let missing = folder.run(&["catalogue", "publish", "/nowhere.toml", "--reason", "x"]);
    assert!(
        missing
            .refused()
            .stderr
            .contains("/nowhere.toml cannot be read")
    );
    assert!(listed(&folder).is_empty());

    let new = "[[plan]]\nproduct = \"internet.301\"\ncode = \"30199\"\nname = \"New\"\n\
        validity_days = 1\namount = \"5.00\"\n";
    publish(&folder, new, &[]).well();
    let forgets = publish(&folder, &costs("2,000.00"), &[]).refused();
    assert!(
        forgets.stderr.contains("plan 30199 of internet.301"),
        "{}",
        forgets.stderr
    );
    assert_eq!(listed(&folder).len(), 1);
}

#[test]
fn of_two_that_publish_at_once_one_is_published() {
    let folder = folder();
    let file = written(&folder, &costs("2,000.00"));
    let outcomes = thread::scope(|scope| {
        let racers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let publish = ["catalogue", "publish", &file, "--reason", "race"];
                    folder
                        .run(&[&publish[..], &["--after", "0"]].concat())
                        .status
                        .success()
                })
            })
            .collect();
        racers
            .into_iter()
            .map(|it| it.join().expect("a racer"))
            .collect::<Vec<_>>()
    });
    assert_eq!(
        outcomes.iter().filter(|done| **done).count(),
        1,
        "{outcomes:?}"
    );
    assert_eq!(listed(&folder).len(), 1);
}

/// A provider process lists what it sells, and the operator sees where that differs.
#[test]
fn the_list_of_a_provider_process_is_compared_with_what_is_offered_of_it() {
    let at = TempDir::new().expect("a folder");
    let keys = sandbox_process::keys(at.path());
    tests::secret::write(&keys, sandbox_process::KEYS);
    let provider = SandboxProcess::start(at.path());
    let account = sandbox_process::account(&provider.url, &keys, &["internet"]);
    let folder = GatewayFolder::with(&format!("{QUICK}{account}"));
    folder.has_operator();
    let _ = folder.account("Corner shop", "1000.00");
    let diff = ["catalogue", "diff", "--provider", "far", "--json"];
    let none = folder.run(&diff).refused();
    assert!(
        none.stderr.contains("no [[offer]] of far"),
        "{}",
        none.stderr
    );

    // Our price is another one, the second code is none of theirs, and airtime has limits there.
    let document = costs("2,000.00")
        + "[[offer]]\nprovider = \"far\"\nproduct = \"internet.301\"\nplan = \"30109\"\n\
           code = \"30109\"\n\
           [[offer]]\nprovider = \"far\"\nproduct = \"internet.301\"\nplan = \"30101\"\n\
           code = \"gone\"\n\
           [[offer]]\nprovider = \"far\"\nproduct = \"airtime.mtn\"\nminimum = \"1.00\"\n";
    publish(&folder, &document, &[]).well();
    let said = folder.run(&diff).well().json();
    let changes = said["changes"].as_array().expect("changes");
    let shown = |product: &str, what: &str| {
        let found = |it: &&Value| it["product"] == product && it["what"] == what;
        let change = changes.iter().find(found);
        change.map(|it| (it["before"].clone(), it["after"].clone()))
    };
    assert_eq!(
        shown("internet.301", "plan 30109 (30109)"),
        Some(("2,000.00".into(), "1,500.00".into()))
    );
    let (_, gone) = shown("internet.301", "plan 30101 (gone)").expect("it is not listed");
    assert_eq!(gone, Value::Null);
    assert!(shown("internet.301", "not offered (30101)").is_some());
    let (before, after) = shown("airtime.mtn", "every amount (mtn)").expect("other limits");
    assert_eq!(before, "from 1.00 to any");
    assert_eq!(after, "from 50.00 to 50,000.00");

    // A provider that is away is an error, and no list of nothing.
    provider.kill();
    let away = folder.run(&diff).refused();
    assert!(away.stderr.contains("catalogue") || away.stderr.contains("capabilities"));
}
