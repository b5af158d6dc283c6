//! A merchant whose gateway may deliver to this machine.

use serde_json::{Value, json};
use tests::account::TestAccount;
use tests::folder::GatewayFolder;
use tests::merchant::TestMerchant;
use tests::process::{GatewayProcess, Launch};

use crate::receiver::WebhookReceiver;

/// Outcomes that come within half a second, delivered to this machine.
pub(crate) const SETTINGS: &str = "\
[payment]
answer_window_ms = 200

[sandbox]
pending_delay_ms = 500
latency_max_ms = 5

[webhook]
allow_loopback = true
";

/// An endpoint as it was made.
#[derive(Debug, Clone)]
pub(crate) struct ShopEndpoint {
    pub(crate) id: u64,
    pub(crate) secret: String,
}

impl ShopEndpoint {
    pub(crate) async fn make(merchant: &TestMerchant, body: &Value) -> Self {
        let made = merchant.post("/webhook/endpoint", body).await;
        let made = made.with_status(201);
        Self {
            id: made.json()["whkIdentifier"].as_u64().unwrap(),
            secret: made.text("whkSecret"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct WebhookShop {
    pub(crate) account: TestAccount,
    pub(crate) server: GatewayProcess,
    pub(crate) merchant: TestMerchant,
}

impl WebhookShop {
    pub(crate) fn open() -> Self {
        Self::with(SETTINGS)
    }

    pub(crate) fn with(settings: &str) -> Self {
        let account = TestAccount::new(settings);
        let server = GatewayProcess::start(&account.folder);
        let merchant = account.merchant(&server);
        Self {
            account,
            server,
            merchant,
        }
    }

    /// A shop in a folder, whose server logs whatever it can.
    pub(crate) fn logging_everything(folder: GatewayFolder) -> Self {
        let account = TestAccount::within(folder);
        let launch = Launch {
            environment: vec![("MANILLA_LOG_LEVEL", "trace".to_owned())],
            ..Launch::default()
        };
        let server = GatewayProcess::launch(&account.folder, &launch);
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
        let server = GatewayProcess::start(&self.account.folder);
        let merchant = self.account.merchant(&server);
        Self {
            account: self.account,
            server,
            merchant,
        }
    }

    /// Subscribes a receiver to everything.
    pub(crate) async fn tells(&self, receiver: &WebhookReceiver) -> ShopEndpoint {
        let endpoint = self.endpoint(&json!({"whkUrl": receiver.url()})).await;
        receiver.trust(&[&endpoint.secret]);
        endpoint
    }

    pub(crate) async fn endpoint(&self, body: &Value) -> ShopEndpoint {
        ShopEndpoint::make(&self.merchant, body).await
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
