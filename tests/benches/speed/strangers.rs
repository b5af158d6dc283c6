//! Connections that take places and hold them. They must do no more than a careless or hostile
//! client of one machine can.

use crate::load::{BenchConnection, connector};
use crate::server::BenchServer;
use anyhow::Result;
use std::net::{IpAddr, Ipv4Addr};
use tokio::task::JoinSet;

/// What a slow client reads at a time, once a second: too little for the server to wait for.
const SLOW_BYTES: usize = 8 * 1024;

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Connections opened at a time, each from a network of its own.
const OPENED_AT_ONCE: u8 = 64;

/// Opens so many connections and asks for the health on each. They are held until dropped; what the
/// server ends is not opened again.
pub(crate) async fn open(server: &BenchServer, count: usize) -> Result<Vec<BenchConnection>> {
    let tls = connector(&server.authority)?;
    let mut opening = JoinSet::new();
    let of_each = count.div_ceil(usize::from(OPENED_AT_ONCE));
    for network in 1..=OPENED_AT_ONCE {
        let from = IpAddr::V4(Ipv4Addr::new(127, network, 0, 1));
        let (tls, address) = (tls.clone(), server.address.clone());
        opening.spawn(async move {
            let mut lines = Vec::with_capacity(of_each);
            for _ in 0..of_each {
                if let Ok(mut line) = BenchConnection::connect_from(&tls, (from, &address)).await
                    && line.exchange(HEALTH.as_bytes()).await.is_ok()
                {
                    lines.push(line);
                }
            }
            lines
        });
    }
    let mut held = Vec::with_capacity(count);
    while let Some(opened) = opening.join_next().await {
        held.extend(opened?);
    }
    Ok(held)
}

/// Asks for something on so many connections and reads the answers slowly, again and again. Never
/// ends by itself.
pub(crate) async fn read_slowly(server: &BenchServer, count: usize, request: &str) -> Result<()> {
    let tls = connector(&server.authority)?;
    let mut readers = JoinSet::new();
    for _ in 0..count {
        let (tls, address) = (tls.clone(), server.address.clone());
        let request = request.to_owned();
        readers.spawn(async move {
            loop {
                if let Ok(mut line) = BenchConnection::connect(&tls, &address).await {
                    // Whichever side ends it, the next one is opened.
                    let _ = line.read_slowly(request.as_bytes(), SLOW_BYTES).await;
                }
            }
        });
    }
    // None of them ends unless it panics.
    match readers.join_next().await {
        Some(Err(panicked)) => Err(panicked.into()),
        Some(Ok(())) | None => Ok(()),
    }
}
