//! The least that the same framework can do: one route with a fixed answer, over the TLS the
//! gateway speaks. It must do nothing of what a gateway does, or reads would look better beside it.

use crate::server::{BenchServer, READY};
use anyhow::{Context, Result, bail};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

/// Where the route is.
pub(crate) const PATH: &str = "/bare";

#[derive(Debug, clap::Args)]
pub(crate) struct BenchBareOptions {
    /// The data folder of the gateway whose certificate is shown
    data: PathBuf,
    /// The answer
    body: String,
}

/// Starts the bare route in a process of its own, with the certificate of a gateway.
pub(crate) async fn start(data: &Path, body: &str) -> Result<BenchServer> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("bare").arg(data).arg(body);
    BenchServer::start(&mut command, &data.join("ca.pem")).await
}

/// Serves until it is killed.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing waits for this server's connections: it is killed"
)]
pub(crate) async fn serve(options: &BenchBareOptions) -> Result<()> {
    let body: &'static str = options.body.clone().leak();
    let answer = move || async move { ([(CONTENT_TYPE, "application/json")], body) };
    let router = Router::new().route(PATH, get(answer));
    let acceptor = acceptor(&options.data.join("tls"))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{READY}{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(converse(stream, acceptor.clone(), router.clone()));
    }
}

/// One connection. It ends with an error when the client hangs up, which does not matter here.
pub(crate) async fn converse(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    router: Router,
) -> Result<()> {
    stream.set_nodelay(true)?;
    let stream = TokioIo::new(acceptor.accept(stream).await?);
    let service = TowerToHyperService::new(router);
    http1::Builder::new()
        .serve_connection(stream, service)
        .await?;
    Ok(())
}

/// The same protocols and ciphers as the gateway's.
pub(crate) fn acceptor(folder: &Path) -> Result<TlsAcceptor> {
    let read = |name| std::fs::read(folder.join(name)).context("no certificate of a gateway");
    let certificates = CertificateDer::pem_slice_iter(&read("server.pem")?)
        .collect::<Result<Vec<_>, _>>()
        .context("the certificate is no PEM")?;
    if certificates.is_empty() {
        bail!("the file of the certificate holds none");
    }
    let key = PrivateKeyDer::from_pem_slice(&read("server-key.pem")?)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(certificates, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config.ticketer = ring::Ticketer::new()?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
