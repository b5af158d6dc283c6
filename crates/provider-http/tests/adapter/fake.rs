//! A server that answers as a test says, with a right signature or without. It must never decide
//! by itself what is right.

use crate::support::{KEYS, adapter, now};
use provider_http::HttpProvider;
use provider_protocol::signature::{AnswerBinding, AnswerParts, SignatureKeys, sign_answer};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::TaskTracker;

/// How an answer goes out.
#[derive(Debug, Clone)]
pub(crate) enum FakeReply {
    /// Signed as it should be.
    Signed(u16, Vec<u8>),
    /// Signed so many seconds away from now.
    SignedAt(i64, Vec<u8>),
    /// Signed as the answer to an earlier request.
    Crossed(Vec<u8>),
    /// Without a signature, with these header lines.
    Plain(u16, &'static str, Vec<u8>),
    /// Signed, and cut off after so many bytes of the body.
    Cut(usize, Vec<u8>),
}

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct FakeRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    host: String,
    signature: String,
    body: Vec<u8>,
}

impl FakeRequest {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

type Replies = Arc<Mutex<dyn FnMut(&FakeRequest) -> FakeReply + Send>>;

/// The server and its adapter.
pub(crate) struct FakeProvider {
    pub(crate) adapter: HttpProvider,
    pub(crate) capabilities: Arc<Mutex<Value>>,
    replies: Arc<Mutex<Option<Replies>>>,
    url: String,
}

impl FakeProvider {
    /// Where it listens, for further adapters.
    pub(crate) fn adapter_url(&self) -> &str {
        &self.url
    }

    /// Listens and has the adapter read the capabilities.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let capabilities = Arc::new(Mutex::new(capabilities()));
        let replies: Arc<Mutex<Option<Replies>>> = Arc::default();
        let (served, scripted) = (capabilities.clone(), replies.clone());
        TaskTracker::new().spawn(async move {
            let previous = Arc::new(Mutex::new(String::new()));
            let connections = TaskTracker::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (served, scripted) = (served.clone(), scripted.clone());
                let previous = previous.clone();
                connections.spawn(async move {
                    converse(stream, (served, scripted), previous).await;
                });
            }
        });
        let adapter = adapter(&url, KEYS);
        adapter.refresh().await.unwrap();
        Self {
            adapter,
            capabilities,
            replies,
            url,
        }
    }

    /// What everything but the capabilities is answered with from now on.
    pub(crate) fn replies(&self, reply: impl FnMut(&FakeRequest) -> FakeReply + Send + 'static) {
        *self.replies.lock().unwrap() = Some(Arc::new(Mutex::new(reply)));
    }
}

pub(crate) fn capabilities() -> Value {
    let text = include_str!("../../../provider-protocol/tests/vectors/capabilities.json");
    let mut capabilities: Value = serde_json::from_str(text).unwrap();
    let airtime = capabilities["services"]["airtime"].clone();
    capabilities["services"]["electricity"] = airtime;
    capabilities
}

/// The object that answers a submission rightly.
pub(crate) fn right(request: &FakeRequest, state: &str) -> Value {
    let asked = request.json();
    json!({
        "reference": asked["reference"],
        "service": asked["service"],
        "amount": asked["amount"],
        "beneficiary": asked["order"]["number"],
        "state": state,
        "providerReference": "P-1",
        "cost": {"minor": 97_000, "currency": "NGN"},
        "at": "2026-01-15T09:00:00.000Z",
        "sequence": 2,
    })
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<FakeRequest> {
    let mut request = FakeRequest::default();
    let (mut line, mut length) = (String::new(), 0);
    stream.read_line(&mut line).await.ok()?;
    let mut words = line.split(' ');
    request.method = words.next()?.to_owned();
    request.path = words.next()?.to_owned();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "host" => value.clone_into(&mut request.host),
            "signature" => value.clone_into(&mut request.signature),
            "content-length" => length = value.parse().unwrap(),
            _ => {}
        }
    }
    request.body = vec![0; length];
    stream.read_exact(&mut request.body).await.ok()?;
    Some(request)
}

async fn converse(
    stream: TcpStream,
    (capabilities, replies): (Arc<Mutex<Value>>, Arc<Mutex<Option<Replies>>>),
    previous: Arc<Mutex<String>>,
) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await {
        let reply = if request.path == "/v1/capabilities" {
            FakeReply::Signed(200, capabilities.lock().unwrap().to_string().into_bytes())
        } else {
            let reply = replies
                .lock()
                .unwrap()
                .clone()
                .expect("a test says what is answered");
            let mut reply = reply.lock().unwrap();
            reply(&request)
        };
        let crossed = previous.lock().unwrap().clone();
        request.signature.clone_into(&mut previous.lock().unwrap());
        let bytes = written(&request, reply, &crossed);
        let is_cut = bytes.1;
        if stream.get_mut().write_all(&bytes.0).await.is_err() || is_cut {
            return;
        }
    }
}

/// The bytes of an answer, and whether the connection ends with them.
fn written(request: &FakeRequest, reply: FakeReply, crossed: &str) -> (Vec<u8>, bool) {
    let at = now().as_millis() / 1_000;
    let (status, headers, body, cut) = match reply {
        FakeReply::Signed(status, body) => {
            let headers = signed((status, &body), (request, &request.signature), at);
            (status, headers, body, None)
        }
        FakeReply::SignedAt(away, body) => {
            let headers = signed((200, &body), (request, &request.signature), at + away);
            (200, headers, body, None)
        }
        FakeReply::Crossed(body) => {
            let headers = signed((200, &body), (request, crossed), at);
            (200, headers, body, None)
        }
        FakeReply::Plain(status, headers, body) => (status, headers.to_owned(), body, None),
        FakeReply::Cut(length, body) => {
            let headers = signed((200, &body), (request, &request.signature), at);
            (200, headers, body, Some(length))
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    let sent = &body[..cut.unwrap_or(body.len())];
    ([head.as_bytes(), sent].concat(), cut.is_some())
}

fn signed(
    (status, body): (u16, &[u8]),
    (request, signature): (&FakeRequest, &str),
    at: i64,
) -> String {
    let keys = SignatureKeys::parse(KEYS).unwrap();
    let target_uri = format!("http://{}{}", request.host, request.path);
    let binding = AnswerBinding {
        method: &request.method,
        target_uri: &target_uri,
        signature,
    };
    let fields = sign_answer(&keys, (AnswerParts { status, body }, binding), at);
    format!(
        "Content-Digest: {}\r\nSignature-Input: {}\r\nSignature: {}\r\n",
        fields.content_digest, fields.signature_input, fields.signature
    )
}
