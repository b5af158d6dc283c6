//! The addresses that are answered on: free, or in use by a gateway. A port that is tried is let go
//! of at once.

use std::io::ErrorKind;
use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::finding::Finding;
use super::{ports_in_use, ready};
use crate::config::{Config, MonitoringAddress};

/// What each address is in use by, and what a server that runs says of itself.
pub(super) async fn checks(config: &Config) -> Vec<Finding> {
    let mut findings = vec![address("listener", config.server.listen).await.0];
    let check = "monitoring";
    let (monitoring, must) = match config.monitoring {
        MonitoringAddress::Off => {
            let off = "nothing is listened on, and no alert can work";
            let remedy = "set monitoring.listen to an address";
            findings.push(Finding::warn(check, off).remedied_by(remedy));
            return findings;
        }
        MonitoringAddress::IfFree(address) => (address, false),
        MonitoringAddress::At(address) => (address, true),
    };
    let (finding, usage) = address(check, monitoring).await;
    findings.push(match usage {
        AddressUse::Taken if !must => Finding::warn(check, finding.found)
            .remedied_by("no metrics would be served: set monitoring.listen to a free address"),
        AddressUse::Taken | AddressUse::Free | AddressUse::Gateway => finding,
    });
    if usage == AddressUse::Gateway {
        findings.extend(ready::checks(monitoring).await);
    }
    findings
}

/// Who has an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressUse {
    /// A server could have it.
    Free,
    /// A server has it.
    Gateway,
    /// No server can have it.
    Taken,
}

async fn address(check: &str, address: SocketAddr) -> (Finding, AddressUse) {
    let error = match TcpListener::bind(address).await {
        Ok(listener) => {
            drop(listener);
            let found = format!("{address} is free: no server runs there");
            return (Finding::ok(check, found), AddressUse::Free);
        }
        Err(error) => error,
    };
    if error.kind() != ErrorKind::AddrInUse {
        let found = format!("{address} cannot be listened on: {error}");
        let finding = Finding::fail(check, found)
            .remedied_by("name an address of this machine, and a port this user may have");
        return (finding, AddressUse::Taken);
    }
    match ports_in_use::holder(address.port()) {
        Some(holder) if holder.is_gateway => {
            let found = format!("{address} is in use by manilla, process {}", holder.process);
            (Finding::ok(check, found), AddressUse::Gateway)
        }
        other => {
            let holder = other.map_or_else(
                || "a process that this user cannot look into".to_owned(),
                |it| format!("{}, process {}", it.name, it.process),
            );
            let finding = Finding::fail(check, format!("{address} is in use by {holder}"))
                .remedied_by("stop it, or name another address");
            (finding, AddressUse::Taken)
        }
    }
}
