//! Connections that ask as fast as they are answered. The client shares the processor with the
//! server, so it must do as little as it can: whole requests are written as bytes.

use crate::figures::Measured;
use crate::gateway::Payer;
use crate::server::Server;
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
    pub(crate) server: &'a Server,
    pub(crate) connections: usize,
    pub(crate) time: Duration,
    /// Numbers the requests, across all connections and everyone who shares it.
    pub(crate) numbers: Arc<AtomicU64>,
}

impl Load<'_> {
    /// Sends requests made from their numbers until the time is over, or there are no more.
    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark measures time and spawns its load"
    )]
    pub(crate) async fn run<F>(&self, request: F) -> Result<Measured>
    where
        F: Fn(u64) -> Option<String> + Clone + Send + 'static,
    {
        let tls = connector(&self.server.authority)?;
        let mut lines = Vec::new();
        for _ in 0..self.connections {
            lines.push(Line::connect(&tls, &self.server.address).await?);
        }
        let started = Instant::now();
        let end = started + self.time;
        let ask = |line: Line| {
            let (numbers, request) = (Arc::clone(&self.numbers), request.clone());
            let next = move || request(numbers.fetch_add(1, Ordering::Relaxed));
            tokio::spawn(line.ask_until(end, next))
        };
        let tasks: Vec<_> = lines.into_iter().map(ask).collect();
        let (mut latencies, mut other) = (Vec::new(), 0);
        for task in tasks {
            let (took, strange) = task.await??;
            latencies.extend(took);
            other += strange;
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(Measured::of(latencies, other, seconds))
    }
}

/// The body of the answer to one request on a new connection; it must be a 200.
pub(crate) async fn ask(server: &Server, request: &str) -> Result<String> {
    let mut line = Line::connect(&connector(&server.authority)?, &server.address).await?;
    let status = line.exchange(request.as_bytes()).await?;
    let answer = std::str::from_utf8(&line.buffer)?;
    if status != 200 {
        bail!("it was answered {answer}");
    }
    let (_, body) = answer.split_once("\r\n\r\n").context("no body")?;
    Ok(body.to_owned())
}

/// A request without a body.
pub(crate) fn get(payer: &Payer, target: &str) -> String {
    format!(
        "GET {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        payer.authorization
    )
}

/// A purchase of airtime that the sandbox delivers at once. The payers take turns.
pub(crate) fn payment(payers: &[Payer], number: u64) -> Option<String> {
    let turn = usize::try_from(number).ok()?.checked_rem(payers.len())?;
    let body = format!(
        "{{\"mrcReference\":\"bench-{number}\",\"countryCode\":566,\
         \"number\":\"2348031239{:03}\",\"amount\":\"100.00\",\"billing\":\"prepaid\"}}",
        100 + number % 900
    );
    Some(format!(
        "POST /payment/airtime HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        payers.get(turn)?.authorization,
        body.len()
    ))
}

/// A connection that asks one thing after another.
struct Line {
    stream: TlsStream<TcpStream>,
    buffer: Vec<u8>,
}

impl Line {
    async fn connect(tls: &TlsConnector, address: &str) -> Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let name = ServerName::try_from("localhost")?;
        Ok(Self {
            stream: tls.connect(name, socket).await?,
            buffer: Vec::with_capacity(4096),
        })
    }

    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    async fn ask_until(
        mut self,
        end: Instant,
        next: impl Fn() -> Option<String>,
    ) -> Result<(Vec<Duration>, u64)> {
        let (mut latencies, mut other) = (Vec::new(), 0);
        while Instant::now() < end {
            let Some(request) = next() else { break };
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

fn connector(authority: &str) -> Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(authority.as_bytes()) {
        roots.add(certificate?)?;
    }
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
