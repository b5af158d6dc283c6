//! A receiver within the suite: it verifies as the standard's library does, keeps what it was told,
//! and answers as it is told to.

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
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
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) body: String,
    /// How long after the receiver's start it came.
    pub(crate) after: Duration,
}

impl Event {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn topic(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// The fields of the report, as they were written.
    pub(crate) fn report(&self) -> String {
        let (_, data) = self.body.split_once(r#""evtSequence":"#).unwrap();
        let (_, report) = data.split_once(',').unwrap();
        report.strip_suffix("}}").unwrap().to_owned()
    }
}

#[derive(Debug, Default)]
struct Heard {
    secrets: Vec<String>,
    events: Vec<Event>,
    refused: u32,
    answer: Option<StatusCode>,
}

/// A receiver on a port of this machine; it ends with this value.
#[derive(Debug)]
pub(crate) struct Receiver {
    address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
    _serving: JoinSet<()>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let heard = Arc::new(Mutex::new(Heard::default()));
        let (taking, started) = (Arc::clone(&heard), Stopwatch::start());
        let receive = move |headers: HeaderMap, body: Bytes| async move {
            let mut heard = taking.lock().unwrap();
            let verifies = |secret: &String| {
                let webhook = Webhook::new(secret).unwrap();
                webhook.verify(&body, &headers).is_ok()
            };
            if !heard.secrets.iter().any(verifies) {
                heard.refused += 1;
                return StatusCode::BAD_REQUEST;
            }
            heard.events.push(Event {
                id: headers["webhook-id"].to_str().unwrap().to_owned(),
                body: String::from_utf8(body.to_vec()).unwrap(),
                after: started.elapsed(),
            });
            heard.answer.unwrap_or(StatusCode::NO_CONTENT)
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", post(receive));
        let mut serving = JoinSet::new();
        serving.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            heard,
            _serving: serving,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Trusts these secrets alone from now on.
    pub(crate) fn trust(&self, secrets: &[&str]) {
        self.heard.lock().unwrap().secrets = secrets.iter().map(ToString::to_string).collect();
    }

    /// Answers this from now on.
    pub(crate) fn answer(&self, status: u16) {
        self.heard.lock().unwrap().answer = Some(StatusCode::from_u16(status).unwrap());
    }

    /// What was delivered so far.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.heard.lock().unwrap().events.clone()
    }

    /// How many deliveries were not signed with a secret that is trusted.
    pub(crate) fn refused(&self) -> u32 {
        self.heard.lock().unwrap().refused
    }

    /// Waits until something was told of a transaction.
    pub(crate) async fn told(&self, topic: &str, reference: &str) -> Event {
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
    pub(crate) async fn heard(&self, count: usize) -> Vec<Event> {
        let what = format!("{count} events");
        patience::eventually(&what, Duration::from_secs(30), async || {
            let events = self.events();
            (events.len() >= count).then_some(events)
        })
        .await
    }
}
