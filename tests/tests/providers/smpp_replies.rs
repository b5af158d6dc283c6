//! What people write to a short code, over SMPP: an SMSC from another hand, and the merchant's
//! endpoint. A message must reach it once, whatever is lost in between.

use crate::receiver::{ReceivedEvent, WebhookReceiver};
use crate::smsc::{NodeSmsc, named};
use serde_json::{Value, json};
use std::time::Duration;
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::patience;
use tests::process::GatewayProcess;

const WITHIN: Duration = Duration::from_secs(30);

const PERSON: &str = "2348031234567";

fn gateway(smsc: &NodeSmsc) -> GatewayFolder {
    GatewayFolder::with(&format!(
        "[webhook]
allow_loopback = true

[provider.smsc]
adapter = \"smpp\"
environment = \"test\"
url = \"smpp://127.0.0.1:{}\"
system_id = \"gateway\"
password = \"s3cret\"
reply_numbers = \"32811=CornerShop\"

[[route]]
product = \"sms\"
provider = \"smsc\"
",
        smsc.port
    ))
}

fn message(key: &str, to: &str, text: &str) -> Value {
    let pdu = json!({"source_addr": PERSON, "destination_addr": to});
    json!({"key": key, "pdu": pdu, "text": text})
}

/// A part with a user data header as the package takes it: without its own length.
fn part(key: &str, index: u8, text: &str) -> Value {
    let mut part = message(key, "32811", text);
    part["header"] = json!([5, 0x00, 0x03, 0x42, 2, index]);
    part["pdu"]["esm_class"] = json!(0x40);
    part
}

struct RepliedWorld {
    smsc: NodeSmsc,
    folder: GatewayFolder,
    server: Option<GatewayProcess>,
    merchant: TestMerchant,
    receiver: WebhookReceiver,
}

impl RepliedWorld {
    async fn start() -> Self {
        let smsc = NodeSmsc::start().await;
        let folder = gateway(&smsc);
        let account = folder.account("Replies", "1000.00");
        let server = GatewayProcess::start(&folder);
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        let receiver = WebhookReceiver::start().await;
        let endpoint = json!({"whkUrl": receiver.url(), "topics": ["message.received"]});
        let made = merchant.post("/webhook/endpoint", &endpoint).await;
        receiver.trust(&[&made.with_status(201).text("whkSecret")]);
        Self {
            smsc,
            folder,
            server: Some(server),
            merchant,
            receiver,
        }
    }

    fn server(&self) -> &GatewayProcess {
        self.server.as_ref().unwrap()
    }

    /// Kills the program, and starts it again.
    fn crash(&mut self) {
        self.server.take().unwrap().kill();
        let server = GatewayProcess::start(&self.folder);
        self.merchant = self.merchant.at(server.address());
        self.server = Some(server);
    }

    fn audit_is_clean(mut self) {
        self.server.take().unwrap().kill();
        let audit = self.folder.run(&["audit", "--json"]).well().json();
        assert_eq!(audit["status"], "clean", "{audit}");
    }

    async fn events(&self, count: usize) -> Vec<Value> {
        patience::eventually("the events", WITHIN, async || {
            (self.receiver.events().len() >= count).then_some(())
        })
        .await;
        let events = self.receiver.events();
        events.iter().map(ReceivedEvent::json).collect()
    }

    async fn listed(&self) -> Vec<Value> {
        let answer = self.merchant.get("/messaging/incoming").await;
        let listed = answer.with_status(200).json();
        listed["incomingMessages"].as_array().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_replies_reaches_the_endpoint_of_its_merchant() {
    let it = RepliedWorld::start().await;
    it.smsc
        .message(&message("one", "32811", "my card is 4711 0815"));
    it.smsc.acknowledged("one").await;
    let events = it.events(1).await;
    assert_eq!(events[0]["type"], "message.received");
    let data = &events[0]["data"];
    assert_eq!(data["content"], "my card is 4711 0815");
    assert_eq!(
        (&data["channel"], &data["number"]),
        (&"sms".into(), &PERSON.into())
    );
    assert_eq!(data["mrcReference"], Value::Null);

    // To a number of no sender, and then one in two parts, the second of them first.
    it.smsc.message(&message("elsewhere", "32812", "4711 0815"));
    it.smsc.acknowledged("elsewhere").await;
    it.smsc.message(&part("second", 2, "of two parts"));
    it.smsc.message(&part("first", 1, "A message "));
    it.smsc.acknowledged("first").await;
    it.smsc.acknowledged("second").await;
    let events = it.events(2).await;
    assert_eq!(events[1]["data"]["content"], "A message of two parts");
    assert_eq!(it.listed().await.len(), 2);
    let log = it.server().log();
    assert!(log.contains("stands for no sender"), "{log}");
    for hidden in [PERSON, "4711 0815", "32811", "32812"] {
        assert!(!log.contains(hidden), "{hidden}");
    }
    it.audit_is_clean();
}

/// The acknowledgement is lost, and the program killed before the SMSC repeats the message.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_acknowledgement_was_lost_is_one_event() {
    let mut it = RepliedWorld::start().await;
    let mut lost = message("lost", "32811", "Yes");
    lost["loses"] = json!(true);
    it.smsc.message(&lost);
    let said = it.smsc.eventually("the loss", |said| named(said, "lost"));
    assert_eq!(said.await["status"], 0);
    it.events(1).await;
    it.crash();
    it.smsc.message(&message("again", "32811", "Yes"));
    it.smsc.acknowledged("again").await;
    // The same words once that is answered are another message.
    it.smsc.message(&message("another", "32811", "Yes"));
    it.smsc.acknowledged("another").await;
    it.events(2).await;
    assert_eq!(it.listed().await.len(), 2);
    it.audit_is_clean();
}

/// What comes while the program is away is repeated until it is taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_comes_during_a_crash_is_not_lost() {
    let mut it = RepliedWorld::start().await;
    it.server().pause();
    it.smsc.message(&message("away", "32811", "Are you there?"));
    it.crash();
    it.smsc.acknowledged("away").await;
    let events = it.events(1).await;
    assert_eq!(events[0]["data"]["content"], "Are you there?");
    assert_eq!(it.listed().await.len(), 1);
    it.audit_is_clean();
}
