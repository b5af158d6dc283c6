//! A merchant's client. It must not repeat a request by itself: how often something was asked is
//! part of what the suites prove.

use crate::answer::HttpAnswer;
use crate::document;
use crate::flows;
use crate::folder::{GatewayFolder, MerchantCredentials};
use crate::orders::{self, OrderFamily};
use crate::patience::time_of_day;
use crate::quotes;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http_server::{RouteRow, endpoints};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Certificate, Client, Method, RequestBuilder};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio_rustls::rustls::crypto::ring;

/// The number of an endpoint in requests that are written down: the sender puts a number of
/// an endpoint of its own in its place.
pub const ENDPOINT: &str = "5000000000000001";

/// The number of a group of bank accounts in such requests, likewise.
pub const GROUP: &str = "5000000000000002";

/// The numbers of a template of messages and of a flow of calls, likewise.
pub const TEMPLATE: &str = "5000000000000020";
pub const FLOW_NUMBER: &str = "5000000000000021";

/// What stands for the number of a key that the account made, and for a new name of one.
pub const KEY: &str = "5000000000000004";

/// What stands for a network that a key of a case may be used from.
pub const ALLOWED: &str = "500000000000a110";
pub const KEY_NAME: &str = "A new name";

/// What stands for a user who is invited, the code of the invitation, and a new e-mail address.
pub const USER: &str = "5000000000000005";
pub const CODE: &str = "ZZZZZ-ZZZZZ";
pub const EMAIL: &str = "new.person@shop.example";

/// What stands for the reference of a payment that waits for an approval.
pub const WAITING: &str = "waits-for-an-approval";

/// What stands for the code of a coupon, its identifier, and a redemption of it.
pub const VOUCHER_CODE: &str = "code-of-a-coupon";
pub const VOUCHER: &str = "5000000000000006-1";
pub const REDEEMED: &str = "redemption-of-a-coupon";

/// Numbers that no name and no address was made with before.
static FRESH: AtomicU64 = AtomicU64::new(1);

/// A text that was not used before.
#[must_use]
pub fn fresh(word: &str) -> String {
    format!("{word}{}", FRESH.fetch_add(1, Ordering::Relaxed))
}

/// What stands for the number of a collection until one is made.
pub const COLLECTION: &str = "5000000000000007";

/// What stands for the number of a draft of an invoice until one is made.
pub const INVOICE: &str = "5000000000000008";

/// What stands for the number of a file of a report until one is made.
pub const REPORT_RUN: &str = "5000000000000003";

/// The day of the present moment in the time zone of the accounts, as the interface writes it.
///
/// # Panics
/// When the time zone or the moment is not known, which they always are.
pub fn today() -> String {
    let zone = jiff::tz::TimeZone::get("Africa/Lagos").expect("a time zone");
    let now = jiff::Timestamp::from_millisecond(time_of_day().as_millis());
    let now = now.expect("a moment").to_zoned(zone);
    now.strftime("%d-%m-%Y").to_string()
}

/// A moment of the next month, as RFC 3339 has it.
pub fn in_a_month() -> String {
    let month = std::time::Duration::from_hours(30 * 24);
    let at = jiff::Timestamp::from_millisecond(time_of_day().plus(month).as_millis());
    at.expect("a moment")
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}

/// A port without a listener on this machine: it has to be allowed.
const DEAD_END: &str = "http://127.0.0.1:9/events";

/// Longer than any answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(40);

/// A client with the credentials of an account.
#[derive(Debug, Clone)]
pub struct TestMerchant {
    client: Client,
    certificate: Certificate,
    address: SocketAddr,
    authorization: String,
    /// With which it asks what is for operators.
    operator: Option<String>,
    identity: String,
    sender: String,
}

/// Why there is no whole answer.
#[derive(Debug)]
pub struct NoAnswer(pub reqwest::Error);

impl TestMerchant {
    /// A client of a server that trusts the certificate of its folder.
    #[must_use]
    pub fn new(
        folder: &GatewayFolder,
        address: SocketAddr,
        credentials: &MerchantCredentials,
    ) -> Self {
        // A second call finds the first one's provider, which is the same.
        let _ = ring::default_provider().install_default();
        let certificate = Certificate::from_pem(&folder.certificate()).expect("a certificate");
        Self {
            client: client(&certificate),
            certificate,
            address,
            authorization: basic(&credentials.identity, &credentials.key),
            operator: None,
            identity: credentials.identity.clone(),
            sender: credentials.sender.clone(),
        }
    }

    /// The same client, which asks what is for operators with a key of the first operator.
    #[must_use]
    pub fn beside_operator(&self, folder: &GatewayFolder) -> Self {
        let (name, key) = folder.operator_key();
        Self {
            operator: Some(basic(&name, &key)),
            ..self.clone()
        }
    }

    /// The same client with another key of its account.
    #[must_use]
    pub fn as_key(&self, secret: &str) -> Self {
        Self {
            authorization: basic(&self.identity, secret),
            ..self.clone()
        }
    }

    /// The same client with the credentials of another account.
    #[must_use]
    pub fn as_account(&self, credentials: &MerchantCredentials) -> Self {
        Self {
            authorization: basic(&credentials.identity, &credentials.key),
            identity: credentials.identity.clone(),
            sender: credentials.sender.clone(),
            ..self.clone()
        }
    }

    /// The same client at another address: the server was started again.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    /// A request without credentials.
    pub fn anonymous(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("https://{}{path}", self.address))
    }

    /// A request with credentials.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let pathname = path.split('?').next().unwrap_or(path);
        let mut here = endpoints().iter().filter(|it| it.path == pathname);
        let operator = self.operator.as_ref();
        let operator = operator.filter(|_| here.any(RouteRow::is_of_operators));
        self.anonymous(method, path)
            .header(AUTHORIZATION, operator.unwrap_or(&self.authorization))
    }

    /// The serial number of its approved sender.
    #[must_use]
    pub fn sender(&self) -> &str {
        &self.sender
    }

    /// A POST with a JSON body, in which its own sender takes its place.
    pub fn posting(&self, path: &str, body: impl Into<String>) -> RequestBuilder {
        self.request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(self.completed(&body.into()))
    }

    /// A body in which its own sender, and a quote of its server, take their places.
    #[must_use]
    pub fn completed(&self, body: &str) -> String {
        let body = orders::signed(body, &self.sender);
        flows::completed(self, quotes::completed(self, body))
    }

    /// As whom it asks.
    #[must_use]
    pub fn credentials(&self) -> &str {
        &self.authorization
    }

    /// Where and as whom it asks.
    pub(crate) fn place(&self) -> String {
        format!("{} {}", self.address, self.authorization)
    }

    /// The same without connections, for another runtime.
    pub(crate) fn afresh(&self) -> Self {
        Self {
            client: client(&self.certificate),
            ..self.clone()
        }
    }

    /// The request that buys what an order of a family says.
    pub fn buying(&self, family: OrderFamily, order: &Value) -> RequestBuilder {
        let target = family.target(order);
        if family.verb() == Method::POST {
            self.posting(&target, family.body(order))
        } else {
            self.request(family.verb(), &target)
        }
    }

    /// Buys, and reads the whole answer.
    pub async fn buy(&self, family: OrderFamily, order: &Value) -> HttpAnswer {
        send(self.buying(family, order)).await
    }

    /// Asks, and reads the whole answer.
    pub async fn get(&self, path: &str) -> HttpAnswer {
        send(self.request(Method::GET, path)).await
    }

    /// Posts, and reads the whole answer.
    pub async fn post(&self, path: &str, body: &Value) -> HttpAnswer {
        send(self.posting(path, body.to_string())).await
    }

    /// Posts under an `Idempotency-Key`.
    pub async fn post_keyed(&self, path: &str, key: &str, body: &Value) -> HttpAnswer {
        send(
            self.posting(path, body.to_string())
                .header("idempotency-key", key),
        )
        .await
    }

    /// Makes an endpoint without a listener; its number.
    pub async fn make_endpoint(&self) -> String {
        let made = self
            .post("/webhook/endpoint", &json!({"whkUrl": DEAD_END}))
            .await;
        made.with_status(201).json()["whkIdentifier"].to_string()
    }

    /// Deletes an endpoint, unless it is gone already.
    pub async fn delete_endpoint(&self, number: &str) {
        let body = json!({"whkIdentifier": number});
        let answer = self.post("/webhook/delete", &body).await;
        assert!([200, 404].contains(&answer.status), "{answer:?}");
    }

    /// Makes a group of bank accounts; its number.
    pub async fn make_group(&self) -> String {
        let member = json!({
            "bankIdentifier": "NGNIP000013", "accountNumber": "0123476789", "accountName": "Ada",
        });
        let group = json!({"grpName": "Staff", "members": [member]});
        let made = self.post("/transfer/group", &group).await;
        made.with_status(201).json()["grpIdentifier"].to_string()
    }

    /// Keeps a template of messages; its number.
    pub async fn make_template(&self) -> String {
        let template = json!({"tplName": "Hours", "content": "Dear {first}, we open at 9."});
        let made = self.post("/messaging/template", &template).await;
        made.with_status(201).json()["tplIdentifier"].to_string()
    }

    /// Keeps a flow of calls, in which a person is called by the first name; its number.
    pub async fn make_flow(&self) -> String {
        let step = json!({
            "stpName": "ask", "type": "speech", "content": "Dear {first}, press 1.",
            "choices": [{"digit": "1", "stpNext": "ask"}],
        });
        let flow = json!({"flwName": "Confirmation", "steps": [step]});
        let made = self.post("/messaging/flow", &flow).await;
        made.with_status(201).json()["flwIdentifier"].to_string()
    }

    /// Makes a subscription whose first run is in a month: its number.
    pub async fn make_subscription(&self) -> String {
        let monthly = json!({
            "mrcReference": fresh("monthly-"), "subService": "airtime", "countryCode": 566,
            "number": "2348031234567", "amount": "100.00", "billing": "prepaid",
            "subInterval": "month", "subStart": in_a_month(), "subOnFailure": "retry",
        });
        let made = self.post("/billing/subscription", &monthly).await;
        made.with_status(201).json()["subIdentifier"].to_string()
    }

    /// Makes a coupon of 500.00 that is used five times and redeems it for 100.00: the code, its
    /// identifier, and the reference of the redemption. No money moves.
    pub async fn make_coupon(&self) -> [String; 3] {
        let batch = json!({
            "mrcReference": fresh("coupons-"), "vchType": "coupon", "vchAmount": "500.00",
            "vchExpiry": "2029-12-31T00:00:00Z", "vchUses": "5",
        });
        let made = self.post("/voucher/create", &batch).await.with_status(200);
        let coupon = made.json()["vouchers"][0].clone();
        let of = |name: &str| coupon[name].as_str().expect("a text").to_owned();
        let (code, id, reference) = (of("vchCode"), of("vchIdentifier"), fresh("used-"));
        let used = json!({"mrcReference": reference, "vchCode": code, "amount": "100.00"});
        let redeemed = self.post("/voucher/redeem", &used).await;
        redeemed.with_status(200);
        [code, id, reference]
    }

    /// Makes a key with these scopes; its number and the key.
    pub async fn make_key(&self, scopes: &str) -> (String, String) {
        let key = json!({"keyName": fresh("Key "), "keyScopes": scopes});
        let made = self.post("/account/keys", &key).await.with_status(201);
        (made.text("keyIdentifier"), made.text("keySecret"))
    }

    /// Adds a network that a key may be used from; its number.
    pub async fn allow_network(&self, key: &str) -> String {
        let network = json!({"keyIdentifier": key, "alwNetwork": "198.51.100.0/24"});
        let added = self.post("/security/allowlist", &network).await;
        added.with_status(200).text("alwIdentifier")
    }

    /// Revokes a key, where there is one.
    pub async fn revoke_key(&self, number: &str) {
        let body = json!({"keyIdentifier": number});
        let answer = self.post("/account/keys/revoke", &body).await;
        assert!([200, 404].contains(&answer.status), "{answer:?}");
    }

    /// Invites a user; the number and the activation code.
    pub async fn invite_user(&self) -> (String, String) {
        let email = format!("{}@shop.example", fresh("person"));
        let user = json!({"usrEmail": email, "usrName": "Ada", "usrRole": "viewer"});
        let invited = self.post("/account/users", &user).await.with_status(201);
        let number = invited.json()["usrIdentifier"].to_string();
        (number, invited.text("activationCode"))
    }

    /// The key of a new user who is active; its number and the key.
    pub async fn make_key_of_user(&self) -> (String, String) {
        let email = format!("{}@shop.example", fresh("payer"));
        let user = json!({"usrEmail": email, "usrName": "Ada", "usrRole": "finance"});
        let invited = self.post("/account/users", &user).await.with_status(201);
        let (user, code) = (
            &invited.json()["usrIdentifier"],
            invited.text("activationCode"),
        );
        let activation = json!({"usrIdentifier": user, "activationCode": code});
        let activated = self.post("/account/users/activate", &activation).await;
        activated.with_status(200);
        let name = fresh("Key ");
        let key = json!({"keyName": name, "keyScopes": "read,pay", "usrIdentifier": user});
        let made = self.post("/account/keys", &key).await.with_status(201);
        (made.text("keyIdentifier"), made.text("keySecret"))
    }

    /// Has a user ask for a payout of 400,100.00, which waits for an approval; its reference.
    pub async fn wait_for_approval(&self) -> String {
        let limit = json!({"lmtService": "bank", "lmtApprovalAbove": "400000.00"});
        self.post("/account/limits", &limit).await.with_status(200);
        let (number, secret) = self.make_key_of_user().await;
        let reference = fresh("waits-");
        let payout = json!({
            "mrcReference": reference, "bankIdentifier": "NGNIP000013",
            "accountNumber": "0123476789", "txnAmount": "400100.00", "txnNarration": "Rent",
        });
        let request = self
            .as_key(&secret)
            .post("/transfer/bank/payout", &payout)
            .await;
        request.with_status(202);
        self.revoke_key(&number).await;
        reference
    }

    /// Makes an account number that takes any amount; its identifier.
    pub async fn make_collection(&self) -> String {
        let wanted = json!({"mrcReference": fresh("collection-"), "customerName": "Ada Obi"});
        let made = self.post("/collection/account", &wanted).await;
        made.with_status(201).json()["colIdentifier"].to_string()
    }

    /// Makes a draft of an invoice for 1,075.00; its identifier.
    pub async fn make_invoice(&self) -> String {
        let yam = json!({"name": "Yam", "quantity": 1, "amount": "1,000.00", "vatRate": "7.5"});
        let wanted = json!({
            "mrcReference": fresh("invoice-"), "customerName": "Ada Obi", "items": [yam],
            "dueDate": "2030-01-01T00:00:00Z", "currency": "NGN", "invDraft": true,
        });
        let made = self.post("/billing/invoice", &wanted).await;
        made.with_status(201).json()["invIdentifier"].to_string()
    }

    /// The number of a file of a report of a time before there was anything.
    pub async fn make_report(&self) -> String {
        let path = "/reporting/commission/all?from=01-01-2020&to=01-01-2020&format=csv";
        self.get(path).await.with_status(200).text("repIdentifier")
    }

    /// What can be spent and what is held, as `accBalance` and `accHeld` show them.
    pub async fn balance(&self) -> (String, String) {
        let answer = self.get("/account/balance").await.with_status(200);
        (answer.text("accBalance"), answer.text("accHeld"))
    }
}

fn client(certificate: &Certificate) -> Client {
    let client = Client::builder()
        .tls_certs_only([certificate.clone()])
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .timeout(ANSWER_WITHIN)
        .build();
    client.expect("a client")
}

/// The value of an `Authorization` header.
#[must_use]
pub fn basic(identity: &str, key: &str) -> String {
    format!(
        "Basic {}",
        BASE64_STANDARD.encode(format!("{identity}:{key}"))
    )
}

/// Sends a request, reads the whole answer and checks it against the published documents.
pub async fn send(request: RequestBuilder) -> HttpAnswer {
    let (client, request) = request.build_split();
    let request = request.expect("a request");
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let answer = try_send(RequestBuilder::from_parts(client, request))
        .await
        .unwrap_or_else(|error| panic!("no answer: {error:?}"));
    document::check(&method, &path, &answer);
    answer
}

/// Sends a request to a server that may be gone.
///
/// # Errors
/// When there is no whole answer.
pub async fn try_send(request: RequestBuilder) -> Result<HttpAnswer, NoAnswer> {
    let response = request.send().await.map_err(NoAnswer)?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.text().await.map_err(NoAnswer)?;
    Ok(HttpAnswer {
        status,
        headers,
        body,
    })
}
