//! The edge that the tests of this crate send requests to, over a gateway with simulated ports. It
//! must hold no rule of its own: assertions belong to the tests.

pub(crate) mod orders;
mod shelf;
mod stubs;
pub(crate) mod webhooks;

use crate::edge::Edge;
use crate::layers::body::Body;
use crate::layers::client_address::Peer;
use crate::layers::security_headers::TransportSecurity;
use crate::settings::EdgeSettings;
use crate::streamed_file::ReplyBody;
use application::collections::CollectionTerms;
use application::credentials::{Pepper, hash_key, mint_key};
use application::lookups::Lookups;
use application::price_overrides::PriceOverrides;
use application::providers::Providers;
use application::settings::Settings;
use application::{Gateway, Parts};
use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::Bytes;
use domain::bank::charges::ChargeRules;
use domain::credential::KeyRecord;
use domain::environment::{ByEnvironment, Environment};
use domain::order::Service;
use domain::sms::{Sender, SenderStatus};
use domain::wallet::CreditPrices;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use http::{Request, Response, StatusCode, request};
use http_body_util::{BodyExt, Full};
use ports::accounts::Accounts;
use ports::catalogue::FixedCatalogue;
use ports::fault_point::NoFaultPoints;
use ports::messaging_library::{LibraryCreation, MessagingLibrary};
use ports::peers::{Peers, SingleInstance};
use ports::provider::Provider;
use ports::senders::{SenderRegistration, Senders};
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use testkit::builders;
use testkit::clock::ManualClock;
use testkit::contract::storage::Stores;
use testkit::faults::FaultyBooks;
use testkit::ids::SeededIds;
use testkit::journal::MemoryJournal;
use testkit::memory::MemoryStore;
use testkit::targets::HttpsTargets;

const PEPPER: [u8; 32] = [7; 32];

/// The client address of requests unless a test sets one (RFC 5737).
pub(crate) const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// An edge, and the gateway and store behind it.
pub(crate) struct RouteTestWorld {
    pub(crate) edge: Edge,
    pub(crate) gateway: Gateway,
    pub(crate) clock: Arc<ManualClock>,
    /// The store.
    pub(crate) store: Arc<MemoryStore>,
    /// The faulty ledger through which the store is written.
    pub(crate) ledger: Arc<FaultyBooks>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct TestAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    /// Null for an answer without a body, and for a file.
    pub(crate) json: Value,
}

impl RouteTestWorld {
    /// Accounts `shop` (10,000.00), `other` (10,000.00), `poor` (nothing), `closed` (suspended) and
    /// `texter`, which pays for messages with credits and has ten. All but `closed` have a sender
    /// that is approved, 100000000001 to 100000000004 in this order, and `shop` has 100000000009,
    /// which waits for its approval. Each keeps a flow under the number 7.
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// The same with changed settings of the edge.
    pub(crate) async fn with(change: impl FnOnce(&mut EdgeSettings)) -> Self {
        Self::among(Arc::new(SingleInstance), ManualClock::start(), change).await
    }

    /// The same among other instances, whose clock it shares.
    pub(crate) async fn among(
        peers: Arc<dyn Peers>,
        clock: Arc<ManualClock>,
        change: impl FnOnce(&mut EdgeSettings),
    ) -> Self {
        let mut settings = EdgeSettings::new(0);
        change(&mut settings);
        let store = MemoryStore::new();
        let accounts = [
            builders::account("shop").with_balance("10,000.00"),
            builders::account("other").with_balance("10,000.00"),
            builders::account("poor"),
            builders::account("closed").suspended(),
            builders::account("texter")
                .messages_in_credits()
                .with_credits("10.00"),
        ];
        for account in accounts {
            let new = account.new_account();
            let (id, pepper) = (&new.account.id, Pepper::new(PEPPER));
            let key = KeyRecord {
                hash: hash_key(&pepper, id, new.key.id, &key_of(id.as_str())),
                ..new.key.clone()
            };
            let new = ports::accounts::NewAccount { key, ..new };
            store.create(&new).await.unwrap();
        }
        for (account, serial, status) in [
            ("shop", "100000000001", SenderStatus::Approved),
            ("other", "100000000002", SenderStatus::Approved),
            ("poor", "100000000003", SenderStatus::Approved),
            ("texter", "100000000004", SenderStatus::Approved),
            ("shop", "100000000009", SenderStatus::Pending),
        ] {
            let name = format!("Name{}", &serial[8..]);
            let sender = builders::sender(account, serial, &name);
            let registered = store.register(&Sender { status, ..sender }).await;
            assert_eq!(registered.unwrap(), SenderRegistration::Done);
        }
        for account in ["shop", "other", "poor", "closed", "texter"] {
            let kept = store.keep(&builders::kept_flow(account, 7)).await;
            assert_eq!(kept.unwrap(), LibraryCreation::Done);
        }
        let books = FaultyBooks::over(&Stores::of(store.clone()), clock.clone());
        let gateway = Gateway::new(Parts {
            peers,
            ledger: books.clone(),
            ..parts(&store, &clock)
        });
        Self {
            edge: Edge::new(gateway.clone(), &settings),
            gateway,
            clock,
            store,
            ledger: books,
        }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> TestAnswer {
        self.send_over(client(TransportSecurity::Tls), request)
            .await
    }

    /// Sends a request over a connection of its own.
    pub(crate) async fn send_over(&self, peer: Peer, mut request: Request<Body>) -> TestAnswer {
        // Every client names the host it connects to.
        let host = request.headers_mut().entry(HOST);
        host.or_insert(HeaderValue::from_static("localhost"));
        let response = Box::pin(self.edge.answer_over(peer, None, request)).await;
        let (head, body) = response.response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        TestAnswer::read(head.status, head.headers, bytes.to_vec())
    }

    /// The answer of an edge to a request, unread.
    pub(crate) async fn answer(&self, request: Request<Body>) -> Response<ReplyBody> {
        let peer = client(TransportSecurity::Tls);
        Box::pin(self.edge.answer_over(peer, None, request))
            .await
            .response
    }

    /// Sends a request that waits for the clock, which is advanced by the answer window.
    pub(crate) async fn send_and_wait(&self, request: Request<Body>) -> TestAnswer {
        let window = Settings::default().answer_window;
        let (answer, ()) = tokio::join!(Box::pin(self.send(request)), self.clock.advance(window));
        answer
    }
}

impl TestAnswer {
    fn read(status: StatusCode, headers: HeaderMap, bytes: Vec<u8>) -> Self {
        let is_pdf = headers
            .get(CONTENT_TYPE)
            .is_some_and(|it| it == "application/pdf");
        let text = if is_pdf {
            String::from_utf8_lossy(&bytes).into_owned()
        } else {
            String::from_utf8(bytes).unwrap()
        };
        let json = if text.is_empty() {
            let has_none = status == StatusCode::NO_CONTENT || status.is_redirection();
            assert!(has_none, "an answer without a body");
            Value::Null
        } else if is_pdf || headers[CONTENT_TYPE].as_bytes().starts_with(b"text/") {
            Value::Null
        } else {
            assert_eq!(headers[CONTENT_TYPE], "application/json");
            serde_json::from_str(&text).unwrap()
        };
        Self {
            status: status.as_u16(),
            headers,
            text,
            json,
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(|value| value.to_str().unwrap());
        value.unwrap_or_else(|| panic!("no {name} in {:?}", self.headers))
    }

    /// Asserts an error of a kind that names one attribute with at least one message.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, service: Option<u16>, place: &str) {
        let json = &self.json;
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(json["code"], status);
        assert_eq!(json["status"], "error");
        assert_eq!(
            json.get("serviceCode").and_then(Value::as_u64),
            service.map(u64::from)
        );
        assert_eq!(json["requestId"], self.header("x-request-id"));
        let messages = json["errors"].pointer(place);
        let messages = messages.and_then(Value::as_array);
        assert!(messages.is_some_and(|all| !all.is_empty()), "{}", self.text);
    }

    /// Asserts that the gateway could not serve the request now, did nothing, and sent
    /// `Retry-After`.
    #[track_caller]
    pub(crate) fn assert_untaken(&self, seconds: &str) {
        self.assert_error(503, None, "/system");
        let remedy = self.json["errors"]["system"][0].as_str().unwrap();
        assert!(remedy.contains("nothing was done"), "{remedy}");
        assert_eq!(self.header("retry-after"), seconds, "{}", self.text);
    }

    #[track_caller]
    pub(crate) fn assert_success(&self, status: u16) {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.json["code"], status);
        assert_eq!(self.json["status"], "success");
    }
}

/// The peer of requests unless a test sets one.
pub(crate) fn client(transport: TransportSecurity) -> Peer {
    let address = CLIENT;
    Peer { address, transport }
}

/// The key of an account.
pub(crate) fn key_of(account: &str) -> String {
    let seed = account.bytes().fold(0_u8, u8::wrapping_add);
    mint_key(Environment::Test, [seed; 32])
}

/// The `Authorization` header of an account.
pub(crate) fn authorization(account: &str) -> String {
    let pair = format!("{account}:{}", key_of(account));
    format!("Basic {}", BASE64_STANDARD.encode(pair))
}

/// A request of an account.
pub(crate) fn request_of(account: &str, method: &str, target: &str) -> request::Builder {
    let builder = Request::builder().method(method).uri(target);
    let builder = builder.header(HOST, "localhost");
    builder.header(AUTHORIZATION, authorization(account))
}

/// A GET of `shop`.
pub(crate) fn get(target: &str) -> Request<Body> {
    bare(request_of("shop", "GET", target))
}

/// A POST of `shop`.
pub(crate) fn post(target: &str, body: impl Into<Bytes>) -> Request<Body> {
    post_of("shop", target, body)
}

/// A POST of an account.
pub(crate) fn post_of(account: &str, target: &str, body: impl Into<Bytes>) -> Request<Body> {
    let builder = request_of(account, "POST", target);
    let builder = builder.header(CONTENT_TYPE, "application/json");
    builder.body(self::body(body)).unwrap()
}

/// A request without a body.
pub(crate) fn bare(builder: request::Builder) -> Request<Body> {
    builder.body(body(Bytes::new())).unwrap()
}

/// A body that is there whole.
pub(crate) fn body(bytes: impl Into<Bytes>) -> Body {
    let whole = Full::new(bytes.into());
    whole.map_err(|never| match never {}).boxed_unsync()
}

fn parts(store: &Arc<MemoryStore>, clock: &Arc<ManualClock>) -> Parts {
    let provider: Arc<dyn Provider> = Arc::new(stubs::StubProvider::new());
    let delivering = Service::delivered().map(|service| (service, Arc::clone(&provider)));
    Parts {
        ledger: Arc::<MemoryStore>::clone(store),
        transactions: Arc::<MemoryStore>::clone(store),
        batches: Arc::<MemoryStore>::clone(store),
        groups: Arc::<MemoryStore>::clone(store),
        library: Arc::<MemoryStore>::clone(store),
        access_keys: Arc::<MemoryStore>::clone(store),
        spending_limits: Arc::<MemoryStore>::clone(store),
        freezes: Arc::<MemoryStore>::clone(store),
        allowlists: Arc::<MemoryStore>::clone(store),
        account_changes: Arc::<MemoryStore>::clone(store),
        request_log: Arc::<MemoryStore>::clone(store),
        incoming: Arc::<MemoryStore>::clone(store),
        users: Arc::<MemoryStore>::clone(store),
        refunds: Arc::<MemoryStore>::clone(store),
        top_ups: Arc::<MemoryStore>::clone(store),
        collections: Arc::<MemoryStore>::clone(store),
        invoices: Arc::<MemoryStore>::clone(store),
        bookings: Arc::<MemoryStore>::clone(store),
        collection_terms: CollectionTerms::default(),
        vouchers: Arc::<MemoryStore>::clone(store),
        recurring: Arc::<MemoryStore>::clone(store),
        receiving_account: Some(builders::receiving_account()),
        reports: Arc::<MemoryStore>::clone(store),
        report_runs: Arc::<MemoryStore>::clone(store),
        leases: Arc::<MemoryStore>::clone(store),
        journal: MemoryJournal::new(),
        reconciliation: Arc::<MemoryStore>::clone(store),
        changes: Arc::<MemoryStore>::clone(store),
        message_ids: Arc::<MemoryStore>::clone(store),
        accounts: Arc::<MemoryStore>::clone(store),
        peers: Arc::new(SingleInstance),
        senders: Arc::<MemoryStore>::clone(store),
        endpoints: Arc::<MemoryStore>::clone(store),
        outbox: Arc::<MemoryStore>::clone(store),
        targets: Arc::new(HttpsTargets),
        providers: Providers::new(delivering.collect()),
        lookups: ByEnvironment::from_fn(|_| Lookups::all(&Arc::new(stubs::StubLookups))),
        banks: Arc::new(shelf::banks()),
        charges: ChargeRules::default_nigeria(),
        credit_prices: CreditPrices::default(),
        catalogue: Arc::new(FixedCatalogue::new(shelf::test_catalogue())),
        numbering: Arc::new(stubs::StubNumberingPlan),
        geolocation: Arc::new(testkit::geolocation::Atlas),
        reverse_names: Arc::new(testkit::geolocation::TestNames::Known),
        transmitters: Arc::new(ports::geolocation::NoTransmitters),
        clock: Arc::<ManualClock>::clone(clock),
        ids: Arc::new(SeededIds::new(1)),
        probe: Arc::new(NoFaultPoints),
        measurements: Arc::new(ports::measurements::Unmeasured),
        price_overrides: PriceOverrides::default(),
        settings: Settings::default(),
        pepper: Pepper::new(PEPPER),
    }
}
