//! Telling merchants of events: what is put together for it. What may be dialled must be the same
//! for the check of a new endpoint and for every delivery.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use application::Parts;
use application::webhook::DerivedSecrets;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use webhook_dispatch::dispatcher::{self, Dispatcher};
use webhook_dispatch::guard::{self, Guard, SystemResolver};
use webhook_dispatch::transport::{self, HttpTransport};

use crate::config::Config;

/// What judges addresses, for a gateway that answers at one of them.
pub(super) fn guard(config: &Config, own: SocketAddr) -> Arc<Guard> {
    let webhook = &config.webhook;
    let settings = guard::UrlGuardSettings {
        allowed: webhook.networks.clone(),
        loopback: webhook.loopback,
        own: vec![own],
        names: config.server.names.clone(),
    };
    Arc::new(Guard::new(settings, Arc::new(SystemResolver::default())))
}

/// What a dispatcher shares with the gateway.
pub(super) fn shared(
    parts: &Parts,
    (remembered, deliveries_max): (Duration, NonZeroU32),
) -> impl FnOnce(Arc<HttpTransport>) -> dispatcher::DispatcherParts + use<> {
    let (outbox, ids) = (Arc::clone(&parts.outbox), Arc::clone(&parts.ids));
    let endpoints = Arc::clone(&parts.endpoints);
    let clock = Arc::clone(&parts.clock);
    let measurements = Arc::clone(&parts.measurements);
    let secrets = Arc::new(DerivedSecrets::new(parts.pepper.clone()));
    move |post| dispatcher::DispatcherParts {
        outbox,
        endpoints,
        secrets,
        post,
        clock,
        ids,
        measurements,
        remembered,
        deliveries_max,
    }
}

/// What delivers, for a gateway that answers at an address.
pub(super) fn dispatcher(
    config: &Config,
    own: SocketAddr,
    shared: impl FnOnce(Arc<HttpTransport>) -> dispatcher::DispatcherParts,
) -> anyhow::Result<Dispatcher> {
    let authorities = config.webhook.authorities.as_deref().map(authorities);
    let settings = transport::TransportSettings {
        authorities: authorities.transpose()?.unwrap_or_default(),
        ..transport::TransportSettings::default()
    };
    let transport = HttpTransport::new(guard(config, own), settings)?;
    Ok(Dispatcher::new(shared(Arc::new(transport))))
}

fn authorities(file: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let context = || format!("`webhook.authorities`: {} cannot be used", file.display());
    let certificates: Vec<_> = CertificateDer::pem_file_iter(file)
        .with_context(context)?
        .collect::<Result<_, _>>()
        .with_context(context)?;
    anyhow::ensure!(
        !certificates.is_empty(),
        "`webhook.authorities`: there is no certificate in {}; it must be in PEM",
        file.display()
    );
    Ok(certificates)
}
