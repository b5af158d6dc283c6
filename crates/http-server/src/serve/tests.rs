//! The server on real sockets. Deadlines are short here because they are waited for; what they mean
//! is tested on a clock of its own beside the guarded stream.

use super::{ServeError, Served, Server, TlsMaterial};
use crate::settings::{BODY_BYTES_MAX, EdgeSettings, HEAD_BYTES_MAX, HEADERS_MAX};
use crate::testing::{World, authorization};
use rustls_pki_types::{CertificateDer, ServerName};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Short enough to be waited for, long enough for a request on a busy machine.
const SHORT: Duration = Duration::from_millis(300);

struct Running {
    world: World,
    address: SocketAddr,
    certificate: CertificateDer<'static>,
    stop: CancellationToken,
    served: JoinHandle<Served>,
}

/// An answer as it came over the wire.
struct Received {
    status: u16,
    head: String,
    json: Value,
}

impl Running {
    async fn start(change: impl FnOnce(&mut EdgeSettings)) -> Self {
        let world = World::new().await;
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let tls = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
        let mut settings = EdgeSettings::new(0);
        change(&mut settings);
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let bound = Server::bind(any, tls, world.gateway.clone(), settings).await;
        let bound = bound.unwrap();
        let address = bound.local_addr();
        let stop = CancellationToken::new();
        let served = TaskTracker::new().spawn(bound.run(stop.clone()));
        Self {
            world,
            address,
            certificate: made.cert.into(),
            stop,
            served,
        }
    }

    async fn plain(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    async fn tls(&self) -> TlsStream<TcpStream> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let connector = TlsConnector::from(Arc::new(config));
        connector.connect(name, self.plain().await).await.unwrap()
    }
}

fn get(path: &str) -> String {
    let authorization = authorization("shop");
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\r\n")
}

/// The head of a POST whose body is sent apart.
fn post_head(length: usize, extra: &str) -> String {
    let authorization = authorization("shop");
    format!(
        "POST /payment/airtime HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{extra}\r\n"
    )
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, text: impl AsRef<[u8]>) {
    stream.write_all(text.as_ref()).await.unwrap();
    stream.flush().await.unwrap();
}

/// Reads the head of an answer, in lower case.
async fn receive_head<S: AsyncRead + Unpin>(stream: &mut S) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("an answer"));
    }
    String::from_utf8(head).unwrap().to_lowercase()
}

/// Reads one answer.
async fn receive<S: AsyncRead + Unpin>(stream: &mut S) -> Received {
    let head = receive_head(stream).await;
    let line = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
    let length = line("content-length: ").unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    Received {
        status: head[9..12].parse().unwrap(),
        json: serde_json::from_slice(&body).unwrap(),
        head,
    }
}

/// Waits for the other side to close, cleanly or not, without another byte.
async fn closed<S: AsyncRead + Unpin>(stream: &mut S) {
    let ended = tokio::time::timeout(Duration::from_secs(10), stream.read_u8()).await;
    assert!(ended.expect("the connection stays open").is_err());
}

impl Received {
    fn is_cut(&self) -> bool {
        self.head.contains("connection: close")
    }

    #[track_caller]
    fn assert_error(&self, status: u16, place: &str) {
        assert_eq!(self.status, status, "{}", self.json);
        assert_eq!(self.json["code"], status);
        assert!(self.json["errors"][place][0].is_string(), "{}", self.json);
        let id = self.json["requestId"].as_str().unwrap();
        assert!(self.head.contains(&format!("x-request-id: {id}\r\n")));
    }
}

#[tokio::test]
async fn requests_follow_one_another_on_one_connection() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    for _ in 0..3 {
        send(&mut stream, get("/account/balance")).await;
        let received = receive(&mut stream).await;
        assert_eq!(received.status, 200);
        assert_eq!(received.json["accBalance"], "10,000.00");
    }
    // Two at once are answered in their order.
    let both = get("/account/balance") + &get("/nothing");
    send(&mut stream, both).await;
    assert_eq!(receive(&mut stream).await.status, 200);
    assert_eq!(receive(&mut stream).await.status, 404);
}

#[tokio::test]
async fn head_is_answered_without_a_body_and_the_next_request_with_one() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    let head = get("/account/balance").replace("GET", "HEAD");
    send(&mut stream, head + &get("/nothing")).await;
    let head = receive_head(&mut stream).await;
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(!head.contains("content-length: 0\r\n"), "{head}");
    assert_eq!(receive(&mut stream).await.status, 404);
}

#[tokio::test]
async fn a_rejected_request_leaves_the_connection_usable() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    let stranger = post_head(2, "").replace("Basic", "Bearer");
    send(&mut stream, stranger).await;
    // A client that is still sending would lose an answer that came with the end of the connection.
    let early = tokio::time::timeout(SHORT, stream.read_u8()).await;
    assert!(early.is_err(), "the answer came before the body");
    send(&mut stream, "{}").await;
    receive(&mut stream).await.assert_error(401, "request");
    send(&mut stream, get("/account/balance")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
}

#[tokio::test]
async fn a_request_in_the_clear_is_refused_and_the_connection_ends() {
    let running = Running::start(|_| {}).await;
    for request in [get("/account/balance"), post_head(2, "") + "{}"] {
        let mut stream = running.plain().await;
        send(&mut stream, request).await;
        let received = receive(&mut stream).await;
        received.assert_error(403, "request");
        assert!(!received.head.contains("strict-transport-security"));
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn what_is_not_http_is_refused_in_the_envelope() {
    let running = Running::start(|_| {}).await;
    let mut plain = running.plain().await;
    send(&mut plain, "hello\r\n\r\n").await;
    receive(&mut plain).await.assert_error(400, "request");
    closed(&mut plain).await;
    let mut tls = running.tls().await;
    send(&mut tls, "GET / HTTP/9.9\r\n\r\n").await;
    receive(&mut tls).await.assert_error(400, "request");
    closed(&mut tls).await;
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let running = Running::start(|_| {}).await;
    let authorization = authorization("shop");
    let request = |version: &str, hosts: &str| {
        format!(
            "GET /account/balance HTTP/{version}\r\n{hosts}authorization: {authorization}\r\n\r\n"
        )
    };
    for hosts in ["", "host: a\r\nhost: b\r\n", "host: a\r\nhost: a\r\n"] {
        let mut stream = running.tls().await;
        send(&mut stream, request("1.1", hosts)).await;
        receive(&mut stream).await.assert_error(400, "request");
    }
    for (version, hosts) in [("1.0", ""), ("1.1", "host: a\r\n")] {
        let mut stream = running.tls().await;
        send(&mut stream, request(version, hosts)).await;
        assert_eq!(receive(&mut stream).await.status, 200, "{version}");
    }
}

#[tokio::test]
async fn a_head_beyond_its_limit_is_refused_in_the_envelope() {
    let running = Running::start(|_| {}).await;
    let filler = "x".repeat(HEAD_BYTES_MAX);
    let long = format!("GET /?{filler} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let many = "x-many: y\r\n".repeat(HEADERS_MAX + 1);
    let many = format!("GET / HTTP/1.1\r\n{many}\r\n");
    for request in [long, many] {
        let mut stream = running.tls().await;
        send(&mut stream, request).await;
        receive(&mut stream).await.assert_error(413, "request");
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn a_body_one_byte_too_large_is_refused_after_it_was_sent() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(BODY_BYTES_MAX + 1, "")).await;
    send(&mut stream, vec![b' '; BODY_BYTES_MAX + 1]).await;
    receive(&mut stream).await.assert_error(413, "request");
}

#[tokio::test]
async fn a_body_far_too_large_is_refused_before_it_is_sent() {
    let running = Running::start(|_| {}).await;
    for extra in ["expect: 100-continue\r\n", ""] {
        let mut stream = running.tls().await;
        send(&mut stream, post_head(1_000_000_000, extra)).await;
        receive(&mut stream).await.assert_error(413, "request");
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn a_client_that_waits_to_be_told_to_continue_is_told() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(2, "expect: 100-continue\r\n")).await;
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).await.unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    send(&mut stream, "{}").await;
    let received = receive(&mut stream).await;
    assert_eq!(received.status, 400);
    assert!(received.json["errors"]["params"].is_object());
}

#[tokio::test]
async fn a_body_that_stops_coming_is_answered_and_cut() {
    let running = Running::start(|settings| settings.body_timeout = SHORT).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(100, "") + "{").await;
    let received = receive(&mut stream).await;
    received.assert_error(408, "request");
    assert!(received.is_cut());
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_head_that_drips_is_cut() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    let mut encrypted = running.tls().await;
    send(&mut encrypted, "GET / HT").await;
    closed(&mut encrypted).await;
    let mut clear = running.plain().await;
    send(&mut clear, "GET / HT").await;
    closed(&mut clear).await;
}

#[tokio::test]
async fn a_connection_without_a_next_request_is_closed() {
    let running = Running::start(|settings| settings.idle_timeout = SHORT).await;
    let mut stream = running.tls().await;
    for _ in 0..2 {
        send(&mut stream, get("/healthz")).await;
        assert_eq!(receive(&mut stream).await.status, 200);
    }
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_request_that_takes_long_to_answer_is_not_cut() {
    let running = Running::start(|settings| {
        settings.head_timeout = SHORT;
        settings.idle_timeout = SHORT;
    })
    .await;
    let mut stream = start_payment(&running).await;
    let early = tokio::time::timeout(2 * SHORT, stream.read_u8()).await;
    assert!(early.is_err(), "the connection was cut");
    running.world.clock.advance(Duration::from_secs(20)).await;
    assert_eq!(receive(&mut stream).await.status, 202);
}

#[tokio::test]
async fn a_connection_that_says_nothing_or_never_finishes_its_handshake_is_cut() {
    let running = Running::start(|settings| settings.tls_timeout = SHORT).await;
    let mut silent = running.plain().await;
    closed(&mut silent).await;
    let mut half = running.plain().await;
    send(&mut half, [0x16, 0x03, 0x01]).await;
    closed(&mut half).await;
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_their_turn() {
    let running = Running::start(|settings| settings.connections_max = 1).await;
    let mut first = running.tls().await;
    send(&mut first, get("/healthz")).await;
    receive(&mut first).await;
    let mut second = std::pin::pin!(running.tls());
    let early = tokio::time::timeout(SHORT, second.as_mut()).await;
    assert!(early.is_err(), "the second connection did not wait");
    drop(first);
    let mut second = second.await;
    send(&mut second, get("/healthz")).await;
    assert_eq!(receive(&mut second).await.status, 200);
}

#[tokio::test]
async fn a_shutdown_closes_idle_connections_and_takes_no_more() {
    let running = Running::start(|_| {}).await;
    let mut idle = running.tls().await;
    send(&mut idle, get("/healthz")).await;
    receive(&mut idle).await;
    let mut fresh = running.tls().await;
    let mut silent = running.plain().await;
    running.stop.cancel();
    closed(&mut idle).await;
    closed(&mut fresh).await;
    closed(&mut silent).await;
    assert_eq!(running.served.await.unwrap(), Served::Finished);
    assert!(TcpStream::connect(running.address).await.is_err());
}

/// A payment without an outcome before the clock has moved on.
async fn start_payment(running: &Running) -> TlsStream<TcpStream> {
    let body = r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031230010",
        "amount":"100","billing":"prepaid"}"#;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(body.len(), "") + body).await;
    running.world.clock.until_sleepers(2).await;
    stream
}

#[tokio::test]
async fn a_request_in_flight_is_answered_before_the_shutdown_ends() {
    let running = Running::start(|_| {}).await;
    let mut stream = start_payment(&running).await;
    running.stop.cancel();
    running.world.clock.advance(Duration::from_secs(20)).await;
    let received = receive(&mut stream).await;
    assert_eq!((received.status, received.is_cut()), (202, true));
    assert_eq!(running.served.await.unwrap(), Served::Finished);
}

#[tokio::test]
async fn a_request_that_outlasts_the_grace_period_is_cut() {
    let running = Running::start(|settings| settings.grace = SHORT).await;
    let mut stream = start_payment(&running).await;
    running.stop.cancel();
    assert_eq!(running.served.await.unwrap(), Served::Cut(1));
    closed(&mut stream).await;
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let running = Running::start(|_| {}).await;
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let gateway = running.world.gateway.clone();
    let second = Server::bind(running.address, tls, gateway, EdgeSettings::new(0)).await;
    let error = second.unwrap_err();
    assert!(matches!(error, ServeError::Listen { .. }));
    assert!(error.to_string().contains(&running.address.to_string()));
}
