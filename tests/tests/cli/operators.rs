//! Operators: who signs, what is refused without a signature, and what the audit finds where the
//! books say otherwise than the log. It must look at the books behind the program's back.

use tests::folder::{GatewayFolder, QUICK};
use tests::operators::{ALPHA, BETA};
use tests::provider_journal;

const CREDIT: [&str; 6] = [
    "account",
    "credit",
    "--amount",
    "500.00",
    "--reference",
    "bank-1",
];

#[test]
fn without_an_operator_nothing_is_paid_in_and_the_remedy_is_said() {
    let folder = GatewayFolder::with(QUICK);
    let create = ["account", "create", "--name", "Shop", "--balance", "10.00"];
    let refused = folder.run(&create).refused();
    assert!(
        refused.stderr.contains("manilla operator add --name"),
        "{refused:?}"
    );
    folder.has_operator();
    let account = folder.account("Shop", "10.00");
    let credit = [&CREDIT[..], &["--identity", &account.identity]].concat();
    let mut unnamed = folder.command(&credit);
    unnamed
        .env_remove("MANILLA_OPERATOR_KEY")
        .env("HOME", folder.beside("home"));
    unnamed.env_remove("XDG_CONFIG_HOME");
    let refused = tests::program::run(unnamed).refused();
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("an operator must sign this"),
        "{refused:?}"
    );
    assert!(refused.stderr.contains("--operator-key"), "{refused:?}");
    let refused = folder.run_as(&BETA, &credit).refused();
    assert!(
        refused.stderr.contains("beta is no operator here"),
        "{refused:?}"
    );
    let _ = folder.run(&credit).well();
    provider_journal::audit_is_clean(&folder);
}

#[test]
fn each_act_stands_in_the_log_with_its_actor() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shop", "10.00");
    folder.has_also(&BETA);
    let id = ["--identity", account.identity.as_str()];
    let run = |arguments: &[&str]| folder.run_as(&BETA, &[arguments, &id].concat()).well();
    let _ = run(&CREDIT);
    let _ = run(&["account", "suspend"]);
    let _ = run(&["account", "resume"]);
    let _ = run(&["account", "billing", "--sms-currency", "CRD"]);
    let _ = run(&["account", "update", "--email", "owner@shop.example"]);
    let _ = run(&["key", "rotate"]);
    let _ = run(&["key", "revoke", "--all"]);
    let serial = ["--serial", account.sender.as_str()];
    let _ = folder
        .run(&[&["sender", "reject"], &serial[..]].concat())
        .well();
    let _ = folder.run(&["dead-letter", "retry"]).well();
    let log = folder.run(&["operator", "log", "--json"]).well().json();
    let entries = log["entries"].as_array().expect("a list").iter();
    let words = entries.map(|it| (it["actor"].as_str().unwrap(), it["act"].as_str().unwrap()));
    let expected = [
        ("alpha", "operator-add"),
        ("alpha", "account-open"),
        ("alpha", "sender-add"),
        ("alpha", "operator-add"),
        ("beta", "account-credit"),
        ("beta", "account-suspend"),
        ("beta", "account-resume"),
        ("beta", "account-billing"),
        ("beta", "account-contact"),
        ("beta", "key-rotate"),
        ("beta", "key-revoke"),
        ("alpha", "sender-reject"),
        ("alpha", "dead-letter-retry"),
    ];
    assert_eq!(words.collect::<Vec<_>>(), expected);
    assert_eq!(log["entries"][4]["amount"], "500.00", "{log}");
    provider_journal::audit_is_clean(&folder);
}

#[test]
fn a_third_operator_takes_two_and_a_revoked_one_signs_nothing() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Shop", "10.00");
    folder.has_also(&BETA);
    let other = "c0".repeat(32);
    let bola = [
        "operator",
        "add",
        "--name",
        "bola",
        "--public-key",
        &other,
        "--json",
    ];
    let proposed = folder.run(&bola).well().json();
    assert_eq!(proposed["added"], false, "{proposed}");
    let again = folder.run(&bola).well().json();
    assert_eq!(again, proposed);
    let added = folder.run_as(&BETA, &bola).well().json();
    assert_eq!(added["added"], true, "{added}");
    let _ = folder
        .run(&["operator", "revoke", "--name", BETA.name])
        .well();
    let credit = [&CREDIT[..], &["--identity", &account.identity]].concat();
    let refused = folder.run_as(&BETA, &credit).refused();
    assert!(refused.stderr.contains("was revoked"), "{refused:?}");
    let listed = folder.run(&["operator", "list", "--json"]).well().json();
    let rows = listed["operators"].as_array().expect("a list").iter();
    let statuses: Vec<_> = rows.map(|it| it["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["active", "revoked", "active"]);
    let taken = folder
        .run(&["operator", "add", "--name", ALPHA.name])
        .refused();
    assert!(
        taken.stderr.contains("the first operator is there already"),
        "{taken:?}"
    );
    provider_journal::audit_is_clean(&folder);
}

#[test]
fn a_key_lies_outside_the_data_folder_under_its_passphrase_for_its_owner_alone() {
    let folder = GatewayFolder::with(QUICK);
    let key = |path: std::path::PathBuf, pass: &str| {
        let file = folder.beside("pass");
        tests::secret::write(&file, pass);
        let mut command = folder.command(&["operator", "add", "--name", "eve"]);
        command.env("MANILLA_OPERATOR_KEY", path);
        command.env("MANILLA_OPERATOR_PASSPHRASE_FILE", file);
        tests::program::run(command)
    };
    let inside = key(folder.data().join("eve.key"), "a long passphrase\n").refused();
    assert_eq!(inside.status.code(), Some(2), "{inside:?}");
    assert!(
        inside.stderr.contains("must not lie in the data folder"),
        "{inside:?}"
    );
    let path = folder.beside("keys/eve.key");
    let short = key(path.clone(), "short\n").refused();
    assert!(short.stderr.contains("12 characters"), "{short:?}");
    let _ = key(path.clone(), "a long passphrase\n").well();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("argon2id"), "{text}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let shop = |pass: &str| {
        tests::secret::write(folder.beside("pass"), pass);
        let mut command = folder.command(&["account", "create", "--name", "Shop"]);
        command.env("MANILLA_OPERATOR_KEY", &path);
        command.env("MANILLA_OPERATOR_PASSPHRASE_FILE", folder.beside("pass"));
        tests::program::run(command)
    };
    let wrong = shop("another passphrase").refused();
    assert!(
        wrong.stderr.contains("the passphrase does not open it"),
        "{wrong:?}"
    );
    let open: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o640);
    std::fs::set_permissions(&path, open).unwrap();
    let exposed = shop("a long passphrase").refused();
    assert!(exposed.stderr.contains("chmod 600"), "{exposed:?}");
}

mod embedded {
    use super::*;
    use rusqlite::Connection;
    use tests::merchant::TestMerchant;
    use tests::process::GatewayProcess;

    /// Changes the file as who holds it can, with the triggers out of the way.
    fn tampered(folder: &GatewayFolder, sql: &str) {
        let file = Connection::open(folder.data().join("manilla.db")).unwrap();
        file.execute_batch(sql).unwrap();
    }

    /// Switches the triggers of the log off, changes it, and makes them again as they were.
    fn log_changed(folder: &GatewayFolder, sql: &str) {
        let migration = include_str!("../../../crates/sqlite/migrations/0001_baseline.sql");
        let trigger = |name: &str| {
            let start = migration.find(&format!("CREATE TRIGGER {name} ")).unwrap();
            let rest = &migration[start..];
            let end = rest.find("\nEND;").unwrap() + "\nEND;".len();
            rest[..end].to_owned()
        };
        let names = ["operator_log_no_update", "operator_log_no_delete"];
        let dropped = names.map(|name| format!("DROP TRIGGER {name};")).concat();
        let made = names.map(trigger).join("\n");
        tampered(folder, &format!("{dropped}\n{sql};\n{made}"));
    }

    fn offences(folder: &GatewayFolder, invariant: &str) -> String {
        let audit = provider_journal::audit(folder).refused().json();
        let mut checks = audit["checks"].as_array().expect("a list").iter();
        let check = checks
            .find(|it| it["invariant"] == invariant)
            .expect("the check");
        check["offences"].to_string()
    }

    fn credited() -> GatewayFolder {
        let folder = GatewayFolder::embedded(QUICK);
        let account = folder.account("Shop", "10.00");
        let credit = [&CREDIT[..], &["--identity", &account.identity]].concat();
        let _ = folder.run(&credit).well();
        provider_journal::audit_is_clean(&folder);
        folder
    }

    #[test]
    fn the_audit_finds_an_entry_that_was_changed_or_taken_away() {
        let folder = credited();
        log_changed(
            &folder,
            "UPDATE operator_log SET amount = 1001 WHERE act = 'account-open'",
        );
        let found = offences(&folder, "I19");
        assert!(found.contains("entry 2 is not signed by alpha"), "{found}");
        let folder = credited();
        log_changed(&folder, "DELETE FROM operator_log WHERE number = 3");
        let found = offences(&folder, "I19");
        assert!(found.contains("entry 4 follows 2"), "{found}");
    }

    #[test]
    fn the_audit_finds_what_no_operator_did() {
        let folder = credited();
        log_changed(&folder, "DELETE FROM operator_log WHERE number = 4");
        let found = offences(&folder, "I20");
        assert!(
            found.contains("NGN 500.00 under bank-1 was paid in to"),
            "{found}"
        );
        let folder = credited();
        tampered(
            &folder,
            "INSERT INTO api_keys SELECT account, 7, 'mk_test_evil', hash, created_at, NULL \
             FROM api_keys",
        );
        let found = offences(&folder, "I20");
        assert!(found.contains("key mk_test_evil of"), "{found}");
    }

    /// An address that was moved for a moment leaves its trace in what was paid by it.
    #[tokio::test]
    async fn the_audit_finds_money_that_went_to_an_address_that_no_operator_gave() {
        let folder = GatewayFolder::embedded(QUICK);
        let shop = folder.account("Shop", "100.00");
        let kiosk = folder.account("Kiosk", "10.00");
        let server = GatewayProcess::start(&folder);
        let payer = TestMerchant::new(&folder, server.address(), &shop);
        let of_kiosk = format!("WHERE id = '{}'", kiosk.identity);
        let to = |email: &str| {
            tampered(
                &folder,
                &format!("UPDATE accounts SET email = {email} {of_kiosk}"),
            );
        };
        to("'moved@shop.example'");
        let order = serde_json::json!({
            "mrcReference": "user-1",
            "usrIdentity": "moved@shop.example",
            "txnAmount": "20.00",
            "txnNarration": "Rent",
        });
        payer.post("/transfer/user", &order).await.with_status(200);
        to("NULL");
        drop(server);
        let found = offences(&folder, "I20");
        assert!(found.contains("was paid as moved@shop.example"), "{found}");
    }

    /// Who may write the queue and not the sealed orders gains nothing by it, and is seen.
    #[tokio::test]
    async fn a_forged_place_in_the_queue_pays_no_other_account() {
        let folder = GatewayFolder::embedded(QUICK);
        let shop = folder.account("Shop", "100.00");
        let thief = folder.account("Thief", "10.00");
        let contact = ["--email", "thief@shop.example"];
        let update = ["account", "update", "--identity", thief.identity.as_str()];
        let _ = folder.run(&[&update[..], &contact].concat()).well();
        let server = GatewayProcess::start(&folder);
        let payer = TestMerchant::new(&folder, server.address(), &shop);
        let order = serde_json::json!({
            "mrcReference": "user-1",
            "usrIdentity": "owner@kiosk.example",
            "txnAmount": "20.00",
            "txnNarration": "Rent",
        });
        payer.post("/transfer/user", &order).await.with_status(202);
        tampered(
            &folder,
            "DROP TRIGGER queue_claim_immutable;
            UPDATE queue SET claim_email = 'thief@shop.example'",
        );
        tokio::time::sleep(std::time::Duration::from_secs(7)).await;
        let report = "/transfer/user/transaction?mrcReference=user-1";
        let report = payer.get(report).await.with_status(200).json();
        assert_eq!(report["clmStatus"], "Unclaimed", "{report}");
        drop(server);
        let audit = provider_journal::audit(&folder)
            .refused()
            .json()
            .to_string();
        assert!(
            audit.contains("its columns differ from its records"),
            "{audit}"
        );
    }

    /// Money that is sent to an address must not reach another account because a row was changed:
    /// neither to a new address nor back to one that was signed before.
    #[test]
    fn the_audit_finds_a_contact_that_no_operator_set() {
        let folder = GatewayFolder::embedded(QUICK);
        let account = folder.account("Shop", "10.00");
        let update = |arguments: &[&str]| {
            let command = ["account", "update", "--identity", account.identity.as_str()];
            folder.run(&[&command, arguments].concat())
        };
        let _ = update(&["--email", "old@shop.example"]).well();
        let _ = update(&["--email", "new@shop.example", "--phone", "2348031234567"]).well();
        provider_journal::audit_is_clean(&folder);
        let changed = |to: &str| {
            tampered(&folder, &format!("UPDATE accounts SET {to}"));
            let found = offences(&folder, "I20");
            assert!(found.contains("is reached by email"), "{found}");
            assert!(found.contains("manilla account update"), "{found}");
        };
        changed("email = 'evil@shop.example'");
        // The remedy that the offence names.
        let _ = update(&["--email", "new@shop.example"]).well();
        provider_journal::audit_is_clean(&folder);
        // What was signed long ago and replaced is as wrong; a signature holds the time.
        log_changed(&folder, "UPDATE operator_log SET at = at - 600000");
        changed("email = 'old@shop.example', phone = NULL");
        changed("email = NULL, phone = NULL");
    }
}
