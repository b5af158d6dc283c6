//! Settlement files of a provider against the ledger, through the real program: what differs
//! becomes a case once, and no transaction changes.

use serde_json::{Value, json};
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::program::ProgramOutput;

/// As a provider might write its files, with an offset and separators of its own.
const COLUMNS: &str = "
reference = \"Request ID\"
amount = \"Amount (NGN)\"
decimal_separator = \",\"
group_separator = \".\"
status = \"Status\"
delivered = [\"success\"]
failed = [\"failed\"]
reversed = [\"refunded\"]
date = \"Date\"
date_format = \"%d/%m/%Y\"
utc_offset = \"+01:00\"
skip_lines = 1
delimiter = \";\"
";

/// A period that has every payment of a test in it.
const ALL: [&str; 4] = ["--from", "2020-01-01", "--until", "2100-01-01"];

/// A gateway beside which a person compares files.
struct SettlementDesk {
    folder: GatewayFolder,
    account: MerchantCredentials,
    server: GatewayProcess,
}

impl SettlementDesk {
    /// A gateway that delivered some payments.
    async fn with(delivered: &[&str]) -> Self {
        let folder = GatewayFolder::with(QUICK);
        let account = folder.account("Settled", "10000.00");
        let server = GatewayProcess::start(&folder);
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        for reference in delivered {
            let order = OrderFamily::Airtime.order(reference, "4567");
            let answer = merchant.post(AIRTIME, &order).await.with_status(200);
            assert_eq!(answer.txn_status(), "Successful", "{reference}");
        }
        std::fs::write(folder.beside("columns.toml"), COLUMNS).unwrap();
        Self {
            folder,
            account,
            server,
        }
    }

    fn sent(&self, reference: &str) -> String {
        format!("{}.{reference}.1", self.account.identity)
    }

    /// Writes a settlement file and has it compared.
    fn reconciled(&self, rows: &str, more: &[&str]) -> ProgramOutput {
        let file = self.folder.beside("settlement.csv");
        let head = "\u{feff}Exported by the provider\nDate;Request ID;Amount (NGN);Status\n";
        std::fs::write(&file, format!("{head}{rows}")).unwrap();
        let columns = self.folder.beside("columns.toml");
        let (file, columns) = (file.to_str().unwrap(), columns.to_str().unwrap());
        let what = ["reconcile", "--provider", "sandbox", file];
        let how = ["--columns", columns, "--json"];
        self.folder.run(&[&what[..], &how, more].concat())
    }

    /// The cases that wait.
    fn cases(&self) -> Vec<Value> {
        let listed = self.folder.run(&["case", "list", "--json"]).json();
        listed["cases"].as_array().expect("cases").clone()
    }

    /// Resolves a case, which takes a reason.
    fn resolves(&self, case: &Value) {
        let id = case["id"].as_str().unwrap();
        let resolve = ["case", "resolve", id];
        assert_eq!(self.folder.run(&resolve).refused().status.code(), Some(2));
        let why = ["--reason", "in the file of the day before"];
        self.folder.run(&[&resolve[..], &why].concat()).well();
    }

    /// A payment as operators are shown it.
    fn shown(&self) -> Value {
        let identity = self.account.identity.as_str();
        let what = ["transaction", "show", "--identity", identity];
        let which = ["--reference", "kept", "--json"];
        self.folder.run(&[&what[..], &which].concat()).well().json()
    }
}

#[tokio::test]
async fn what_a_settlement_file_says_otherwise_is_a_case_once_and_changes_nothing() {
    let desk = SettlementDesk::with(&["kept", "other", "refunded", "absent"]).await;
    let before = desk.shown();
    let price = before["amount"].as_str().unwrap();
    let price = price.replace(',', "").replace('.', ",");
    let rows = [
        ("kept", price.as_str(), "success"),
        ("other", "9.999,00", "success"),
        ("refunded", price.as_str(), "refunded"),
        ("never", price.as_str(), "success"),
    ];
    let rows = rows
        .map(|(name, amount, word)| format!("25/11/2026;{};{amount};{word}\n", desk.sent(name)));
    let rows = rows.concat();

    let shown = desk.reconciled(&rows, &[&ALL[..], &["--dry-run"]].concat());
    let shown = shown.refused().json();
    assert_eq!(
        shown["differences"].as_array().map(Vec::len),
        Some(4),
        "{shown}"
    );
    assert_eq!(shown["casesOpened"], 0, "{shown}");
    assert_eq!(desk.cases(), Vec::<Value>::new());

    let first = desk.reconciled(&rows, &ALL).refused().json();
    assert_eq!(first["casesOpened"], 4, "{first}");
    let of = |name: &str| {
        let cases = desk.cases();
        let sent = desk.sent(name);
        let found = cases
            .iter()
            .find(|it| it["providerReference"] == sent.as_str());
        found.cloned().unwrap_or_default()
    };
    for (name, about) in [
        ("other", "9,999.00 in the settlement file"),
        (
            "refunded",
            "taken back in the settlement file, captured in our ledger",
        ),
        ("never", "in the settlement file (delivered for"),
        ("absent", "in our ledger, not in the settlement file"),
    ] {
        let case = of(name);
        assert_eq!(case["kind"], "settlement", "{name}: {case}");
        assert!(
            case["about"].as_str().unwrap().contains(about),
            "{name}: {case}"
        );
    }
    assert_eq!(of("kept"), Value::Null);

    let second = desk.reconciled(&rows, &ALL).refused().json();
    assert_eq!(second["casesOpened"], 0, "{second}");
    assert_eq!(desk.cases().len(), 4);

    desk.resolves(&of("absent"));
    let third = desk.reconciled(&rows, &ALL).refused().json();
    assert_eq!(third["casesOpened"], 0, "{third}");
    assert_eq!(desk.cases().len(), 3);

    assert_eq!(desk.shown(), before);
    let audit = desk.folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
    assert!(desk.server.terminate().await.success());
}

#[tokio::test]
async fn a_file_that_agrees_opens_nothing_and_one_that_cannot_be_read_changes_nothing() {
    let desk = SettlementDesk::with(&["kept"]).await;
    let before = desk.shown();
    let price = before["amount"].as_str().unwrap();
    let price = price.replace(',', "").replace('.', ",");
    let row = format!("25/11/2026;{};{price};success\n", desk.sent("kept"));
    let same = desk.reconciled(&row, &ALL).well().json();
    assert_eq!(same["differences"], json!([]), "{same}");

    // Its own period is its day, long before the payment: nothing had to be in it.
    let old = row.replace("2026", "2020").replace("kept", "never");
    let old = desk.reconciled(&old, &["--dry-run"]).refused().json();
    assert_eq!(
        old["differences"].as_array().map(Vec::len),
        Some(1),
        "{old}"
    );

    let unknown = format!("25/11/2026;{};{price};success\n", desk.sent("never"));
    for (bad, parts) in [
        (
            "25/11/2026;x;1,00;maybe\n",
            &["line 4", "Status", "maybe", "pending"][..],
        ),
        (
            "25/11/2026;x;1.00;success\n",
            &["line 4", "Amount (NGN)", "1.00"],
        ),
        (
            "2026-11-25;x;1,00;success\n",
            &["line 4", "Date", "date_format"],
        ),
        ("25/11/2026;x;1,00\n", &["line 4", "3 columns", "delimiter"]),
    ] {
        let refused = desk.reconciled(&format!("{unknown}{bad}"), &ALL).refused();
        assert_eq!(refused.status.code(), Some(1), "{bad}");
        let said = format!("{refused:?}");
        for part in parts {
            assert!(said.contains(part), "{bad}: {said}");
        }
        assert!(said.contains("settlement.csv"), "{said}");
    }
    let unbounded = desk.reconciled(&row, &["--from", "2027-01-01"]).refused();
    assert_eq!(unbounded.status.code(), Some(2));
    let columns = desk.folder.beside("columns.toml");
    let nameless = ["reconcile", "x.csv", "--columns", columns.to_str().unwrap()];
    for wrong in [&nameless[..], &nameless[..2]] {
        let refused = desk.folder.run(wrong).refused();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    }
    assert_eq!(desk.cases(), Vec::<Value>::new());
}
