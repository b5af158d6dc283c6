//! The HTTP server of a gateway and its certificate, as the configuration says. It must not decide
//! what is served.

use std::sync::Arc;

use anyhow::Context as _;
use application::Gateway;
use application::administration::Administration;
use domain::collection::RedirectUrl;
use domain::time::Timestamp;
use http_server::{
    AccountLimits, CallerTraces, EdgeSettings, HttpServer, ServeError, ServedHosts, TlsMaterial,
};
use ports::clock::Clock as _;

use super::logos;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::{entropy, open_files, tls};

/// The certificate the configuration says, or one of the local authority.
pub(crate) fn certificate(config: &Config, now: Timestamp) -> anyhow::Result<TlsMaterial> {
    usable(&tls::material(&config.data, &config.server, now)?)
}

/// A certificate as the server shows it.
pub(crate) fn usable(material: &tls::Material) -> anyhow::Result<TlsMaterial> {
    let whose = match material.origin {
        tls::CertificateOrigin::Brought => "`server.tls_cert` and `server.tls_key` cannot be used",
        tls::CertificateOrigin::Local => {
            "the local certificate cannot be used; remove the folder tls in the \
                               data folder to have another made"
        }
    };
    TlsMaterial::from_pem(&material.chain, &material.key).context(whose)
}

/// The names that are configured, and the one that customers reach pages under.
fn served_names(config: &Config) -> Vec<String> {
    let pages = RedirectUrl::parse(&config.collection.pages).ok();
    let pages = pages.map(|url| url.host().to_ascii_lowercase());
    config.server.names.iter().cloned().chain(pages).collect()
}

/// The server, bound to its address.
pub(super) async fn bound(
    config: &Config,
    gateway: &Gateway,
    (administration, account_limits): (Arc<dyn Administration>, Arc<AccountLimits>),
) -> anyhow::Result<HttpServer> {
    let material = certificate(config, SystemClock.now())?;
    let settings = EdgeSettings {
        limits: config.http_limits.limits,
        account_limits,
        trusted_proxies: config.http_limits.trusted_proxies.clone(),
        hosts: Some(ServedHosts::new(
            served_names(config),
            material.leaf().cloned(),
        )),
        cors_origins: config.http_limits.cors_origins.clone(),
        vtpass: config.http_limits.vtpass,
        http2: config.http_limits.http2,
        caller_traces: if config.traces.collector.is_some() {
            CallerTraces::TakenUp
        } else {
            CallerTraces::Ignored
        },
        administration: Some(administration),
        logos: logos::read(&config.data)?,
        connections_max: open_files::room_for_connections(),
        ..EdgeSettings::new(u64::from_le_bytes(entropy::bytes()?))
    };
    let listen = config.server.listen;
    let bound = HttpServer::bind(listen, material, gateway.clone(), settings).await;
    bound.map_err(|error| {
        let what = match &error {
            ServeError::Tls(_) => "`server.tls_cert` and `server.tls_key` do not belong together: \
                 the key must be that of the first certificate in the chain"
                .to_owned(),
            ServeError::Listen { .. } => format!(
                "{listen} cannot be listened on; if another program has it, choose another address \
                 or port with --listen"
            ),
        };
        anyhow::Error::new(error).context(what)
    })
}
