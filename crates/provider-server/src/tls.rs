//! The certificate and key a server shows. A key must never be logged.

use rustls_pki_types::pem::{self, PemObject as _};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{self, ServerConfig};

/// A certificate chain and its key.
pub struct ServerIdentity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

/// The certificate or its key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ServerIdentityError {
    /// The certificates are not PEM.
    #[error("the certificate must be a chain in PEM, the server's own first")]
    Chain(#[source] pem::Error),
    /// The key is not PEM.
    #[error("the key must be one private key in PEM")]
    Key(#[source] pem::Error),
    /// They do not fit together.
    #[error("certificate and key do not belong together, or are of a kind that is not supported")]
    Rustls(#[source] rustls::Error),
}

impl ServerIdentity {
    /// Reads a chain and a key in PEM.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, ServerIdentityError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        Ok(Self {
            chain: chain.map_err(ServerIdentityError::Chain)?,
            key: PrivateKeyDer::from_pem_slice(key).map_err(ServerIdentityError::Key)?,
        })
    }

    pub(crate) fn acceptor(self) -> Result<TlsAcceptor, ServerIdentityError> {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(ServerIdentityError::Rustls)?;
        let config = builder
            .with_no_client_auth()
            .with_single_cert(self.chain, self.key);
        let mut config = config.map_err(ServerIdentityError::Rustls)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl fmt::Debug for ServerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerIdentity").finish_non_exhaustive()
    }
}
