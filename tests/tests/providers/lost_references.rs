//! A copy of the database put back with the journal lost, over a provider whose references do not
//! say whose they are and begin with the minute. What it delivered must be bought by no repeated
//! request on another day, and be charged once to the account that a person names.

use crate::fake_record::Fate;
use crate::faketime::FakeClock;
use crate::paystack_server::SECRET_KEY as PAYSTACK_KEY;
use crate::vtpass_server::{API_KEY, FakeVtpass, SECRET_KEY};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use tests::folder::{GatewayFolder, MerchantCredentials};
use tests::merchant::TestMerchant;
use tests::orders::{OrderFamily, airtime};
use tests::patience::eventually;
use tests::process::{GatewayProcess, Launch};
use tests::provider_journal::{self, minor};

const WITHIN: Duration = Duration::from_secs(30);

const BALANCE: &str = "10000.00";

/// What each of them is worth, and costs with a commission, in minor units.
const WORTH: i64 = 100_000;
const PRICE: i64 = 97_000;

const DAY_S: i64 = 86_400;

fn settings(port: u16) -> String {
    format!(
        "[provider.far]
adapter = \"vtpass\"
environment = \"test\"
url = \"http://127.0.0.1:{port}/api/\"
api_key = \"{API_KEY}\"
secret_key = \"{SECRET_KEY}\"
phone = \"2348012345678\"

[provider.near]
adapter = \"paystack\"
environment = \"test\"
url = \"http://127.0.0.1:{port}\"
secret_key = \"{PAYSTACK_KEY}\"

[[route]]
product = \"airtime\"
provider = \"far\"
"
    )
}

/// A gateway that was set back, and the provider that knows more than it.
struct SetBack {
    fake: FakeVtpass,
    folder: GatewayFolder,
    account: MerchantCredentials,
}

impl SetBack {
    /// Three purchases, of which the copy that is put back has the first.
    async fn new() -> Self {
        let fake = FakeVtpass::start().await;
        let folder = GatewayFolder::embedded(&settings(fake.port));
        let lost = Self {
            account: folder.account("Airtime", BALANCE),
            fake,
            folder,
        };
        let server = GatewayProcess::start(&lost.folder);
        lost.buy(&server, "kept", 200).await;
        assert!(server.terminate().await.success());
        let file = lost.folder.data().join("manilla.db");
        let copy = lost.folder.beside("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        let server = GatewayProcess::start(&lost.folder);
        lost.buy(&server, "charged", 200).await;
        lost.buy(&server, "absorbed", 200).await;
        server.kill();
        for name in ["manilla.db-wal", "manilla.db-shm"] {
            let beside = lost.folder.data().join(name);
            if beside.exists() {
                std::fs::remove_file(beside).unwrap();
            }
        }
        std::fs::copy(&copy, &file).unwrap();
        lost.moves_journal("journal", &lost.folder.beside("lost-journal"));
        lost
    }

    /// Takes a folder out of the data folder.
    fn moves_journal(&self, name: &str, to: &Path) {
        std::fs::rename(self.folder.data().join(name), to).unwrap();
    }

    fn merchant(&self, server: &GatewayProcess) -> TestMerchant {
        TestMerchant::new(&self.folder, server.address(), &self.account)
    }

    async fn buy(&self, server: &GatewayProcess, reference: &str, status: u16) -> String {
        let number = number(reference);
        let local = number.replacen("234", "0", 1);
        self.fake.book().fates.insert(local, Fate::Delivered);
        let order = airtime(reference, &number, "1,000.00");
        let merchant = self.merchant(server);
        let bought = merchant.buy(OrderFamily::Airtime, &order).await;
        bought.with_status(status).body
    }

    /// What the provider knows a purchase by, from its own list.
    fn known_by(&self, reference: &str) -> String {
        let phone = number(reference).replacen("234", "0", 1);
        let book = self.fake.book();
        let mut records = book.records.iter();
        let found = records.find(|(_, record)| record.request["phone"] == phone);
        found.expect("it was bought").0.clone()
    }

    fn run(&self, arguments: &[&str]) -> Value {
        let command = [&["reconcile"], arguments, &["--json"]].concat();
        self.folder.run(&command).json()
    }

    fn settle(&self, reference: &str, more: &[&str]) -> Value {
        self.run(&[&["settle", reference], more].concat())["references"][0].clone()
    }
}

/// A number for each reference.
fn number(reference: &str) -> String {
    let ending = match reference {
        "kept" => "4001",
        "charged" => "4002",
        _ => "4003",
    };
    format!("234803123{ending}")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_delivered_under_references_of_its_own_is_never_bought_again() {
    let lost = SetBack::new().await;
    let clock = FakeClock::new(lost.folder.beside("clock"));
    clock.set(2 * DAY_S);
    let launch = Launch {
        environment: clock.environment().to_vec(),
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&lost.folder, &launch);
    let look = async || (lost.run(&[])["suspended"] == true).then_some(());
    eventually("payments are suspended", WITHIN, look).await;

    let (charged, absorbed) = (lost.known_by("charged"), lost.known_by("absorbed"));
    are_compared(&lost, &server).await;
    for reference in ["charged", "absorbed"] {
        lost.buy(&server, reference, 409).await;
    }
    let unknown = lost.settle(&charged, &["--accept"]);
    let because = unknown["because"].as_str().unwrap_or_default();
    assert!(because.contains("--account"), "{unknown}");
    let identity = lost.account.identity.as_str();
    let named = |name| ["--account", identity, "--reference", name, "--accept"];
    let another = lost.settle(&charged, &named("absorbed"));
    let because = another["because"].as_str().unwrap_or_default();
    assert!(because.contains("does not stand for"), "{another}");
    let booked = lost.settle(&charged, &named("charged"));
    assert_eq!(booked["settled"], true, "{booked}");
    let borne = lost.settle(&absorbed, &["--absorb", "--accept"]);
    assert_eq!(borne["settled"], true, "{borne}");

    let (balance, held) = lost.merchant(&server).balance().await;
    let spent = minor(BALANCE) - minor(&balance);
    assert_eq!(spent, PRICE + WORTH, "kept and charged");
    assert_eq!(minor(&held), 0);
    for reference in ["charged", "absorbed"] {
        let refused = lost.buy(&server, reference, 409).await;
        assert!(refused.contains("delivered"), "{refused}");
    }
    lost.buy(&server, "new", 200).await;
    assert_eq!(lost.fake.book().records.len(), 4);
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(&lost.folder);
    finds_its_journal_again(&lost).await;
    needs_who_recognises_them(&lost);
}

/// Each provider is compared with its own list before payments are taken.
async fn are_compared(lost: &SetBack, server: &GatewayProcess) {
    let file = lost.folder.beside("list.csv");
    let rows = ["kept", "charged", "absorbed"];
    std::fs::write(
        &file,
        rows.map(|it| format!("{},delivered\n", lost.known_by(it)))
            .concat(),
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let compare = |provider| {
        [
            "--provider",
            provider,
            "--references",
            file,
            "--acknowledge",
        ]
    };
    let wrong = lost
        .folder
        .run(&[&["reconcile"], &compare("near")[..]].concat());
    assert!(wrong.stderr.contains("has the form of far"), "{wrong:?}");
    let compared = lost.run(&compare("far"));
    let waits = serde_json::json!(["near", "sandbox"]);
    assert_eq!(compared["waitsFor"], waits, "{compared}");
    assert_eq!(
        compared["missing"].as_array().map(Vec::len),
        Some(2),
        "{compared}"
    );
    lost.buy(server, "new", 503).await;
    let near = lost.run(&["--provider", "near", "--nothing-sent", "--acknowledge"]);
    assert_eq!(near["waitsFor"], serde_json::json!(["sandbox"]), "{near}");
    let resumed = lost.run(&["--nothing-sent", "--acknowledge"]);
    assert_eq!(resumed["acknowledged"], true, "{resumed}");
    assert_eq!(resumed["waitsFor"], Value::Null, "{resumed}");
}

/// The journal turns up: what was booked from the provider's list needs no transaction.
async fn finds_its_journal_again(lost: &SetBack) {
    lost.moves_journal("journal", &lost.folder.beside("newer-journal"));
    let journal = lost.folder.data().join("journal");
    std::fs::rename(lost.folder.beside("lost-journal"), journal).unwrap();
    let server = GatewayProcess::start(&lost.folder);
    let look = async || (lost.run(&[])["suspended"] == false).then_some(());
    eventually("payments are taken", WITHIN, look).await;
    lost.buy(&server, "later", 200).await;
    for reference in ["charged", "absorbed"] {
        lost.buy(&server, reference, 409).await;
    }
    assert!(server.terminate().await.success());
    provider_journal::audit_is_clean(&lost.folder);
}

/// Without the provider nothing would recognise what it delivered.
fn needs_who_recognises_them(lost: &SetBack) {
    std::fs::write(lost.folder.data().join("manilla.toml"), "").unwrap();
    let refused = lost.folder.run(&["serve"]).refused();
    assert!(refused.stderr.contains("[provider.far]"), "{refused:?}");
}
