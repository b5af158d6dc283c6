//! From a target to a connection over which HTTP can be spoken. It must not write a byte of HTTP.

use crate::connection::{ByteStream, LiveConnection};
use crate::failure::NotSentCause;
use crate::target::OutboundTarget;
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use url::Host;

/// How many addresses of a host are tried: what is left of the deadline is shared by them.
const ADDRESSES_MAX: usize = 4;

/// Resolves, connects, and agrees on keys.
pub(crate) async fn dial(
    target: &OutboundTarget,
    tls: &TlsConnector,
) -> Result<LiveConnection, NotSentCause> {
    let stream = connect(&addresses(target).await?).await?;
    // A request is small and written at once.
    stream.set_nodelay(true).map_err(NotSentCause::Connect)?;
    let stream: Box<dyn ByteStream> = if target.encrypted {
        let name = target.server_name().ok_or(NotSentCause::Request)?;
        let encrypted = tls.connect(name, stream).await;
        Box::new(encrypted.map_err(NotSentCause::Tls)?)
    } else {
        Box::new(stream)
    };
    LiveConnection::over(stream).await
}

async fn addresses(target: &OutboundTarget) -> Result<Vec<SocketAddr>, NotSentCause> {
    let found = match &target.host {
        Host::Domain(name) => {
            let found = lookup_host((name.as_str(), target.port)).await;
            found.map_err(NotSentCause::Resolve)?.collect()
        }
        Host::Ipv4(ip) => vec![SocketAddr::from((*ip, target.port))],
        Host::Ipv6(ip) => vec![SocketAddr::from((*ip, target.port))],
    };
    // A name that means this machine may be given to another one.
    let allowed = |address: &SocketAddr| target.encrypted || address.ip().is_loopback();
    Ok(found
        .into_iter()
        .filter(allowed)
        .take(ADDRESSES_MAX)
        .collect())
}

async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, NotSentCause> {
    let mut failed = NotSentCause::Resolve(io::Error::other("it has no address"));
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = NotSentCause::Connect(error),
        }
    }
    Err(failed)
}
