//! Callbacks of a provider process: a hint settles what is pending long before the next question
//! would, one that is not authentic does nothing, and what people write reaches its merchant.

use provider_protocol::{
    AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER, CALLBACK_TIMESTAMP_HEADER,
    write,
};
use provider_sim::journal;
use reqwest::Method;
use serde_json::{Value, json};
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

/// A gateway with airtime and text messages at a provider process that delivers a second after it
/// said pending.
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
        tests::secret::write(&keys, format!("key-1 {SECRET}\n"));
        let sandbox = "[sandbox]\npending_delay_ms = 1000\n";
        fs::write(at.path().join("sandbox.toml"), sandbox).unwrap();
        let provider = SandboxProcess::start(at.path());
        let account = sandbox_process::account(&provider.url, &keys, &["airtime", "sms"]);
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

    /// Has the provider call back from now on.
    fn calls_back(&mut self) {
        let before = self.provider.take().unwrap();
        let address = before.address();
        before.kill();
        let gateway = format!("https://{}/provider/far/callback", self.server.address());
        let authority = self.folder.data().join("ca.pem");
        let authority = authority.to_str().unwrap();
        let further = [
            "--callback-url",
            &gateway,
            "--callback-authority",
            authority,
        ];
        self.provider = Some(SandboxProcess::with(self.at.path(), &address, &further));
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
        self.send(body, secret).await
    }

    async fn send(&self, body: Vec<u8>, secret: &str) -> u16 {
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

    /// The status of the answer to a callback with a message of a person.
    async fn received(&self, (id, sender, text): (&str, &str, &str), secret: &str) -> u16 {
        let body = json!({"type": "message.received", "data": {
            "id": id, "channel": "sms", "number": "2348031234567", "sender": sender,
            "content": text, "receivedAt": "2026-01-15T09:00:00Z"
        }});
        let body = body.to_string();
        // As if the provider received it a moment ago.
        let now = crate::process::now().as_millis() / 1_000;
        let now = jiff::Timestamp::from_second(now).unwrap().to_string();
        let body = body.replace("2026-01-15T09:00:00Z", &now);
        self.send(body.into_bytes(), secret).await
    }

    async fn messages(&self) -> Vec<Value> {
        let answer = self.merchant.get("/messaging/incoming").await;
        let answer = answer.with_status(200);
        answer.json()["incomingMessages"]
            .as_array()
            .unwrap()
            .clone()
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
async fn what_a_person_writes_reaches_its_merchant_once_and_what_is_forged_does_not() {
    let it = CallingWorld::start().await;
    let secret_words = "my card is 4711 0815";
    let said = ("in-1", "CornerShop", secret_words);
    assert_eq!(it.received(said, STRANGER).await, 401);
    assert_eq!(it.messages().await, [Value::Null; 0]);
    for _ in 0..3 {
        assert_eq!(it.received(said, SECRET).await, 200);
    }
    // Of no account, and none that can be read.
    assert_eq!(it.received(("in-2", "OtherShop", "Hi"), SECRET).await, 200);
    assert_eq!(it.received(("in 3", "CornerShop", "Hi"), SECRET).await, 400);
    let other = it.folder.account("Other", "1.00");
    let messages = it.messages().await;
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["content"], secret_words);
    // From now on two accounts have a sender of the name.
    let ambiguous = ("in-4", "CornerShop", "Hi");
    assert_eq!(it.received(ambiguous, SECRET).await, 200);
    assert_eq!(it.messages().await.len(), 1);
    let others = it.merchant.as_account(&other);
    let page = others.get("/messaging/incoming").await.with_status(200);
    assert_eq!(page.json()["query"]["total"], 0);
    let log = it.server.log();
    assert!(
        log.contains("an incoming message is of no one account"),
        "{log}"
    );
    for hidden in ["4711", "2348031234567"] {
        assert!(!log.contains(hidden), "{hidden}");
    }
    it.server.kill();
    if let Some(file) = it.folder.database_file() {
        let stored = fs::read(file).unwrap();
        let wal = fs::read(it.folder.data().join("manilla.db-wal")).unwrap_or_default();
        for file in [stored, wal] {
            let found = file.windows(9).any(|bytes| bytes == b"4711 0815");
            assert!(!found, "what a person wrote is readable at rest");
        }
    }
    let audit = it.folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn a_sandbox_process_reports_what_people_reply() {
    let mut it = CallingWorld::start().await;
    it.calls_back();
    let order = OrderFamily::Sms.order("asked", "0029");
    it.merchant
        .buy(OrderFamily::Sms, &order)
        .await
        .with_status(200);
    let reply = eventually("a reply", WITHIN, async || it.messages().await.pop()).await;
    assert_eq!(reply["mrcReference"], "asked");
    assert_eq!(reply["channel"], "sms");
}

#[tokio::test]
async fn a_sandbox_process_calls_back_once_an_attempt_has_an_end() {
    let mut it = CallingWorld::start().await;
    it.calls_back();
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
