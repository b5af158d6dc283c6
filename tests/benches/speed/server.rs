//! A server under measurement, in a process of its own: how it is started, and how a client reaches
//! it. It must end with the benchmark, however that ends.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How the line begins that says where a server answers.
pub(crate) const READY: &str = "ready https://";

/// A server that is ready.
#[derive(Debug)]
pub(crate) struct BenchServer {
    pub(crate) process: Child,
    pub(crate) address: String,
    /// What a client has to trust.
    pub(crate) authority: String,
}

impl BenchServer {
    /// Starts a command and waits until it says that it is ready. It shows a certificate signed by
    /// the authority in a file, which may be made by the start.
    pub(crate) async fn start(command: &mut Command, authority: &Path) -> Result<Self> {
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("the server did not start")?;
        let output = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(output).lines();
        let address = loop {
            let line = lines
                .next_line()
                .await?
                .context("the server ended before it was ready")?;
            if let Some(address) = line.strip_prefix(READY) {
                break address.trim().to_owned();
            }
        };
        Ok(Self {
            process,
            address,
            authority: std::fs::read_to_string(authority)?,
        })
    }

    /// Asks it to stop and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<()> {
        let id = self.id()?;
        let asked = Command::new("kill")
            .args(["-TERM", &id.to_string()])
            .status()
            .await?;
        if !asked.success() || !self.process.wait().await?.success() {
            bail!("the server did not stop in order");
        }
        Ok(())
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> Result<u32> {
        self.process.id().context("the server has ended already")
    }

    /// Resident memory in MiB: now, and at its peak.
    pub(crate) fn resident_mib(&self) -> Result<(f64, f64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()?))?;
        let mib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kib = line.and_then(|line| line.split_whitespace().next());
            let kib: f64 = kib.with_context(|| format!("no {name}"))?.parse()?;
            anyhow::Ok(kib / 1024.0)
        };
        Ok((mib("VmRSS:")?, mib("VmHWM:")?))
    }
}
