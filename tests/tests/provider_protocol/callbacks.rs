//! Callbacks of a provider process: a hint settles what is pending long before the next question
//! would, and one that is not authentic does nothing.

use provider_protocol::{
    AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER, CALLBACK_TIMESTAMP_HEADER,
    write,
};
use provider_sim::journal;
use reqwest::Method;
use standardwebhooks::Webhook;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::patience::eventually;
use tests::process::GatewayProcess;
use tests::sandbox_process::{self, SandboxProcess};

const WITHIN: Duration = Duration::from_secs(20);

/// The secret of the shared key, and one that is not shared.
const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const STRANGER: &str = "HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

/// A merchant waits for a moment only, and after the first questions none is asked for a minute.
const PATIENT: &str = "[payment]\nanswer_window_ms = 100\n\
    [recovery]\nrecheck_first_ms = 60000\nrecheck_waiting_max_ms = 60000\n";

/// A gateway with airtime at a provider process that delivers a second after it said pending.
struct CallingWorld {
    at: TempDir,
    provider: Option<SandboxProcess>,
    folder: GatewayFolder,
    server: GatewayProcess,
    merchant: TestMerchant,
}

impl CallingWorld {
    async fn start() -> Self {
        let at = TempDir::new().unwrap();
        let keys = at.path().join("keys");
        fs::write(&keys, format!("key-1 {SECRET}\n")).unwrap();
        let sandbox = "[sandbox]\npending_delay_ms = 1000\n";
        fs::write(at.path().join("sandbox.toml"), sandbox).unwrap();
        let provider = SandboxProcess::start(at.path());
        let account = sandbox_process::account(&provider.url, &keys, &["airtime"]);
        let folder = GatewayFolder::with(&format!("{PATIENT}{account}"));
        let credentials = folder.account("Called", "100000.00");
        let server = GatewayProcess::start(&folder);
        let merchant = TestMerchant::new(&folder, server.address(), &credentials);
        let it = Self {
            at,
            provider: Some(provider),
            folder,
            server,
            merchant,
        };
        let order = OrderFamily::Airtime.order("first", "4567");
        eventually("capabilities", WITHIN, async || {
            let status = it.merchant.post(AIRTIME, &order).await.status;
            matches!(status, 200 | 202).then_some(())
        })
        .await;
        it
    }

    /// Buys what is delivered later, and returns what the provider knows it by.
    async fn pending(&self) -> String {
        let before = self.references().len();
        let order = OrderFamily::Airtime.order("later", "0002");
        let answer = self.merchant.post(AIRTIME, &order).await;
        assert_eq!(answer.txn_status(), "Pending");
        let reference = async || self.references().get(before).cloned();
        eventually("the journal of the provider", WITHIN, reference).await
    }

    fn references(&self) -> Vec<String> {
        let entries = journal::read(&self.at.path().join("sandbox/sandbox.journal")).unwrap();
        entries.iter().map(|it| it.reference.to_string()).collect()
    }

    /// The status of the answer to a callback that is signed with a secret by the library of
    /// Standard Webhooks, as any provider would.
    async fn call_back(&self, reference: &str, secret: &str) -> u16 {
        let body = write(&AttemptCallback::changed(reference)).unwrap();
        let at = crate::process::now().as_millis() / 1_000;
        let webhook = Webhook::new(secret).unwrap();
        let signature = webhook.sign("cb_1", at, &body).unwrap();
        let request = self
            .merchant
            .anonymous(Method::POST, "/provider/far/callback");
        let request = request
            .header("content-type", "application/json")
            .header(CALLBACK_ID_HEADER, "cb_1")
            .header(CALLBACK_TIMESTAMP_HEADER, at.to_string())
            .header(CALLBACK_SIGNATURE_HEADER, signature)
            .body(body);
        request.send().await.unwrap().status().as_u16()
    }

    async fn status(&self, reference: &str) -> String {
        let report = OrderFamily::Airtime.report(reference);
        let answer = self.merchant.get(&report).await.with_status(200);
        answer.txn_status().clone()
    }
}

#[tokio::test]
async fn a_callback_settles_what_is_pending_and_one_that_is_not_authentic_does_nothing() {
    let it = CallingWorld::start().await;
    let reference = it.pending().await;
    // It was delivered by then, and a stranger's callback has the gateway ask nothing.
    eventually("the delivery", WITHIN, async || {
        assert_eq!(it.call_back(&reference, STRANGER).await, 401);
        let now = crate::process::now();
        let path = it.at.path().join("sandbox/sandbox.journal");
        let entries = journal::read(&path).unwrap();
        let entry = entries
            .iter()
            .find(|it| it.reference.as_str() == reference)?;
        (entry.effects(now) == journal::EntryEffect::Delivered).then_some(())
    })
    .await;
    assert_eq!(it.status("later").await, "Pending");
    // An unknown reference is answered as a known one.
    assert_eq!(it.call_back("manilla.unknown.1", SECRET).await, 200);
    assert_eq!(it.status("later").await, "Pending");
    assert_eq!(it.call_back(&reference, SECRET).await, 200);
    assert_eq!(it.status("later").await, "Successful");
    // Once more changes nothing.
    assert_eq!(it.call_back(&reference, SECRET).await, 200);
    let log = it.server.log();
    assert!(log.contains("a callback was refused"), "{log}");
    it.server.kill();
    let audit = it.folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn a_sandbox_process_calls_back_once_an_attempt_has_an_end() {
    let mut it = CallingWorld::start().await;
    let before = it.provider.take().unwrap();
    let address = before.address();
    before.kill();
    let gateway = format!("https://{}/provider/far/callback", it.server.address());
    let authority = it.folder.data().join("ca.pem");
    let authority = authority.to_str().unwrap();
    let further = [
        "--callback-url",
        &gateway,
        "--callback-authority",
        authority,
    ];
    it.provider = Some(SandboxProcess::with(it.at.path(), &address, &further));
    // Delivered later, and delivered at once with an answer that is lost.
    for (reference, ending) in [("later", "0002"), ("lost", "0003")] {
        let order = OrderFamily::Airtime.order(reference, ending);
        it.merchant.post(AIRTIME, &order).await;
        eventually("a callback", WITHIN, async || {
            (it.status(reference).await == "Successful").then_some(())
        })
        .await;
    }
    let references = it.references();
    assert_eq!(references.len(), 3, "{references:?}");
    it.server.kill();
    let audit = it.folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}
