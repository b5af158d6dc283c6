//! Where the provider is, and one connection for each request to it. It must not go to another
//! machine without encryption, and must never follow a redirect.

use crate::wire_message::{WireAnswer, WireRequest};
use outbound_http::tls::{ClientTlsError, client_config};
use outbound_http::{InvalidOutboundTarget, OutboundTarget, PlainHttp};
use rustls_pki_types::{CertificateDer, ServerName};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::{Host, Url};

/// How long resolving, connecting and agreeing on keys may take together.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Between two pieces of a request that is sent slowly.
const DRIP_PAUSE: Duration = Duration::from_millis(20);

/// In how many pieces a slow request is sent.
const DRIPS: usize = 12;

/// Why a provider cannot be called.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnusableUpstream {
    #[error("the address of the provider {0}")]
    Target(#[from] InvalidOutboundTarget),
    #[error(transparent)]
    Tls(#[from] ClientTlsError),
}

/// How a request goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestSending {
    /// Whole, and its answer is read.
    Whole,
    /// Slowly, in small pieces.
    Slow,
    /// Without the second half of its body; then the connection ends.
    HalfBody,
    /// Whole; then the connection ends at once.
    GoneAfterRequest,
    /// Whole; then the connection ends with the first byte of the answer.
    GoneAtAnswer,
}

/// The base address of a provider.
#[derive(Clone)]
pub(crate) struct Upstream {
    /// Without a slash at its end.
    pub(crate) base: String,
    /// What `Host` says.
    pub(crate) authority: String,
    /// The path of the base, without a slash at its end.
    path: String,
    host: String,
    port: u16,
    encrypted: Option<(ServerName<'static>, TlsConnector)>,
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream")
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Duplex for S {}

impl Upstream {
    pub(crate) fn parse(
        text: &str,
        authorities: Vec<CertificateDer<'static>>,
    ) -> Result<Self, UnusableUpstream> {
        OutboundTarget::parse(text, PlainHttp::ToLoopback)?;
        let unreadable = InvalidOutboundTarget::Unreadable;
        let url = Url::parse(text).map_err(|_| unreadable)?;
        let host = url.host().ok_or(unreadable)?;
        let name = match &host {
            Host::Domain(name) => ServerName::try_from((*name).to_owned()).ok(),
            Host::Ipv4(ip) => Some(ServerName::IpAddress((*ip).into())),
            Host::Ipv6(ip) => Some(ServerName::IpAddress((*ip).into())),
        };
        let port = url.port_or_known_default().ok_or(unreadable)?;
        let explicit = url.port();
        let encrypted = if url.scheme() == "https" {
            let tls = TlsConnector::from(Arc::new(client_config(authorities)?));
            Some((name.ok_or(unreadable)?, tls))
        } else {
            None
        };
        Ok(Self {
            base: url.as_str().trim_end_matches('/').to_owned(),
            authority: explicit.map_or_else(|| host.to_string(), |port| format!("{host}:{port}")),
            path: url.path().trim_end_matches('/').to_owned(),
            host: host.to_string().trim_matches(['[', ']']).to_owned(),
            port,
            encrypted,
        })
    }

    /// The path of a request line for a path below the base.
    pub(crate) fn path_of(&self, relative: &str) -> String {
        format!("{}{relative}", self.path)
    }

    /// The whole address of a path below the base.
    pub(crate) fn target_uri(&self, relative: &str) -> String {
        format!("{}{relative}", self.base)
    }

    /// Sends one request, once. The error is in words for people.
    pub(crate) async fn exchange(
        &self,
        request: &WireRequest,
        (sending, within): (RequestSending, Duration),
    ) -> Result<WireAnswer, String> {
        let mut stream = self.connect().await?;
        let exchanged = timeout(within, converse(&mut stream, request, sending)).await;
        match exchanged {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(format!("no answer: {error}")),
            Err(_) => Err(format!("no answer within {} ms", within.as_millis())),
        }
    }

    async fn connect(&self) -> Result<Box<dyn Duplex>, String> {
        let dialled = timeout(CONNECT_MAX, self.dial()).await;
        let dialled = dialled.map_err(|_| "no connection within 5 s".to_owned())?;
        dialled.map_err(|error| format!("no connection: {error}"))
    }

    async fn dial(&self) -> io::Result<Box<dyn Duplex>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        match &self.encrypted {
            Some((name, tls)) => Ok(Box::new(tls.connect(name.clone(), stream).await?)),
            None => Ok(Box::new(stream)),
        }
    }
}

async fn converse(
    stream: &mut Box<dyn Duplex>,
    request: &WireRequest,
    sending: RequestSending,
) -> io::Result<WireAnswer> {
    let bytes = request.bytes();
    let gone = |what| io::Error::new(io::ErrorKind::ConnectionAborted, what);
    match sending {
        RequestSending::Whole => {
            // A provider may refuse a body before it has read it; its answer counts.
            let written = stream.write_all(&bytes).await;
            let flushed = stream.flush().await;
            let answer = WireAnswer::read(stream).await;
            if answer.is_err() {
                written.and(flushed)?;
            }
            answer
        }
        RequestSending::Slow => {
            for piece in bytes.chunks(bytes.len().div_ceil(DRIPS).max(1)) {
                stream.write_all(piece).await?;
                stream.flush().await?;
                tokio::time::sleep(DRIP_PAUSE).await;
            }
            WireAnswer::read(stream).await
        }
        RequestSending::HalfBody => {
            let missing = request.body.len().div_ceil(2);
            let sent = bytes.get(..bytes.len().saturating_sub(missing));
            stream.write_all(sent.unwrap_or_default()).await?;
            stream.flush().await?;
            stream.shutdown().await?;
            Err(gone("the kit ended the connection within the body"))
        }
        RequestSending::GoneAfterRequest => {
            stream.write_all(&bytes).await?;
            stream.flush().await?;
            stream.shutdown().await?;
            Err(gone("the kit ended the connection after the request"))
        }
        RequestSending::GoneAtAnswer => {
            stream.write_all(&bytes).await?;
            stream.flush().await?;
            stream.read_u8().await?;
            Err(gone("the kit ended the connection at the answer"))
        }
    }
}
