//! Which certificates a server on the internet is trusted by. A certificate that is not for the
//! name that was called must never be accepted.

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::{self, PemObject as _};
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ClientTlsError {
    /// One of the further authorities is none.
    #[error("a certificate authority cannot be used")]
    Authority(#[source] rustls::Error),
    /// The file of authorities is not PEM.
    #[error("certificate authorities must be certificates in PEM")]
    Pem(#[source] pem::Error),
    /// There is no certificate in the file of authorities.
    #[error("there is no certificate in the file of authorities; it must be in PEM")]
    Empty,
    /// The cipher suites do not fit the protocol versions.
    #[error("the versions of TLS cannot be set up")]
    Versions(#[source] rustls::Error),
}

/// The certificates of a PEM file.
pub fn authorities(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, ClientTlsError> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let certificates = read.map_err(ClientTlsError::Pem)?;
    if certificates.is_empty() {
        return Err(ClientTlsError::Empty);
    }
    Ok(certificates)
}

/// TLS 1.2 and 1.3 for HTTP/1.1, with the authorities of the machine and some more.
pub fn client_config(
    authorities: Vec<CertificateDer<'static>>,
) -> Result<ClientConfig, ClientTlsError> {
    let mut roots = RootCertStore::empty();
    let machine = rustls_native_certs::load_native_certs();
    for error in machine.errors {
        tracing::warn!(%error, "certificate authorities of this machine cannot be read");
    }
    // One that is out of the ordinary must not cost all the others.
    roots.add_parsable_certificates(machine.certs);
    for authority in authorities {
        roots.add(authority).map_err(ClientTlsError::Authority)?;
    }
    if roots.is_empty() {
        tracing::warn!("no certificate authority is trusted: no server can be reached");
    }
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(ClientTlsError::Versions)?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
