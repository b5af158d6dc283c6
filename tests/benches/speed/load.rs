//! Connections that ask as fast as they are answered. The client shares the processor with the
//! server, so it must do as little as it can: whole requests are written as bytes.

use crate::accounts::BenchAccount;
use crate::figures::Measured;
use crate::server::BenchServer;
use anyhow::{Context, Result, bail};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// One measurement.
#[derive(Debug)]
pub(crate) struct BenchLoad<'a> {
    /// Connections take turns among them.
    pub(crate) servers: Vec<&'a BenchServer>,
    pub(crate) connections: usize,
    pub(crate) time: Duration,
    /// Numbers the requests, across all connections and everyone who shares it.
    pub(crate) numbers: Arc<AtomicU64>,
}

impl BenchLoad<'_> {
    /// Sends requests made from their numbers, one after the other on each connection, until the
    /// time is over, or there are no more.
    pub(crate) async fn run<F>(&self, request: F) -> Result<Measured>
    where
        F: Fn(u64) -> Option<String> + Clone + Send + 'static,
    {
        self.measure(|_| Pace::AsAnswered, request).await
    }

    /// Sends so many requests per second, whether or not earlier ones are answered: each connection
    /// has its moments. What waits for a late answer is measured from the moment it was due.
    pub(crate) async fn run_paced<F>(&self, per_second: f64, request: F) -> Result<Measured>
    where
        F: Fn(u64) -> Option<String> + Clone + Send + 'static,
    {
        let between = Duration::from_secs_f64(1.0 / per_second);
        let pace = |number| Pace::Every {
            first: between * u32::try_from(number).unwrap_or(0),
            between: between * u32::try_from(self.connections).unwrap_or(1),
        };
        self.measure(pace, request).await
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark measures time and spawns its load"
    )]
    async fn measure<F>(&self, pace: impl Fn(usize) -> Pace, request: F) -> Result<Measured>
    where
        F: Fn(u64) -> Option<String> + Clone + Send + 'static,
    {
        let mut lines = Vec::new();
        for (_, server) in (0..self.connections).zip(self.servers.iter().cycle()) {
            let tls = connector(&server.authority)?;
            lines.push(BenchConnection::connect(&tls, &server.address).await?);
        }
        let started = Instant::now();
        let end = started + self.time;
        // They end with this measurement, however it ends.
        let mut tasks = JoinSet::new();
        for (number, line) in lines.into_iter().enumerate() {
            let (numbers, request) = (Arc::clone(&self.numbers), request.clone());
            let next = move || request(numbers.fetch_add(1, Ordering::Relaxed));
            match pace(number) {
                Pace::AsAnswered => tasks.spawn(line.ask_until(end, next)),
                Pace::Every { first, between } => {
                    let moments = Moments {
                        next: started + first,
                        between,
                        end,
                    };
                    tasks.spawn(line.ask_at(moments, next))
                }
            };
        }
        let (mut latencies, mut other) = (Vec::new(), 0);
        while let Some(ended) = tasks.join_next().await {
            let (took, strange) = ended??;
            latencies.extend(took);
            other += strange;
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(Measured::of(latencies, other, seconds))
    }
}

/// When a connection sends.
#[derive(Debug, Clone, Copy)]
enum Pace {
    AsAnswered,
    Every { first: Duration, between: Duration },
}

/// The moments at which one connection sends.
#[derive(Debug)]
struct Moments {
    next: Instant,
    between: Duration,
    end: Instant,
}

/// The body of the answer to one request on a new connection; it must be a 200.
pub(crate) async fn ask(server: &BenchServer, request: &str) -> Result<String> {
    match send(server, request).await? {
        (200, body) => Ok(body),
        (status, body) => bail!("it was answered {status}: {body}"),
    }
}

/// Status and body of the answer to one request on a new connection.
pub(crate) async fn send(server: &BenchServer, request: &str) -> Result<(u16, String)> {
    let mut line =
        BenchConnection::connect(&connector(&server.authority)?, &server.address).await?;
    let status = line.exchange(request.as_bytes()).await?;
    let answer = std::str::from_utf8(&line.buffer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("no body")?;
    Ok((status, body.to_owned()))
}

/// A request with a body.
pub(crate) fn post(payer: &BenchAccount, target: &str, body: &str) -> String {
    format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        payer.authorization,
        body.len()
    )
}

/// A request without a body.
pub(crate) fn get(payer: &BenchAccount, target: &str) -> String {
    format!(
        "GET {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        payer.authorization
    )
}

/// A purchase of airtime that the sandbox delivers at once. The payers take turns.
pub(crate) fn payment(payers: &[BenchAccount], number: u64) -> Option<String> {
    let turn = usize::try_from(number).ok()?.checked_rem(payers.len())?;
    let body = format!(
        "{{\"mrcReference\":\"bench-{number}\",\"countryCode\":566,\
         \"number\":\"2348031239{:03}\",\"amount\":\"100.00\",\"billing\":\"prepaid\"}}",
        100 + number % 900
    );
    Some(post(payers.get(turn)?, "/payment/airtime", &body))
}

/// A connection that asks one thing after another.
pub(crate) struct BenchConnection {
    stream: TlsStream<TcpStream>,
    buffer: Vec<u8>,
}

impl BenchConnection {
    pub(crate) async fn connect(tls: &TlsConnector, address: &str) -> Result<Self> {
        Self::over(tls, TcpStream::connect(address).await?).await
    }

    /// A connection from an address of this machine.
    pub(crate) async fn connect_from(
        tls: &TlsConnector,
        (from, address): (IpAddr, &str),
    ) -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        Self::over(tls, socket.connect(address.parse()?).await?).await
    }

    async fn over(tls: &TlsConnector, socket: TcpStream) -> Result<Self> {
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

    /// As [`Self::ask_until`], but not before each request is due.
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    async fn ask_at(
        mut self,
        mut moments: Moments,
        next: impl Fn() -> Option<String>,
    ) -> Result<(Vec<Duration>, u64)> {
        let (mut latencies, mut other) = (Vec::new(), 0);
        while moments.next < moments.end {
            let mut due = moments.next;
            moments.next += moments.between;
            if Instant::now() < due {
                tokio::time::sleep_until(due.into()).await;
                // The timer of the client is late by up to a millisecond, which is not the
                // gateway's fault.
                due = Instant::now();
            }
            let Some(request) = next() else { break };
            match self.exchange(request.as_bytes()).await? {
                200 => latencies.push(due.elapsed()),
                _ => other += 1,
            }
        }
        Ok((latencies, other))
    }

    /// Sends a request again and again and reads so many bytes of what comes each second, until the
    /// connection is closed.
    pub(crate) async fn read_slowly(&mut self, request: &[u8], bytes: usize) -> Result<()> {
        let mut some = vec![0; bytes];
        loop {
            self.stream.write_all(request).await?;
            self.stream.flush().await?;
            if self.stream.read(&mut some).await? == 0 {
                bail!("the connection was closed");
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Sends a request and reads its whole answer; the status.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<u16> {
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

pub(crate) fn connector(authority: &str) -> Result<TlsConnector> {
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
