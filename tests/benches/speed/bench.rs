//! What every measurement has: its settings, a place for data, the databases it needs. It must
//! start a database only where one is measured.

use crate::books::{self, BenchStore};
use crate::ceiling;
use crate::figures::Measured;
use crate::gateway::{self, BenchGateway, GatewaySite};
use crate::load::BenchLoad;
use crate::profile::CpuProfile;
use crate::sheet::{Form, Sheet};
use anyhow::{Context, Result};
use postgres_cluster::Cluster;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tempfile::TempDir;

/// What every measurement is given.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Common {
    /// How long each measurement takes, in seconds
    #[arg(long, default_value_t = 5)]
    pub(crate) seconds: u64,
    /// How many rounds; the medians are shown
    #[arg(long, default_value_t = 5)]
    pub(crate) rounds: usize,
    /// The gateway to measure, a `dist` build; by default the one this workspace builds
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Print one JSON record a line: name, value, unit, ratio, ceiling, spread, values
    #[arg(long)]
    json: bool,
    /// Where the books are kept
    #[arg(long, value_delimiter = ',', default_value = "sqlite,postgres")]
    pub(crate) store: Vec<BenchStore>,
    /// After the rounds, profile the gateway under the same load: folded stacks and a flame graph
    /// are written into this folder; needs `perf`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) profile: Option<PathBuf>,
}

/// One run of the benchmark.
#[derive(Debug)]
pub(crate) struct SpeedBench {
    pub(crate) common: Common,
    binary: PathBuf,
    folder: TempDir,
    cluster: Option<Cluster>,
    /// References never repeat within a run.
    numbers: Arc<AtomicU64>,
    /// How busy the machine was before we came, where it says so.
    busy: String,
}

impl SpeedBench {
    /// Makes a place for data, and starts PostgreSQL if it is measured.
    pub(crate) fn prepare(common: &Common) -> Result<Self> {
        let binary = common.binary.clone();
        let cluster = common.store.contains(&BenchStore::Postgres);
        Ok(Self {
            common: common.clone(),
            binary: binary.map_or_else(gateway::built_binary, Ok)?,
            folder: tempfile::tempdir().context("no folder for the data")?,
            cluster: cluster.then(books::cluster),
            numbers: Arc::new(AtomicU64::new(1)),
            busy: std::fs::read_to_string("/proc/loadavg").unwrap_or_default(),
        })
    }

    pub(crate) const fn time(&self) -> Duration {
        Duration::from_secs(self.common.seconds)
    }

    pub(crate) const fn form(&self) -> Form {
        if self.common.json {
            Form::Json
        } else {
            Form::Table
        }
    }

    pub(crate) fn cluster(&self) -> Result<&Cluster> {
        self.cluster.as_ref().context("PostgreSQL is not measured")
    }

    /// A sheet that says how busy the machine was before: where others worked too, figures say
    /// little.
    pub(crate) fn sheet(&self) -> Sheet {
        let minutes: Vec<_> = self.busy.split(' ').take(3).collect();
        let mut sheet = Sheet::default();
        sheet.note(format!(
            "load of the machine before, over 1, 5 and 15 minutes: {}",
            minutes.join(", ")
        ));
        sheet
    }

    /// A gateway with a name, on fresh books with so many accounts.
    pub(crate) async fn gateway(
        &self,
        name: &str,
        store: BenchStore,
        accounts: usize,
    ) -> Result<BenchGateway> {
        self.gateway_of(&self.binary, name, (store, accounts)).await
    }

    /// The same with settings.
    pub(crate) async fn gateway_with(
        &self,
        settings: &str,
        name: &str,
        (store, accounts): (BenchStore, usize),
    ) -> Result<BenchGateway> {
        let site = GatewaySite {
            settings,
            ..self.site(&self.binary, name, store)?
        };
        BenchGateway::start(site, accounts).await
    }

    /// The same of another build.
    pub(crate) async fn gateway_of(
        &self,
        binary: &Path,
        name: &str,
        (store, accounts): (BenchStore, usize),
    ) -> Result<BenchGateway> {
        BenchGateway::start(self.site(binary, name, store)?, accounts).await
    }

    fn site<'a>(
        &'a self,
        binary: &'a Path,
        name: &str,
        store: BenchStore,
    ) -> Result<GatewaySite<'a>> {
        Ok(GatewaySite {
            binary,
            settings: "",
            data: self.folder.path().join(name),
            cluster: match store {
                BenchStore::Sqlite => None,
                BenchStore::Postgres => Some(self.cluster()?),
            },
        })
    }

    /// Where everything of this run is kept.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The build that is measured.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// Payments that `SQLite` makes by itself.
    pub(crate) fn sqlite_ceiling(&self) -> Result<Measured> {
        Self::settle();
        ceiling::sqlite::payments(self.folder.path(), self.time())
    }

    /// Waits until the disk has what was written so far: the next measurement must not pay for
    /// it.
    pub(crate) fn settle() {
        // Where there is no such command, the disk is as busy as it is.
        let _ = std::process::Command::new("sync").status();
    }

    /// So many connections that send something for a while, once the disk has settled.
    pub(crate) fn load<'a>(&self, gateway: &'a BenchGateway, connections: usize) -> BenchLoad<'a> {
        Self::settle();
        BenchLoad {
            servers: gateway.servers(),
            connections,
            time: self.time(),
            numbers: Arc::clone(&self.numbers),
        }
    }

    /// Starts to profile the first process of a gateway, if asked to.
    pub(crate) fn profile(&self, gateway: &BenchGateway, what: &str) -> Result<Option<CpuProfile>> {
        let Some(folder) = &self.common.profile else {
            return Ok(None);
        };
        let name = format!("{what}-{}", gateway.books.store()).to_lowercase();
        CpuProfile::start(folder, &name, gateway.server()?.id()?).map(Some)
    }
}
