//! What an adapter is made of. It must not show the keys.

use domain::provider::ProviderId;
use outbound_http::tls::ClientTlsError;
use outbound_http::{InvalidOutboundTarget, PlainHttp};
use provider_protocol::signature::SignatureKeys;
use rustls_pki_types::CertificateDer;
use std::time::Duration;

/// Where a provider is and how it is known.
#[derive(Debug)]
pub struct HttpProviderSettings {
    /// Its identity in the gateway.
    pub id: ProviderId,
    /// Its base address, such as `https://provider.example`.
    pub url: String,
    /// Whether it may be without encryption on this machine.
    pub plain: PlainHttp,
    /// Authorities that are trusted besides those of the machine.
    pub authorities: Vec<CertificateDer<'static>>,
    /// The keys both sides share.
    pub keys: SignatureKeys,
    /// After which age without evidence a person is asked, where silence proves nothing.
    pub review_after: Duration,
}

/// Why an adapter cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum HttpProviderError {
    /// The address cannot be used.
    #[error("the address of the provider {0}")]
    Target(#[from] InvalidOutboundTarget),
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] ClientTlsError),
}
