//! `manilla doctor`: a line for everything that is amiss, and none of it mended. It must find the
//! faults that operators make, over either store, and leave every file as it was.

use rusqlite::Connection;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use tests::folder::{GatewayFolder, QUICK};
use tests::monitored::Monitored;
use tests::process::GatewayProcess;
use tests::program::{self, ProgramOutput};
use tests::secret;

/// A gateway that was started once and stopped, as it is before it goes live.
async fn installed() -> GatewayFolder {
    let folder = GatewayFolder::with(QUICK);
    let _account = folder.account("Shop", "100.00");
    let server = GatewayProcess::start(&folder);
    let ended = server.terminate().await;
    assert!(ended.success(), "{ended:?}");
    folder
}

/// Addresses that nothing else has.
const FREE: [&str; 4] = [
    "--set",
    "server.listen=127.0.0.1:0",
    "--set",
    "monitoring.listen=127.0.0.1:0",
];

fn doctor(folder: &GatewayFolder, arguments: &[&str]) -> ProgramOutput {
    folder.run(&[&["doctor"], &FREE[..], arguments].concat())
}

/// The findings of a check, each with its status.
fn findings(output: &ProgramOutput, check: &str) -> Vec<(String, String)> {
    let document = output.json();
    let checks = document["checks"].as_array().expect("checks").iter();
    let text = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
    checks
        .filter(|it| it["check"] == check)
        .map(|it| {
            let found = format!("{}; {}", text(it, "found"), text(it, "remedy"));
            (text(it, "status"), found)
        })
        .collect()
}

/// Checks that a check fails, with this in its finding, and that the exit status says so.
fn fails(output: &ProgramOutput, check: &str, part: &str) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = findings(output, check);
    let is_it = |(status, found): &(String, String)| status == "fail" && found.contains(part);
    assert!(found.iter().any(is_it), "{check}, {part}: {output:?}");
    assert_eq!(output.json()["well"], false);
}

/// Every file below a folder, with its length, rights and the moment of its last change.
fn listing(folder: &Path) -> BTreeMap<PathBuf, (u64, u32, i64, i64)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let metadata = folder.metadata().unwrap();
        let facts = |it: &fs::Metadata| (it.len(), it.mode(), it.mtime(), it.mtime_nsec());
        files.insert(folder.clone(), facts(&metadata));
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let metadata = entry.metadata().unwrap();
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                files.insert(entry.path(), facts(&metadata));
            }
        }
    }
    files
}

#[tokio::test]
async fn a_gateway_that_is_well_is_said_to_be_and_nothing_is_written() {
    let folder = installed().await;
    let before = listing(&folder.data());
    let said = doctor(&folder, &["--json"]).well();
    assert_eq!(said.stderr, "", "{said:?}");
    assert_eq!(said.json()["well"], true);
    let mut expected = vec![
        "configuration",
        "data folder",
        "free space",
        "pepper",
        "key ring",
        "passphrase",
        "database",
        "schema",
        "payments",
        "server",
        "approvals",
        "certificate",
        "private key",
        "listener",
        "monitoring",
        "provider sandbox",
    ];
    if folder.database().is_some() {
        expected.extend(["durability", "connections", "clock"]);
    }
    for check in expected {
        let found = findings(&said, check);
        assert!(!found.is_empty(), "{check}: {said:?}");
        assert!(
            found.iter().all(|(status, _)| status == "ok"),
            "{check}: {found:?}"
        );
    }
    // For people the same, a line each.
    let text = doctor(&folder, &[]).well().stdout;
    assert!(text.contains("\nok    pepper "), "{text}");
    assert!(text.contains("\nfailing: 0, warnings: "), "{text}");
    assert_eq!(listing(&folder.data()), before);
}

#[tokio::test]
async fn beside_a_server_it_says_that_it_is_ready_and_who_has_the_ports() {
    let folder = GatewayFolder::with(QUICK);
    let _account = folder.account("Shop", "100.00");
    let (server, monitored) = Monitored::start(&folder);
    let names = |folder: &GatewayFolder| listing(&folder.data()).into_keys().collect::<Vec<_>>();
    let before = names(&folder);
    let listen = format!("server.listen={}", server.address());
    let monitoring = format!("monitoring.listen={}", monitored.address());
    let said = folder
        .run(&["doctor", "--json", "--set", &listen, "--set", &monitoring])
        .well();
    let process = format!("in use by manilla, process {}", server.process());
    for check in ["listener", "monitoring"] {
        let found = findings(&said, check);
        assert!(found[0].1.contains(&process), "{check}: {found:?}");
    }
    let [(status, ready)] = &findings(&said, "ready")[..] else {
        panic!("{said:?}");
    };
    assert_eq!((status.as_str(), ready.contains("is ready")), ("ok", true));
    assert!(findings(&said, "server")[0].1.starts_with("one works"));
    assert_eq!(names(&folder), before);
}

/// The log of a server that was killed is all that has its last payments.
#[tokio::test]
async fn what_a_killed_server_left_is_read_and_stays_as_it_is() {
    let folder = GatewayFolder::embedded(QUICK);
    let _account = folder.account("Shop", "100.00");
    GatewayProcess::start(&folder).kill();
    let log = folder.data().join("manilla.db-wal");
    assert!(log.metadata().unwrap().len() > 0);
    let mut before = listing(&folder.data());
    let said = doctor(&folder, &["--json"]).well();
    assert_eq!(findings(&said, "payments")[0].0, "ok", "{said:?}");
    let mut after = listing(&folder.data());
    // The index of the log is memory that processes share: the first to open it makes it anew.
    let index = folder.data().join("manilla.db-shm");
    assert!(before.remove(&index).is_some() && after.remove(&index).is_some());
    assert_eq!(after, before);
}

#[tokio::test]
async fn a_schema_that_the_next_start_brings_up_to_date_is_warned_of_and_left() {
    let folder = GatewayFolder::embedded(QUICK);
    let _account = folder.account("Shop", "100.00");
    let store = Connection::open(folder.data().join("manilla.db")).unwrap();
    let newest = "(SELECT max(version) FROM _sqlx_migrations)";
    let forget = format!("DELETE FROM _sqlx_migrations WHERE version = {newest}");
    assert_eq!(store.execute(&forget, []).unwrap(), 1);
    drop(store);
    let before = listing(&folder.data());
    let said = doctor(&folder, &["--json"]).well();
    let (status, found) = &findings(&said, "schema")[0];
    assert_eq!(status, "warn", "{found}");
    assert!(found.contains("the next start brings it to"), "{found}");
    assert_eq!(listing(&folder.data()), before);
}

#[tokio::test]
async fn what_is_wrong_with_secrets_and_settings_is_found_each() {
    let folder = installed().await;
    let pepper = folder.data().join("pepper");
    secret::chmod(&pepper, 0o644);
    let said = doctor(&folder, &["--json"]);
    fails(&said, "pepper", "`chmod o= ");
    secret::chmod(&pepper, 0o600);

    let aside = folder.beside("pepper");
    fs::rename(&pepper, &aside).unwrap();
    fails(&doctor(&folder, &["--json"]), "pepper", "is missing");
    assert!(!pepper.exists());
    secret::write(&pepper, [7; 32]);
    let said = doctor(&folder, &["--json"]);
    fails(&said, "secrets", "under another pepper");
    fs::rename(&aside, &pepper).unwrap();

    let keys = folder.data().join("keys");
    let aside = folder.beside("keys");
    fs::rename(&keys, &aside).unwrap();
    fails(
        &doctor(&folder, &["--json"]),
        "key ring",
        "restore it from a backup",
    );
    assert!(!keys.exists());
    fs::rename(&aside, &keys).unwrap();

    let wrong = [
        "--json",
        "--set",
        "log.level=x",
        "--set",
        "payment.lease_ms=x",
    ];
    let said = doctor(&folder, &wrong);
    fails(&said, "configuration", "`log.level`");
    fails(&said, "configuration", "`payment.lease_ms`");

    let settings = format!(
        "{QUICK}[provider.bank]\nadapter = \"paystack\"\nenvironment = \"test\"\n\
         secret_key_file = \"gone\"\n"
    );
    secret::write(folder.data().join("manilla.toml"), settings);
    fails(
        &doctor(&folder, &["--json"]),
        "provider bank",
        "is not there",
    );
    let _ = folder.run(&["account", "list"]).well();
}

#[tokio::test]
async fn a_port_that_another_program_has_is_named_with_the_program() {
    let folder = installed().await;
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let listen = format!("server.listen={address}");
    let said = folder.run(&["doctor", "--json", "--set", &listen]);
    fails(
        &said,
        "listener",
        &format!("process {}", std::process::id()),
    );
    let monitoring = format!("monitoring.listen={address}");
    let said = folder.run(&["doctor", "--json", "--set", &monitoring]);
    fails(&said, "monitoring", "name another address");
}

#[tokio::test]
async fn a_certificate_that_is_not_that_of_its_key_or_its_names_is_found() {
    let folder = installed().await;
    let other = installed().await;
    let [chain, key] = ["tls/server.pem", "tls/server-key.pem"];
    let chain = format!("server.tls_cert={}", folder.data().join(chain).display());
    let theirs = other.data().join(key);
    let key = format!("server.tls_key={}", theirs.display());
    let pair = ["--json", "--set", &chain, "--set", &key];
    fails(
        &doctor(&folder, &pair),
        "private key",
        "cannot be used together",
    );
    secret::chmod(&theirs, 0o604);
    fails(&doctor(&folder, &pair), "private key", "`chmod o= ");
    let named = ["--json", "--set", "server.tls_names=pay.example.com"];
    let said = doctor(&folder, &named).well();
    let found = findings(&said, "certificate");
    let is_it = |it: &(String, String)| it.0 == "warn" && it.1.contains("not for pay.example.com");
    assert!(found.iter().any(is_it), "{found:?}");
}

/// A certificate for localhost that ended on 31 January 2024, and its key, which opens nothing.
const ENDED: &str = "\
-----BEGIN CERTIFICATE-----
MIIBkzCCATmgAwIBAgIUByGAdY4PymLvc57ARrYWtVC8J20wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI0MDEwMTAwMDAwMFoXDTI0MDEzMTAw
MDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEq/FA814HaOo8iblfuXMmetr0Cezmqyolp7R5fTL6ct419Z+1IaGGv87p
djlJ1qfkwFFux+X3xJw5cfQelP/M76NpMGcwHQYDVR0OBBYEFEMFs9FdXlDFHcA+
2QV0nOpUUJwWMB8GA1UdIwQYMBaAFEMFs9FdXlDFHcA+2QV0nOpUUJwWMA8GA1Ud
EwEB/wQFMAMBAf8wFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gA
MEUCIQCKonrt8Hx25Uul14Dt862A+Dduex1Ftc7nLooE8gM55QIgGgm3WVmNNJpd
ax5GaZqORJ6aS2wfX7l0DzmA8lghzEY=
-----END CERTIFICATE-----
";
const KEY_OF_ENDED: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZbH1HQT4aODo82Np
VpV0mp4o3jFhuZ91v34s4waoATOhRANCAASr8UDzXgdo6jyJuV+5cyZ62vQJ7Oar
KiWntHl9Mvpy3jX1n7UhoYa/zul2OUnWp+TAUW7H5ffEnDlx9B6U/8zv
-----END PRIVATE KEY-----
";

#[tokio::test]
async fn a_certificate_that_has_ended_fails_with_the_moment() {
    let folder = installed().await;
    let [chain, key] = ["ended.pem", "ended.key"].map(|name| folder.beside(name));
    secret::write(&chain, ENDED);
    secret::write(&key, KEY_OF_ENDED);
    let chain = format!("server.tls_cert={}", chain.display());
    let key = format!("server.tls_key={}", key.display());
    let said = doctor(&folder, &["--json", "--set", &chain, "--set", &key]);
    fails(&said, "certificate", "it ended 2024-01-31T");
    let key = findings(&said, "private key");
    assert!(key.iter().all(|(status, _)| status == "ok"), "{key:?}");
}

#[test]
fn a_folder_that_is_not_there_is_not_made() {
    let folder = GatewayFolder::empty();
    let said = doctor(&folder, &["--json"]);
    fails(&said, "data folder", "there is no folder");
    assert!(!folder.data().exists());
}

/// Over PostgreSQL: what is wrong with the database.
#[test]
fn a_database_that_cannot_be_reached_or_lacks_a_migration_is_found() {
    let folder = GatewayFolder::shared(QUICK);
    let _account = folder.account("Shop", "10.00");
    let database = folder.database().expect("a database");
    let newest = "(SELECT max(version) FROM schema_versions)";
    let forget = format!("DELETE FROM schema_versions WHERE version = {newest}");
    database.try_psql(&forget).expect("one version less");
    let said = doctor(&folder, &["--json"]);
    fails(&said, "schema", "1 migrations are pending");
    fails(&said, "schema", "`manilla migrate`");

    let url = "database.url=postgres://manilla:5ec4e7@127.0.0.1:1/books";
    let said = doctor(&folder, &["--json", "--set", url]);
    fails(&said, "database", "cannot be reached");
    assert!(!said.stdout.contains("5ec4e7"), "{said:?}");

    // A role that may do everything is warned of.
    let (status, found) = &findings(&doctor(&folder, &["--json"]), "role")[0];
    assert_eq!(status, "warn", "{found}");
    assert!(found.contains("--grant-to"), "{found}");
}

/// Over PostgreSQL: the role of servers is the one to serve under.
#[test]
fn the_role_of_servers_has_no_more_than_it_needs() {
    let folder = GatewayFolder::shared(QUICK);
    let _account = folder.account("Shop", "10.00");
    let database = folder.database().expect("a database");
    let role = format!("doctor_{}", std::process::id());
    database
        .try_psql(&format!("CREATE ROLE {role} LOGIN"))
        .expect("a role");
    let _ = folder.run(&["migrate", "--grant-to", &role]).well();
    let url = database.url();
    let (scheme, rest) = url.split_once("://").unwrap();
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    let url = format!("database.url={scheme}://{role}@{rest}");
    let said = doctor(&folder, &["--json", "--set", &url]).well();
    let found = findings(&said, "role");
    assert_eq!(found[0].0, "ok", "{said:?}");
    for check in ["schema", "payments", "operators"] {
        let found = findings(&said, check);
        assert!(!found.is_empty(), "{check}: {said:?}");
        assert!(
            found.iter().all(|(status, _)| status != "fail"),
            "{found:?}"
        );
    }
}

/// What is said of a certificate, by another clock, is in the unit tests of the check.
#[test]
fn the_help_says_what_it_does_not_do() {
    let said = program::run(program::command(&["doctor", "--help"])).well();
    for part in ["Examples:", "changes nothing", "--providers"] {
        assert!(said.stdout.contains(part), "{part}: {said:?}");
    }
}
