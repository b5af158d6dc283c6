//! Senders, what messages are charged to, and message credits, from the command line beside a
//! running server. It must find every refusal with an exit status, a remedy, and nothing changed.

use serde_json::{Value, json};
use tests::folder::{GatewayFolder, QUICK, SENDER_NAME};
use tests::merchant::TestMerchant;
use tests::orders::{self, SMS};
use tests::process::GatewayProcess;
use tests::program::ProgramOutput;

/// An unused serial number: they begin at a hundred thousand million.
const NOBODYS: &str = "000000000000";

fn add(folder: &GatewayFolder, identity: &str, name: &str) -> ProgramOutput {
    let named = ["--identity", identity, "--name", name, "--json"];
    folder.run(&[&["sender", "add"], &named[..]].concat())
}

fn decide(folder: &GatewayFolder, decision: &str, serial: &str) -> ProgramOutput {
    folder.run(&["sender", decision, "--serial", serial, "--json"])
}

fn listed(folder: &GatewayFolder, flags: &[&str]) -> Vec<Value> {
    let said = folder.run(&[&["sender", "list", "--json"], flags].concat());
    let senders = said.well().json()["senders"].clone();
    senders.as_array().expect("a list of senders").clone()
}

/// `account credit` of message credits.
fn credit(
    folder: &GatewayFolder,
    identity: &str,
    (amount, reference): (&str, &str),
) -> ProgramOutput {
    folder.run(&[
        "account",
        "credit",
        "--identity",
        identity,
        "--currency",
        "CRD",
        "--amount",
        amount,
        "--reference",
        reference,
        "--json",
    ])
}

fn account_row(folder: &GatewayFolder, identity: &str) -> Value {
    let accounts = folder.run(&["account", "list", "--json"]).well().json();
    let rows = accounts["accounts"].as_array().expect("accounts");
    let found = rows.iter().find(|row| row["mrcIdentity"] == identity);
    found
        .unwrap_or_else(|| panic!("no {identity} in {accounts}"))
        .clone()
}

#[tokio::test]
async fn a_sender_is_registered_decided_about_and_listed() {
    let folder = GatewayFolder::with(QUICK);
    let (ours, theirs) = (
        folder.account("Ours", "10.00"),
        folder.account("Theirs", "10.00"),
    );
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &ours);
    let added = add(&folder, &ours.identity, "JumiaNg").well().json();
    let serial = added["serial"]
        .as_str()
        .expect("a serial number")
        .to_owned();
    assert!(serial.len() == 12 && !serial.starts_with('0'), "{serial}");
    let row = |status: &str| {
        json!({
            "serial": serial,
            "mrcIdentity": ours.identity,
            "name": "JumiaNg",
            "status": status,
        })
    };
    assert_eq!(added, row("pending"));
    let of_ours = ["--identity", &*ours.identity];
    for (decision, status, answered) in [
        ("reject", "rejected", 403),
        ("approve", "approved", 200),
        ("approve", "approved", 200),
    ] {
        let decided = decide(&folder, decision, &serial).well().json();
        assert_eq!(decided, json!({"serial": serial, "status": status}));
        assert!(listed(&folder, &of_ours).contains(&row(status)));
        let mut order = orders::message(&format!("as-{answered}"), "2348031230000", "Hello");
        order["sender"] = serial.as_str().into();
        let key = format!("{decision}-{answered}");
        merchant
            .post_keyed(SMS, &key, &order)
            .await
            .with_status(answered);
    }
    assert_eq!(
        listed(&folder, &of_ours).len(),
        2,
        "the one every account has, and this"
    );
    let everyone = listed(&folder, &[]);
    let foreign = everyone.iter().find(|row| row["serial"] == *theirs.sender);
    assert_eq!(foreign.expect("theirs")["name"], SENDER_NAME);
    assert_eq!(everyone.len(), 3);
    // For people: a table with the same, and words about what to do next.
    let shown = folder.run(&["sender", "list"]).well().stdout;
    assert!(
        shown.contains(&serial) && shown.contains("approved"),
        "{shown}"
    );
    let flags = ["--identity", &*ours.identity, "--name", "Next"];
    let reported = folder
        .run(&[&["sender", "add"], &flags[..]].concat())
        .well()
        .stdout;
    assert!(
        reported.contains("manilla sender approve --serial"),
        "{reported}"
    );
}

#[test]
fn a_sender_that_cannot_be_is_refused_with_a_remedy() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Ours", "10.00");
    let other = folder.account("Other", "10.00");
    let before = listed(&folder, &[]);
    for name in [
        "",
        "ab",
        "Twelve chars",
        "12345",
        " Shop",
        "Sh--op",
        "Jumia.ng",
        "7-Eleven",
        "First Bank",
        "Shöp",
        "A\nB",
    ] {
        let refused = add(&folder, &account.identity, name).refused();
        assert_eq!(refused.status.code(), Some(2), "{name:?}: {refused:?}");
        assert!(refused.stderr.contains("--name"), "{name:?}: {refused:?}");
    }
    // Names are read without regard to case, but by each account's recipients alone.
    let taken = add(&folder, &account.identity, &SENDER_NAME.to_uppercase()).refused();
    assert_eq!(taken.status.code(), Some(1), "{taken:?}");
    assert!(taken.stderr.contains("manilla sender list"), "{taken:?}");
    let unknown = add(&folder, "nobody", "Shop").refused();
    assert!(unknown.stderr.contains("nobody"), "{unknown:?}");
    for decision in ["approve", "reject"] {
        let refused = decide(&folder, decision, NOBODYS).refused();
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(
            refused.stderr.contains("manilla sender list"),
            "{refused:?}"
        );
        for malformed in ["", "1", "12345678901x", "1234567890123"] {
            let refused = decide(&folder, decision, malformed).refused();
            assert_eq!(refused.status.code(), Some(2), "{refused:?}");
            assert!(refused.stderr.contains("--serial"), "{refused:?}");
        }
    }
    assert_eq!(listed(&folder, &[]), before);
    add(&folder, &other.identity, "Shop").well();
    add(&folder, &account.identity, "Shop").well();
}

#[tokio::test]
async fn credits_are_paid_in_once_for_a_reference_and_beside_the_balance() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Credits", "10.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let id = account.identity.as_str();
    for credited in [true, false] {
        let said = credit(&folder, id, ("1,500.50", "bank-1")).well().json();
        assert_eq!(said["credited"], credited, "{said}");
        assert_eq!(said["accBalance"], "1,500.50", "{said}");
    }
    let other = credit(&folder, id, ("2", "bank-1")).refused();
    assert!(other.stderr.contains("bank-1 was used before"), "{other:?}");
    // The same reference in the other currency is the same reference.
    let naira = ["--amount", "1500.50", "--reference", "bank-1"];
    let naira = folder.run(&[&["account", "credit", "--identity", id], &naira[..]].concat());
    assert!(naira.refused().stderr.contains("CRD 1,500.50"));
    for amount in ["0", "-1", "1.234", "x"] {
        let refused = credit(&folder, id, (amount, "bank-2")).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(refused.stderr.contains("--amount"), "{refused:?}");
    }
    let row = account_row(&folder, id);
    assert_eq!(
        (&row["accBalance"], &row["crdBalance"]),
        (&"10.00".into(), &"1,500.50".into())
    );
    assert_eq!(merchant.balance().await.0, "10.00");
}

#[test]
fn what_messages_are_charged_to_is_one_of_two_wallets() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Billing", "10.00");
    let id = account.identity.as_str();
    let bill = |identity: &str, currency: &str| {
        let flags = ["--identity", identity, "--sms-currency", currency, "--json"];
        folder.run(&[&["account", "billing"], &flags[..]].concat())
    };
    assert_eq!(account_row(&folder, id)["smsCurrency"], "NGN");
    for currency in ["CRD", "CRD", "NGN"] {
        let changed = bill(id, currency).well().json();
        assert_eq!(changed, json!({"mrcIdentity": id, "smsCurrency": currency}));
        assert_eq!(account_row(&folder, id)["smsCurrency"], currency);
    }
    for currency in ["USD", "crd", ""] {
        let refused = bill(id, currency).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(refused.stderr.contains("--sms-currency"), "{refused:?}");
        let money = ["--currency", currency, "--amount", "1"];
        let refused = folder.run(&[&["account", "credit", "--identity", id], &money[..]].concat());
        assert!(
            refused.refused().stderr.contains("--currency"),
            "{currency:?}"
        );
    }
    let unknown = bill("nobody", "CRD").refused();
    assert_eq!(unknown.status.code(), Some(1), "{unknown:?}");
    assert!(unknown.stderr.contains("nobody"), "{unknown:?}");
    let row = account_row(&folder, id);
    assert_eq!(
        (&row["accBalance"], &row["smsCurrency"]),
        (&"10.00".into(), &"NGN".into())
    );
}
