//! What operators' tools ask of a server, put together. Where the default port is taken, as by
//! another instance on this machine, a server works without it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use application::Gateway;
use domain::time::Timestamp;
use http_server::ShownCertificate;
use monitoring::{
    Exposition, HostFacts, Instruments, MonitoringListener, Readiness, WatchedGateway,
};
use tokio_util::sync::CancellationToken;

use super::store_ports::Ports;
use crate::config::{Config, MonitoringAddress};
use crate::{files, open_files, telemetry};

use application::operators::change_requests::ChangeRequests;

/// What answers operators' tools, before it does.
#[derive(Debug)]
pub(crate) struct Monitoring {
    listener: MonitoringListener,
    exposition: Exposition,
    watched: WatchedGateway,
}

impl Monitoring {
    /// Listens where the configuration says; none where nothing is to be listened on.
    pub(super) async fn bound(
        config: &Config,
        instruments: &Instruments,
        watched: WatchedGateway,
    ) -> anyhow::Result<Option<Self>> {
        let (address, must) = match config.monitoring {
            MonitoringAddress::Off => return Ok(None),
            MonitoringAddress::IfFree(address) => (address, false),
            MonitoringAddress::At(address) => (address, true),
        };
        let listener = match MonitoringListener::bind(address).await {
            Ok(listener) => listener,
            Err(error) if must => return Err(error.into()),
            Err(error) => {
                let cause = error.source.to_string();
                tracing::warn!(
                    %address,
                    cause,
                    "no metrics are served: set monitoring.listen to a free address, or to off"
                );
                return Ok(None);
            }
        };
        if !listener.local_addr().ip().is_loopback() {
            tracing::warn!(
                address = %listener.local_addr(),
                "metrics are served to everyone who reaches the address, without encryption"
            );
        }
        Ok(Some(Self {
            listener,
            exposition: Exposition::new(instruments, watched.clone()),
            watched,
        }))
    }

    /// Where it is asked.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/metrics", self.listener.local_addr())
    }

    /// Answers until everything is done; not ready any more from the moment it is to stop.
    pub(crate) async fn run(self, stopping: CancellationToken, done: CancellationToken) {
        let readiness = Readiness::new(self.watched, stopping);
        self.listener.run(self.exposition, readiness, done).await;
    }
}

/// What is watched of a server.
pub(super) fn watched(
    (gateway, ports): (&Gateway, Ports),
    change_requests: ChangeRequests,
    (config, certificate): (&Config, ShownCertificate),
) -> WatchedGateway {
    WatchedGateway {
        gateway: gateway.clone(),
        backlog: ports.backlog,
        changes: ports.changes,
        reconciliation: ports.reconciliation,
        readings: ports.readings,
        change_requests,
        host: Arc::new(ThisHost {
            data: config.data.clone(),
            certificate,
        }),
    }
}

/// Written to find out whether anything can be, and removed again; the number of the process
/// follows, since several may share a folder.
const TRIAL_FILE: &str = ".write-trial";

/// The machine and the process.
#[derive(Debug)]
struct ThisHost {
    data: PathBuf,
    certificate: ShownCertificate,
}

impl HostFacts for ThisHost {
    fn free_bytes(&self) -> Option<u64> {
        files::free_bytes(&self.data)
    }

    fn write_failure(&self) -> Option<String> {
        let trial = format!("{TRIAL_FILE}.{}", std::process::id());
        let trial = self.data.join(trial);
        let written = fs::write(&trial, b"0").and_then(|()| fs::remove_file(&trial));
        written.err().map(|error| error.to_string())
    }

    fn certificate_ends_at(&self) -> Option<Timestamp> {
        self.certificate.ends_at()
    }

    fn dropped_log_lines(&self) -> u64 {
        telemetry::dropped_lines()
    }

    fn resident_bytes(&self) -> Option<u64> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        kilobytes.checked_mul(1_024)
    }

    fn open_files(&self) -> Option<u64> {
        let open = fs::read_dir("/proc/self/fd").ok()?;
        u64::try_from(open.count()).ok()
    }

    fn open_files_max(&self) -> Option<u64> {
        open_files::allowed()
    }
}
