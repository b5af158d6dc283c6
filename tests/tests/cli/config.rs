//! Settings from a file, the environment and flags, each over the one before, and secrets that are
//! never shown. It must find a misspelt setting refused, not ignored.

use serde_json::Value;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;
use tests::program::{self, ProgramOutput};
use tests::secret;

/// 32 bytes that must appear nowhere.
const PEPPER: &str = "5ec4e7000000000000000000000000000000000000000000000000005ec4e7aa";

fn config(
    folder: &GatewayFolder,
    environment: &[(&str, &str)],
    arguments: &[&str],
) -> ProgramOutput {
    let mut command = program::command(&["config", "--json"]);
    command.args(arguments).arg("--data").arg(folder.data());
    command.envs(environment.iter().copied());
    program::run(command)
}

fn setting(said: &Value, name: &str) -> (String, String) {
    let settings = said["settings"].as_array().expect("settings");
    let found = settings.iter().find(|setting| setting["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {said}"));
    let text = |field: &str| found[field].as_str().expect("a text").to_owned();
    (text("value"), text("source"))
}

#[test]
fn flags_go_over_the_environment_and_that_over_the_file() {
    let folder =
        GatewayFolder::with("[sandbox]\npending_delay_ms = 1\nslow_ms = 2\nquarantine_ms = 3\n");
    let environment = [
        ("MANILLA_SANDBOX_SLOW_MS", "20"),
        ("MANILLA_SANDBOX_QUARANTINE_MS", "30"),
    ];
    let flags = ["--set", "sandbox.quarantine_ms=300"];
    let said = config(&folder, &environment, &flags).well().json();
    for (name, value, source) in [
        ("sandbox.seed", "1", "default"),
        ("sandbox.pending_delay_ms", "1", "file"),
        ("sandbox.slow_ms", "20", "env"),
        ("sandbox.quarantine_ms", "300", "flag"),
    ] {
        assert_eq!(
            setting(&said, name),
            (value.to_owned(), source.to_owned()),
            "{name}"
        );
    }
}

#[test]
fn the_folder_and_the_address_can_come_from_the_environment() {
    let folder = GatewayFolder::with("[sandbox]\nseed = 77\n");
    let mut command = program::command(&["config", "--json"]);
    command
        .env("MANILLA_DATA", folder.data())
        .env("MANILLA_LISTEN", "127.0.0.1:4711");
    let said = program::run(command).well().json();
    let data = folder.data().to_str().expect("UTF-8").to_owned();
    assert_eq!(setting(&said, "data"), (data, "env".to_owned()));
    let listen = ("127.0.0.1:4711".to_owned(), "env".to_owned());
    assert_eq!(setting(&said, "server.listen"), listen);
    // The file is looked for in that folder.
    assert_eq!(
        setting(&said, "sandbox.seed"),
        ("77".to_owned(), "file".to_owned())
    );
}

#[test]
fn a_secret_is_never_shown() {
    let folder = GatewayFolder::with("");
    let environment = [("MANILLA_PEPPER", PEPPER)];
    for arguments in [&[][..], &["--log-level", "trace"]] {
        let said = config(&folder, &environment, arguments).well();
        assert!(said.stdout.contains("secrets.pepper"), "{said:?}");
        assert!(
            !said.stdout.contains("5ec4e7") && !said.stderr.contains("5ec4e7"),
            "{said:?}"
        );
    }
    let short = [("MANILLA_PEPPER", "5ec4e7")];
    let refused = config(&folder, &short, &[]).refused();
    assert!(!refused.stderr.contains("5ec4e7"), "{refused:?}");
    assert!(refused.stderr.contains("pepper"), "{refused:?}");
}

#[test]
fn everything_that_is_wrong_is_named_at_once_with_its_remedy() {
    let folder = GatewayFolder::with("[sandbox]\npending_dely_ms = 5\nslow_ms = \"soon\"\n");
    let refused = config(&folder, &[], &["--set", "log.levl=debug"]).refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    for expected in [
        "pending_dely_ms",
        "pending_delay_ms",
        "slow_ms",
        "milliseconds",
        "log.levl",
        "log.level",
    ] {
        assert!(
            refused.stderr.contains(expected),
            "{expected} is not named: {refused:?}"
        );
    }
    let refused = folder.run(&["account", "list"]).refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

#[test]
fn every_command_explains_itself_with_an_example() {
    for arguments in [
        &["--help"][..],
        &["serve", "--help"],
        &["account", "create", "--help"],
        &["account", "credit", "--help"],
        &["account", "suspend", "--help"],
        &["account", "list", "--help"],
        &["key", "rotate", "--help"],
        &["key", "revoke", "--help"],
        &["audit", "--help"],
        &["config", "--help"],
    ] {
        let said = program::run(program::command(arguments)).well();
        assert!(said.stdout.contains("Examples:"), "{arguments:?}: {said:?}");
    }
}

#[test]
fn a_command_that_answers_in_json_fails_in_json() {
    let folder = GatewayFolder::with("");
    let _account = folder.account("Shop", "10.00");
    let code = |arguments: &[&str], expected: &str| {
        let refused = folder.run(arguments).refused();
        let reported: Value = serde_json::from_str(&refused.stderr)
            .unwrap_or_else(|error| panic!("{error}: {refused:?}"));
        let error = reported["error"].as_str().expect("an error");
        assert!(error.contains(expected), "{refused:?}");
        assert!(reported["because"].is_array() && refused.stdout.is_empty());
        refused.status.code()
    };
    let amount = [
        "account",
        "create",
        "--name",
        "x",
        "--balance",
        "x",
        "--json",
    ];
    assert_eq!(code(&amount, "--balance"), Some(2));
    let unknown = [
        "sender",
        "add",
        "--identity",
        "nobody",
        "--name",
        "Shop",
        "--json",
    ];
    assert_eq!(code(&unknown, "nobody"), Some(1));
    assert_eq!(code(&["account", "creat", "--json"], "creat"), Some(2));
    // For people it stays a sentence.
    let reported = folder.run(&["account", "creat"]).refused();
    assert!(reported.stderr.starts_with("error: "), "{reported:?}");
}

#[test]
fn a_variable_of_an_orchestrator_is_not_warned_of_by_every_command() {
    let folder = GatewayFolder::with("");
    let _account = folder.account("Shop", "10.00");
    let mut command = folder.command(&["account", "list"]);
    command
        .env("MANILLA_PORT", "tcp://10.0.0.1:8443")
        .env("MANILLA_LISEN", "127.0.0.1:1");
    let listed = program::run(command).well();
    assert_eq!(listed.stderr, "", "{listed:?}");
}

#[test]
fn a_database_on_another_machine_is_refused_unless_its_server_is_verified() {
    let folder = GatewayFolder::with("");
    let run = |arguments: &[&str]| {
        let mut command = program::command(arguments);
        command.arg("--data").arg(folder.data());
        command.env(
            "MANILLA_DATABASE",
            "postgres://manilla:secret@db.invalid/books",
        );
        program::run(command)
    };
    for command in [&["serve"][..], &["migrate"], &["account", "list"]] {
        let refused = run(command).refused();
        let said = format!("{refused:?}");
        for part in [
            "db.invalid",
            "sslmode=verify-full",
            "database.verify_server",
        ] {
            assert!(said.contains(part), "{command:?} {part}: {said}");
        }
        assert!(!said.contains("secret"), "{said}");
    }
    let allowed = ["account", "list", "--set", "database.verify_server=false"];
    let unreachable = format!("{:?}", run(&allowed).refused());
    assert!(unreachable.contains("cannot be reached"), "{unreachable}");
}

/// As Docker and Kubernetes hand secrets over: files named by variables.
#[tokio::test]
async fn a_gateway_is_served_with_its_secrets_in_files_and_shows_none_of_them() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Filed", "100.00");
    let [pepper, keys, url] = ["pepper", "keys", "url"].map(|name| folder.beside(name));
    for (name, file) in [("pepper", &pepper), ("keys", &keys)] {
        std::fs::rename(folder.data().join(name), file).unwrap();
    }
    let mut variables = vec![
        ("MANILLA_PEPPER_FILE", pepper.display().to_string()),
        ("MANILLA_SECRETS_KEYS_FILE", keys.display().to_string()),
    ];
    if let Some(database) = folder.database() {
        secret::write(&url, format!("{}\n", database.url()));
        variables.push(("MANILLA_DATABASE_FILE", url.display().to_string()));
        // The harness names the database itself; an empty variable is none.
        variables.push(("MANILLA_DATABASE", String::new()));
    }
    let folder = folder.in_environment(&variables);
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let _ = merchant.get("/account/profile").await.with_status(200);
    for name in ["pepper", "keys"] {
        assert!(!folder.data().join(name).exists(), "{name} was made again");
    }
    let shown = folder.run(&["config"]).well().stdout;
    assert!(shown.contains(&format!("secrets.pepper_file = \"{}\"", pepper.display())));
    assert!(shown.contains("secrets.pepper = \"\""), "{shown}");

    secret::chmod(&pepper, 0o644);
    let refused = folder.run(&["account", "list"]).refused();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    for part in ["`secrets.pepper_file`", "MANILLA_PEPPER_FILE", "`chmod o= "] {
        assert!(refused.stderr.contains(part), "{part}: {refused:?}");
    }
}

#[test]
fn a_start_is_refused_where_every_user_can_read_a_secret_and_says_what_to_do() {
    let folder = GatewayFolder::with(QUICK);
    let _account = folder.account("Open", "10.00");
    for name in ["pepper", "keys"] {
        let path = folder.data().join(name);
        secret::chmod(&path, 0o644);
        let refused = folder.run(&["serve", "--listen", "127.0.0.1:0"]).refused();
        let remedy = format!("`chmod o= {}`", path.display());
        assert!(refused.stderr.contains(&remedy), "{refused:?}");
        secret::chmod(&path, 0o640);
        let warned = folder.run(&["account", "list"]).well();
        assert!(warned.stderr.contains("the group of "), "{warned:?}");
        secret::chmod(&path, 0o600);
    }
    let passphrase = folder.beside("passphrase");
    secret::chmod(&passphrase, 0o604);
    let refused = folder.run(&["account", "create", "--name", "x"]).refused();
    let remedy = format!("`chmod o= {}`", passphrase.display());
    assert!(refused.stderr.contains(&remedy), "{refused:?}");
}
