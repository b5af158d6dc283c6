//! A receiver of events. Needs the crates `standardwebhooks`, `axum`, `tokio` and `serde_json`; run
//! with `WEBHOOK_SECRET=whsec_... receiver 9000`.
#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "it shows what it receives; what is not there reads as null"
)]

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::{Router, routing::post};
use standardwebhooks::Webhook;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let webhook = Arc::new(Webhook::new(&std::env::var("WEBHOOK_SECRET")?)?);
    // In your database: events come at least once.
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let receive = move |headers: HeaderMap, body: Bytes| async move {
        // The signature is over these very bytes: verify first, parse afterwards.
        if webhook.verify(&body, &headers).is_err() {
            return StatusCode::BAD_REQUEST;
        }
        let Ok(event) = serde_json::from_slice::<serde_json::Value>(&body) else {
            return StatusCode::BAD_REQUEST;
        };
        let id = event["data"]["evtIdentifier"].to_string();
        if seen.lock().is_ok_and(|mut seen| seen.insert(id.clone())) {
            println!("{} {id}", event["type"]);
        }
        StatusCode::NO_CONTENT
    };
    let port = std::env::args().nth(1).unwrap_or_default();
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    println!("ready {}", listener.local_addr()?.port());
    Ok(axum::serve(listener, Router::new().route("/", post(receive))).await?)
}
