//! Whom a receiver's certificate must come from. It must never accept one that is not for the name
//! that was called.

use super::PosterError;
use rustls_pki_types::CertificateDer;
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// TLS 1.2 and 1.3 with the authorities of the machine and some more.
pub(super) fn config(
    authorities: Vec<CertificateDer<'static>>,
) -> Result<ClientConfig, PosterError> {
    let mut roots = RootCertStore::empty();
    let machine = rustls_native_certs::load_native_certs();
    for error in machine.errors {
        tracing::warn!(%error, "certificate authorities of this machine cannot be read");
    }
    // One that is out of the ordinary must not cost all the others.
    roots.add_parsable_certificates(machine.certs);
    for authority in authorities {
        roots.add(authority).map_err(PosterError::Authority)?;
    }
    if roots.is_empty() {
        tracing::warn!("no certificate authority is trusted: no webhook can be delivered");
    }
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(PosterError::Tls)?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
