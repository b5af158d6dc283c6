//! The first start on an empty machine: one command, and everything is there to try. It must run
//! what was printed, as a newcomer pastes it.

use std::path::Path;
use std::process::Command;
use tests::folder::{GatewayFolder, MerchantCredentials};
use tests::merchant::TestMerchant;
use tests::orders::{self, AIRTIME, OrderFamily};
use tests::process::{GatewayProcess, Launch};
use tests::program::{self, ProgramOutput};
use tests::provider_journal;

/// What a newcomer types: the program, and nothing else.
fn bare() -> Launch {
    Launch {
        command: &[],
        ..Launch::default()
    }
}

/// The commands to paste, each with its continued lines.
fn commands(printed: &[String]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = printed.iter();
    while let Some(line) = lines.next() {
        if !line.starts_with("curl ") {
            continue;
        }
        let mut command = line.clone();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(lines.next().expect("a continued line"));
        }
        commands.push(command);
    }
    commands
}

fn paste(line: &str) -> ProgramOutput {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{line} --silent --show-error")]);
    program::run(shell)
}

/// The word after a label.
fn shown(printed: &[String], label: &str) -> String {
    let line = printed
        .iter()
        .find_map(|line| line.trim().strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label} in {printed:#?}"))
        .trim()
        .to_owned()
}

/// What the first of the commands that sends this attribute sends, as text.
fn sent_in(commands: &[String], attribute: &str) -> String {
    let before = format!("\"{attribute}\":\"");
    let sent = commands.iter().find_map(|line| line.split(&before).nth(1));
    let sent = sent.and_then(|rest| rest.split('"').next());
    sent.unwrap_or_else(|| panic!("no {attribute} in {commands:#?}"))
        .to_owned()
}

#[tokio::test]
async fn the_first_start_prints_an_account_once_and_commands_that_work() {
    let folder = GatewayFolder::empty();
    let server = GatewayProcess::launch(&folder, &bare());
    let printed = server.printed().to_vec();
    let commands = commands(&printed);
    assert_eq!(commands.len(), 5, "{printed:#?}");
    let curl = Command::new("curl").arg("--version").output();
    assert!(curl.is_ok(), "curl runs the printed commands; install it");
    let answers: Vec<_> = commands
        .iter()
        .map(|line| paste(line).well().json())
        .collect();
    let [bought, report, token, message, balance] = answers.as_slice() else {
        panic!("{answers:#?}");
    };
    assert_eq!(bought["txnStatus"], "Successful");
    assert_eq!(report["txnReference"], bought["txnReference"]);
    assert_eq!(
        token["token"]["number"].as_str().map(str::len),
        Some(24),
        "{token}"
    );
    assert_eq!(message["txnStatus"], "Successful", "{message}");
    let prices = [&bought["price"], &token["price"], &message["cost"]];
    let spent: i64 = prices
        .iter()
        .map(|price| provider_journal::minor(price.as_str().unwrap()))
        .sum();
    let left = provider_journal::minor(balance["accBalance"].as_str().unwrap());
    assert_eq!(left, 100_000_000 - spent);
    provider_journal::audit_is_clean(&folder);

    let account = MerchantCredentials {
        identity: shown(&printed, "mrcIdentity"),
        key: shown(&printed, "mrcAPIKey"),
        sender: sent_in(&commands, "sender"),
    };
    assert!(server.interrupt().await.success());
    let again = GatewayProcess::launch(&folder, &bare());
    let reported = again.printed().join("\n");
    assert!(
        !reported.contains("mk_test_") && !reported.contains("mrcAPIKey"),
        "{reported}"
    );
    let merchant = TestMerchant::new(&folder, again.address(), &account);
    assert_eq!(provider_journal::minor(&merchant.balance().await.0), left);
    assert_keeps_no_key(&folder, &again, &account);
}

/// Everything in every table.
const ALL_ROWS: &str = "SELECT query_to_xml(format('SELECT * FROM %I', tablename), true, false, '')
    FROM pg_tables WHERE schemaname = 'public'";

/// No file of the data folder, no log and no database holds a key, or half of one.
fn assert_keeps_no_key(
    folder: &GatewayFolder,
    server: &GatewayProcess,
    account: &MerchantCredentials,
) {
    let secret = account.key.trim_start_matches("mk_test_");
    let half = &secret[secret.len() / 2..];
    assert!(!server.log().contains(half), "the key is in the log");
    let mut files = 0;
    for entry in std::fs::read_dir(folder.data()).unwrap() {
        let path = entry.unwrap().path();
        assert!(
            !contains(&path, half.as_bytes()),
            "the key is in {}",
            path.display()
        );
        files += 1;
    }
    assert!(files > 3, "only {files} files were looked at");
    if let Some(database) = folder.database() {
        let rows = database.psql(ALL_ROWS);
        assert!(rows.contains(&account.identity), "the rows are not all");
        assert!(!rows.contains(half), "the key is in the database");
    }
}

fn contains(path: &Path, what: &[u8]) -> bool {
    let Ok(bytes) = std::fs::read(path) else {
        return false;
    };
    bytes.windows(what.len()).any(|window| window == what)
}

#[tokio::test]
async fn serving_an_empty_folder_makes_what_is_missing_but_no_account() {
    let folder = GatewayFolder::empty();
    let server = GatewayProcess::start(&folder);
    assert!(folder.data().join("ca.pem").is_file());
    let reported = server.printed().join("\n");
    assert!(!reported.contains("mrc"), "{reported}");
    let listed = folder.run(&["account", "list", "--json"]).well().json();
    assert_eq!(listed["accounts"].as_array().map(Vec::len), Some(0));
    // An account opened beside the running server works at once.
    let account = folder.account("Later", "500.00");
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let order = orders::airtime("first", "2348031230000", "100");
    let answer = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");
    let report = merchant.get(&OrderFamily::Airtime.report("first")).await;
    assert_eq!(report.status, 200);
}
