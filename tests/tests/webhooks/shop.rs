//! A merchant whose gateway may deliver to this machine.

use serde_json::{Value, json};
use tests::account::Account;
use tests::folder::Folder;
use tests::merchant::Merchant;
use tests::process::{Launch, Server};

use crate::receiver::Receiver;

/// Outcomes that come within half a second, told to this machine.
pub(crate) const SETTINGS: &str = "\
[payment]
answer_window_ms = 200

[sandbox]
later_ms = 500
latency_max_ms = 5

[webhook]
allow_loopback = true
";

/// An endpoint as it was made.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) id: u64,
    pub(crate) secret: String,
}

impl Endpoint {
    pub(crate) async fn make(merchant: &Merchant, body: &Value) -> Self {
        let made = merchant.post("/webhook/endpoint", body).await;
        let made = made.with_status(201);
        Self {
            id: made.json()["whkIdentifier"].as_u64().unwrap(),
            secret: made.text("whkSecret"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Shop {
    pub(crate) account: Account,
    pub(crate) server: Server,
    pub(crate) merchant: Merchant,
}

impl Shop {
    pub(crate) fn open() -> Self {
        Self::with(SETTINGS)
    }

    pub(crate) fn with(settings: &str) -> Self {
        let account = Account::new(settings);
        let server = Server::start(&account.folder);
        let merchant = account.merchant(&server);
        Self {
            account,
            server,
            merchant,
        }
    }

    /// A shop in a folder, whose server logs whatever it can.
    pub(crate) fn logging_everything(folder: Folder) -> Self {
        let account = Account::within(folder);
        let launch = Launch {
            environment: vec![("MANILLA_LOG_LEVEL", "trace".to_owned())],
            ..Launch::default()
        };
        let server = Server::launch(&account.folder, &launch);
        let merchant = account.merchant(&server);
        Self {
            account,
            server,
            merchant,
        }
    }

    /// Kills the server and starts it again.
    pub(crate) fn crash(self) -> Self {
        self.server.kill();
        let server = Server::start(&self.account.folder);
        let merchant = self.account.merchant(&server);
        Self {
            account: self.account,
            server,
            merchant,
        }
    }

    /// Has a receiver told of everything.
    pub(crate) async fn tells(&self, receiver: &Receiver) -> Endpoint {
        let endpoint = self.endpoint(&json!({"whkUrl": receiver.url()})).await;
        receiver.trust(&[&endpoint.secret]);
        endpoint
    }

    pub(crate) async fn endpoint(&self, body: &Value) -> Endpoint {
        Endpoint::make(&self.merchant, body).await
    }

    /// Buys airtime for a number whose last digits say what becomes of it.
    pub(crate) async fn buy(&self, reference: &str, ending: &str) -> u16 {
        let order = json!({
            "mrcReference": reference, "countryCode": 566, "number": format!("234803123{ending}"),
            "amount": "100", "billing": "prepaid",
        });
        self.merchant.post("/payment/airtime", &order).await.status
    }

    /// The report of what was bought, as it is written.
    pub(crate) async fn report(&self, reference: &str) -> String {
        let path = format!("/payment/airtime/transaction?mrcReference={reference}");
        self.merchant.get(&path).await.with_status(200).body
    }

    pub(crate) async fn deliveries(&self, filter: &str) -> Value {
        let path = format!("/webhook/deliveries?{filter}");
        self.merchant.get(&path).await.with_status(200).json()
    }
}
