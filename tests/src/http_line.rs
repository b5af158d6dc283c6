//! A bare connection, for what no well-behaved client sends: requests cut short, too long, or in
//! plain text. It must send exactly the bytes it is given.

use crate::answer::HttpAnswer;
use crate::folder::GatewayFolder;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::fmt::Debug;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Longer than any answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(40);

/// A connection of any kind.
pub trait Stream: AsyncRead + AsyncWrite + Debug + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Debug + Send + Unpin> Stream for T {}

/// Opens connections.
#[derive(Clone)]
pub struct Dialler {
    connector: TlsConnector,
    address: SocketAddr,
}

impl Debug for Dialler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Dialler").field(&self.address).finish()
    }
}

impl Dialler {
    /// Connections to a server that trust the certificate of its folder.
    #[must_use]
    pub fn new(folder: &GatewayFolder, address: SocketAddr) -> Self {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&folder.certificate()) {
            roots.add(certificate.expect("PEM")).expect("a certificate");
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the protocols of the provider")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self {
            connector: TlsConnector::from(Arc::new(config)),
            address,
        }
    }

    /// A connection without TLS.
    pub async fn plain(&self) -> HttpLine<TcpStream> {
        HttpLine::over(
            TcpStream::connect(self.address)
                .await
                .expect("a connection"),
        )
    }

    /// A connection with TLS of a client that knows these protocols, which it has still to speak.
    pub async fn knowing(&self, protocols: &[&str]) -> TlsStream<TcpStream> {
        let mut config = ClientConfig::clone(self.connector.config());
        let protocols = protocols.iter().map(|name| name.as_bytes().to_vec());
        config.alpn_protocols = protocols.collect();
        let connector = TlsConnector::from(Arc::new(config));
        let name = ServerName::from(self.address.ip());
        let plain = self.plain().await.stream;
        let connected = connector.connect(name, plain).await;
        connected.expect("a TLS connection")
    }

    /// A connection with TLS.
    pub async fn secure(&self) -> HttpLine<impl Stream + use<>> {
        let plain = self.plain().await.stream;
        let name = ServerName::from(self.address.ip());
        HttpLine::over(
            self.connector
                .connect(name, plain)
                .await
                .expect("a TLS connection"),
        )
    }
}

/// One connection.
#[derive(Debug)]
pub struct HttpLine<S> {
    stream: S,
    /// What has come and belongs to no answer that was read.
    read: Vec<u8>,
}

impl<S: Stream> HttpLine<S> {
    const fn over(stream: S) -> Self {
        Self {
            stream,
            read: Vec::new(),
        }
    }

    /// Sends bytes, as many as the other side takes before it answers or hangs up.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let sent = async {
            self.stream.write_all(bytes.as_ref()).await?;
            self.stream.flush().await
        };
        // What was refused early is seen in the answer.
        let _ = timeout(ANSWER_WITHIN, sent)
            .await
            .expect("the bytes are taken");
    }

    /// Reads one answer that says how long it is.
    pub async fn answer(&mut self) -> HttpAnswer {
        let read = timeout(ANSWER_WITHIN, self.read_answer()).await;
        read.expect("an answer in time")
    }

    /// Reads the status of an answer that is not the last one, and has no body.
    pub async fn interim(&mut self) -> u16 {
        let read = timeout(ANSWER_WITHIN, self.read_head()).await;
        let (status, _) = read.expect("an answer in time");
        assert!((100..200).contains(&status), "{status} is not interim");
        status
    }

    async fn read_head(&mut self) -> (u16, HeaderMap) {
        let end = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                break end + 4;
            }
            self.more().await;
        };
        let head = String::from_utf8(self.take(end)).expect("a head in ASCII");
        read_head(&head)
    }

    async fn read_answer(&mut self) -> HttpAnswer {
        let (status, headers) = self.read_head().await;
        let length = headers
            .get("content-length")
            .expect("answers say how long they are");
        let length: usize = length.to_str().unwrap().parse().unwrap();
        while self.read.len() < length {
            self.more().await;
        }
        let body = String::from_utf8(self.take(length)).expect("a body in UTF-8");
        HttpAnswer {
            status,
            headers,
            body,
        }
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let rest = self.read.split_off(length);
        std::mem::replace(&mut self.read, rest)
    }

    async fn more(&mut self) {
        let more = self.stream.read_buf(&mut self.read).await;
        let so_far = String::from_utf8_lossy(&self.read);
        assert!(!matches!(more, Ok(0) | Err(_)), "{more:?} after {so_far:?}");
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn read_head(head: &str) -> (u16, HeaderMap) {
    let mut lines = head.split("\r\n").filter(|line| !line.is_empty());
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let status = status.and_then(|status| status.parse().ok());
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').expect("a header");
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a header name");
        headers.append(
            name,
            HeaderValue::from_str(value.trim()).expect("a header value"),
        );
    }
    (
        status.unwrap_or_else(|| panic!("no status in {head}")),
        headers,
    )
}
