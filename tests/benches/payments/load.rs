//! Connections that pay as fast as they are answered. The client shares the processor with the
//! gateway, so it must do as little as it can: whole requests are written as bytes.

use crate::figures::Measured;
use crate::gateway::{Gateway, Payer};
use anyhow::{Context, Result, bail};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// One measurement.
#[derive(Debug)]
pub(crate) struct Load<'a> {
    pub(crate) gateway: &'a Gateway,
    pub(crate) connections: usize,
    pub(crate) time: Duration,
}

/// References never repeat within a run of the program.
static NEXT_REFERENCE: AtomicU64 = AtomicU64::new(1);

impl Load<'_> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark measures time and spawns its load"
    )]
    pub(crate) async fn run(&self) -> Result<Measured> {
        let tls = connector(self.gateway)?;
        let mut lines = Vec::new();
        for index in 0..self.connections {
            let payers = &self.gateway.payers;
            let payer = payers
                .get(index % payers.len())
                .context("no account")?
                .clone();
            let stream = connect(&tls, &self.gateway.address).await?;
            lines.push((
                Line {
                    stream,
                    buffer: Vec::with_capacity(4096),
                },
                payer,
            ));
        }
        let started = Instant::now();
        let end = started + self.time;
        let tasks: Vec<_> = lines
            .into_iter()
            .map(|(line, payer)| tokio::spawn(line.pay_until(end, payer)))
            .collect();
        let (mut latencies, mut other) = (Vec::new(), 0);
        for task in tasks {
            let (took, strange) = task.await??;
            latencies.extend(took);
            other += strange;
        }
        let elapsed = started.elapsed().as_secs_f64();
        latencies.sort_unstable();
        let at = |share: usize| {
            latencies
                .get(latencies.len() * share / 100)
                .copied()
                .unwrap_or_default()
        };
        let per_second = latencies.len() as f64 / elapsed;
        Ok(Measured {
            per_second,
            p50: at(50),
            p99: at(99),
            other,
        })
    }
}

/// Waits for the answer to one balance request on a new connection.
pub(crate) async fn first_answer(gateway: &Gateway) -> Result<()> {
    let stream = connect(&connector(gateway)?, &gateway.address).await?;
    let mut line = Line {
        stream,
        buffer: Vec::new(),
    };
    let payer = gateway.payers.first().context("no account")?;
    let request = format!(
        "GET /account/balance HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\n\r\n",
        gateway.address, payer.authorization
    );
    match line.exchange(request.as_bytes()).await? {
        200 => Ok(()),
        status => bail!("the first request was answered {status}"),
    }
}

/// A connection that pays.
struct Line {
    stream: TlsStream<TcpStream>,
    buffer: Vec<u8>,
}

impl Line {
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    async fn pay_until(mut self, end: Instant, payer: Payer) -> Result<(Vec<Duration>, u64)> {
        let (mut latencies, mut other) = (Vec::new(), 0);
        while Instant::now() < end {
            let reference = NEXT_REFERENCE.fetch_add(1, Ordering::Relaxed);
            let request = payment(&payer, reference);
            let started = Instant::now();
            match self.exchange(request.as_bytes()).await? {
                200 => latencies.push(started.elapsed()),
                _ => other += 1,
            }
        }
        Ok((latencies, other))
    }

    /// Sends a request and reads its whole answer; the status.
    async fn exchange(&mut self, request: &[u8]) -> Result<u16> {
        self.stream.write_all(request).await?;
        self.stream.flush().await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the connection was closed");
            }
            let Some(head) = self
                .buffer
                .windows(4)
                .position(|bytes| bytes == b"\r\n\r\n")
            else {
                continue;
            };
            let text = std::str::from_utf8(self.buffer.get(..head).context("no head")?)?;
            let length = content_length(text).context("no Content-Length")?;
            if self.buffer.len() >= head + 4 + length {
                let status = text.get(9..12).context("no status")?;
                return Ok(status.parse()?);
            }
        }
    }
}

fn content_length(head: &str) -> Option<usize> {
    let mut headers = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?;
    value.trim().parse().ok()
}

/// A purchase of airtime that the sandbox delivers at once.
fn payment(payer: &Payer, reference: u64) -> String {
    let body = format!(
        "{{\"mrcReference\":\"bench-{reference}\",\"countryCode\":566,\
         \"number\":\"2348031239{:03}\",\"amount\":\"100.00\",\"billing\":\"prepaid\"}}",
        100 + reference % 900
    );
    format!(
        "POST /payment/airtime HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        payer.authorization,
        body.len()
    )
}

fn connector(gateway: &Gateway) -> Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(gateway.certificate.as_bytes()) {
        roots.add(certificate?)?;
    }
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn connect(tls: &TlsConnector, address: &str) -> Result<TlsStream<TcpStream>> {
    let socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    let name = ServerName::try_from("localhost")?;
    Ok(tls.connect(name, socket).await?)
}
