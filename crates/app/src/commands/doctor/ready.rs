//! What a server that runs says of itself at `/ready`. It must not wait for one that does not
//! answer.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::finding::Finding;

/// How long the answer may take: the server itself waits less for its store.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Longest answer that is read.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;

#[derive(Deserialize)]
struct Report {
    ready: bool,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    name: String,
    status: String,
    reason: Option<String>,
}

/// What the server at an address says.
pub(super) async fn checks(address: SocketAddr) -> Vec<Finding> {
    let check = "ready";
    let report = match tokio::time::timeout(ANSWER_WITHIN, asked(address)).await {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => return vec![Finding::error(check, error)],
        Err(_) => {
            let found = format!("the server at {address} does not answer");
            return vec![Finding::fail(check, found).remedied_by("look into its log")];
        }
    };
    let wrong = report.checks.iter().filter(|it| it.status != "ok");
    let mut findings: Vec<Finding> = wrong.map(finding).collect();
    if findings.is_empty() && report.ready {
        findings.push(Finding::ok(check, "the server that runs is ready"));
    }
    findings
}

fn finding(check: &Check) -> Finding {
    let reason = check.reason.as_deref().unwrap_or(&check.status);
    let found = format!("the server that runs says of {}: {reason}", check.name);
    let failed = check.status == "failed";
    let finding = if failed {
        Finding::fail("ready", found)
    } else {
        Finding::warn("ready", found)
    };
    finding.remedied_by("see docs/operations/runbooks.md")
}

async fn asked(address: SocketAddr) -> anyhow::Result<Report> {
    let mut stream = TcpStream::connect(reached(address)).await?;
    let request = b"GET /ready HTTP/1.0\r\nHost: localhost\r\n\r\n";
    stream.write_all(request).await?;
    let mut answer = String::new();
    let mut limited = stream.take(ANSWER_BYTES_MAX);
    limited.read_to_string(&mut answer).await?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
    let body = body.context("what answers there is no gateway")?;
    Ok(serde_json::from_str(body)?)
}

/// An address that stands for every address of the machine is reached at its own.
fn reached(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, address.port())
}
