//! The certificate and key of the edge, and its TLS configuration. It must never print a key.

use crate::settings::Http2Support;
use domain::time::Timestamp;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// The names of the protocols in TLS (RFC 9113 §3.1, RFC 7301 §6).
pub(super) const ALPN_HTTP2: &[u8] = b"h2";
const ALPN_HTTP1: &[u8] = b"http/1.1";

/// A certificate chain, the server's own certificate first, and the key of that certificate.
pub struct TlsMaterial {
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl fmt::Debug for TlsMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let certificates = self.certificates.len();
        f.debug_struct("TlsMaterial")
            .field("certificates", &certificates)
            .finish_non_exhaustive()
    }
}

/// Why certificate and key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate file is not PEM, or holds no certificate.
    #[error("the certificate file holds no readable PEM certificate")]
    Certificate(#[source] Option<rustls_pki_types::pem::Error>),
    /// The key file is not PEM, or holds no private key.
    #[error("the key file holds no readable PEM private key")]
    Key(#[source] rustls_pki_types::pem::Error),
    /// They do not match, or use an algorithm that is not supported.
    #[error("certificate and key cannot be used together")]
    Unusable(#[source] rustls::Error),
}

impl TlsMaterial {
    /// Reads a PEM certificate chain and a PEM private key (PKCS #8, SEC1 or PKCS #1).
    pub fn from_pem(certificates: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let certificates = CertificateDer::pem_slice_iter(certificates)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| TlsError::Certificate(Some(error)))?;
        if certificates.is_empty() {
            return Err(TlsError::Certificate(None));
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(TlsError::Key)?;
        Ok(Self { certificates, key })
    }

    /// The server's own certificate.
    pub fn leaf(&self) -> Option<&CertificateDer<'static>> {
        self.certificates.first()
    }

    /// Refuses a key that is not the one of the certificate.
    ///
    /// # Errors
    /// When they do not match, or use an algorithm that is not supported.
    pub fn check(self) -> Result<(), TlsError> {
        self.certified().map(drop)
    }

    /// The pair as TLS uses it, checked to match.
    fn certified(self) -> Result<Arc<CertifiedKey>, TlsError> {
        let provider = ring::default_provider();
        let certified = CertifiedKey::from_der(self.certificates, self.key, &provider);
        certified.map(Arc::new).map_err(TlsError::Unusable)
    }
}

/// When the first certificate of a PEM chain ends; `None` where there is none that can be read.
pub fn certificate_ends_at(chain: &[u8]) -> Option<Timestamp> {
    ends_at(&CertificateDer::from_pem_slice(chain).ok()?)
}

fn ends_at(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let (_, certificate) = X509Certificate::from_der(certificate).ok()?;
    let seconds = certificate.validity().not_after.timestamp();
    Some(Timestamp::from_millis(seconds.saturating_mul(1_000)))
}

/// The certificate presented on new connections. It can be replaced while the server runs.
#[derive(Debug, Clone)]
pub struct ShownCertificate {
    current: Arc<RwLock<Arc<CertifiedKey>>>,
}

impl ShownCertificate {
    pub(super) fn new(material: TlsMaterial) -> Result<Self, TlsError> {
        let current = Arc::new(RwLock::new(material.certified()?));
        Ok(Self { current })
    }

    /// Presents another certificate from the next connection on; open connections continue.
    ///
    /// # Errors
    /// Refuses an unusable certificate, and keeps the previous one.
    pub fn replace(&self, material: TlsMaterial) -> Result<(), TlsError> {
        let next = material.certified()?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
        Ok(())
    }

    /// When the server's own certificate ends; `None` where that cannot be read.
    pub fn ends_at(&self) -> Option<Timestamp> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        ends_at(current.cert.first()?)
    }

    /// The acceptor of TLS 1.2 and 1.3 with this certificate. Of the protocols that a client knows
    /// it chooses the first here. A returning client resumes by a ticket, so that reconnecting
    /// costs no signature.
    pub(super) fn acceptor(&self, http2: Http2Support) -> Result<TlsAcceptor, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Unusable)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(self.clone()));
        let protocols: &[&[u8]] = match http2 {
            Http2Support::Offered => &[ALPN_HTTP2, ALPN_HTTP1],
            Http2Support::Off => &[ALPN_HTTP1],
        };
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        config.ticketer = ring::Ticketer::new().map_err(TlsError::Unusable)?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for ShownCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (String, String) {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[test]
    fn a_certificate_with_its_key_is_accepted() {
        let (certificate, key) = pair();
        let material = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
        let shown = ShownCertificate::new(material).unwrap();
        assert!(shown.acceptor(Http2Support::Offered).is_ok());
    }

    #[test]
    fn what_does_not_belong_together_is_refused_before_anyone_connects() {
        let (certificate, _) = pair();
        let (_, other_key) = pair();
        let material = TlsMaterial::from_pem(certificate.as_bytes(), other_key.as_bytes());
        assert!(matches!(
            ShownCertificate::new(material.unwrap()),
            Err(TlsError::Unusable(_))
        ));
    }

    #[test]
    fn another_certificate_is_shown_once_it_is_known_to_be_usable() {
        let material = |(certificate, key): &(String, String)| {
            TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap()
        };
        let (first, second) = (pair(), pair());
        let shown = ShownCertificate::new(material(&first)).unwrap();
        let before = shown.current.read().unwrap().cert.clone();
        let mixed = (second.0.clone(), first.1);
        assert!(shown.replace(material(&mixed)).is_err());
        assert_eq!(shown.current.read().unwrap().cert, before);
        shown.replace(material(&second)).unwrap();
        assert_ne!(shown.current.read().unwrap().cert, before);
    }

    #[test]
    fn files_without_pem_are_named() {
        let (certificate, key) = pair();
        let without_certificate = TlsMaterial::from_pem(b"", key.as_bytes());
        assert!(matches!(without_certificate, Err(TlsError::Certificate(_))));
        let without_key = TlsMaterial::from_pem(certificate.as_bytes(), b"none");
        assert!(matches!(without_key, Err(TlsError::Key(_))));
    }

    #[test]
    fn the_key_never_shows_in_debug_output() {
        let (certificate, key) = pair();
        let material = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
        let shown = format!("{material:?}");
        assert_eq!(shown, "TlsMaterial { certificates: 1, .. }");
    }
}
