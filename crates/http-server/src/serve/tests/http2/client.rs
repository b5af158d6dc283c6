//! A client that keeps to the protocol. It must not retry.

use super::super::support::Running;
use crate::testing::authorization;
use bytes::Bytes;
use h2::client::{Builder, ResponseFuture, SendRequest};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::request::Builder as RequestBuilder;
use http::{HeaderMap, Request};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

/// One connection.
pub(super) struct Http2Client {
    requests: SendRequest<Bytes>,
    /// Ends with the connection.
    pub(super) connection: JoinHandle<Result<(), h2::Error>>,
}

/// An answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Running {
    pub(super) async fn http2(&self) -> Http2Client {
        self.http2_with(&Builder::new()).await
    }

    pub(super) async fn http2_with(&self, settings: &Builder) -> Http2Client {
        let stream = self.tls_for(&["h2", "http/1.1"]).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (requests, connection) = settings.handshake(stream).await.unwrap();
        Http2Client {
            requests,
            connection: TaskTracker::new().spawn(connection),
        }
    }
}

/// A request of an account.
pub(super) fn request(method: &str, path: &str) -> RequestBuilder {
    Request::builder()
        .method(method)
        .uri(format!("https://localhost{path}"))
        .header(AUTHORIZATION, authorization("shop"))
        .header(CONTENT_TYPE, "application/json")
}

impl Http2Client {
    /// Sends a request whole.
    pub(super) async fn send(&self, request: RequestBuilder, body: &str) -> ResponseFuture {
        let mut requests = self.requests.clone().ready().await.unwrap();
        let request = request.body(()).unwrap();
        let (answer, mut sent) = requests.send_request(request, body.is_empty()).unwrap();
        if !body.is_empty() {
            sent.send_data(body.to_owned().into(), true).unwrap();
        }
        answer
    }

    /// Sends a payment.
    pub(super) async fn pay(&self, reference: &str) -> ResponseFuture {
        let body = format!(
            r#"{{"mrcReference":"{reference}","countryCode":566,"number":"2348031230010",
                "amount":"100","billing":"prepaid"}}"#
        );
        self.send(request("POST", "/payment/airtime"), &body).await
    }

    pub(super) async fn ask(&self, request: RequestBuilder) -> Answer {
        Answer::of(self.send(request, "").await).await.unwrap()
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.ask(request("GET", path)).await
    }

    /// Waits for the server to close the connection, and returns how it did.
    pub(super) async fn closed(self) -> Result<(), h2::Error> {
        let limit = std::time::Duration::from_secs(10);
        let ended = tokio::time::timeout(limit, self.connection).await;
        // A client that can ask no more would close the connection by itself.
        drop(self.requests);
        ended.expect("the connection stays open").unwrap()
    }
}

impl Answer {
    pub(super) async fn of(answer: ResponseFuture) -> Result<Self, h2::Error> {
        let (head, mut stream) = answer.await?.into_parts();
        let mut body = Vec::new();
        while let Some(part) = stream.data().await {
            let part = part?;
            stream.flow_control().release_capacity(part.len())?;
            body.extend_from_slice(&part);
        }
        Ok(Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
        })
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    #[track_caller]
    pub(super) fn assert_error(&self, status: u16, place: &str) {
        let json = self.json();
        assert_eq!(self.status, status, "{json}");
        assert_eq!(json["code"], status);
        assert!(json["errors"][place][0].is_string(), "{json}");
        assert_eq!(self.header("x-request-id"), json["requestId"].as_str());
    }
}
