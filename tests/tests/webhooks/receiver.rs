//! A receiver within the suite: it verifies as the standard's library does, keeps what it received,
//! and answers as the test says.

use crate::caller::CallerLine;
use axum::Router;
use axum::body::Bytes;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::routing::post;
use serde_json::Value;
use standardwebhooks::Webhook;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tests::patience::{self, Stopwatch};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// What was delivered.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedEvent {
    pub(crate) id: String,
    pub(crate) body: String,
    /// How long after the receiver's start it came.
    pub(crate) after: Duration,
    /// Where it came to.
    pub(crate) path: String,
    /// Which of the distinguished processes delivered it.
    pub(crate) caller: Option<u32>,
}

impl ReceivedEvent {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn topic(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    pub(crate) fn sequence(&self) -> u64 {
        self.json()["data"]["evtSequence"].as_u64().unwrap()
    }

    /// The fields of the report, as they were written.
    pub(crate) fn report(&self) -> String {
        let (_, data) = self.body.split_once(r#""evtSequence":"#).unwrap();
        let (_, report) = data.split_once(',').unwrap();
        report.strip_suffix("}}").unwrap().to_owned()
    }
}

#[derive(Debug, Default)]
struct ReceivedRequest {
    secrets: Vec<String>,
    events: Vec<ReceivedEvent>,
    refused: u32,
    answer: Option<StatusCode>,
    /// So many are answered that they failed, before anything else is answered.
    failing: u32,
    /// Whether what it was sent is its answer.
    echoes: bool,
    /// How long it takes to answer.
    pause: Duration,
    /// The distinguished processes.
    callers: Vec<u32>,
}

impl ReceivedRequest {
    /// Keeps an event whose signature is trusted; what is answered, and after which pause.
    fn take_in(&mut self, event: ReceivedEvent, headers: &HeaderMap) -> (StatusCode, Duration) {
        let verifies = |secret: &String| {
            let webhook = Webhook::new(secret).unwrap();
            webhook.verify(event.body.as_bytes(), headers).is_ok()
        };
        if !self.secrets.iter().any(verifies) {
            self.refused += 1;
            return (StatusCode::BAD_REQUEST, Duration::ZERO);
        }
        self.events.push(event);
        if self.failing > 0 {
            self.failing -= 1;
            return (StatusCode::INTERNAL_SERVER_ERROR, self.pause);
        }
        (self.answer.unwrap_or(StatusCode::NO_CONTENT), self.pause)
    }
}

/// A receiver on a port of this machine; it ends with this value.
#[derive(Debug)]
pub(crate) struct WebhookReceiver {
    address: SocketAddr,
    received: Arc<Mutex<ReceivedRequest>>,
    _serving: JoinSet<()>,
}

impl WebhookReceiver {
    pub(crate) async fn start() -> Self {
        let received = Arc::new(Mutex::new(ReceivedRequest::default()));
        let (taking, started) = (Arc::clone(&received), Stopwatch::start());
        let receive =
            move |line: ConnectInfo<CallerLine>, uri: Uri, headers: HeaderMap, body: Bytes| {
                let received = Arc::clone(&taking);
                async move {
                    let callers = received.lock().unwrap().callers.clone();
                    let event = ReceivedEvent {
                        id: headers["webhook-id"].to_str().unwrap().to_owned(),
                        body: String::from_utf8(body.to_vec()).unwrap(),
                        after: started.elapsed(),
                        path: uri.path().to_owned(),
                        caller: line.0.caller(&callers),
                    };
                    let echo = received.lock().unwrap().echoes.then(|| event.body.clone());
                    let (answer, pause) = received.lock().unwrap().take_in(event, &headers);
                    if !pause.is_zero() {
                        tokio::time::sleep(pause).await;
                    }
                    (answer, echo.unwrap_or_default())
                }
            };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback_service(post(receive));
        let service = router.into_make_service_with_connect_info::<CallerLine>();
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, service).await.unwrap() });
        Self {
            address,
            received,
            _serving: serving,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// An address of its own for each of several endpoints.
    pub(crate) fn url_of(&self, place: usize) -> String {
        format!("{}{place}", self.url())
    }

    /// Tells these processes apart from now on.
    pub(crate) fn distinguish(&self, processes: &[u32]) {
        self.received.lock().unwrap().callers = processes.to_vec();
    }

    /// Trusts these secrets alone from now on.
    pub(crate) fn trust(&self, secrets: &[&str]) {
        self.received.lock().unwrap().secrets = secrets.iter().map(ToString::to_string).collect();
    }

    /// Answers this from now on.
    pub(crate) fn answer(&self, status: u16) {
        self.received.lock().unwrap().answer = Some(StatusCode::from_u16(status).unwrap());
    }

    /// Answers with what it was sent from now on.
    pub(crate) fn echo(&self) {
        self.received.lock().unwrap().echoes = true;
    }

    /// Takes so long to answer from now on, as receivers far away do.
    pub(crate) fn take(&self, pause: Duration) {
        self.received.lock().unwrap().pause = pause;
    }

    /// Answers that it failed to the next ones.
    pub(crate) fn fail(&self, count: u32) {
        self.received.lock().unwrap().failing = count;
    }

    /// Looks at what was delivered so far.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&[ReceivedEvent]) -> T) -> T {
        look(&self.received.lock().unwrap().events)
    }

    /// What was delivered so far.
    pub(crate) fn events(&self) -> Vec<ReceivedEvent> {
        self.received.lock().unwrap().events.clone()
    }

    /// How many deliveries were not signed with a secret that is trusted.
    pub(crate) fn refused(&self) -> u32 {
        self.received.lock().unwrap().refused
    }

    /// Waits for an event of a transaction.
    pub(crate) async fn reported(&self, topic: &str, reference: &str) -> ReceivedEvent {
        let what = format!("{topic} of {reference}");
        patience::eventually(&what, Duration::from_secs(30), async || {
            self.events().into_iter().find(|event| {
                let event = event.json();
                event["type"] == topic && event["data"]["mrcReference"] == reference
            })
        })
        .await
    }

    /// Waits until so many were delivered.
    pub(crate) async fn received(&self, count: usize) -> Vec<ReceivedEvent> {
        let what = format!("{count} events");
        patience::eventually(&what, Duration::from_secs(30), async || {
            let events = self.events();
            (events.len() >= count).then_some(events)
        })
        .await
    }
}
