//! From an address to a byte stream. It must not write a byte of SMPP.

use crate::settings::SmppTarget;
use outbound_http::tls::{self, ClientTlsError};
use rustls_pki_types::ServerName;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// What PDUs are read from and written to.
pub(crate) trait SmppStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> SmppStream for T {}

/// Makes connections to one SMSC.
pub(crate) struct SmppDialler {
    target: SmppTarget,
    tls: Option<TlsConnector>,
}

impl std::fmt::Debug for SmppDialler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SmppDialler").field(&self.target).finish()
    }
}

impl SmppDialler {
    pub(crate) fn new(target: SmppTarget) -> Result<Self, ClientTlsError> {
        let tls = if target.encrypted {
            let mut config = tls::client_config(Vec::new())?;
            // SMPP has no name among the protocols of TLS.
            config.alpn_protocols.clear();
            Some(TlsConnector::from(Arc::new(config)))
        } else {
            None
        };
        Ok(Self { target, tls })
    }

    /// A connection, encrypted where the address says so.
    pub(crate) async fn dial(&self) -> io::Result<Box<dyn SmppStream>> {
        let (host, port) = (self.target.host.as_str(), self.target.port);
        let stream = TcpStream::connect((host, port)).await?;
        // A PDU is small and written at once.
        stream.set_nodelay(true)?;
        let Some(tls) = &self.tls else {
            return Ok(Box::new(stream));
        };
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        Ok(Box::new(tls.connect(name, stream).await?))
    }
}
