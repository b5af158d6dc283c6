//! A running server, and a client that sends bytes. It must not use an HTTP client: that would hide
//! the bytes on the wire.

use crate::serve::{HttpServer, ServeSummary, TlsMaterial};
use crate::settings::EdgeSettings;
use crate::testing::{RouteTestWorld, authorization};
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
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Short enough to wait for, long enough for a request on a busy machine.
pub(super) const SHORT: Duration = Duration::from_millis(300);

pub(super) struct Running {
    pub(super) world: RouteTestWorld,
    pub(super) address: SocketAddr,
    certificate: CertificateDer<'static>,
    pub(super) stop: CancellationToken,
    pub(super) served: JoinHandle<ServeSummary>,
}

/// An answer as received over the wire.
pub(super) struct Received {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) json: Value,
}

impl Running {
    pub(super) async fn start(change: impl FnOnce(&mut EdgeSettings)) -> Self {
        let world = RouteTestWorld::new().await;
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let tls = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
        let mut settings = EdgeSettings::new(0);
        change(&mut settings);
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let bound = HttpServer::bind(any, tls, world.gateway.clone(), settings).await;
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

    pub(super) async fn plain(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    pub(super) async fn tls(&self) -> TlsStream<TcpStream> {
        self.tls_for(&[]).await
    }

    /// A connection of a client that knows these protocols.
    pub(super) async fn tls_for(&self, protocols: &[&str]) -> TlsStream<TcpStream> {
        let (config, name) = self.client(protocols);
        let connector = TlsConnector::from(config);
        connector.connect(name, self.plain().await).await.unwrap()
    }

    /// A connection that begins a handshake and does not continue it.
    pub(super) async fn half_tls(&self) -> TcpStream {
        let (config, name) = self.client(&[]);
        let mut hello = Vec::new();
        let mut connection = ClientConnection::new(config, name).unwrap();
        connection.write_tls(&mut hello).unwrap();
        let mut stream = self.plain().await;
        send(&mut stream, hello).await;
        stream
    }

    fn client(&self, protocols: &[&str]) -> (Arc<ClientConfig>, ServerName<'static>) {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let mut config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let protocols = protocols.iter().map(|name| name.as_bytes().to_vec());
        config.alpn_protocols = protocols.collect();
        let name = ServerName::try_from("localhost").unwrap();
        (Arc::new(config), name)
    }
}

pub(super) fn get(path: &str) -> String {
    let authorization = authorization("shop");
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\r\n")
}

/// The head of a POST whose body is sent separately.
pub(super) fn post_head(length: usize, extra: &str) -> String {
    let authorization = authorization("shop");
    format!(
        "POST /payment/airtime HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{extra}\r\n"
    )
}

pub(super) async fn send<S: AsyncWrite + Unpin>(stream: &mut S, text: impl AsRef<[u8]>) {
    stream.write_all(text.as_ref()).await.unwrap();
    stream.flush().await.unwrap();
}

/// Reads the head of an answer, in lower case.
pub(super) async fn receive_head<S: AsyncRead + Unpin>(stream: &mut S) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("an answer"));
    }
    String::from_utf8(head).unwrap().to_lowercase()
}

/// Reads one answer.
pub(super) async fn receive<S: AsyncRead + Unpin>(stream: &mut S) -> Received {
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
pub(super) async fn closed<S: AsyncRead + Unpin>(stream: &mut S) {
    let ended = tokio::time::timeout(Duration::from_secs(10), stream.read_u8()).await;
    assert!(ended.expect("the connection stays open").is_err());
}

impl Received {
    pub(super) fn is_cut(&self) -> bool {
        self.head.contains("connection: close")
    }

    #[track_caller]
    pub(super) fn assert_error(&self, status: u16, place: &str) {
        assert_eq!(self.status, status, "{}", self.json);
        assert_eq!(self.json["code"], status);
        assert!(self.json["errors"][place][0].is_string(), "{}", self.json);
        let id = self.json["requestId"].as_str().unwrap();
        assert!(self.head.contains(&format!("x-request-id: {id}\r\n")));
    }
}

/// A payment without an outcome before the clock is advanced.
pub(super) async fn start_payment(running: &Running) -> TlsStream<TcpStream> {
    let body = r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031230010",
        "amount":"100","billing":"prepaid"}"#;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(body.len(), "") + body).await;
    running.world.clock.until_sleepers(2).await;
    stream
}
