//! A collector of traces on this machine, which also receives webhooks.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;

/// How it treats requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Answering,
    Silent,
}

/// What arrived so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Received {
    pub(crate) requests: usize,
    pub(crate) spans: Vec<ReceivedSpan>,
    resource: Vec<KeyValue>,
    bytes: Vec<u8>,
}

/// A span as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedSpan(Span);

impl std::ops::Deref for ReceivedSpan {
    type Target = Span;

    fn deref(&self) -> &Span {
        &self.0
    }
}

impl ReceivedSpan {
    /// An attribute as text; empty where it is not there.
    pub(crate) fn text(&self, key: &str) -> String {
        text(&self.attributes, key)
    }

    pub(crate) fn hex_trace(&self) -> String {
        hex(&self.trace_id)
    }

    pub(crate) fn hex_parent(&self) -> String {
        hex(&self.parent_span_id)
    }
}

fn hex(id: &[u8]) -> String {
    let digits: Vec<_> = id.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

fn text(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|it| it.key == key);
    let value = found.and_then(|it| it.value.as_ref());
    match value {
        Some(AnyValue {
            value: Some(Value::StringValue(text)),
        }) => text.clone(),
        Some(AnyValue {
            value: Some(Value::IntValue(number)),
        }) => number.to_string(),
        _ => String::new(),
    }
}

impl Received {
    /// The one span of a name.
    pub(crate) fn span(&self, name: &str) -> &ReceivedSpan {
        let named: Vec<_> = self.spans.iter().filter(|it| it.name == name).collect();
        assert_eq!(named.len(), 1, "{name}: {:?}", self.spans);
        named[0]
    }

    /// Whether a text stands anywhere in what arrived.
    pub(crate) fn contain(&self, text: &str) -> bool {
        let mut windows = self.bytes.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    }

    /// Who says that it sent the spans.
    pub(crate) fn service(&self) -> String {
        text(&self.resource, "service.name")
    }

    fn take(&mut self, body: &[u8]) {
        self.bytes.extend_from_slice(body);
        let export = ExportTraceServiceRequest::decode(body).unwrap();
        for of_resource in export.resource_spans {
            self.resource = of_resource.resource.unwrap_or_default().attributes;
            for scope in of_resource.scope_spans {
                self.spans.extend(scope.spans.into_iter().map(ReceivedSpan));
            }
        }
    }
}

/// A collector that listens.
#[derive(Debug)]
pub(crate) struct Collector {
    address: SocketAddr,
    received: Arc<Mutex<Received>>,
}

impl Collector {
    pub(crate) fn answering() -> Self {
        Self::start(Manner::Answering)
    }

    /// It reads requests and leaves them without an answer.
    pub(crate) fn silent() -> Self {
        Self::start(Manner::Silent)
    }

    /// The address of one that is there no longer.
    pub(crate) fn gone() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(Mutex::new(Received::default()));
        let shared = Arc::clone(&received);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, manner, &shared));
            }
        });
        Self { address, received }
    }

    /// What arrived once it is enough, which must not take long.
    pub(crate) fn wait_for(&self, is_enough: impl Fn(&Received) -> bool) -> Received {
        let (_keep, pause) = std::sync::mpsc::channel::<()>();
        for _ in 0..200 {
            let received = self.received.lock().unwrap().clone();
            if is_enough(&received) {
                return received;
            }
            let _ = pause.recv_timeout(Duration::from_millis(100));
        }
        panic!("not enough arrived: {:?}", self.received.lock().unwrap());
    }
}

/// Reads the requests of a connection to its end.
fn serve(stream: TcpStream, manner: Manner, received: &Mutex<Received>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some((head, body)) = request(&mut reader) {
        let is_export = head.starts_with("post /v1/traces ");
        let mut received = received.lock().unwrap();
        if is_export {
            assert!(
                head.contains("content-type: application/x-protobuf"),
                "{head}"
            );
            received.requests += 1;
        }
        if manner == Manner::Silent {
            continue;
        }
        if is_export {
            received.take(&body);
        }
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        if writer.write_all(answer).is_err() {
            return;
        }
    }
}

/// The head of a request in small letters, and its body.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_ascii_lowercase();
    let mut lengths = head
        .lines()
        .filter_map(|it| it.strip_prefix("content-length: "));
    let length = lengths.next().map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}
