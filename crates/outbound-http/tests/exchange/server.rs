//! A server on this machine that does what its script says, and counts what reaches it.

use outbound_http::{
    ExchangeError, OutboundAnswer, OutboundClient, OutboundRequest, OutboundSettings,
    OutboundTarget, PlainHttp,
};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls_pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::clock::ManualClock;
use testkit::permit::FixedPermit;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

/// The name on the certificates.
pub(crate) const HERE: &str = "localhost";

/// So that a suite of servers that do nothing takes seconds.
pub(crate) const DEADLINE: Duration = Duration::from_millis(1500);
const CONNECT: Duration = Duration::from_millis(500);

/// How fast a slow server is.
const DRIP: Duration = Duration::from_millis(20);

/// Long enough for what was written to be read, on a machine that does much else.
const PAUSE: Duration = Duration::from_millis(100);

/// How large a body may be.
pub(crate) const BODY_MAX: usize = 1000;

pub(crate) const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// One step of what a server does with a connection. After the last it closes it.
#[derive(Debug, Clone)]
pub(crate) enum ServerStep {
    /// Reads one request.
    Read,
    /// Reads until the client closes.
    ReadToEnd,
    /// Writes these bytes.
    Say(Vec<u8>),
    /// Writes a byte now and then, for ever.
    Drip,
    /// Does nothing, for ever.
    Hang,
    /// Lets what it wrote be read.
    Pause,
    /// Closes with a reset.
    Reset,
}

pub(crate) fn say(bytes: &[u8]) -> ServerStep {
    ServerStep::Say(bytes.to_vec())
}

/// An authority, and what a server shows.
pub(crate) struct ServerAuthority {
    params: CertificateParams,
    key: KeyPair,
}

impl ServerAuthority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self { params, key }
    }

    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.params.self_signed(&self.key).unwrap().der().clone()
    }

    pub(crate) fn acceptor(&self, name: &str) -> TlsAcceptor {
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::from_params(&self.params, &self.key);
        let signed = params.signed_by(&key, &issuer).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![signed.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}

/// A server. It ends with the test.
pub(crate) struct ScriptedServer {
    pub(crate) port: u16,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
    ended: watch::Receiver<usize>,
    _tasks: JoinSet<()>,
}

impl ScriptedServer {
    /// One script for each connection, the last for all that follow.
    pub(crate) async fn with(tls: Option<TlsAcceptor>, scripts: Vec<Vec<ServerStep>>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let (ending, ended) = watch::channel(0);
        let mut tasks = JoinSet::new();
        let books = received.clone();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let index = books.lock().unwrap().len();
                books.lock().unwrap().push(Vec::new());
                let script = scripts.get(index).or(scripts.last()).unwrap().clone();
                let (tls, ending) = (tls.clone(), ending.clone());
                let book = Book(books.clone(), index);
                open.spawn(async move {
                    serve(stream, tls, (script, book)).await;
                    ending.send_modify(|count| *count += 1);
                });
            }
        });
        Self {
            port,
            received,
            ended,
            _tasks: tasks,
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// What arrived over each connection, as text.
    pub(crate) fn received(&self) -> Vec<String> {
        let received = self.received.lock().unwrap();
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        received.iter().map(text).collect()
    }

    /// Waits until so many connections have ended.
    pub(crate) async fn ended(&self, connections: usize) {
        let mut ended = self.ended.clone();
        ended.wait_for(|count| *count >= connections).await.unwrap();
    }
}

struct Book(Arc<Mutex<Vec<Vec<u8>>>>, usize);

impl Book {
    fn note(&self, bytes: &[u8]) {
        self.0.lock().unwrap()[self.1].extend_from_slice(bytes);
    }
}

async fn serve(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    (script, book): (Vec<ServerStep>, Book),
) {
    stream.set_nodelay(true).unwrap();
    let resets = script.iter().any(|act| matches!(act, ServerStep::Reset));
    if resets {
        stream.set_zero_linger().unwrap();
    }
    match tls {
        None => play(stream, &script, &book).await,
        Some(tls) => {
            if let Ok(stream) = tls.accept(stream).await {
                play(stream, &script, &book).await;
            }
        }
    }
}

async fn play(mut stream: impl AsyncRead + AsyncWrite + Unpin, script: &[ServerStep], book: &Book) {
    for act in script {
        match act {
            ServerStep::Read => {
                if !read_request(&mut stream, book).await {
                    return;
                }
            }
            ServerStep::ReadToEnd => {
                let mut bytes = Vec::new();
                while stream
                    .read_buf(&mut bytes)
                    .await
                    .is_ok_and(|count| count > 0)
                {}
                book.note(&bytes);
            }
            ServerStep::Say(bytes) => {
                let _ = stream.write_all(bytes).await;
                let _ = stream.flush().await;
            }
            ServerStep::Drip => {
                while stream.write_all(b"a").await.is_ok() {
                    let _ = stream.flush().await;
                    sleep(DRIP).await;
                }
            }
            ServerStep::Hang => std::future::pending::<()>().await,
            ServerStep::Pause => sleep(PAUSE).await,
            ServerStep::Reset => return,
        }
    }
    let _ = stream.shutdown().await;
}

/// Takes one request, unless the connection ends before it does.
async fn read_request(stream: &mut (impl AsyncRead + Unpin), book: &Book) -> bool {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                book.note(&bytes);
                return true;
            }
        }
        if !stream
            .read_buf(&mut bytes)
            .await
            .is_ok_and(|count| count > 0)
        {
            book.note(&bytes);
            return false;
        }
    }
}

/// A server with a client that trusts it.
pub(crate) struct ExchangeWorld {
    pub(crate) server: ScriptedServer,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) client: OutboundClient,
}

impl ExchangeWorld {
    /// Over TLS.
    pub(crate) async fn with(scripts: Vec<Vec<ServerStep>>) -> Self {
        let authority = ServerAuthority::new();
        let server = ScriptedServer::with(Some(authority.acceptor(HERE)), scripts).await;
        let clock = ManualClock::start();
        let client = client(server.port, Some(&authority), clock.clone());
        Self {
            server,
            clock,
            client,
        }
    }

    /// One connection, one request, one answer.
    pub(crate) async fn answering(answer: &[u8]) -> Self {
        Self::with(vec![vec![ServerStep::Read, say(answer)]]).await
    }

    pub(crate) async fn submit(&self) -> Result<OutboundAnswer, ExchangeError> {
        let permit = FixedPermit::granted();
        let answer = self.client.submit(request(), DEADLINE, &permit).await;
        assert_eq!(permit.asked(), 1);
        answer
    }

    pub(crate) async fn ask(&self) -> Result<OutboundAnswer, ExchangeError> {
        self.client.ask(request(), DEADLINE).await
    }
}

pub(crate) fn request() -> OutboundRequest {
    OutboundRequest::post_json("pay", r#"{"amount":"100.00"}"#)
}

/// A client of a server here, over TLS where an authority is trusted for it.
pub(crate) fn client(
    port: u16,
    trusted: Option<&ServerAuthority>,
    clock: Arc<ManualClock>,
) -> OutboundClient {
    let scheme = if trusted.is_some() { "https" } else { "http" };
    let base = format!("{scheme}://{HERE}:{port}/api/");
    let target = OutboundTarget::parse(&base, PlainHttp::ToLoopback).unwrap();
    let settings = OutboundSettings {
        connect: CONNECT,
        body_max: BODY_MAX,
        authorities: trusted
            .map(ServerAuthority::certificate)
            .into_iter()
            .collect(),
    };
    OutboundClient::new(target, settings, clock).unwrap()
}
