//! What opens an installation is nowhere in what it writes: keys of merchants and operators, the
//! pepper, the key ring, the credentials of a provider, the password of the database. The files are
//! searched as they lie, with a log that has everything, and it must not matter which store there
//! is.

use crate::receiver::WebhookReceiver;
use crate::secrets::{SearchedFiles, byte_forms, found};
use crate::shop::{SETTINGS, WebhookShop};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use postgres_cluster::{Cluster, ClusterOptions};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tests::folder::GatewayFolder;
use tests::operators::PASSPHRASE;
use tests::orders::{AIRTIME, ELECTRICITY, OrderFamily};
use tests::sandbox_process::{self, SandboxProcess};
use tests::{patience, secret};

/// What gateway and provider sign with: 32 bytes.
const PROVIDER_KEY: &[u8; 32] = b"canary-provider-key-7d21f0c9e4a1";
const PASSWORD: &str = "canary-password-91c4d7";
const REFERENCE: &str = "canary-airtime";

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_the_installation_is_readable_in_the_embedded_store() {
    searched(GatewayFolder::embedded, |it| it, Vec::new).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_the_installation_is_readable_in_a_database() {
    let cluster = Cluster::private(&ClusterOptions::default());
    let beside = TempDir::new().unwrap();
    let log = beside.path().join("postgres.log");
    let with_password = |folder: GatewayFolder| {
        let url = folder.database().unwrap().url();
        let (scheme, rest) = url.split_once("://").unwrap();
        let (user, place) = rest.split_once('@').unwrap();
        let user = user.split(':').next().unwrap();
        let url = format!("{scheme}://{user}:{PASSWORD}@{place}");
        folder.in_environment(&[("MANILLA_DATABASE", url)])
    };
    let written = || {
        let _ = cluster.psql("postgres", "CHECKPOINT;");
        std::fs::write(&log, cluster.log()).unwrap();
        vec![cluster.data_dir(), log.clone()]
    };
    let folder = |settings: &str| GatewayFolder::on(&cluster, settings);
    searched(folder, with_password, written).await;
}

async fn searched(
    folder: impl FnOnce(&str) -> GatewayFolder,
    reached: impl FnOnce(GatewayFolder) -> GatewayFolder,
    database: impl Fn() -> Vec<PathBuf>,
) {
    let at = TempDir::new().unwrap();
    let keys = sandbox_process::keys(at.path());
    secret::write(&keys, format!("key-1 {}", STANDARD.encode(PROVIDER_KEY)));
    let provider = SandboxProcess::start(at.path());
    let far = sandbox_process::account(&provider.url, &keys, &["airtime"]);
    let near = "[[route]]\nproduct = \"electricity\"\nprovider = \"sandbox\"\n";
    let folder = reached(folder(&format!("{SETTINGS}\n{far}\n{near}")));
    let shop = WebhookShop::logging_everything(folder);
    let receiver = WebhookReceiver::start().await;
    let url = json!({"whkUrl": receiver.url(), "whkTokens": true});
    let endpoint = shop.endpoint(&url).await;
    receiver.trust(&[&endpoint.secret]);
    let mut secrets = bought(&shop).await;
    receiver.reported("transaction.successful", REFERENCE).await;
    let folder = &shop.account.folder;
    secrets.extend(of_the_installation(folder));
    let (_, operator_key) = folder.operator_key();
    for text in [
        operator_key.as_str(),
        &shop.account.credentials.key,
        &endpoint.secret,
        PASSPHRASE.trim_end(),
        PASSWORD,
    ] {
        secrets.push(text.as_bytes().to_vec());
    }
    let log = folder.beside("server.log");
    let written = [database(), vec![folder.data(), log.clone()]].concat();
    let list = folder.beside("list");
    are_in_none(&secrets, (&written, &list));
    shop.server.ask_to_stop();
    patience::eventually("it stops", Duration::from_secs(40), async || {
        let log = std::fs::read_to_string(&log).unwrap();
        log.contains(" stopped").then_some(())
    })
    .await;
    let written = [database(), vec![folder.data(), log.clone()]].concat();
    are_in_none(&secrets, (&written, &list));
    // In every form, each of them would have been found.
    let planted = folder.data().join("planted");
    for secret in &secrets {
        let digits: Vec<_> = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        for form in [
            secret.clone(),
            STANDARD.encode(secret).into(),
            digits.concat().into(),
        ] {
            std::fs::write(&planted, form).unwrap();
            let found = found(&byte_forms(secret), (&written, &list));
            assert!(found.contains("planted"), "{secret:?}");
        }
    }
}

/// Buys from the provider, and what is handed over as a secret: a token of a meter, vouchers.
async fn bought(shop: &WebhookShop) -> Vec<Vec<u8>> {
    let merchant = &shop.merchant;
    let airtime = OrderFamily::Airtime.order(REFERENCE, "4567");
    patience::eventually(
        "the provider answers",
        Duration::from_secs(20),
        async || {
            let order = merchant.post(AIRTIME, &airtime).await;
            (order.status < 300).then_some(())
        },
    )
    .await;
    let meter = json!({
        "mrcReference": "canary-meter", "disco": "101", "number": "04123456789",
        "amount": "5000.00", "billing": "prepaid",
    });
    merchant.post(ELECTRICITY, &meter).await;
    let path = format!("{ELECTRICITY}/transaction?mrcReference=canary-meter");
    let token = patience::eventually("a token", Duration::from_secs(20), async || {
        let report = merchant.get(&path).await.json();
        report["token"]["number"].as_str().map(str::to_owned)
    })
    .await;
    let batch = json!({
        "mrcReference": "canary-vouchers", "vchType": "voucher", "vchAmount": "500.00",
        "vchExpiry": "2029-12-31T00:00:00Z",
    });
    let made = merchant.post("/voucher/create", &batch).await;
    let made = made.with_status(200).json();
    let vouchers = made["vouchers"].as_array().unwrap().iter();
    let codes = vouchers.map(|it| it["vchCode"].as_str().unwrap().to_owned());
    let texts: Vec<String> = codes.chain([token]).collect();
    assert!(texts.len() > 1, "{texts:?}");
    let bare = texts.iter().map(|text| text.replace('-', ""));
    let all = bare.chain(texts.iter().cloned());
    all.map(String::into_bytes).collect()
}

/// The pepper, the keys of the ring and that of the provider.
fn of_the_installation(folder: &GatewayFolder) -> Vec<Vec<u8>> {
    let pepper = std::fs::read(folder.data().join("pepper")).unwrap();
    let ring = std::fs::read_to_string(folder.data().join("keys")).unwrap();
    let lines = ring.lines().filter(|line| !line.starts_with('#'));
    let keys = lines.map(|line| {
        let digits = line.split_whitespace().nth(1).unwrap();
        let pairs = (0..digits.len()).step_by(2);
        let bytes = pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
        bytes.collect::<Vec<u8>>()
    });
    let all: Vec<Vec<u8>> = keys.chain([pepper, PROVIDER_KEY.to_vec()]).collect();
    assert!(all.len() > 2 && all.iter().all(|key| key.len() == 32));
    all
}

fn are_in_none(secrets: &[Vec<u8>], searched: SearchedFiles<'_>) {
    let control = found(&[REFERENCE.as_bytes().to_vec()], searched);
    assert!(control.lines().count() > 2, "{searched:?}");
    for secret in secrets {
        let found = found(&byte_forms(secret), searched);
        let shown = String::from_utf8_lossy(secret);
        assert!(found.is_empty(), "of {shown} there is\n{found}");
    }
}
