//! What is confidential is nowhere in what the gateway writes: not in the database, not in a
//! journal, not in the log. The files are searched as they lie, while it serves and after it has
//! stopped, and it must not matter which store there is.

use crate::receiver::WebhookReceiver;
use crate::shop::{SETTINGS, WebhookShop};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use postgres_cluster::{Cluster, ClusterOptions};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::folder::GatewayFolder;
use tests::orders::{DEVICE, ELECTRICITY, LOOKUP, PAYOUT, SMS};
use tests::patience;

const TEXT: &str = "canary-3f9a71c6 is your code";
const ACCOUNT_NUMBER: &str = "0123476789";
/// Who is looked up, with whose consent, and which device is located.
const IDENTITY: &str = "74930158264";
const SURNAME: &str = "Canarysurname";
const CONSENT: &str = "canary-consent-5d1e";
const LOCATED: &str = "2348037614985";
const SECRET: &str = "canary-b07d44e2";

/// The last digits of meters: whatever may become of a payment.
const ENDINGS: std::ops::RangeInclusive<u32> = 2..=14;

/// The texts that must be found nowhere, and one that must be found.
struct Canaries {
    secret: Vec<String>,
    control: String,
}

/// Files that hold nothing of the store: keys and certificates.
const KEYS: [&str; 7] = [
    "keys",
    "pepper",
    "ca.pem",
    "ca.key",
    "server.pem",
    "server.key",
    "manilla.toml",
];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_confidential_is_readable_in_the_embedded_store() {
    searched(GatewayFolder::embedded(SETTINGS), Vec::new).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_confidential_is_readable_in_a_database() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let folder = GatewayFolder::on(&cluster, SETTINGS);
    let log = folder.beside("postgres.log");
    searched(folder, || {
        let _ = cluster.psql("postgres", "CHECKPOINT;");
        std::fs::write(&log, cluster.log()).unwrap();
        vec![cluster.data_dir(), log.clone()]
    })
    .await;
}

async fn searched(folder: GatewayFolder, database: impl Fn() -> Vec<PathBuf>) {
    let shop = WebhookShop::logging_everything(folder);
    let receiver = WebhookReceiver::start().await;
    receiver.echo();
    receiver.fail(40);
    let url = format!("{}{SECRET}/path?key={SECRET}", receiver.url());
    let endpoint = shop
        .endpoint(&json!({"whkUrl": url, "whkTokens": true}))
        .await;
    receiver.trust(&[&endpoint.secret]);
    let canaries = bought(&shop).await;
    receiver
        .reported("transaction.successful", "canary-text")
        .await;
    let folder = &shop.account.folder;
    let log = folder.beside("server.log");
    let written = || [database(), vec![folder.data(), log.clone()]].concat();
    canaries.are_in_none_of(&written(), &folder.beside("served"));
    let again = shop.merchant.get("/webhook/endpoint").await.json();
    assert!(again.to_string().contains(SECRET), "{again}");
    shop.server.ask_to_stop();
    patience::eventually("it stops", Duration::from_secs(40), async || {
        let log = std::fs::read_to_string(&log).unwrap();
        log.contains(" stopped").then_some(())
    })
    .await;
    canaries.are_in_none_of(&written(), &folder.beside("stopped"));
}

/// Buys what has secrets, and shows them to their owner again.
async fn bought(shop: &WebhookShop) -> Canaries {
    let number = "2348031234567";
    let text = json!({
        "mrcReference": "canary-text", "countryCode": 566, "number": number, "type": "text",
        "sender": shop.merchant.sender(), "message": TEXT,
    });
    let sent = shop.merchant.post_keyed(SMS, "canary-key", &text).await;
    assert_eq!(sent.with_status(200).text("content"), TEXT);
    let payout = json!({
        "mrcReference": "canary-payout", "bankIdentifier": "NGNIP000013",
        "accountNumber": ACCOUNT_NUMBER, "txnAmount": "10000", "txnNarration": "Rent",
    });
    let paid = shop.merchant.post(PAYOUT, &payout).await.with_status(200);
    assert_eq!(paid.text("accountNumber"), ACCOUNT_NUMBER);
    let record = format!(
        "{LOOKUP}?mrcReference=canary-lookup&lkpCode=identity-record&number={IDENTITY}\
         &parameters=surname:{SURNAME}&cnsReference={CONSENT}"
    );
    let found = shop.merchant.get(&record).await.with_status(200).json();
    assert_eq!(found["number"], IDENTITY, "{found}");
    let device = format!(
        "{DEVICE}?mrcReference=canary-device&countryCode=566&number={LOCATED}\
         &cnsReference={CONSENT}"
    );
    let place = shop.merchant.get(&device).await.with_status(200).json();
    let degrees = ["locationLatitude", "locationLongitude"].map(|it| place[it].to_string());
    let mut secret = vec![
        IDENTITY.to_owned(),
        SURNAME.to_owned(),
        CONSENT.to_owned(),
        LOCATED.to_owned(),
        TEXT.to_owned(),
        ACCOUNT_NUMBER.to_owned(),
        SECRET.to_owned(),
    ];
    secret.extend(degrees.iter().map(|it| it.replace('.', "")));
    secret.extend(degrees);
    for ending in ENDINGS {
        let reference = format!("canary-meter-{ending}");
        let meter = json!({
            "mrcReference": reference, "disco": "101", "number": format!("0412345{ending:04}"),
            "amount": "5000.00", "billing": "prepaid",
        });
        shop.merchant.post(ELECTRICITY, &meter).await;
    }
    // Most of them take a while.
    tokio::time::sleep(Duration::from_secs(3)).await;
    for ending in ENDINGS {
        let path = format!("{ELECTRICITY}/transaction?mrcReference=canary-meter-{ending}");
        let report: Value = shop.merchant.get(&path).await.json();
        if let Some(token) = report["token"]["number"].as_str() {
            secret.extend([token.to_owned(), token.replace('-', "")]);
        }
    }
    assert!(secret.len() > 8, "some tokens were made: {secret:?}");
    Canaries {
        secret,
        control: "canary-payout".to_owned(),
    }
}

impl Canaries {
    /// Looks into files and folders; `list` is a place for what is looked for.
    fn are_in_none_of(&self, written: &[PathBuf], list: &Path) {
        let control = found(&[self.control.clone().into_bytes()], (written, list));
        assert!(control.lines().count() > 2, "{written:?} are searched");
        let secrets = self.secret.iter();
        let forms: Vec<_> = secrets.flat_map(|it| byte_forms(it.as_bytes())).collect();
        let found = found(&forms, (written, list));
        assert!(found.is_empty(), "of {:?} there is\n{found}", self.secret);
    }
}

/// Files and folders that are searched, and a place for what is looked for.
pub(crate) type SearchedFiles<'a> = (&'a [PathBuf], &'a Path);

/// Where any of some texts is, with the text, one find a line.
pub(crate) fn found(texts: &[Vec<u8>], (written, list): SearchedFiles<'_>) -> String {
    std::fs::write(list, texts.join(&b'\n')).unwrap();
    let mut grep = Command::new("grep");
    grep.env("LC_ALL", "C").args(["-raoF", "-f"]).arg(list);
    grep.args(KEYS.map(|name| format!("--exclude={name}")));
    let done = grep.args(written).output().unwrap();
    // 1 where nothing is found. A file may go while it is searched.
    assert!(done.status.code() <= Some(2), "{done:?}");
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The forms in which bytes may be written: as they are, in hexadecimal, and in base64 wherever
/// they begin.
pub(crate) fn byte_forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    let base64 = (0..3).map(|before| {
        let padded = [&b"xx"[..before], bytes].concat();
        let encoded = STANDARD.encode(padded);
        // What is shared with the neighbours is left out.
        let end = encoded.trim_end_matches('=').len() - 1;
        encoded[before + 1..end].to_owned()
    });
    // What is searched for has no line breaks; the longest part without one will do.
    let parts = bytes.split(|byte| [b'\n', 0].contains(byte));
    let bare = parts.max_by_key(|part| part.len()).unwrap_or_default();
    assert!(bare.len() >= 6, "too short to be looked for: {bytes:?}");
    let texts = [hex.to_uppercase(), hex].into_iter().chain(base64);
    let mut forms = vec![bare.to_vec()];
    forms.extend(texts.map(String::into_bytes));
    forms
}
