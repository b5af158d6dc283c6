//! One attempt over HTTP. It must dial nothing but addresses that were judged for this very
//! connection, follow no redirect, and read no more of an answer than it shows.

mod answer;
mod dial;
mod failure;

use crate::guard::{AddressRule, Examined, Guard, LookupPriority, Port};
use answer::Reading;
use async_trait::async_trait;
use dial::Dial;
use domain::time::Timestamp;
use domain::webhook::{DeliveryFailure, EndpointAnswer, Target};
use outbound_http::tls::ClientTlsError;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, redirect, retry};
use rustls_pki_types::CertificateDer;
use std::sync::Arc;
use std::time::Duration;
use wire::webhook::signature;

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

const USER_AGENT: &str = concat!("manilla/", env!("CARGO_PKG_VERSION"));

/// How many connections to one host are kept for the next delivery: as many as are ever under way,
/// for there are hosts that receive for very many merchants.
const IDLE_MAX: usize = 256;

/// How long a connection is kept: receivers commonly hang up after a minute, and one that is used
/// just then fails for nothing.
const IDLE_FOR: Duration = Duration::from_secs(20);

/// Most header lines of an answer. None of them is needed but one.
const HEADERS_MAX: usize = 100;

/// What is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRequest {
    /// Where to.
    pub target: Target,
    /// On whose behalf its host is looked up.
    pub asker: LookupPriority,
    /// The name of the event.
    pub id: String,
    /// When this attempt is made.
    pub at: Timestamp,
    /// The signatures of this attempt.
    pub signatures: String,
    /// The event.
    pub body: Vec<u8>,
}

/// Makes attempts.
#[async_trait]
pub trait Transport: Send + Sync + std::fmt::Debug {
    /// Sends a request once.
    ///
    /// # Errors
    /// Says why there is no answer.
    async fn send(&self, request: DeliveryRequest) -> Result<EndpointAnswer, DeliveryFailure>;
}

/// How long an attempt may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To find the host, reach it and agree on keys.
    pub connect: Duration,
    /// In all.
    pub attempt: Duration,
    /// For the body of the answer, which counts for nothing but being shown.
    pub body: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            attempt: Duration::from_secs(15),
            body: Duration::from_secs(2),
        }
    }
}

/// How requests are sent.
#[derive(Debug, Clone, Default)]
pub struct TransportSettings {
    /// How long an attempt may take.
    pub patience: Timeouts,
    /// Authorities that are trusted besides those of the machine.
    pub authorities: Vec<CertificateDer<'static>>,
}

/// Why nothing can be delivered.
#[derive(Debug, thiserror::Error)]
pub enum PosterError {
    /// TLS cannot be spoken, or an authority is none.
    #[error("the TLS of webhooks cannot be set up")]
    Tls(#[from] ClientTlsError),
    /// The client cannot be made.
    #[error("the HTTP client of webhooks cannot be set up")]
    Client(#[source] reqwest::Error),
}

/// Sends requests over HTTPS.
#[derive(Debug)]
pub struct HttpTransport {
    guard: Arc<Guard>,
    patience: Timeouts,
    /// For every port but our own.
    elsewhere: Clients,
    /// For the ports that this gateway listens at.
    our_ports: Clients,
}

/// A resolver is given the name alone, so whatever else its judgement and its slot depend on makes
/// another client.
#[derive(Debug)]
struct Clients {
    proven: Client,
    unproven: Client,
}

impl HttpTransport {
    /// Delivers where a guard allows it.
    pub fn new(guard: Arc<Guard>, settings: TransportSettings) -> Result<Self, PosterError> {
        let TransportSettings {
            patience,
            authorities,
        } = settings;
        let tls = outbound_http::tls::client_config(authorities)?;
        let client = |port, asker| {
            let dial = Dial::new(Arc::clone(&guard), port, asker);
            Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .dns_resolver(dial)
                .redirect(redirect::Policy::none())
                .retry(retry::never())
                .no_proxy()
                .referer(false)
                .http1_only()
                .http1_max_headers(HEADERS_MAX)
                .user_agent(USER_AGENT)
                .connect_timeout(patience.connect)
                .timeout(patience.attempt)
                .pool_max_idle_per_host(IDLE_MAX)
                .pool_idle_timeout(IDLE_FOR)
                .build()
                .map_err(PosterError::Client)
        };
        let clients = |port| {
            Ok::<_, PosterError>(Clients {
                proven: client(port, LookupPriority::Proven)?,
                unproven: client(port, LookupPriority::Unproven)?,
            })
        };
        Ok(Self {
            elsewhere: clients(Port::Another)?,
            our_ports: clients(Port::Ours)?,
            guard,
            patience,
        })
    }
}

#[async_trait]
impl Transport for HttpTransport {
    async fn send(&self, request: DeliveryRequest) -> Result<EndpointAnswer, DeliveryFailure> {
        // Literals are dialled without asking the resolver, and what is allowed may have changed
        // since the endpoint was made.
        let examined = self.guard.examine(request.target.as_str());
        let Examined { url, port } = examined.map_err(AddressRule::failure)?;
        let clients = match port {
            Port::Ours => &self.our_ports,
            Port::Another => &self.elsewhere,
        };
        let client = match request.asker {
            LookupPriority::Proven => &clients.proven,
            LookupPriority::Unproven | LookupPriority::Merchant(_) => &clients.unproven,
        };
        let signatures = HeaderValue::from_str(&request.signatures);
        let response = client
            .post(url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(WEBHOOK_ID, request.id)
            .header(WEBHOOK_TIMESTAMP, signature::timestamp(request.at))
            .header(
                WEBHOOK_SIGNATURE,
                signatures.map_err(|_| DeliveryFailure::Broken)?,
            )
            .body(request.body)
            .send()
            .await
            .map_err(|error| failure::of(&error))?;
        let reading = Reading {
            asked_at: request.at,
            patience: self.patience.body,
        };
        reading.answer(response).await
    }
}
