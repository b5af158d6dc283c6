//! A settlement file that names attempts as the provider calls them, over VTpass's interface: what
//! was found must be found by the identity and the cost that the provider reported.

use crate::fake_record::Fate;
use crate::vtpass_server::{API_KEY, FakeVtpass, SECRET_KEY};
use serde_json::Value;
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::orders::{OrderFamily, airtime};
use tests::process::GatewayProcess;

const COLUMNS: &str = "provider_id = \"Transaction\"\namount = \"Value\"\ncost = \"Net\"\n";

/// Whatever was bought had to be in the file.
const ALL: [&str; 4] = ["--from", "2020-01-01", "--until", "2100-01-01"];

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_our_references_is_compared_with_its_costs() {
    let fake = FakeVtpass::start().await;
    let folder = GatewayFolder::with(&format!(
        "[provider.far]
adapter = \"vtpass\"
environment = \"test\"
url = \"http://127.0.0.1:{}/api/\"
api_key = \"{API_KEY}\"
secret_key = \"{SECRET_KEY}\"
phone = \"2348012345678\"

[[route]]
product = \"airtime\"
provider = \"far\"
",
        fake.port
    ));
    let account = folder.account("Settled", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for ending in ["4001", "4002"] {
        let number = format!("234803123{ending}");
        let local = number.replacen("234", "0", 1);
        fake.book().fates.insert(local, Fate::Delivered);
        let order = airtime(&format!("order-{ending}"), &number, "1,000.00");
        let bought = merchant.buy(OrderFamily::Airtime, &order).await;
        bought.with_status(200);
    }
    let ids: Vec<String> = fake.book().records.values().map(id).collect();
    std::fs::write(folder.beside("columns.toml"), COLUMNS).unwrap();

    let right = compared(&folder, &[(&ids[0], "97.00"), (&ids[1], "97.00")]);
    assert_eq!(right["differences"], serde_json::json!([]), "{right}");
    let wrong = compared(&folder, &[(&ids[0], "97.00"), (&ids[1], "98.50")]);
    let rows = wrong["differences"].as_array().unwrap();
    let about: Vec<_> = rows.iter().map(|it| it["about"].as_str()).collect();
    let expected = "cost 98.50 in the settlement file, 97.00 in our ledger";
    assert_eq!(about, [Some(expected)], "{wrong}");
    let case = rows[0]["case"].as_str().unwrap();
    assert!(
        case.starts_with(&format!("settlement:far:{}:", ids[1])),
        "{case}"
    );
    let short = compared(&folder, &[(&ids[0], "97.00")]);
    assert_eq!(
        short["differences"].as_array().map(Vec::len),
        Some(1),
        "{short}"
    );
    assert!(server.terminate().await.success());
}

/// What the provider calls an attempt.
fn id(record: &crate::fake_record::FakeRecord) -> String {
    let answer = record.answer();
    let id = &answer["content"]["transactions"]["transactionId"];
    id.as_str()
        .map_or_else(|| id.to_string(), ToOwned::to_owned)
}

fn compared(folder: &GatewayFolder, rows: &[(&String, &str)]) -> Value {
    let rows = rows.iter().map(|(id, net)| format!("{id},1000.00,{net}\n"));
    let file = format!("Transaction,Value,Net\n{}", rows.collect::<String>());
    std::fs::write(folder.beside("file.csv"), file).unwrap();
    let (file, columns) = (folder.beside("file.csv"), folder.beside("columns.toml"));
    let options = [
        "reconcile",
        "--provider",
        "far",
        file.to_str().unwrap(),
        "--columns",
        columns.to_str().unwrap(),
        "--dry-run",
        "--json",
    ];
    folder.run(&[&options[..], &ALL].concat()).json()
}
